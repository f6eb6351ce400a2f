"""The tiers at work: who is asked, how often, within which time, and what is counted."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from abuse_gate.model.caller import Caller
from abuse_gate.model.events import Verified
from abuse_gate.model.payload import Payload
from abuse_gate.model.verdict import Assessment, Usage
from abuse_gate.testing import ScriptedAdapter
from abuse_gate.verify.tiered import Tiered
from tests.verify.tiering import (
    CLEAN,
    CONDEMNED,
    FLAGGED,
    HIT,
    NOTICED,
    OBSERVER,
    Judging,
    brief,
    guards,
    static,
    supervisor,
    triage,
)


async def test_each_matter_is_put_to_its_own_judge_and_the_worse_verdict_stands() -> None:
    verifier, judge = ScriptedAdapter("safe"), Judging(answer=True)
    tiers = Tiered(guards(verifier), triage(judge))
    assessment = (await tiers.judge(brief(CLEAN, FLAGGED, hits=(HIT,), blocks=(7,)))).assessment
    assert (assessment.verdict, assessment.reason) == ("unsafe", "triage_suspicious")
    assert (assessment.hits, assessment.blocks) == ((HIT,), (7,))
    steps = [(step.matter, step.tier, step.verdict) for step in assessment.trail]
    assert steps == [
        ("prompt", "static", "safe"),
        ("prompt", "triage", "safe"),
        ("action", "static", "unclear"),
        ("action", "triage", "unsafe"),
    ]
    assert len(verifier.payloads) == len(judge.asked) == 1
    question = judge.asked[0]["question"]
    assert (question["kind"], question["matter"], question["suspected"]) == (
        "triage",
        "action",
        [2],
    )
    assert question["trail"] == [{"tier": "static", "verdict": "unclear", "reason": "rules"}]


async def test_without_a_triage_the_verifier_is_asked_once_for_both_matters() -> None:
    verifier = ScriptedAdapter("unsafe")
    assessment = (await Tiered(guards(verifier)).judge(brief(CLEAN, FLAGGED))).assessment
    assert len(verifier.payloads) == 1
    assert [step.tier for step in assessment.trail] == ["static", "triage", "static", "triage"]


async def test_a_verifier_that_sees_no_injection_hands_its_hits_to_the_triage() -> None:
    verifier = ScriptedAdapter(Assessment("safe", "model_safe", usage=Usage("a", "m", 1, 1)))
    verifier.judges = frozenset({"harm"})  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue]
    for answer, verdict in ((False, "safe"), (True, "unsafe"), ("hm", "unclear")):
        judge = Judging(answer)
        assessment = (
            await Tiered(guards(verifier), triage(judge)).judge(brief(NOTICED))
        ).assessment
        assert assessment.verdict == verdict
        assert assessment.path == "static→triage"
        assert len(assessment.trail) == 2, "two questions of one tier are one step"
        assert judge.asked[0]["question"]["matter"] == "prompt"
    alone = (await Tiered(guards(verifier)).judge(brief(NOTICED))).assessment
    assert (alone.verdict, alone.reason) == ("unclear", "rules")
    seen = (await Tiered(guards(verifier), triage(Judging(True))).judge(brief(CLEAN))).assessment
    assert seen.verdict == "safe"


async def test_the_cost_of_both_questions_of_a_tier_is_on_record() -> None:
    cost = Usage("a", "m", 10, 2)
    verifier = ScriptedAdapter(Assessment("safe", "model_safe", usage=cost))
    verifier.judges = frozenset[str]()  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue]

    class Priced:
        async def assess(self, payload: Mapping[str, Any]) -> Assessment:
            return Assessment("safe", "triage_cleared", usage=Usage("b", "small", 5, 1))

    tiers = Tiered(guards(verifier), guards(Priced()))
    step = (await tiers.judge(brief(NOTICED))).assessment.trail[-1]
    assert step.usage == Usage("b", "small", 15, 3)
    assert step.elapsed_ms > 0
    free = Tiered(guards(verifier), triage(Judging(False)))
    assert (await free.judge(brief(NOTICED))).assessment.trail[-1].usage == cost


async def test_matters_go_up_side_by_side() -> None:
    log: list[str] = []
    judge = Judging({"verdict": "CONTINUE", "correction": None}, log=log, pause=0.01)
    tiers = Tiered(guards(ScriptedAdapter("unclear")), triage(Judging(True)), supervisor(judge))
    assessment = (await tiers.judge(brief(NOTICED, FLAGGED))).assessment
    assert sorted(log) == ["action", "prompt"]
    assert (assessment.verdict, assessment.path) == ("safe", "static→triage→supervisor")


async def test_nobody_else_is_asked_once_a_matter_is_condemned() -> None:
    judge, boss = Judging(True), Judging({"verdict": "CONTINUE", "correction": None})
    tiers = Tiered(guards(ScriptedAdapter("safe")), triage(judge), supervisor(boss))
    assert (await tiers.judge(brief(CONDEMNED, FLAGGED))).assessment.verdict == "unsafe"
    assert judge.asked == boss.asked == []


async def test_what_need_not_be_asked_is_not_even_redacted() -> None:
    def never() -> Payload:
        raise AssertionError

    verifier = ScriptedAdapter("unsafe")
    tiers = Tiered(guards(verifier))
    quiet = brief(static("action", "low_risk", "safe"), payload=never)
    assert (await tiers.judge(quiet)).assessment.verdict == "safe"
    alone = tiers.unasked([CLEAN, FLAGGED], (HIT,), (2,)).assessment
    assert (alone.verdict, alone.hits, alone.blocks) == ("unclear", (HIT,), (2,))
    assert tiers.unasked([CLEAN], ()).assessment is CLEAN.assessment
    assert (tiers.ended, verifier.payloads) == ({"static": 3}, [])


async def test_a_defect_in_redacting_is_unclear_and_nobody_is_asked(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def broken() -> Any:
        raise ValueError("canary")

    verifier, judge = ScriptedAdapter("safe"), Judging(answer=False)
    case = replace(brief(CLEAN, FLAGGED, payload=broken), evidence=broken)
    assessment = (await Tiered(guards(verifier), triage(judge)).judge(case)).assessment
    assert assessment.verdict == "unclear"
    assert {step.reason for step in assessment.trail if step.tier == "triage"} == {"internal_error"}
    assert verifier.payloads == judge.asked == []
    assert "canary" not in caplog.text


async def test_a_defect_of_the_cache_is_unclear_and_says_no_word(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def broken(_name: str, _model: str, _put: Any) -> Assessment:
        raise ValueError("canary")

    case = replace(brief(CLEAN), remembered=broken)
    assessment = (await Tiered(guards(ScriptedAdapter("safe"))).judge(case)).assessment
    assert assessment.verdict == "unclear"
    assert assessment.trail[-1].reason == "internal_error"
    assert "canary" not in caplog.text


async def test_whose_tenant_cannot_be_told_is_put_to_nobody() -> None:
    verifier, judge = ScriptedAdapter("safe"), Judging(answer=False)
    case = brief(CLEAN, FLAGGED, caller=Caller(known=False))
    assessment = (await Tiered(guards(verifier), triage(judge)).judge(case)).assessment
    assert (assessment.verdict, assessment.reason) == ("unclear", "misconfigured")
    assert verifier.payloads == judge.asked == []


async def test_a_budget_that_is_spent_ends_tier_2_and_leaves_the_supervisor_its_own() -> None:
    judge, boss = Judging(False), Judging({"verdict": "CONTINUE", "correction": None})
    tiers = Tiered(None, triage(judge), supervisor(boss))
    assessment = (await tiers.judge(brief(FLAGGED, left=0.0))).assessment
    assert [step.reason for step in assessment.trail[1:]] == ["budget_spent", "supervisor_continue"]
    assert judge.asked == []
    alone = (await Tiered(None, triage(judge)).judge(brief(FLAGGED, left=0.0))).assessment
    assert (alone.verdict, alone.reason) == ("unclear", "budget_spent")


async def test_both_questions_of_tier_2_share_one_budget() -> None:
    """The verifier takes more than all there is, so that nothing is left for the triage."""
    verifier = ScriptedAdapter("safe", delay=0.03)
    verifier.judges = frozenset[str]()  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue]
    judge = Judging(answer=False)
    # Begun, one question made and put, the other one made and put.
    ticks = iter([0.0, 0.0, 0.0, 0.0, 5.0, 5.0, 5.0])
    tiers = Tiered(guards(verifier), triage(judge), clock=lambda: next(ticks))
    assessment = (await tiers.judge(brief(NOTICED, left=2.0))).assessment
    assert (assessment.verdict, assessment.reason) == ("unclear", "budget_spent")
    assert judge.asked == []


async def test_a_correction_comes_home_and_stands_in_no_record() -> None:
    boss = Judging({"verdict": "REORIENT", "correction": "Read the file instead."})
    judged = await Tiered(None, triage(Judging(True)), supervisor(boss)).judge(brief(FLAGGED))
    assert judged.correction == "Read the file instead."
    assert judged.assessment.reason == "supervisor_reorient"
    assert "Read the file" not in repr(judged.assessment)
    assert boss.asked[0]["question"]["trail"][-1]["reason"] == "triage_suspicious"


@pytest.mark.parametrize("there", [True, False])
async def test_supervised_asks_tier_3_whatever_the_others_say(there: bool) -> None:
    boss = supervisor(Judging({"verdict": "PAUSE", "correction": None})) if there else None
    harmless = static("action", "no_untrusted", "safe")
    case = brief(harmless, supervised=True)
    assessment = (await Tiered(None, triage(Judging(False)), boss).judge(case)).assessment
    assert assessment.path == "static→triage→supervisor"
    expected = ("unsafe", "supervisor_pause") if there else ("unclear", "no_supervisor")
    assert (assessment.verdict, assessment.reason) == expected


async def test_the_share_that_ended_at_each_tier_can_be_read_off() -> None:
    boss = Judging({"verdict": "CONTINUE", "correction": None})
    judge = Judging(False)
    tiers = Tiered(None, triage(judge), supervisor(boss))
    for _ in range(8):
        await tiers.judge(brief(static("action", "low_risk", "safe")))
    await tiers.judge(brief(FLAGGED))
    judge.answer = True
    await tiers.judge(brief(FLAGGED))
    assert tiers.ended == {"static": 8, "triage": 1, "supervisor": 1}


def test_the_tiers_describe_themselves() -> None:
    class Named(Judging):
        model = "small-1"

    tiers = Tiered(guards(ScriptedAdapter("safe"), "acme", 1.5), triage(Named(True), 1.5))
    assert tiers.describe() == (
        "tiers: static→triage(prompts acme 1500 ms, actions judge.triage small-1 1500 ms)"
        "→supervisor(none)"
    )
    assert "prompts none, actions none" in Tiered().describe()


async def test_judges_are_started_and_closed_like_verifiers() -> None:
    class Living(Judging):
        async def start(self) -> None:
            self.log.append("start")

        async def aclose(self) -> None:
            self.log.append("aclose")

    lives = [Living(True), Living(True)]
    tiers = Tiered(guards(ScriptedAdapter("safe")), triage(lives[0]), supervisor(lives[1]))
    await tiers.start()
    await tiers.aclose()
    assert [one.log for one in lives] == [["start", "aclose"]] * 2
    plain = Tiered(None, triage(Judging(True)), supervisor(Judging(True)))
    await plain.start()
    await plain.aclose()


async def test_a_question_is_counted_under_the_name_of_its_judge() -> None:
    await Tiered(None, triage(Judging(True))).judge(brief(FLAGGED))
    assert OBSERVER.of(Verified)[-1].provider == "judge.triage"
