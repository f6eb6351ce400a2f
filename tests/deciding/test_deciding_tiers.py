"""When the verifier is asked, and how two answers become one."""

import itertools
from typing import Final, get_args

import pytest

from abuse_gate.deciding.tiers import (
    ASK,
    Finding,
    Plan,
    Static,
    after_verifier,
    asks,
    asks_any,
    unverified,
)
from abuse_gate.model.hit import Hit
from abuse_gate.model.verdict import SEVERITY, UNASKED_REASONS, Assessment, Step, Verdict

PLANS: Final[tuple[Plan, ...]] = get_args(Plan)
FINDINGS: Final[tuple[Finding, ...]] = get_args(Finding)
VERDICTS: Final[tuple[Verdict, ...]] = get_args(Verdict)
OVERRIDE = Hit("override.x", "override", 60, "caller")
SHELL = Hit("shell.x", "shell", 60, "call")
REASONS: Final = (*sorted(UNASKED_REASONS), "model_unclear")

# The escalation plan as the behaviour page has it: which findings each plan puts to a verifier.
ASKED: Final[dict[Plan, set[Finding]]] = {
    "standard": {"clean", "noticed", "flagged"},
    "thrifty": {"noticed", "flagged"},
    "paranoid": {"clean", "noticed", "flagged", "no_untrusted", "low_risk", "no_red_flags"},
}


def static(
    finding: Finding = "noticed", verdict: Verdict = "unclear", *hits: Hit, reason: str = "rules"
) -> Static:
    trail = (Step("static", verdict, reason),)
    return Static("prompt", finding, Assessment(verdict, reason, hits=hits, trail=trail))


@pytest.mark.parametrize(("plan", "finding"), list(itertools.product(PLANS, FINDINGS)))
def test_each_plan_asks_what_the_page_says(plan: Plan, finding: Finding) -> None:
    assert asks(plan, static(finding)) == (finding in ASKED[plan])


def test_the_table_is_total() -> None:
    assert set(ASK) == set(itertools.product(PLANS, FINDINGS))


@pytest.mark.parametrize("plan", PLANS)
def test_a_condemned_prompt_is_final_whatever_stands_beside_it(plan: Plan) -> None:
    for finding in FINDINGS:
        assert not asks_any(plan, [static("condemned"), static(finding)])
        assert not asks_any(plan, [static(finding), static("condemned")])


@pytest.mark.parametrize("plan", PLANS)
def test_one_matter_that_wants_asking_is_enough(plan: Plan) -> None:
    for pair in itertools.product(FINDINGS, FINDINGS):
        if "condemned" not in pair:
            wanted = bool(ASKED[plan] & set(pair))
            assert asks_any(plan, [static(finding) for finding in pair]) == wanted


def test_nobody_is_asked_about_nothing() -> None:
    assert not asks_any("paranoid", [])


def oracle(own: Verdict, answer: Verdict, *, sees_all: bool) -> Verdict:
    """What must come out, by rows: tier 1's word, the verifier's, and whether it sees the hits."""
    if answer == "unsafe":
        return "unsafe"
    if answer == "safe":
        return "safe" if sees_all else own
    return "unsafe" if own == "unsafe" else "unclear"


ROWS = list(itertools.product(FINDINGS, VERDICTS, VERDICTS, (None, "all", "one", "none")))


@pytest.mark.parametrize(("finding", "own", "said", "judged"), ROWS)
def test_every_pair_of_answers_becomes_the_one_of_the_table(
    finding: Finding, own: Verdict, said: Verdict, judged: str | None
) -> None:
    families = {None: None, "all": {"override", "shell"}, "one": {"shell"}, "none": set[str]()}
    before = static(finding, own, OVERRIDE, SHELL)
    answer = Assessment(said, f"model_{said}", source="m", elapsed_ms=7.0)
    after = after_verifier(before, answer, families[judged])
    assert after.verdict == oracle(own, said, sees_all=judged in (None, "all"))
    assert after.hits == (OVERRIDE, SHELL)
    assert after.trail == (
        Step("static", own, "rules"),
        Step("verifier", said, f"model_{said}", 7.0),
    )


@pytest.mark.parametrize(("own", "reason"), list(itertools.product(VERDICTS, REASONS)))
def test_a_failure_never_makes_the_outcome_safer(own: Verdict, reason: str) -> None:
    before = static("flagged", own, OVERRIDE)
    after = after_verifier(before, Assessment("unclear", reason), {"override"})
    assert SEVERITY[after.verdict] >= max(SEVERITY[own], SEVERITY["unclear"])
    assert unverified(after) == (None if reason == "model_unclear" else reason)


def test_families_that_were_not_judged_are_not_cleared() -> None:
    clean = Assessment("safe", "model_safe")
    seen = after_verifier(static("noticed", "unclear", OVERRIDE), clean, {"override"})
    unseen = after_verifier(static("noticed", "unclear", OVERRIDE), clean, {"harm"})
    assert (seen.verdict, seen.reason) == ("safe", "model_safe")
    assert (unseen.verdict, unseen.reason) == ("unclear", "rules")


def test_with_no_hits_there_is_nothing_that_a_clean_answer_could_fail_to_see() -> None:
    after = after_verifier(static("clean", "safe"), Assessment("safe", "model_safe"), set())
    assert (after.verdict, after.reason) == ("safe", "model_safe")


def test_a_tier_that_was_not_wanted_is_not_missing() -> None:
    assert unverified(static().assessment) is None
    assert (
        unverified(Assessment("unclear", "x", trail=(Step("static", "safe", "timeout"),))) is None
    )


@pytest.mark.parametrize(
    ("unseen", "verdict"),
    [((), "safe"), ((SHELL,), "safe"), ((OVERRIDE,), "unclear"), ((SHELL, OVERRIDE), "unclear")],
)
def test_a_clean_answer_clears_no_hit_that_it_was_not_shown(
    unseen: tuple[Hit, ...], verdict: Verdict
) -> None:
    clean = Assessment("safe", "model_safe", unseen=unseen)
    assert after_verifier(static("noticed", "unclear", OVERRIDE), clean, None).verdict == verdict
