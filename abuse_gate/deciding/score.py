"""Hits in, verdict out: severities add up, and whose words they were decides what they weigh."""

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from typing import Final

from abuse_gate.model.hit import Hit, Place
from abuse_gate.model.verdict import Verdict

# An instruction inside a tool's result or a document weighs more than in a user's own words;
# a cookie or a header is seldom a prompt.
WEIGHT: Final[dict[Place, float]] = {
    "caller": 1.0,
    "third_party": 1.5,
    "document": 1.5,
    "ambient": 0.6,
    "call": 1.0,
}


@dataclass(frozen=True, slots=True)
class Thresholds:
    """At or above `block` is unsafe, above `notice` is unclear, the rest is safe."""

    block: float = 100
    notice: float = 50


def tuned(
    hits: Iterable[Hit], disabled: AbstractSet[str], overrides: Mapping[str, int]
) -> tuple[Hit, ...]:
    """The hits as the operator weighs them: noisy rules switched off or given another severity."""
    return tuple(
        replace(hit, severity=overrides[hit.rule]) if hit.rule in overrides else hit
        for hit in hits
        if hit.rule not in disabled
    )


def score(hits: Iterable[Hit]) -> float:
    """Each rule counts once, where it weighs most: repetition makes no text worse."""
    best: dict[str, float] = {}
    for hit in hits:
        best[hit.rule] = max(best.get(hit.rule, 0.0), hit.severity * WEIGHT[hit.place])
    return sum(best.values())


def verdict_of(points: float, thresholds: Thresholds) -> Verdict:
    """The contract's word for a score."""
    if points >= thresholds.block:
        return "unsafe"
    return "unclear" if points > thresholds.notice else "safe"
