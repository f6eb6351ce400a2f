"""Tier 1: a prompt is what its hits add up to; an action passes the four checks in order."""

import itertools
from typing import Final, get_args

import pytest

from abuse_gate.deciding.planner import Finding, Static
from abuse_gate.deciding.score import REASONS, Thresholds
from abuse_gate.deciding.static import PROMPT_FINDING, judge_action, judge_prompt
from abuse_gate.model.extract import Extract, Segment, ToolCall, Trust
from abuse_gate.model.hit import Hit, Place
from abuse_gate.model.verdict import Step, Verdict


def hit(severity: int, place: Place = "caller", rule: str = "r") -> Hit:
    return Hit(rule, "override", severity, place)


def extract(trust: Trust = "untrusted", *, context_known: bool = True) -> Extract:
    return Extract(
        segments=(Segment("words", "tool", trust),),
        calls=(ToolCall("bash", (), context_known=context_known),),
    )


PROMPTS: Final[list[tuple[list[Hit], bool, Finding, Verdict]]] = [
    ([], False, "clean", "safe"),
    ([hit(50)], False, "clean", "safe"),
    ([hit(60)], False, "noticed", "unclear"),
    ([hit(100)], False, "condemned", "unsafe"),
    # One family alone does not condemn by adding up.
    ([hit(60, rule="a"), hit(60, rule="b")], False, "noticed", "unclear"),
    ([hit(70, "third_party")], False, "noticed", "unclear"),
    ([hit(100, "third_party")], False, "condemned", "unsafe"),
    ([hit(100, "third_party")], True, "clean", "safe"),
    ([hit(100, "document")], False, "condemned", "unsafe"),
    ([hit(100, "document")], True, "condemned", "unsafe"),
    ([hit(100, "ambient")], False, "noticed", "unclear"),
    ([hit(100, "ambient")], True, "noticed", "unclear"),
    ([hit(100)], True, "condemned", "unsafe"),
    ([hit(100, "call")], False, "clean", "safe"),
    ([hit(100, "call")], True, "clean", "safe"),
]


@pytest.mark.parametrize(("hits", "beside", "finding", "verdict"), PROMPTS)
def test_a_prompt_is_what_the_hits_in_its_places_add_up_to(
    hits: list[Hit], beside: bool, finding: Finding, verdict: Verdict
) -> None:
    static = judge_prompt(hits, Thresholds(), beside_a_call=beside)
    assert (static.matter, static.finding) == ("prompt", finding)
    assert static.assessment.verdict == verdict
    fired = bool(static.assessment.hits)
    reason = "below_threshold" if fired and verdict == "safe" else REASONS[verdict]
    assert static.assessment.reason == reason
    assert static.assessment.trail == (Step("static", verdict, reason),)


def test_only_hits_in_the_prompts_places_are_its_evidence() -> None:
    everywhere = [hit(10, place) for place in get_args(Place)]
    alone = judge_prompt(everywhere, Thresholds(), beside_a_call=False)
    beside = judge_prompt(everywhere, Thresholds(), beside_a_call=True)
    assert {h.place for h in alone.assessment.hits} == {
        "caller",
        "third_party",
        "document",
        "ambient",
    }
    assert {h.place for h in beside.assessment.hits} == {"caller", "document", "ambient"}


# Untrusted content? High-risk tool? Suspicious pattern? Encoded content? The first `no` passes.
CHECKS: Final[list[tuple[bool, bool, int, bool, Finding, Verdict]]] = [
    (False, False, 0, False, "no_untrusted", "safe"),
    (False, True, 200, True, "no_untrusted", "safe"),
    (True, False, 0, False, "low_risk", "safe"),
    (True, False, 200, True, "low_risk", "safe"),
    (True, True, 0, False, "no_red_flags", "safe"),
    (True, True, 0, True, "flagged", "safe"),
    (True, True, 10, False, "flagged", "safe"),
    (True, True, 60, False, "flagged", "unclear"),
    (True, True, 100, False, "flagged", "unsafe"),
    (True, True, 100, True, "flagged", "unsafe"),
]


@pytest.mark.parametrize(
    ("untrusted", "high_risk", "severity", "encoded", "finding", "verdict"), CHECKS
)
def test_the_four_checks_in_order(
    untrusted: bool,
    high_risk: bool,
    severity: int,
    encoded: bool,
    finding: Finding,
    verdict: Verdict,
) -> None:
    hits = [hit(severity, "call")] if severity else []
    static = judge_action(
        extract("untrusted" if untrusted else "trusted"),
        hits,
        Thresholds(),
        high_risk=high_risk,
        encoded=encoded,
        claimed=False,
    )
    reason = REASONS[verdict] if finding == "flagged" else finding
    if finding == "flagged" and 0 < severity < Thresholds().notice:
        reason = "below_threshold"
    assert (static.matter, static.finding) == ("action", finding)
    assert (static.assessment.verdict, static.assessment.reason) == (verdict, reason)
    assert static.assessment.hits == tuple(hits)


def _judge(
    given: Extract,
    hits: list[Hit],
    *,
    high_risk: bool,
    encoded: bool = False,
    claimed: bool = False,
) -> Static:
    return judge_action(
        given, hits, Thresholds(), high_risk=high_risk, encoded=encoded, claimed=claimed
    )


@pytest.mark.parametrize(
    ("severity", "high_risk", "claimed", "finding"),
    [
        (100, True, True, "flagged"),
        (100, True, False, "no_untrusted"),
        (99, True, True, "no_untrusted"),
        (100, False, True, "low_risk"),
    ],
)
def test_a_claimed_call_that_is_unsafe_by_itself_needs_no_untrusted_content(
    severity: int, high_risk: bool, claimed: bool, finding: str
) -> None:
    hits = [hit(severity, "call")]
    static = _judge(extract("vetted"), hits, high_risk=high_risk, claimed=claimed)
    assert static.finding == finding


def test_vetted_content_is_not_untrusted_influence() -> None:
    static = judge_action(
        extract("vetted"), [], Thresholds(), high_risk=True, encoded=True, claimed=True
    )
    assert static.finding == "no_untrusted"


def test_a_pending_call_without_its_conversation_may_be_under_any_influence() -> None:
    lone = Extract(calls=(ToolCall("bash", (), context_known=False),))
    told = Extract(calls=(ToolCall("bash", (), pending=False, context_known=False),))
    hits = [hit(100, "call")]
    judged = [_judge(given, hits, high_risk=True).finding for given in (lone, told)]
    assert judged == ["flagged", "no_untrusted"]


def test_the_callers_own_words_are_not_the_actions_matter() -> None:
    hits = [hit(100, "caller"), hit(100, "ambient")]
    static = _judge(extract(), hits, high_risk=True)
    assert static.finding == "no_red_flags"


def test_an_earlier_check_that_passes_is_never_overruled_by_a_later_one() -> None:
    for severity, encoded in itertools.product((0, 30, 300), (False, True)):
        hits = [hit(severity, "third_party")] if severity else []
        static = _judge(extract(), hits, high_risk=False, encoded=encoded)
        assert (static.finding, static.assessment.verdict) == ("low_risk", "safe")


def test_every_verdict_has_a_finding_and_a_reason() -> None:
    assert set(PROMPT_FINDING) == set(REASONS) == {"safe", "unclear", "unsafe"}
