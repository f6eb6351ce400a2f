"""The escalation plan: which tier is asked next about a matter, and what stands in the end.

Two kinds of matter, one planner: a *prompt* (what the caller wrote) and an *action* (a pending
tool call). `start` says who is asked first, `after` what follows from an answer. Tables; knows
no adapter and no clock. A failure never makes an outcome safer.
"""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from typing import Final, Literal

from abuse_gate.deciding.policy import STRICTNESS, for_unclear
from abuse_gate.deciding.score import BELOW_THRESHOLD, CLEAN
from abuse_gate.model.hit import SUSPECT_CUT, Hit
from abuse_gate.model.verdict import SEVERITY, UNASKED_REASONS, Assessment, Step, Verdict, worse

Plan = Literal["standard", "thrifty", "paranoid"]
Matter = Literal["prompt", "action"]
Tier = Literal["triage", "supervisor"]
Tiers = frozenset[Tier]
LADDER: Final[tuple[Tier, ...]] = ("triage", "supervisor")

# What tier 1 can say of a matter: for a prompt its verdict, for an action the first of the seed's
# checks that let it pass, or `flagged`.
Finding = Literal[
    "clean", "noticed", "condemned", "no_untrusted", "low_risk", "no_red_flags", "flagged"
]
# What an answer of tier 2 or 3 amounts to. `blind`: clean, but from somebody who cannot judge what
# the rules found; `undecided`: asked and unsure; `failed`: could not be asked, or made no sense.
Word = Literal["cleared", "blind", "suspicious", "undecided", "failed", "reorient"]

# Does the plan put this finding to tier 2? `condemned` is final for a prompt whatever the plan.
ASK: Final[dict[tuple[Plan, Finding], bool]] = {
    ("standard", "clean"): True,
    ("standard", "noticed"): True,
    ("standard", "condemned"): False,
    ("standard", "no_untrusted"): False,
    ("standard", "low_risk"): False,
    ("standard", "no_red_flags"): False,
    ("standard", "flagged"): True,
    ("thrifty", "clean"): False,
    ("thrifty", "noticed"): True,
    ("thrifty", "condemned"): False,
    ("thrifty", "no_untrusted"): False,
    ("thrifty", "low_risk"): False,
    ("thrifty", "no_red_flags"): False,
    ("thrifty", "flagged"): True,
    ("paranoid", "clean"): True,
    ("paranoid", "noticed"): True,
    ("paranoid", "condemned"): False,
    ("paranoid", "no_untrusted"): True,
    ("paranoid", "low_risk"): True,
    ("paranoid", "no_red_flags"): True,
    ("paranoid", "flagged"): True,
}
# Does an answer of tier 2 go on to tier 3? Under `paranoid` every one does.
CLIMB: Final[dict[Word, bool]] = {
    "cleared": False,
    "blind": True,
    "suspicious": True,
    "undecided": True,
    "failed": True,
    "reorient": True,
}
# Tier 1 saw nothing to speak of, and tier 2 has not objected: an outage of the cheap judge must not
# send all traffic to the expensive one. Under `paranoid` it does.
SPARED: Final[frozenset[tuple[Finding, Word]]] = frozenset(
    {("clean", "failed"), ("clean", "blind")}
)
# What an answer makes of a matter when nobody else is asked; `own` is tier 1's word, and tier 1's
# word also stands under every answer that did not decide.
STANDS: Final[dict[Word, Verdict | Literal["own"]]] = {
    "cleared": "safe",
    "blind": "own",
    "suspicious": "unsafe",
    "undecided": "unclear",
    "failed": "unclear",
    "reorient": "unclear",
}
# Answers that leave tier 1's word standing where it is the worse one.
UNDECIDED: Final[frozenset[Word]] = frozenset({"blind", "undecided", "failed"})

# The only answers that a supervisor has; any other is none.
SUPERVISOR_REASONS: Final = frozenset(
    {"supervisor_continue", "supervisor_reorient", "supervisor_pause"}
)


@dataclass(frozen=True, slots=True)
class Static:
    """Tier 1's word on one matter, with the assessment that stands if nobody is asked."""

    matter: Matter
    finding: Finding
    assessment: Assessment


@dataclass(frozen=True, slots=True)
class Climb:
    """One matter on its way up: whom to ask next, None when it is done, and what stands by now."""

    plan: Plan
    static: Static
    tiers: Tiers
    next: Tier | None
    assessment: Assessment

    @property
    def matter(self) -> Matter:
        """What is being judged."""
        return self.static.matter

    @property
    def condemned(self) -> bool:
        """Whether this matter is done and unsafe, so that no answer about another can help."""
        return self.next is None and self.assessment.verdict == "unsafe"


def start(plan: Plan, static: Static, tiers: Tiers) -> Climb:
    """The way of a matter after tier 1: to the lowest tier that is there, if the plan asks."""
    return Climb(plan, static, tiers, first_tier(plan, static.finding, tiers), static.assessment)


