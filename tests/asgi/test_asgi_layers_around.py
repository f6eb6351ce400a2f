"""Layers around the gate that read, bound or break the body: the app hears of it as without us."""

import asyncio
import gc
from collections.abc import Callable

import pytest
from starlette.middleware.base import BaseHTTPMiddleware, RequestResponseEndpoint
from starlette.middleware.body_limit import RequestBodyLimitMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from abuse_gate.asgi.doorman import Doorman
from abuse_gate.testing import ScriptedAdapter
from abuse_gate.testing.asgi import chunks, converse, http_scope

Gated = Callable[..., Doorman]

PATIENT = {"verifier_timeout_ms": 60_000}


@pytest.mark.parametrize("adapter", [None, ScriptedAdapter(delay=0.01)])
async def test_behind_a_middleware_that_has_read_the_body_itself(
    gated: Gated, echo: ASGIApp, adapter: ScriptedAdapter | None
) -> None:
    async def peek(request: Request, call_next: RequestResponseEndpoint) -> Response:
        assert await request.body() == b"hello"
        return await call_next(request)

    inner = gated(echo, adapter=adapter, **PATIENT)
    talk = await converse(BaseHTTPMiddleware(inner, peek), http_scope(), chunks(b"hello", 2))
    assert (talk.status, talk.body) == (200, b"hello")


@pytest.mark.parametrize("adapter", [None, ScriptedAdapter(delay=0.01)])
@pytest.mark.parametrize("limit", [10, 1500])
async def test_a_body_limit_around_the_gate_answers_itself(
    gated: Gated, echo: ASGIApp, adapter: ScriptedAdapter | None, limit: int
) -> None:
    """The limit is an exception of `receive`: while we read, or while a verifier is asked."""
    inner = gated(echo, adapter=adapter, max_body_bytes=1024, on_unread="allow", **PATIENT)
    app = RequestBodyLimitMiddleware(inner, max_body_size=limit)
    talk = await converse(app, http_scope(), chunks(b"x" * 3000, 1100))
    assert (talk.status, talk.body) == (413, b"Content Too Large")


def _breaks_after(messages: list[Message], error: Exception, delay: float) -> Receive:
    waiting = list(messages)

    async def receive() -> Message:
        if waiting:
            return waiting.pop(0)
        await asyncio.sleep(delay)
        raise error

    return receive


async def _silent(message: Message) -> None: ...


async def test_what_receive_raises_during_the_body_is_raised(gated: Gated, echo: ASGIApp) -> None:
    error = ZeroDivisionError()
    receive = _breaks_after(chunks(b"hello", 2)[:1], error, 0)
    with pytest.raises(ZeroDivisionError) as caught:
        await gated(echo)(http_scope(), receive, _silent)
    assert caught.value is error


@pytest.mark.parametrize("delay", [0, 0.03])
async def test_what_receive_raises_after_the_body_is_the_apps_to_hear(
    gated: Gated, delay: float
) -> None:
    """Whether it comes while the verifier is asked or later: an app that asks is told."""
    error, heard = ZeroDivisionError(), list[BaseException]()

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        assert (await receive())["body"] == b"hello"
        try:
            await receive()
        except ZeroDivisionError as raised:
            heard.append(raised)

    gate = gated(app, adapter=ScriptedAdapter(delay=0.01), **PATIENT)
    await gate(http_scope(), _breaks_after(chunks(b"hello"), error, delay), _silent)
    assert heard == [error]


async def test_what_receive_raises_and_nobody_asks_for_is_no_noise(
    gated: Gated, caplog: pytest.LogCaptureFixture
) -> None:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await asyncio.sleep(0.03)

    gate = gated(app, adapter=ScriptedAdapter(delay=0.01), **PATIENT)
    await gate(http_scope(), _breaks_after(chunks(b"hello"), ZeroDivisionError(), 0.02), _silent)
    await asyncio.sleep(0)
    gc.collect()
    assert [record for record in caplog.records if record.name == "asyncio"] == []
