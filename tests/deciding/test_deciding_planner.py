"""The escalation plan: every combination of plan, matter and answers, and what must hold of all."""

import itertools
from collections.abc import Iterator
from dataclasses import replace
from typing import Final, get_args

import pytest

from abuse_gate.deciding.planner import (
    ASK,
    CLIMB,
    LADDER,
    SPARED,
    STANDS,
    Climb,
    Finding,
    Matter,
    Plan,
    Static,
    Tier,
    Tiers,
    Word,
    after,
    asks_any,
    sees_all,
    start,
    together,
    unverified,
    word_of,
)
from abuse_gate.model.hit import Hit
from abuse_gate.model.verdict import SEVERITY, UNASKED_REASONS, Assessment, Step, Usage, Verdict

PLANS: Final[tuple[Plan, ...]] = get_args(Plan)
FINDINGS: Final[tuple[Finding, ...]] = get_args(Finding)
# What tier 1 can say of each matter: its finding, and the verdict that stands if nobody is asked.
TIER_1: Final[dict[Matter, list[tuple[Finding, Verdict]]]] = {
    "prompt": [("clean", "safe"), ("noticed", "unclear"), ("condemned", "unsafe")],
    "action": [
        ("no_untrusted", "safe"),
        ("low_risk", "safe"),
        ("no_red_flags", "safe"),
        ("flagged", "safe"),
        ("flagged", "unclear"),
        ("flagged", "unsafe"),
    ],
}
TIERS: Final[list[Tiers]] = [
    frozenset(),
    frozenset({"triage"}),
    frozenset({"supervisor"}),
    frozenset({"triage", "supervisor"}),
]
# How each judge can answer: the assessment that arrives, and the word it amounts to.
TRIAGE: Final[dict[Word, Assessment]] = {
    "cleared": Assessment("safe", "model_safe", usage=Usage("p", "small", 10, 1)),
    "blind": Assessment("safe", "model_safe"),
    "suspicious": Assessment("unsafe", "model_unsafe"),
    "undecided": Assessment("unclear", "model_unclear"),
    "failed": Assessment("unclear", "timeout"),
}
SUPERVISOR: Final[dict[Word, Assessment]] = {
    "cleared": Assessment("safe", "supervisor_continue"),
    "reorient": Assessment("unclear", "supervisor_reorient"),
    "suspicious": Assessment("unsafe", "supervisor_pause"),
    "failed": Assessment("unclear", "provider_error"),
}
OVERRIDE = Hit("override.x", "override", 60, "third_party")


def static(matter: Matter, finding: Finding, verdict: Verdict, *hits: Hit) -> Static:
    trail = (Step("static", verdict, "rules", matter=matter),)
    return Static(matter, finding, Assessment(verdict, "rules", hits=hits, trail=trail))


def run(plan: Plan, first: Static, tiers: Tiers, triage: Word, supervisor: Word) -> Climb:
    """A matter on its whole way up, with judges that answer as told."""
    climb = start(plan, first, tiers)
    words: dict[Tier, Word] = {"triage": triage, "supervisor": supervisor}
    books = {"triage": TRIAGE, "supervisor": SUPERVISOR}
    for _ in range(10):
        if climb.next is None:
            return climb
        word = words[climb.next]
        climb = after(climb, books[climb.next][word], word)
    raise AssertionError("it does not end")


Row = tuple[Plan, Matter, Finding, Verdict, Tiers, Word, Word]


def rows() -> Iterator[Row]:
    for plan, tiers, triage, supervisor in itertools.product(PLANS, TIERS, TRIAGE, SUPERVISOR):
        for matter, known in TIER_1.items():
            for finding, own in known:
                yield plan, matter, finding, own, tiers, triage, supervisor


EVERY: Final = list(rows())
ASKED: Final[dict[Plan, set[Finding]]] = {
    "standard": {"clean", "noticed", "flagged"},
    "thrifty": {"noticed", "flagged"},
    "paranoid": {"clean", "noticed", "flagged", "no_untrusted", "low_risk", "no_red_flags"},
}


def worst_of(*verdicts: Verdict) -> Verdict:
    return max(verdicts, key=lambda verdict: SEVERITY[verdict])


