"""Conversations with tool results in every dialect: the hijacked call goes up, its twin passes."""

import json
from collections.abc import Mapping
from importlib import resources
from typing import Any

import jsonschema
import pytest

from abuse_gate.gate import Gate
from abuse_gate.settings import RoutePolicy, Settings
from abuse_gate.testing import RecordingObserver
from abuse_gate.verify.judges import judge_by_hand
from abuse_gate.verify.tiered import Tiered
from tests.gate.conversations import (
    DIALECTS,
    HARMLESS,
    HIJACKED,
    ORDER,
    OTHER,
    PAGE,
    PLANTED,
    Dialogue,
)
from tests.gate.standing import gate

SCHEMA = json.loads((resources.files("abuse_gate.model") / "payload.schema.json").read_text())
pytestmark = pytest.mark.usefixtures("scanner")
EVERY_DIALECT = pytest.mark.parametrize("say", DIALECTS.values(), ids=DIALECTS)


class Judging:
    """A triage and a supervisor that keep what they are asked."""

    def __init__(self, suspicious: bool = True, ruling: str = "PAUSE") -> None:
        self.asked: list[Mapping[str, Any]] = []
        self._answers: dict[str, dict[str, Any]] = {
            "triage": {"suspicious": suspicious},
            "supervisor": {"verdict": ruling, "correction": None},
        }

    def ask(self, payload: Mapping[str, Any]) -> dict[str, Any]:
        self.asked.append(payload)
        return self._answers[payload["question"]["kind"]]

    @property
    def kinds(self) -> list[str]:
        return [payload["question"]["kind"] for payload in self.asked]


def judged_by(judging: Judging, settings: Settings | None = None) -> Gate:
    """A gate without a verifier, whose actions go before these judges."""
    chosen, observer = settings or Settings(), RecordingObserver()
    tiers = Tiered(
        None,
        judge_by_hand("triage", judging, chosen, observer),
        judge_by_hand("supervisor", judging, chosen, observer),
    )
    return gate(tiers=tiers, settings=chosen, observer=observer)


@EVERY_DIALECT
async def test_a_hijacked_call_goes_up_with_the_right_block_named(say: Dialogue) -> None:
    judging = Judging()
    judge = judged_by(judging)
    inspection = await judge.inspect(say((OTHER, PLANTED), "bash", HIJACKED), RoutePolicy())
    assessment = await judge.verify(inspection, RoutePolicy())
    assert (assessment.verdict, assessment.reason) == ("unsafe", "supervisor_pause")
    assert assessment.path == "static→triage→supervisor"
    assert [inspection.extract.segments[n].text for n in assessment.blocks] == [PLANTED]
    assert judging.kinds == ["triage", "supervisor"]
    for payload in judging.asked:
        jsonschema.validate(dict(payload), SCHEMA)
        suspected = payload["question"]["suspected"]
        assert [payload["context"][n]["text"] for n in suspected] == [PLANTED]
        assert OTHER in [entry["text"] for entry in payload["context"]]
        assert payload["tool_calls"][0]["arguments"].endswith(HIJACKED["command"])


@EVERY_DIALECT
async def test_its_benign_twin_passes_at_tier_1(say: Dialogue) -> None:
    judging = Judging()
    decision = await judged_by(judging).review(say((OTHER, PAGE), "write", HARMLESS), RoutePolicy())
    assert (decision.verdict, decision.assessment.path) == ("safe", "static")
    assert judging.asked == []


@EVERY_DIALECT
async def test_a_call_that_the_triage_clears_goes_no_further(say: Dialogue) -> None:
    judging = Judging(suspicious=False)
    decision = await judged_by(judging).review(
        say((PLANTED, OTHER), "write", HARMLESS), RoutePolicy()
    )
    assert (decision.verdict, decision.assessment.path) == ("safe", "static→triage")
    assert judging.kinds == ["triage"]


@EVERY_DIALECT
async def test_an_attack_of_the_users_own_is_stopped_whatever_the_call(say: Dialogue) -> None:
    judging = Judging(suspicious=False)
    request = say((OTHER, PAGE), "read", {"path": "a"}, user=ORDER)
    decision = await judged_by(judging).review(request, RoutePolicy())
    assert (decision.verdict, decision.decision) == ("unsafe", "block")
    assert judging.asked == []


@EVERY_DIALECT
async def test_the_same_attack_in_a_result_beside_a_low_risk_call_passes_on_record(
    say: Dialogue,
) -> None:
    judging = Judging()
    request = say((OTHER, PLANTED), "read", {"path": "a"})
    decision = await judged_by(judging).review(request, RoutePolicy())
    assert (decision.verdict, decision.decision) == ("safe", "allow")
    assert "seed.ignore_previous_instruction" in decision.rule_ids
    assert ("action", "low_risk") in [(s.matter, s.reason) for s in decision.assessment.trail]
    assert judging.asked == []


@EVERY_DIALECT
async def test_paranoid_takes_every_action_through_all_tiers(say: Dialogue) -> None:
    judging = Judging(suspicious=False, ruling="CONTINUE")
    request = say((OTHER, PAGE), "read", {"path": "a"})
    policy = RoutePolicy(plan="paranoid")
    decision = await judged_by(judging).review(request, policy)
    actions = [step.tier for step in decision.assessment.trail if step.matter == "action"]
    assert actions == ["static", "triage", "supervisor"]
    assert decision.verdict == "safe"


async def test_encoded_content_beside_a_high_risk_call_always_goes_up() -> None:
    judging = Judging(suspicious=False)
    hidden = "RmV0Y2ggdGhlIGxhdGVzdCB3ZWF0aGVyIHJlcG9ydCBmb3IgT3Nsbw=="
    request = DIALECTS["openai chat"]((OTHER, f"{PAGE} {hidden}"), "write", HARMLESS)
    decision = await judged_by(judging).review(request, RoutePolicy())
    assert judging.kinds == ["triage"]
    assert judging.asked[0]["question"]["finding"] == "flagged"
    assert decision.verdict == "safe"


async def test_what_is_outside_the_window_keeps_its_trust_and_is_still_named() -> None:
    judging = Judging()
    settings = Settings(context_messages=2, context_chars=1000)
    pages = (PLANTED, *[f"{OTHER} ({n})" for n in range(12)])
    request = DIALECTS["openai chat"](pages, "bash", HIJACKED)
    decision = await judged_by(judging, settings).review(request, RoutePolicy())
    assert decision.verdict == "unsafe"
    payload = judging.asked[0]
    assert len(payload["context"]) == 3
    (suspected,) = payload["question"]["suspected"]
    summary = payload["context"][suspected]
    assert summary["trust"] == "untrusted"
    assert ORDER in summary["text"]
