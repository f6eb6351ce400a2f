"""The gate among other middleware: CORS on either side of it, authentication before it."""

from collections.abc import Awaitable, Callable
from typing import Any

import httpx2
import pytest
from starlette.middleware.cors import CORSMiddleware
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from abuse_gate import AbuseGateMiddleware, Settings
from tests.e2e.house import ATTACK, HEADERS

ORIGIN = "https://chat.example.test"
PREFLIGHT = {
    "origin": ORIGIN,
    "access-control-request-method": "POST",
    "access-control-request-headers": "content-type",
}
Ask = Callable[..., Awaitable[httpx2.Response]]


class Inner:
    """The app, and how often it was reached."""

    def __init__(self) -> None:
        self.entered = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.entered += 1
        await PlainTextResponse("entered")(scope, receive, send)


class Door:
    """An authentication middleware of the simplest kind."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        known = (b"authorization", b"Bearer right") in scope["headers"]
        answer = self.app if known else PlainTextResponse("who are you?", 401)
        await answer(scope, receive, send)


def _cors(app: ASGIApp) -> CORSMiddleware:
    return CORSMiddleware(
        app, allow_origins=[ORIGIN], allow_methods=["POST"], expose_headers=[*HEADERS]
    )


class Stacks:
    """Three orders of the same parts around one gate's worth of rules each."""

    def __init__(self) -> None:
        self.inner = Inner()
        settings = Settings()
        self.cors_outside = _cors(AbuseGateMiddleware(self.inner, settings=settings))
        self.cors_inside = AbuseGateMiddleware(_cors(self.inner), settings=settings)
        self.door_outside = Door(AbuseGateMiddleware(self.inner, settings=settings))


@pytest.fixture(scope="module")
def stacks() -> Stacks:
    return Stacks()


async def _ask(app: Any, method: str, text: str = "", **headers: str) -> httpx2.Response:
    transport = httpx2.ASGITransport(app)
    async with httpx2.AsyncClient(transport=transport, base_url="http://gate") as client:
        return await client.request(method, "/", json={"q": text}, headers=headers)


async def _preflight(app: Any) -> httpx2.Response:
    transport = httpx2.ASGITransport(app)
    async with httpx2.AsyncClient(transport=transport, base_url="http://gate") as client:
        return await client.options("/", headers=PREFLIGHT)


async def test_with_cors_outside_a_browser_can_read_the_refusal(stacks: Stacks) -> None:
    answer = await _ask(stacks.cors_outside, "POST", ATTACK, origin=ORIGIN)
    assert answer.status_code == 403
    assert answer.headers["access-control-allow-origin"] == ORIGIN
    assert answer.headers["access-control-expose-headers"] == ", ".join(HEADERS)
    assert answer.json()["code"] == "guardrail_block"


async def test_with_cors_inside_a_refusal_has_no_cors_headers(stacks: Stacks) -> None:
    """That is why CORS belongs outside: the browser hides this refusal from the page."""
    answer = await _ask(stacks.cors_inside, "POST", ATTACK, origin=ORIGIN)
    assert answer.status_code == 403
    assert "access-control-allow-origin" not in answer.headers


@pytest.mark.parametrize("order", ["cors_outside", "cors_inside"])
async def test_preflights_are_answered_by_cors_in_either_order(stacks: Stacks, order: str) -> None:
    entered = stacks.inner.entered
    answer = await _preflight(getattr(stacks, order))
    assert answer.status_code == 200
    assert answer.headers["access-control-allow-methods"] == "POST"
    assert stacks.inner.entered == entered


@pytest.mark.parametrize("order", ["cors_outside", "cors_inside"])
async def test_an_ordinary_request_has_both_kinds_of_headers(stacks: Stacks, order: str) -> None:
    answer = await _ask(getattr(stacks, order), "POST", "hello", origin=ORIGIN)
    assert (answer.status_code, answer.text) == (200, "entered")
    assert answer.headers["access-control-allow-origin"] == ORIGIN
    assert all(name in answer.headers for name in HEADERS)


async def test_an_options_request_with_a_body_is_gated(stacks: Stacks) -> None:
    entered = stacks.inner.entered
    answer = await _ask(stacks.cors_inside, "OPTIONS", ATTACK, **PREFLIGHT)
    assert answer.status_code == 403
    assert stacks.inner.entered == entered


async def test_strangers_are_turned_away_before_the_gate(stacks: Stacks) -> None:
    answer = await _ask(stacks.door_outside, "POST", ATTACK)
    assert answer.status_code == 401
    assert not any(name in answer.headers for name in HEADERS)


async def test_known_callers_are_gated(stacks: Stacks) -> None:
    entered = stacks.inner.entered
    refused = await _ask(stacks.door_outside, "POST", ATTACK, authorization="Bearer right")
    fine = await _ask(stacks.door_outside, "POST", "hello", authorization="Bearer right")
    assert (refused.status_code, fine.status_code) == (403, 200)
    assert stacks.inner.entered == entered + 1
