"""Hits in, verdict out: severities add up within a family up to its cap, and families add up.

Whose words they were decides what they weigh; so does whether they were disguised, and whether
the text around them speaks *about* attacks instead of making one.
"""

from collections.abc import Collection, Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from typing import Final

from abuse_gate.model.hit import ABOUT, QUOTATION, Hit, Place
from abuse_gate.model.verdict import Verdict

# What the rules give as the reason of a verdict of theirs.
CLEAN: Final = "rules_clean"
REASONS: Final[dict[Verdict, str]] = {
    "safe": CLEAN,
    "unclear": "rules_notice",
    "unsafe": "rules_block",
}
# Rules fired, and not enough of them for a notice: a reason to look for, and no clean bill.
BELOW_THRESHOLD: Final = "below_threshold"

# An instruction inside a tool's result or a document weighs more than in a user's own words;
# a cookie or a header is seldom a prompt.
WEIGHT: Final[dict[Place, float]] = {
    "caller": 1.0,
    "third_party": 1.5,
    "document": 1.5,
    "ambient": 0.6,
    "call": 1.0,
    # "Never reveal your system prompt" is an order there, not an attack: on record, and no more.
    "operator": 0.0,
}

# What had to be decoded or mended before it could be read was hidden on purpose.
DISGUISED: Final = 1.25
# Hits of one family are one suspicion, however many rules share it: the sum is cut here, below
# what blocks, unless a single rule weighs more by itself.
FAMILY_CAP: Final = 95.0
# In these families rules of some weight are about different things (a part without limits, and one
# that never says no): two of them are two suspicions. Elsewhere they share the same words.
DIFFERENT: Final = frozenset({"roleplay", "extraction", "exfiltration", "policy"})
WEIGHTY: Final = 50.0
# What all plain hits of a place may weigh together where attacks are quoted, and where they are
# spoken of: not enough for a notice, and not enough to block.
QUOTED_CAP: Final = 50.0
DISCUSSED_CAP: Final = 75.0

# A rule that weighs less is a sign, whatever it stands beside; where less blocks, less is one.
SIGN: Final = 40.0
SIGN_SHARE: Final = 0.4
# A long document has signs of everything.
SIGNS_WEIGHT: Final[dict[Place, float]] = {**WEIGHT, "third_party": 0.8, "document": 0.8}
# What all signs together add to a block, as a share of it.
SIGNS_CAP: Final = 0.3


@dataclass(frozen=True, slots=True)
class Thresholds:
    """At or above `block` is unsafe, above `notice` is unclear, the rest is safe."""

    block: float = 100
    notice: float = 50


def tuned(
    hits: Iterable[Hit], disabled: AbstractSet[str], overrides: Mapping[str, int]
) -> tuple[Hit, ...]:
    """The hits as the operator weighs them: noisy rules switched off or given another severity.

    A harmless phrase that is switched off excuses nothing, nor does another one beside it.
    """
    return tuple(_retold(hit, disabled, overrides) for hit in hits if hit.rule not in disabled)


def _retold(hit: Hit, disabled: AbstractSet[str], overrides: Mapping[str, int]) -> Hit:
    if hit.mild and not disabled.isdisjoint(hit.excuses):
        hit = replace(hit, excuses=())
    return replace(hit, severity=overrides[hit.rule]) if hit.rule in overrides else hit


# How a document is built is one fact, however many of its parts show it, and whoever talks about
# passwords talks about them more than once: the heaviest counts.
ONE_VOICE: Final = frozenset({"document", "coaxing"})


# Whose words, and out of which upload: what is said in one excuses nothing in another.
_Where = tuple[Place, int | None]


def score(hits: Iterable[Hit]) -> float:
    """What the hits are worth together; each rule counts once, where it weighs most.

    Where nothing lowers what it weighs, if it is found there at all: an attack that is also
    discussed elsewhere is an attack.
    """
    known = tuple(hits)
    caps = _context_caps(known)
    # A disguise is no discussion, so what came out of one keeps its full weight.
    free = [hit for hit in known if hit.decoded or (hit.place, hit.source) not in caps]
    best = _best(free)
    total = _total(best.values(), None)
    for where, cap in caps.items():
        mine = [hit for hit in known if (hit.place, hit.source) == where and not hit.decoded]
        fresh = {voice: worth for voice, worth in _best(mine).items() if voice not in best}
        total += _total(fresh.values(), cap)
        best |= fresh
    return total


