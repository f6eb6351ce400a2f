"""Hits in, verdict out: severities add up within a family up to its cap, and families add up.

Whose words they were decides what they weigh; so does whether they were disguised, and whether
the text around them speaks *about* attacks instead of making one.
"""

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
    "ambient": 0.6,
    "call": 1.0,
}

# What had to be decoded or mended before it could be read was hidden on purpose.
DISGUISED: Final = 1.25
# Hits of one family are one suspicion, however many rules share it: the sum is cut here, unless
# a single rule weighs more by itself.
FAMILY_CAP: Final = 120.0
# Rules of this family have no weight; they say that a text discusses, teaches or quotes attacks.
CONTEXT_FAMILY: Final = "about"
# What a family may still weigh in a place that quotes attacks, and in one that speaks of them.
QUOTED_CAP: Final = 25.0
DISCUSSED_CAP: Final = 35.0
QUOTATION: Final = "about.quotation"


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
    """What the hits are worth together; each rule counts once in a place, however often it hit."""
    known = tuple(hits)
    caps = _context_caps(known)
    families: dict[tuple[str, float], dict[str, float]] = {}
    for hit in known:
        if hit.family == CONTEXT_FAMILY:
            continue
        # A disguise is no discussion, so what came out of one keeps its full weight.
        cap = FAMILY_CAP if hit.decoded else caps.get(hit.place, FAMILY_CAP)
        worth = hit.severity * WEIGHT[hit.place] * (DISGUISED if hit.decoded else 1.0)
        rules = families.setdefault((hit.family, cap), {})
        rules[hit.rule] = max(rules.get(hit.rule, 0.0), worth)
    return sum(_capped(tuple(rules.values()), cap) for (_, cap), rules in families.items())


def _context_caps(hits: tuple[Hit, ...]) -> dict[Place, float]:
    """The lower caps of the places whose text speaks about attacks."""
    caps: dict[Place, float] = {}
    for hit in hits:
        if hit.family == CONTEXT_FAMILY:
            cap = QUOTED_CAP if hit.rule == QUOTATION else DISCUSSED_CAP
            caps[hit.place] = min(caps.get(hit.place, cap), cap)
    return caps


def _capped(worths: tuple[float, ...], cap: float) -> float:
    total = sum(worths)
    return min(total, cap if cap < FAMILY_CAP else max(cap, *worths))


def verdict_of(points: float, thresholds: Thresholds) -> Verdict:
    """The contract's word for a score."""
    if points >= thresholds.block:
        return "unsafe"
    return "unclear" if points > thresholds.notice else "safe"