def expected(row: Row) -> tuple[list[str], Verdict]:
    """The behaviour page in plain code: which tiers are gone through, and the verdict."""
    plan, _, finding, own, tiers, triage, supervisor = row
    path = ["static"]
    verdict: Verdict = own
    if finding not in ASKED[plan]:
        return path, verdict
    if "triage" in tiers:
        path.append("triage")
        stands: dict[Word, Verdict] = {
            "cleared": "safe",
            "suspicious": "unsafe",
            # What tier 1 has flagged in an action is cleared by nobody who could not see it.
            "blind": worst_of(own, "unclear") if finding == "flagged" else own,
            "undecided": worst_of(own, "unclear"),
            "failed": worst_of(own, "unclear"),
        }
        verdict = stands[triage]
        goes_on = plan == "paranoid" or triage != "cleared"
        if plan != "paranoid" and finding == "clean" and triage in ("failed", "blind"):
            goes_on = False
    else:
        goes_on = plan == "paranoid" or finding != "clean"
    if not goes_on or "supervisor" not in tiers:
        return path, verdict
    path.append("supervisor")
    last: dict[Word, Verdict] = {"cleared": "safe", "reorient": "unclear", "suspicious": "unsafe"}
    return path, last.get(supervisor, worst_of(own, verdict, "unclear"))


def test_every_path_through_the_tiers_is_the_one_of_the_page() -> None:
    assert len(EVERY) == 3 * 9 * 4 * 5 * 4
    for row in EVERY:
        plan, matter, finding, own, tiers, triage, supervisor = row
        climb = run(plan, static(matter, finding, own), tiers, triage, supervisor)
        got = [step.tier for step in climb.assessment.trail], climb.assessment.verdict
        assert got == expected(row), row


def test_no_tier_is_asked_twice_and_none_below_another() -> None:
    for plan, matter, finding, own, tiers, triage, supervisor in EVERY:
        climb = run(plan, static(matter, finding, own), tiers, triage, supervisor)
        asked = [step.tier for step in climb.assessment.trail[1:]]
        assert asked == [tier for tier in LADDER if tier in asked]


def test_a_failure_never_makes_an_outcome_safer() -> None:
    for plan, matter, finding, own, tiers, triage, supervisor in EVERY:
        first = static(matter, finding, own)
        failing = run(plan, first, tiers, "failed", "failed")
        later = run(plan, first, tiers, triage, "failed").assessment.verdict
        without = run(plan, first, tiers - {"supervisor"}, triage, supervisor).assessment.verdict
        asked = len(failing.assessment.trail) > 1
        assert SEVERITY[failing.assessment.verdict] >= max(SEVERITY[own], int(asked))
        assert SEVERITY[later] >= SEVERITY[without]


@pytest.mark.parametrize("plan", PLANS)
def test_what_the_rules_condemn_in_a_prompt_is_final(plan: Plan) -> None:
    for tiers, triage, supervisor in itertools.product(TIERS, TRIAGE, SUPERVISOR):
        climb = run(plan, static("prompt", "condemned", "unsafe"), tiers, triage, supervisor)
        assert climb.condemned
        assert climb.assessment.path == "static"


def test_the_tables_are_total() -> None:
    assert set(ASK) == set(itertools.product(PLANS, FINDINGS))
    assert set(CLIMB) == set(STANDS) == set(get_args(Word))
    assert {finding for finding, _ in SPARED} == {"clean"}


def test_an_answer_to_nobody_changes_nothing() -> None:
    done = start("thrifty", static("prompt", "clean", "safe"), TIERS[3])
    assert after(done, TRIAGE["suspicious"], "suspicious") == done


def test_a_step_tells_matter_reason_time_and_cost() -> None:
    answer = Assessment("safe", "triage_cleared", elapsed_ms=7.0, usage=Usage("p", "small", 10, 1))
    climb = after(
        start("standard", static("action", "flagged", "unclear"), TIERS[1]), answer, "cleared"
    )
    expected_step = Step("triage", "safe", "triage_cleared", 7.0, answer.usage, "action")
    assert climb.assessment.trail[1] == expected_step
    assert climb.assessment.path == "static→triage"


@pytest.mark.parametrize(
    ("tier", "answer", "seen", "word"),
    [
        *[("triage", answer, word != "blind", word) for word, answer in TRIAGE.items()],
        *[("supervisor", answer, True, word) for word, answer in SUPERVISOR.items()],
        *[("triage", Assessment("unclear", r), True, "failed") for r in sorted(UNASKED_REASONS)],
        ("triage", Assessment("unclear", "triage_ambiguous"), True, "undecided"),
        ("supervisor", Assessment("safe", "model_safe"), True, "failed"),
        ("supervisor", SUPERVISOR["cleared"], False, "blind"),
        ("supervisor", Assessment("unclear", "bad_reply"), True, "failed"),
    ],
)
def test_what_an_answer_amounts_to(tier: Tier, answer: Assessment, seen: bool, word: Word) -> None:
    assert word_of(tier, answer, sees_all=seen) == word


