"""Who sent a request stands on its span and record whatever became of it, and is else not asked."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from opentelemetry.sdk.trace.sampling import ALWAYS_ON, ParentBased
from starlette.types import ASGIApp, Scope

from abuse_gate import AbuseGateMiddleware
from abuse_gate.testing import ScriptedAdapter
from abuse_gate.testing.asgi import converse, http_scope
from tests.telemetry.watching import (
    ATTACK,
    BENIGN,
    DOUBTFUL,
    JSON,
    SETTINGS,
    UNSAMPLED,
    Spans,
    ask,
    attributes,
    none,
    starlette_app,
    starlettes,
)

KEY = (b"authorization", b"Bearer sk-0123456789abcdef")
WHO = ("subject", "address", "tenant")


def tenant(scope: Scope) -> str:
    return f"shop of {scope['method']}"


def on_span(spans: Spans) -> list[Any]:
    told = attributes(spans.guardrail)
    return [told.get(f"abuse_gate.{name}") for name in WHO]


async def who_said(text: str, adapter: ScriptedAdapter | None = None, **settings: str) -> list[Any]:
    spans = Spans()
    app = AbuseGateMiddleware(
        starlette_app(),
        settings=SETTINGS.model_copy(update=settings),
        adapter=adapter,
        tenant=tenant,
        tracer_provider=spans.provider,
    )
    await ask(app, text, KEY)
    return on_span(spans)


@pytest.mark.parametrize("strikes", ["on", "off"])
async def test_a_span_names_the_caller_of_a_pass_as_that_of_a_block(strikes: str) -> None:
    blocked = await who_said(ATTACK, strikes=strikes)
    assert all(blocked)
    assert blocked[0] != blocked[1]
    for text in (BENIGN, DOUBTFUL):
        assert await who_said(text, strikes=strikes) == blocked
    assert await who_said(BENIGN, ScriptedAdapter("safe"), strikes=strikes) == blocked


async def test_a_body_that_comes_too_late_has_a_caller() -> None:
    spans = Spans()
    settings = SETTINGS.model_copy(update={"body_timeout_ms": 20})
    app = AbuseGateMiddleware(
        starlette_app(), settings=settings, tenant=tenant, tracer_provider=spans.provider
    )
    await converse(app, http_scope("/chat/lobby", headers=[JSON, KEY]))
    assert on_span(spans) == await who_said(ATTACK)


async def pass_block_and_stop(app: AbuseGateMiddleware) -> None:
    for text in (BENIGN, ATTACK):
        await ask(app, text, KEY)
    messages = [{"type": "lifespan.startup"}, {"type": "lifespan.shutdown"}]
    await converse(app, {"type": "lifespan", "asgi": {"version": "3.0"}}, messages)


def test_the_trail_names_the_caller_of_a_pass_as_that_of_a_block(tmp_path: Path) -> None:
    settings = SETTINGS.model_copy(update={"audit_path": str(tmp_path / "audit.jsonl")})
    app = AbuseGateMiddleware(starlette_app(), settings=settings, tenant=tenant)
    asyncio.run(pass_block_and_stop(app))
    (path,) = tmp_path.glob("audit-*")
    records = [json.loads(line) for line in path.read_bytes().splitlines()]
    passed, blocked = (
        [record.get(name) for name in WHO] for record in records if record["kind"] == "decision"
    )
    assert passed == blocked
    assert all(passed)


async def test_nobody_asks_who_sent_a_pass_that_nobody_keeps() -> None:
    asked: list[str] = []

    def counted(scope: Scope) -> str:
        asked.append(scope["path"])
        return "somebody"

    unsampled = Spans(ParentBased(ALWAYS_ON))
    apps: list[ASGIApp] = [
        AbuseGateMiddleware(starlette_app(), settings=SETTINGS, subject=counted),
        starlettes(unsampled, subject=counted),
    ]
    for app in apps:
        await ask(app, BENIGN, UNSAMPLED)
    assert asked == []
    await ask(none(Spans(), subject=counted), BENIGN)
    assert asked == ["/chat/lobby"]
