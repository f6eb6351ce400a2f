"""Prompt and action together: what the gate makes of whole requests, asked and unasked."""

from typing import Any, Final

import pytest

from abuse_gate.model.decision import Action
from abuse_gate.model.events import Reviewed
from abuse_gate.model.verdict import Verdict
from abuse_gate.reading.request import RawRequest
from abuse_gate.settings import RoutePolicy, Routing, Settings
from abuse_gate.testing import RecordingObserver, ScriptedAdapter
from abuse_gate.work.scanner import Scanner
from tests.gate.standing import (
    ATTACK,
    BENIGN,
    NOTICE,
    PIPE,
    gate,
    mcp_call,
    pending,
    posted,
    prompt,
)

pytestmark = pytest.mark.usefixtures("scanner")

ALONE: Final[list[tuple[str, RawRequest, Verdict, Action]]] = [
    ("a question", prompt(BENIGN), "safe", "allow"),
    ("an attack", prompt(ATTACK), "unsafe", "block"),
    ("a notice", prompt(NOTICE), "unclear", "allow"),
    ("an attack beside a low-risk call", pending("read", {}, user=ATTACK), "unsafe", "block"),
    ("an attack in the tool's result alone", pending("read", {}, result=ATTACK), "safe", "allow"),
    (
        "an attack in the tool's result, then bash",
        pending("bash", {"cmd": "ls"}, result=ATTACK),
        "unsafe",
        "block",
    ),
    ("bash after a clean result", pending("bash", {"cmd": "ls"}, result="42"), "safe", "allow"),
    ("MCP bash with a pipe", mcp_call("bash", {"command": PIPE}), "unsafe", "block"),
    ("MCP read", mcp_call("read", {"path": "notes.txt"}), "safe", "allow"),
    ("MCP bash, harmless", mcp_call("bash", {"command": "ls"}), "safe", "allow"),
    ("not JSON at all", posted(b'{"a": '), "unclear", "allow"),
]


@pytest.mark.parametrize(
    ("request_", "verdict", "action"), [row[1:] for row in ALONE], ids=[row[0] for row in ALONE]
)
async def test_the_rules_alone(request_: RawRequest, verdict: Verdict, action: Action) -> None:
    observer = RecordingObserver()
    decision = await gate(observer=observer).review(request_, RoutePolicy())
    assert (decision.verdict, decision.decision) == (verdict, action)
    assert decision.status == (403 if action == "block" else None)
    assert [event.decision for event in observer.of(Reviewed)] == [decision]
    assert observer.of(Reviewed)[0].body_bytes == len(request_.body)


async def test_hits_of_a_call_that_was_let_pass_stay_on_record() -> None:
    decision = await gate().review(pending("read", {}, result=ATTACK), RoutePolicy())
    assert decision.decision == "allow"
    assert "seed.ignore_previous_instruction" in decision.rule_ids
    assert {hit.place for hit in decision.assessment.hits} == {"third_party"}


async def test_an_attack_stays_an_attack_whatever_low_risk_call_stands_beside_it() -> None:
    for tool in ("read", "grep", "list", "web_search"):
        decision = await gate().review(pending(tool, {}, user=ATTACK), RoutePolicy())
        assert decision.decision == "block", tool


async def test_rules_can_be_switched_off_and_weighted_for_one_route() -> None:
    quiet = {"path": "/quiet/*", "disabled_rules": ["override.leave_the_task"]}
    strict = {"path": "/strict/*", "severity_overrides": {"override.leave_the_task": 100}}
    settings = Settings.model_validate({"routes": [quiet, strict]})
    routing, judge = Routing(settings), gate(settings=settings)
    verdicts: dict[str, Verdict] = {}
    for path in ("/quiet/a", "/strict/a", "/other"):
        verdicts[path] = (await judge.review(prompt(NOTICE), routing.policy(path))).verdict
    assert verdicts == {"/quiet/a": "safe", "/strict/a": "unsafe", "/other": "unclear"}


async def test_a_hit_of_a_disabled_rule_is_not_on_record_either() -> None:
    policy = RoutePolicy(disabled_rules=frozenset({"override.leave_the_task"}))
    assert "override.leave_the_task" not in (await gate().review(prompt(NOTICE), policy)).rule_ids


async def test_thresholds_come_from_the_settings() -> None:
    easy = Settings(block_threshold=1000, notice_threshold=900)
    assert (await gate(settings=easy).review(prompt(ATTACK), RoutePolicy())).verdict == "safe"


