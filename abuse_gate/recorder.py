"""The gate's clerk: keeps each request's visit, and tells the observers what came of it.

Decides nothing. What a tracer needs to be current during the work is entered and left here.
"""

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import AbstractContextManager
from functools import partial
from typing import Any, Protocol, TypeVar, runtime_checkable

from abuse_gate.contract import Observer
from abuse_gate.deciding.planner import unverified
from abuse_gate.inspection import Inspection
from abuse_gate.model.caller import NOBODY, Caller, CallerOf
from abuse_gate.model.decision import Decision
from abuse_gate.model.events import Reviewed
from abuse_gate.model.extract import Modality
from abuse_gate.model.verdict import Assessment
from abuse_gate.model.visit import ActionVisit, Visit
from abuse_gate.settings import RoutePolicy
from abuse_gate.telemetry.evidence import evidence_of
from abuse_gate.work.incidents import INCIDENT_IDS
from abuse_gate.work.scanner import INLINE_SIZE, beside_the_loop
from abuse_gate.work.stretches import Stretches
from abuse_gate.work.visits import visiting

Result = TypeVar("Result")


@runtime_checkable
class Tracing(Protocol):
    """What the clerk asks of an observer that keeps more than log records."""

    @property
    def keeps_digests(self) -> bool:
        """Whether digests are wanted of every request, not of incidents alone."""
        ...

    @property
    def times_the_loop(self) -> bool:
        """Whether it is wanted how long our work keeps the event loop."""
        ...

    def story(self, visit: Visit, /) -> AbstractContextManager[object]:
        """Entered while a verifier is asked about a request, so that spans nest."""
        ...


@runtime_checkable
class Choosy(Protocol):
    """An observer that need not be told of every request."""

    def hears_passes(self) -> bool:
        """Whether it wants to be told of requests about which there is nothing to say."""
        ...


class Recorder:
    """One for a gate; holds nothing of any request."""

    def __init__(
        self,
        observer: Observer,
        clock: Callable[[], float],
        digest_key: bytes,
        *,
        alone: bool,
    ) -> None:
        self.clock = clock
        self._observer = observer
        self._key = digest_key
        self._tracing = observer if isinstance(observer, Tracing) else None
        self._alone = alone
        # Whether anybody wants to be told of requests about which there is nothing to say.
        self.hears_passes: Callable[[], bool] = lambda: True
        if isinstance(observer, Choosy):
            self.hears_passes = observer.hears_passes

    def visit(self, caller: Caller = NOBODY) -> Visit:
        """The start of a request's way, for callers that have no scope."""
        return Visit(INCIDENT_IDS.draw(), self.clock(), caller)

    def action(self, caller: Caller) -> Visit:
        """The start of the check of an agent's action."""
        return ActionVisit(INCIDENT_IDS.draw(), self.clock(), caller)

    def story(self, visit: Visit) -> AbstractContextManager[object]:
        """The part of a request's way in which somebody is asked about it."""
        return visiting(visit) if self._tracing is None else self._tracing.story(visit)

    async def timed(self, work: Coroutine[Any, Any, Result], visit: Visit) -> Result:
        """The inspection, and how long it took and kept the loop."""
        if self._tracing is not None and self._tracing.times_the_loop:
            watched = Stretches(work)
            result = await watched
            visit.held_ms = watched.longest_ms
        else:
            result = await work
        visit.lap("inspect", self.clock())
        return result

    async def gather(
        self,
        visit: Visit,
        inspection: Inspection,
        assessment: Assessment,
        who: CallerOf | None = None,
    ) -> None:
        """Digests of what was said and by whom, if they are kept or somebody may have to look."""
        if inspection.ask:
            visit.lap("verify", self.clock())
        wanted = self._tracing is not None and self._tracing.keeps_digests
        if not (wanted or inspection.hits or assessment.verdict != "safe"):
            return
        if who is not None:
            visit.caller = await who()
        make = partial(evidence_of, inspection.extract, self._key)
        size = inspection.extract.chars
        # Of a short text they are made when somebody asks: a span may yet be sampled out.
        visit.evidence = make if size <= INLINE_SIZE else await beside_the_loop(make, size)

    async def aclose(self) -> None:
        """Lets observers that keep something write the rest of it, off the loop."""
        close = getattr(self._observer, "close", None)
        if callable(close):
            await asyncio.to_thread(close)

    def record(
        self,
        decision: Decision,
        policy: RoutePolicy,
        visit: Visit,
        started: float,
        body_bytes: int,
        modalities: tuple[Modality, ...] = (),
    ) -> Decision:
        """Tell the observers; the decision as it came in."""
        elapsed = (self.clock() - started) * 1000
        self._observer.record(
            Reviewed(
                decision,
                body_bytes,
                elapsed,
                unverified(decision.assessment),
                policy.plan,
                policy.version,
                modalities,
                self._alone,
                visit,
            )
        )
        visit.close()
        return decision
