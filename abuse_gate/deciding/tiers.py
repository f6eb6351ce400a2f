"""When the next tier is asked, and how two answers become one. Tables; knows no adapter.

Two kinds of matter: a *prompt* (what the caller wrote) and an *action* (a pending tool call).
A failure never makes an outcome safer.
"""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from typing import Final, Literal

from abuse_gate.model.hit import Hit
from abuse_gate.model.verdict import UNASKED_REASONS, Assessment, Step, worse

Plan = Literal["standard", "thrifty", "paranoid"]
Matter = Literal["prompt", "action"]

# What tier 1 can say of a matter: for a prompt its verdict, for an action the first of the seed's
# checks that let it pass, or `flagged`.
Finding = Literal[
    "clean", "noticed", "condemned", "no_untrusted", "low_risk", "no_red_flags", "flagged"
]

# Ask the verifier? `condemned` is final for a prompt whatever the plan.
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


@dataclass(frozen=True, slots=True)
class Static:
    """Tier 1's word on one matter, with the assessment that stands if nobody is asked."""

    matter: Matter
    finding: Finding
    assessment: Assessment


def asks(plan: Plan, static: Static) -> bool:
    """Whether this plan puts this matter to the verifier."""
    return ASK[plan, static.finding]


def asks_any(plan: Plan, statics: Sequence[Static]) -> bool:
    """Whether anybody is to be asked: not when tier 1 has already condemned the prompt."""
    if any(static.finding == "condemned" for static in statics):
        return False
    return any(asks(plan, static) for static in statics)


def after_verifier(
    static: Static, answer: Assessment, judged: AbstractSet[str] | None
) -> Assessment:
    """One assessment out of tier 1's and the verifier's; `judged` are the families it can see.

    A clean answer clears only those families; an answer that was not given leaves tier 1's word
    standing, but never better than unclear.
    """
    hits = static.assessment.hits
    trail = (
        *static.assessment.trail,
        Step("verifier", answer.verdict, answer.reason, answer.elapsed_ms),
    )
    answer = replace(answer, hits=hits, trail=trail)
    if answer.verdict == "safe" and _sees_all(hits, judged):
        return answer
    if answer.verdict == "unsafe":
        return answer
    own = replace(static.assessment, trail=trail)
    if answer.verdict == "safe":
        return own
    # Unsure, or not asked: for an action tier 1's score decides; neither is ever made safer.
    return worse(answer, own)


def unverified(assessment: Assessment) -> str | None:
    """Why a verifier that was wanted could not be asked; None when it was, or was not wanted."""
    for step in assessment.trail:
        if step.tier == "verifier" and step.reason in UNASKED_REASONS:
            return step.reason
    return None


def _sees_all(hits: tuple[Hit, ...], judged: AbstractSet[str] | None) -> bool:
    return judged is None or all(hit.family in judged for hit in hits)