# Which requests each plan puts to the verifier.
PLANS: Final[list[tuple[Any, str, bool]]] = [
    ("thrifty", "clean", False),
    ("thrifty", "notice", True),
    ("thrifty", "attack", False),
    ("thrifty", "low_risk", False),
    ("standard", "clean", True),
    ("standard", "notice", True),
    ("standard", "attack", False),
    ("paranoid", "clean", True),
    ("paranoid", "attack", False),
    ("paranoid", "low_risk", True),
]
REQUESTS: Final[dict[str, RawRequest]] = {
    "clean": prompt(BENIGN),
    "notice": prompt(NOTICE),
    "attack": prompt(ATTACK),
    "low_risk": mcp_call("read", {"path": "x"}),
}


@pytest.mark.parametrize(("plan", "kind", "asked"), PLANS)
async def test_each_plan_asks_or_does_not(plan: Any, kind: str, asked: bool) -> None:
    adapter = ScriptedAdapter("safe")
    decision = await gate(adapter).review(REQUESTS[kind], RoutePolicy(plan=plan))
    assert bool(adapter.payloads) == asked
    assert decision.verdict == ("unsafe" if kind == "attack" else "safe")


async def test_a_call_the_plan_does_not_ask_about_is_not_condemned_by_the_answer() -> None:
    adapter = ScriptedAdapter("safe")
    decision = await gate(adapter).review(pending("read", {}, result=ATTACK), RoutePolicy())
    assert len(adapter.payloads) == 1
    assert (decision.verdict, decision.decision) == ("safe", "allow")


@pytest.mark.parametrize(
    ("answer", "verdict", "reason"),
    [
        ("safe", "safe", "model_safe"),
        ("unsafe", "unsafe", "model_unsafe"),
        ("unclear", "unclear", "model_unclear"),
        (ValueError(), "unclear", "provider_error"),
    ],
)
async def test_what_a_verifier_makes_of_a_notice(
    answer: Any, verdict: Verdict, reason: str
) -> None:
    decision = await gate(ScriptedAdapter(answer)).review(prompt(NOTICE), RoutePolicy())
    assert (decision.verdict, decision.assessment.reason) == (verdict, reason)
    assert [step.tier for step in decision.assessment.trail] == ["static", "triage"]
    assert "override.leave_the_task" in decision.rule_ids


async def test_a_clean_answer_cannot_clear_a_family_that_the_adapter_does_not_judge() -> None:
    adapter = ScriptedAdapter("safe")
    adapter.judges = frozenset({"harm"})  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue]
    decision = await gate(adapter).review(prompt(NOTICE), RoutePolicy())
    assert (decision.verdict, decision.assessment.reason) == ("unclear", "rules_notice")


async def test_a_verifier_that_fails_never_weakens_a_flagged_action() -> None:
    request = pending("bash", {"cmd": "ls"}, result=ATTACK)
    failing = await gate(ScriptedAdapter(ValueError())).review(request, RoutePolicy())
    clearing = await gate(ScriptedAdapter("safe")).review(request, RoutePolicy())
    assert (failing.verdict, clearing.verdict) == ("unsafe", "safe")


async def test_a_verifier_that_fails_leaves_a_clean_prompt_unclear() -> None:
    policy = RoutePolicy(on_unclear="clarify")
    decision = await gate(ScriptedAdapter(TimeoutError())).review(prompt(BENIGN), policy)
    assert (decision.verdict, decision.decision, decision.status) == ("unclear", "clarify", 422)


async def test_a_flag_is_never_cleared_by_a_verifier() -> None:
    decision = await gate(ScriptedAdapter("safe")).review(posted(b"{]"), RoutePolicy())
    assert (decision.verdict, decision.assessment.reason) == ("unclear", "flags")
    assert decision.flags == {"malformed"}


async def test_monitor_mode_says_what_would_have_been_done_and_lets_the_app_answer() -> None:
    decision = await gate().review(prompt(ATTACK), RoutePolicy(mode="monitor"))
    assert (decision.decision, decision.status, decision.mode) == ("block", None, "monitor")


@pytest.mark.parametrize(("mode", "status"), [("enforce", 408), ("monitor", None)])
def test_a_body_that_came_too_late_is_unread(mode: Any, status: int | None) -> None:
    observer = RecordingObserver()
    decision = gate(observer=observer).too_late(RoutePolicy(mode=mode), 17)
    assert (decision.decision, decision.status) == ("clarify", status)
    assert (decision.verdict, decision.assessment.reason) == ("unclear", "body_timeout")
    assert decision.flags == {"truncated"}
    assert [event.body_bytes for event in observer.of(Reviewed)] == [17]


def test_the_gate_knows_how_many_rules_are_in_force(scanner: Scanner) -> None:
    assert gate().scanner.rule_count == len(scanner.book.rules) > 6