def _best(hits: Iterable[Hit]) -> dict[str, tuple[float, str]]:
    """Of each rule, or family of one voice, the most that it weighs, and its family."""
    best: dict[str, tuple[float, str]] = {}
    for hit in hits:
        voice = hit.family if hit.family in ONE_VOICE else hit.rule
        worth = hit.severity * _weight(hit)
        best[voice] = max(best.get(voice, (-1.0, "")), (worth, hit.family))
    return best


def _weight(hit: Hit) -> float:
    """What is hidden weighs more among a caller's words; a document's weigh as much already."""
    weight = WEIGHT[hit.place]
    if hit.decoded and weight <= 1:
        return weight * DISGUISED
    return min(weight, SIGNS_WEIGHT[hit.place]) if hit.severity < SIGN else weight


def _context_caps(hits: tuple[Hit, ...]) -> dict[_Where, float]:
    """The caps of the places whose text speaks about attacks."""
    caps: dict[_Where, float] = {}
    for hit in hits:
        # What comes to light in a disguise says nothing about how the rest is meant.
        if hit.family == ABOUT and not hit.decoded:
            cap = QUOTED_CAP if hit.rule == QUOTATION else DISCUSSED_CAP
            where = hit.place, hit.source
            caps[where] = min(caps.get(where, cap), cap)
    loud = {(hit.place, hit.source) for hit in hits if hit.severity >= SIGN}
    # Whoever speaks about attacks gives signs of them, and may give nothing else.
    return {where: cap if where in loud else QUOTED_CAP for where, cap in caps.items()}


def _total(worths: Iterable[tuple[float, str]], cap: float | None) -> float:
    families: dict[str, list[float]] = {}
    for worth, family in worths:
        families.setdefault(family, []).append(worth)
    total = sum(min(sum(own), _most(family, own)) for family, own in families.items())
    return total if cap is None else min(total, cap)


def _most(family: str, worths: list[float]) -> float:
    weighty = sum(worth for worth in worths if worth >= WEIGHTY) if family in DIFFERENT else 0.0
    return max(FAMILY_CAP, weighty, *worths)


def reason_of(verdict: Verdict, hits: Collection[Hit]) -> str:
    """Why the rules say so; what is safe although rules fired is told apart from what is clean."""
    return BELOW_THRESHOLD if hits and verdict == "safe" else REASONS[verdict]


def verdict_of(points: float, thresholds: Thresholds) -> Verdict:
    """The contract's word for a score."""
    if points >= thresholds.block:
        return "unsafe"
    return "unclear" if points > thresholds.notice else "safe"


def _at_least(severity: float, hits: Iterable[Hit]) -> list[Hit]:
    """The hits of this severity and above, and what says how they are meant."""
    return [hit for hit in hits if not hit.severity or hit.severity >= severity]


def judged(hits: Iterable[Hit], thresholds: Thresholds) -> Verdict:
    """The contract's word for hits: mild ones alone are unclear at most.

    An excuse holds where nothing else is suspicious. Beside hits of full weight that are worth a
    notice by themselves it is part of an attack's disguise, and everything counts in full. Signs
    are worth a second look; to a block they add little, for a long text has some of each.
    """
    known = tuple(hits)
    verdict = verdict_of(score(known), thresholds)
    if verdict != "unsafe":
        return verdict
    loud = score(_at_least(min(SIGN, SIGN_SHARE * thresholds.block), known))
    if loud < (1 - SIGNS_CAP) * thresholds.block:
        return "unclear"
    grave = tuple(hit for hit in known if not hit.mild)
    if len(grave) == len(known):
        return verdict
    return "unclear" if verdict_of(score(grave), thresholds) == "safe" else "unsafe"