def first_tier(plan: Plan, finding: Finding, tiers: Tiers) -> Tier | None:
    """Who is asked first about a finding; None when nobody is, or nobody is there."""
    if not tiers or not ASK[plan, finding]:
        return None
    if "triage" in tiers:
        return "triage"
    # Nobody cheap is there to ask about what tier 1 found clean.
    return None if finding == "clean" and plan != "paranoid" else "supervisor"


def asks_any(plan: Plan, statics: Sequence[Static], tiers: Mapping[Matter, Tiers]) -> bool:
    """Whether anybody is to be asked: not when tier 1 has already condemned the prompt."""
    asked = False
    for static in statics:
        if static.finding == "condemned":
            return False
        asked = asked or first_tier(plan, static.finding, tiers[static.matter]) is not None
    return asked


def after(climb: Climb, answer: Assessment, word: Word) -> Climb:
    """The way of a matter after the tier that was asked has answered."""
    asked = climb.next
    if asked is None:
        return climb
    step = Step(asked, answer.verdict, answer.reason, answer.elapsed_ms, answer.usage, climb.matter)
    stands = _stands(climb, answer, word)
    stands = replace(
        stands,
        hits=climb.static.assessment.hits,
        trail=(*climb.assessment.trail, step),
        usage=answer.usage,
    )
    above: Tier | None = "supervisor" if asked == "triage" and _climbs(climb, word) else None
    return replace(climb, next=above, assessment=stands)


def word_of(tier: Tier, answer: Assessment, *, sees_all: bool = True) -> Word:
    """What an answer amounts to; `sees_all` tells that it could judge all that the rules found."""
    if tier == "supervisor" and answer.reason not in SUPERVISOR_REASONS:
        return "failed"
    if answer.verdict == "safe":
        return "cleared" if sees_all else "blind"
    if answer.reason == "supervisor_reorient":
        return "reorient"
    if answer.verdict == "unsafe":
        return "suspicious"
    return "failed" if answer.reason in UNASKED_REASONS else "undecided"


def sees_all(
    static: Static, judged: AbstractSet[str] | None = None, unseen: Sequence[Hit] = ()
) -> bool:
    """Whether somebody who judges these families could see why tier 1 raised its hand.

    `unseen` are hits that were not shown. An action may be flagged for something encoded alone,
    which is a family too.
    """
    weighty = [hit for hit in static.assessment.hits if hit.severity]
    if any(hit in unseen for hit in weighty):
        return False
    if static.matter == "action" and SUSPECT_CUT in unseen:
        return False
    if judged is None:
        return True
    wanted = {hit.family for hit in weighty}
    if static.finding == "flagged" and not wanted:
        wanted = {"encoded"}
    return wanted <= judged


def together(climbs: Sequence[Climb], hits: tuple[Hit, ...], blocks: tuple[int, ...]) -> Assessment:
    """One assessment out of all matters: the worst verdict, and every step on record.

    Of two that are equally bad the one stands whose reason asks for more. Hits of every matter stay
    on record, those of a call that was let pass included.
    """
    worst = climbs[0].assessment
    if len(climbs) == 1 and not blocks and worst.hits == hits:
        return worst
    worst = max((climb.assessment for climb in climbs), key=_weight)
    if worst.verdict == "safe":
        # Who cleared it is the reason, not the matter that nobody had doubts about.
        worst = max((climb.assessment for climb in climbs), key=lambda each: len(each.trail))
    trail = tuple(step for climb in climbs for step in climb.assessment.trail)
    # Rules that fired where they count for no matter are no clean bill either.
    reason = BELOW_THRESHOLD if hits and worst.reason == CLEAN else worst.reason
    return replace(worst, reason=reason, hits=hits, trail=trail, blocks=blocks)


def unverified(assessment: Assessment) -> str | None:
    """Why somebody who was wanted could not be asked; None when all were, or nobody was wanted."""
    for step in assessment.trail:
        if step.tier != "static" and step.reason in UNASKED_REASONS:
            return step.reason
    return None


def _weight(assessment: Assessment) -> tuple[int, int]:
    return SEVERITY[assessment.verdict], STRICTNESS[for_unclear("allow", assessment.reason)]


def _climbs(climb: Climb, word: Word) -> bool:
    if "supervisor" not in climb.tiers:
        return False
    if climb.plan == "paranoid":
        return True
    return CLIMB[word] and (climb.static.finding, word) not in SPARED


def _stands(climb: Climb, answer: Assessment, word: Word) -> Assessment:
    """What stands after an answer; one that did not decide never lifts what stood before it."""
    own = climb.static.assessment
    verdict = STANDS[word]
    told = own if verdict == "own" else replace(answer, verdict=verdict)
    if (climb.static.finding, word) == ("flagged", "blind") and own.verdict == "safe":
        # Tier 1 has put it up to somebody who could judge it, and nobody has.
        told = replace(answer, verdict="unclear", reason="partly_seen")
    if word not in UNDECIDED:
        return told
    before = worse(climb.assessment, own)
    return before if SEVERITY[before.verdict] > SEVERITY[told.verdict] else told
