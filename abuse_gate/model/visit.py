"""One request's stay at the gate, seen from outside its words: who, where, when, which trace.

The one value that changes while a request is on its way; it ends up on the request's record.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from abuse_gate.model.caller import NOBODY, Caller

# The headers by which the common propagators hand a trace on; no other header is ever asked for.
TRACE_HEADERS: Final = frozenset(
    {
        "b3",
        "traceparent",
        "tracestate",
        "uber-trace-id",
        "x-amzn-trace-id",
        "x-b3-flags",
        "x-b3-parentspanid",
        "x-b3-sampled",
        "x-b3-spanid",
        "x-b3-traceid",
        "x-cloud-trace-context",
    }
)


@dataclass(frozen=True, slots=True)
class Evidence:
    """Keyed digests of what was said and proposed, so that a text can be recognised, not read.

    `calls` holds a digest of the name and one of the arguments for each tool call, and whether the
    call was still pending.
    """

    prompt: str = ""
    calls: tuple[tuple[str, str, bool], ...] = ()


NO_EVIDENCE: Final = Evidence()
# The route of what came by no request: an agent's action inside the app.
ACTION: Final = "action"


class Visit:
    """What observers may know of a request besides the decision on it."""

    __slots__ = (
        "_evidence",
        "_last",
        "caller",
        "held_ms",
        "incident_id",
        "method",
        "span",
        "span_id",
        "started",
        "times",
        "trace_id",
    )

    def __init__(self, incident_id: str, now: float, caller: Caller = NOBODY) -> None:
        self.incident_id = incident_id
        # Empty where there is none.
        self.method = ""
        self.started = now
        self.caller = caller
        self._evidence: Evidence | Callable[[], Evidence] = NO_EVIDENCE
        self.times: dict[str, float] = {}
        # The longest stretch for which our work on this request kept the event loop, if measured.
        self.held_ms: float | None = None
        self.trace_id = ""
        self.span_id = ""
        # The tracer's own handle while the request is under way.
        self.span: Any = None
        self._last = now

    def __repr__(self) -> str:
        return f"Visit({self.incident_id})"

    def lap(self, step: str, now: float) -> None:
        """A step of the way is over; what it took is kept under its name, in milliseconds."""
        self.times[step] = (now - self._last) * 1000
        self._last = now

    @property
    def evidence(self) -> Evidence:
        """Digests of what was said; made when somebody first asks for them."""
        if not isinstance(self._evidence, Evidence):
            self._evidence = self._evidence()
        return self._evidence

    @evidence.setter
    def evidence(self, found: Evidence | Callable[[], Evidence]) -> None:
        self._evidence = found

    def close(self) -> None:
        """Every observer was told: what nobody asked for is forgotten, and holds no text."""
        if not isinstance(self._evidence, Evidence):
            self._evidence = NO_EVIDENCE

    @property
    def now(self) -> float:
        """When the last step that is over was over, by the gate's clock."""
        return self._last

    @property
    def route(self) -> str | None:
        """The template of the route that would answer; None where it cannot be told."""
        return None

    def trace_headers(self) -> Mapping[str, str]:
        """What a client's trace is handed on by; never any other header."""
        return {}


class ActionVisit(Visit):
    """The check of an agent's action inside the app, which no route answers."""

    __slots__ = ()

    @property
    def route(self) -> str | None:
        """The word that stands for all of them."""
        return ACTION
