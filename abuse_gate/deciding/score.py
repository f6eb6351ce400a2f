"""Hits in, verdict out: severities add up within a family up to its cap, and families add up.

Whose words they were decides what they weigh; so does whether they were disguised, and whether
the text around them speaks *about* attacks instead of making one.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from typing import Final

from abuse_gate.deciding.context import SIGN, Where, context_caps
from abuse_gate.deciding.remarks import is_a_remark
from abuse_gate.model.hit import Hit, Place
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
# Where less blocks, less is a sign.
SIGN_SHARE: Final = 0.4
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


# Whoever asks for a secret is coaxing, whatever else hears it.
VOICES: Final[Mapping[str, str]] = {"extraction.secret": "coaxing"}


# Of a place whose text speaks about attacks, and of all others together: the worths of a family.
Weighed = Mapping[Where | None, Mapping[str, list[float]]]


def score(hits: Iterable[Hit]) -> float:
    """What the hits are worth together; each rule counts once."""
    known = tuple(hits)
    return _points(counted(known), context_caps(known))


def counted(hits: Iterable[Hit]) -> tuple[Hit, ...]:
    """Of each rule, or of each family of one voice, the hit that counts.

    The heaviest, or the one that nothing lowers, whichever makes more of them together: an attack
    that is also discussed elsewhere is an attack.
    """
    known = tuple(hits)
    caps = context_caps(known)
    heaviest = _best(known)
    if not caps:
        return (*heaviest.values(),)
    places: dict[Where | None, list[Hit]] = {None: []}
    for hit in known:
        places.setdefault(_discussed(hit, caps), []).append(hit)
    free: dict[str, Hit] = {}
    # What nothing lowers comes first.
    for mine in places.values():
        for voice, hit in _best(mine).items():
            free.setdefault(voice, hit)
    ways = ((*heaviest.values(),), (*free.values(),))
    return max(ways, key=lambda way: _points(way, caps))


def _best(hits: Iterable[Hit]) -> dict[str, Hit]:
    best: dict[str, Hit] = {}
    for hit in hits:
        voice = VOICES.get(hit.rule, hit.family if hit.family in ONE_VOICE else hit.rule)
        if voice not in best or worth_of(hit) > worth_of(best[voice]):
            best[voice] = hit
    return best


def _points(counting: Iterable[Hit], caps: Mapping[Where, float]) -> float:
    places = weighed(counting, caps).items()
    return sum(_total(families, None if at is None else caps[at]) for at, families in places)


def weighed(counting: Iterable[Hit], caps: Mapping[Where, float]) -> Weighed:
    """What each hit that counts is worth, by the place that caps it, if one does, and by family."""
    places: dict[Where | None, dict[str, list[float]]] = {}
    for hit in counting:
        families = places.setdefault(_discussed(hit, caps), {})
        families.setdefault(hit.family, []).append(worth_of(hit))
    return places


def _discussed(hit: Hit, caps: Mapping[Where, float]) -> Where | None:
    """Where a hit is spoken of; a disguise is no discussion, and keeps its full weight."""
    where = hit.place, hit.source
    return where if where in caps and not hit.decoded else None


def worth_of(hit: Hit) -> float:
    """What a hit weighs by itself."""
    return hit.severity * weight_of(hit)


def weight_of(hit: Hit) -> float:
    """What is hidden weighs more among a caller's words; a document's weigh as much already."""
    weight = WEIGHT[hit.place]
    if hit.decoded and weight <= 1:
        return weight * DISGUISED
    # A long document has signs of everything.
    return min(weight, 1.0) if hit.severity < SIGN else weight


def _total(families: Mapping[str, list[float]], cap: float | None) -> float:
    total = sum(min(sum(worths), most(family, worths)) for family, worths in families.items())
    return total if cap is None else min(total, cap)


def most(family: str, worths: list[float]) -> float:
    """What the hits of one family may be worth together."""
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


def without_signs(hits: Iterable[Hit], thresholds: Thresholds) -> list[Hit]:
    """The hits that are no mere signs, and what says how they are meant."""
    least = min(SIGN, SIGN_SHARE * thresholds.block)
    return [hit for hit in hits if not hit.severity or hit.severity >= least]


def least_loud(thresholds: Thresholds) -> float:
    """What a block takes besides signs."""
    return (1 - SIGNS_CAP) * thresholds.block


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
    if score(without_signs(known, thresholds)) < least_loud(thresholds):
        return "unclear"
    if is_a_remark(without_signs(known, thresholds), thresholds.block):
        return "unclear"
    grave = tuple(hit for hit in known if not hit.mild)
    if len(grave) == len(known):
        return verdict
    return "unclear" if verdict_of(score(grave), thresholds) == "safe" else "unsafe"


def condemning(
    thresholds: Thresholds, disabled: AbstractSet[str], overrides: Mapping[str, int]
) -> Callable[[Iterable[Hit]], bool]:
    """Whether hits are an attack as the operator weighs them, whatever else there may be."""
    return lambda hits: judged(tuned(hits, disabled, overrides), thresholds) == "unsafe"
