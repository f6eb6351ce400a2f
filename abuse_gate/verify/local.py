"""The verifier that is always there: the rules alone, deterministic, no network.

Given our own Payload it scores the hits that tier 1 already found; given any other mapping of the
contract's shape it scans the texts in it.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

from abuse_gate.deciding.score import Thresholds, judged, reason_of, tuned
from abuse_gate.model.hit import Hit
from abuse_gate.model.payload import Payload
from abuse_gate.model.verdict import Assessment, Verdict
from abuse_gate.work.scanner import Scanner, build_scanner, in_a_thread

# Last one first: the walk takes from the end.
_TEXT_KEYS: Final = ("tool_calls", "context", "prompt_text")
_MOST_NODES: Final = 100_000


class LocalRuleAdapter:
    """`VERIFIER_ADAPTER=none`: baseline pattern rules, the same answer every time."""

    name = "local"

    def __init__(
        self,
        scanner: Scanner | None = None,
        thresholds: Thresholds | None = None,
        disabled: frozenset[str] = frozenset(),
        overrides: Mapping[str, int] | None = None,
    ) -> None:
        self._scanner = scanner or build_scanner()
        self._thresholds = thresholds or Thresholds()
        self._disabled = disabled
        self._overrides = overrides or {}

    def assess(self, payload: Mapping[str, Any]) -> Verdict:
        """The contract's method, for callers that want the bare word."""
        return self.examine(payload).verdict

    async def judge(self, payload: Mapping[str, Any], /) -> Assessment:
        """The same with reasons; off the event loop whenever there is something to scan."""
        if isinstance(payload, Payload):
            return self._weigh(payload.hits, complete=not payload.get("ingress_flags"))
        texts, complete = texts_of(payload)
        size = sum(map(len, texts))
        return await in_a_thread(lambda: self._scan(texts, complete=complete), size)

    def examine(self, payload: Mapping[str, Any]) -> Assessment:
        """The same for sync callers."""
        if isinstance(payload, Payload):
            return self._weigh(payload.hits, complete=not payload.get("ingress_flags"))
        texts, complete = texts_of(payload)
        return self._scan(texts, complete=complete)

    def _scan(self, texts: list[str], *, complete: bool) -> Assessment:
        findings = self._scanner.scan_text("\n".join(texts))
        return self._weigh(findings.hits, complete=complete and not findings.flags)

    def _weigh(self, found: tuple[Hit, ...], *, complete: bool) -> Assessment:
        hits = tuned(found, self._disabled, self._overrides)
        verdict = judged(hits, self._thresholds)
        if verdict == "safe" and not complete:
            return Assessment("unclear", "flags", hits=hits)
        return Assessment(verdict, reason_of(verdict, hits), hits=hits)


def texts_of(payload: Mapping[str, Any]) -> tuple[list[str], bool]:
    """Every text of a mapping of the contract's shape, and whether that is all there is to judge.

    A payload that names a flag, has no prompt text, or is too large to walk is not complete.
    """
    texts: list[str] = []
    left: list[object] = [payload.get(key) for key in _TEXT_KEYS]
    for _ in range(_MOST_NODES):
        if not left:
            break
        value = left.pop()
        if isinstance(value, str):
            texts.append(value)
        elif isinstance(value, Mapping):
            left.extend(cast("Mapping[object, object]", value).values())
        elif isinstance(value, list | tuple):
            left.extend(cast("Sequence[object]", value))
    has_prompt = isinstance(payload.get("prompt_text"), str)
    return texts, has_prompt and not left and not payload.get("ingress_flags")