NOTE = Hit("about.x", "about", 0, "third_party")
SEEN: Final[list[tuple[Finding, tuple[Hit, ...], set[str] | None, bool]]] = [
    ("noticed", (OVERRIDE,), None, True),
    ("noticed", (OVERRIDE,), {"override", "shell"}, True),
    ("noticed", (OVERRIDE,), {"shell"}, False),
    ("noticed", (OVERRIDE, NOTE), {"override"}, True),
    ("clean", (), set(), True),
    ("clean", (NOTE,), set(), True),
    ("low_risk", (), set(), True),
    ("flagged", (), set(), False),
    ("flagged", (), {"encoded"}, True),
    ("flagged", (NOTE,), set(), False),
]


@pytest.mark.parametrize(("finding", "hits", "judged", "seen"), SEEN)
def test_a_clean_answer_clears_only_what_its_giver_can_judge(
    finding: Finding, hits: tuple[Hit, ...], judged: set[str] | None, seen: bool
) -> None:
    assert sees_all(static("action", finding, "unclear", *hits), judged) == seen


SHELL = Hit("shell.x", "shell", 60, "call")


@pytest.mark.parametrize(
    ("unseen", "seen"),
    [
        ((), True),
        ((SHELL,), True),
        ((NOTE,), True),
        ((OVERRIDE,), False),
        ((SHELL, OVERRIDE), False),
    ],
)
def test_a_clean_answer_clears_no_hit_that_was_not_shown(
    unseen: tuple[Hit, ...], seen: bool
) -> None:
    assert sees_all(static("prompt", "noticed", "unclear", OVERRIDE, NOTE), None, unseen) == seen


def test_the_worst_matter_stands_and_every_step_stays_on_record() -> None:
    prompt = start("thrifty", static("prompt", "clean", "safe"), TIERS[0])
    action = start("thrifty", static("action", "flagged", "unsafe"), TIERS[0])
    for climbs in ([prompt, action], [action, prompt]):
        joined = together(climbs, (OVERRIDE,), (3,))
        assert (joined.verdict, joined.hits, joined.blocks) == ("unsafe", (OVERRIDE,), (3,))
        assert {step.matter for step in joined.trail} == {"prompt", "action"}
        assert joined.path == "static"


def test_of_safe_matters_the_one_that_somebody_cleared_is_the_reason() -> None:
    prompt = start("thrifty", static("prompt", "clean", "safe"), TIERS[0])
    steps = (Step("static", "unsafe", "rules_block"), Step("triage", "safe", "triage_cleared"))
    action = replace(prompt, assessment=Assessment("safe", "triage_cleared", trail=steps))
    for climbs in ([prompt, action], [action, prompt]):
        assert together(climbs, (OVERRIDE,), ()).reason == "triage_cleared"


@pytest.mark.parametrize(
    ("own", "hits", "reason"),
    [
        ("rules_clean", (), "rules_clean"),
        ("rules_clean", (OVERRIDE,), "below_threshold"),
        ("triage_cleared", (OVERRIDE,), "triage_cleared"),
    ],
)
def test_rules_that_fired_for_no_matter_are_no_clean_bill(
    own: str, hits: tuple[Hit, ...], reason: str
) -> None:
    judged = Static("prompt", "clean", Assessment("safe", own))
    assert together([start("standard", judged, frozenset())], hits, ()).reason == reason


@pytest.mark.parametrize("plan", PLANS)
def test_somebody_is_asked_when_one_matter_wants_it_and_none_is_condemned(plan: Plan) -> None:
    available: dict[Matter, Tiers] = {"prompt": TIERS[3], "action": TIERS[3]}
    for (one, a), (two, b) in itertools.product(TIER_1["prompt"], TIER_1["action"]):
        statics = [static("prompt", one, a), static("action", two, b)]
        wanted = one != "condemned" and bool(ASKED[plan] & {one, two})
        assert asks_any(plan, statics, available) == wanted
    assert not asks_any(plan, [], available)


@pytest.mark.parametrize("reason", ["timeout", "budget_spent", "no_supervisor"])
def test_why_nobody_could_be_asked_is_told(reason: str) -> None:
    steps = (Step("static", "safe", "rules"), Step("triage", "unclear", reason))
    assert unverified(Assessment("unclear", reason, trail=steps)) == reason
    assert unverified(Assessment("safe", "x", trail=(Step("static", "unclear", reason),))) is None
    assert (
        unverified(Assessment("safe", "x", trail=(Step("triage", "safe", "model_safe"),))) is None
    )
