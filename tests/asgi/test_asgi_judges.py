"""Judges behind the middleware: what the client, the app and the operator get to see of them."""

import logging
from collections.abc import Mapping
from typing import Any, Final

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from abuse_gate import AbuseGateMiddleware, Decision
from abuse_gate.asgi.lifespan import announce
from abuse_gate.settings import Settings
from abuse_gate.wiring import Judges, build_gate
from tests.gate.conversations import DIALECTS, HIJACKED, OTHER, PLANTED

CORRECTION: Final = "canary-correction: read the file instead"


def judging(ruling: str) -> Any:
    def ask(payload: Mapping[str, Any]) -> Any:
        if payload["question"]["kind"] == "triage":
            return True
        return {"verdict": ruling, "correction": CORRECTION}

    return ask


def client(ruling: str, **more: Any) -> TestClient:
    judge = judging(ruling)
    app = Starlette()
    return TestClient(AbuseGateMiddleware(app, triage=judge, supervisor=judge, **more))


def post(to: TestClient, dialect: str) -> Any:
    request = DIALECTS[dialect]((OTHER, PLANTED), "bash", HIJACKED)
    headers = {"content-type": "application/json"}
    return to.post(request.path, content=request.body, headers=headers)


OUTCOMES: Final = [
    ("CONTINUE", 404, "allow"),
    ("REORIENT", 422, "clarify"),
    ("PAUSE", 403, "block"),
]


@pytest.mark.parametrize(("ruling", "status", "decision"), OUTCOMES)
@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_ruling_decides_and_its_correction_never_leaves(
    ruling: str, status: int, decision: str, dialect: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    answer = post(client(ruling), dialect)
    assert (answer.status_code, answer.headers["x-guardrail-decision"]) == (status, decision)
    assert "canary" not in answer.text + repr(answer.headers) + caplog.text


def test_a_pause_is_told_to_the_app_and_waits_for_nobody() -> None:
    told: list[Decision] = []
    answer = post(client("PAUSE", on_pause=told.append), "anthropic")
    ids = [decision.incident_id for decision in told]
    assert ids == [answer.headers["x-guardrail-incident-id"]]


def test_a_route_that_blocks_the_unclear_blocks_a_reorientation_too() -> None:
    assert post(client("REORIENT", on_unclear="block"), "openai chat").status_code == 403


def test_paranoid_holds_for_a_route_alone() -> None:
    asked: list[str] = []

    def judge(payload: Mapping[str, Any]) -> Any:
        asked.append(payload["question"]["kind"])
        return False

    routes = [{"path": "/v1/messages", "plan": "paranoid"}]
    to = TestClient(AbuseGateMiddleware(Starlette(), triage=judge, routes=routes))
    for dialect in ("openai chat", "anthropic"):
        request = DIALECTS[dialect]((OTHER, OTHER), "read", {"path": "a"})
        to.post(request.path, content=request.body, headers={"content-type": "application/json"})
    assert asked == ["triage"]


def test_the_start_up_line_says_who_is_asked(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    gate = build_gate(Settings(plan="paranoid"), judges=Judges(supervisor=judging("PAUSE")))
    announce(gate, twice=False)
    line = caplog.messages[0]
    assert "plan=paranoid" in line
    assert (
        "tiers: static→triage(prompts none, actions none)→supervisor(custom.supervisor 5000 ms)"
        in line
    )


def test_a_low_risk_call_beside_untrusted_content_passes_with_a_record(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO, "abuse_gate")
    request = DIALECTS["openai chat"]((OTHER, OTHER), "read", {"path": "a"})
    to = client("PAUSE")
    to.post(request.path, content=request.body, headers={"content-type": "application/json"})
    fields: Any = [getattr(record, "abuse_gate", {}) for record in caplog.records]
    (logged,) = [each for each in fields if each.get("event") == "incident"]
    assert (logged["decision"], logged["rules"], logged["tiers"]) == ("allow", [], "static")
