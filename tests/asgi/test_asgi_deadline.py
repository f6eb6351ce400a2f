"""The body deadline: a slow sender holds nobody up, and in monitor mode loses nothing by it."""

import asyncio
from collections.abc import Callable

import pytest
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from abuse_gate.asgi.doorman import Doorman
from abuse_gate.testing.asgi import chunks, http_scope

Gated = Callable[..., Doorman]


def _stalls_after(messages: list[Message], resume: asyncio.Event) -> Receive:
    """A client that sends its first message and the rest when it is told to."""
    waiting = list(messages)
    first = waiting[0] if waiting else None

    async def receive() -> Message:
        if not waiting or waiting[0] is not first:
            await resume.wait()
        return waiting.pop(0)

    return receive


@pytest.mark.parametrize("messages", [[], chunks(b"Hello there", 5)[:2]])
async def test_a_body_that_does_not_come_is_a_408(gated: Gated, messages: list[Message]) -> None:
    sent: list[Message] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        raise AssertionError

    async def send(message: Message) -> None:
        sent.append(message)

    receive = _stalls_after(messages, asyncio.Event())
    await gated(app, body_timeout_ms=20)(http_scope(), receive, send)
    assert sent[0]["status"] == 408
    assert (b"x-guardrail-decision", b"clarify") in sent[0]["headers"]


async def test_monitor_lets_a_late_body_reach_the_app_whole(gated: Gated, echo: ASGIApp) -> None:
    resume, sent = asyncio.Event(), list[Message]()

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        resume.set()
        await echo(scope, receive, send)

    async def send(message: Message) -> None:
        sent.append(message)

    for size in (4, 6):
        messages = chunks(b"Hello there", size)
        resume.clear()
        sent.clear()
        gate = gated(app, mode="monitor", body_timeout_ms=20)
        await gate(http_scope(), _stalls_after(messages, resume), send)
        assert sent[0]["status"] == 200
        assert (b"x-guardrail-mode", b"monitor") in sent[0]["headers"]
        assert sent[1]["body"] == b"Hello there"


async def test_monitor_lets_a_body_that_is_late_from_the_start_reach_the_app(
    gated: Gated, echo: ASGIApp
) -> None:
    resume, sent = asyncio.Event(), list[Message]()

    async def receive() -> Message:
        await resume.wait()
        return {"type": "http.request", "body": b"at last"}

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        resume.set()
        await echo(scope, receive, send)

    async def send(message: Message) -> None:
        sent.append(message)

    await gated(app, mode="monitor", body_timeout_ms=20)(http_scope(), receive, send)
    assert (sent[0]["status"], sent[1]["body"]) == (200, b"at last")


@pytest.mark.parametrize("policy", ["allow", "clarify", "block"])
async def test_monitor_says_of_a_late_body_what_enforce_would_have_done(
    gated: Gated, policy: str
) -> None:
    said: dict[str, bytes] = {}

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})

    for mode in ("enforce", "monitor"):

        async def send(message: Message, mode: str = mode) -> None:
            if message["type"] == "http.response.start":
                said[mode] = dict(message["headers"])[b"x-guardrail-decision"]

        gate = gated(app, mode=mode, body_timeout_ms=20, on_unread=policy)
        await gate(http_scope(), _stalls_after([], asyncio.Event()), send)
    assert said["monitor"] == said["enforce"]


async def test_a_slow_sender_that_ends_in_time_passes(gated: Gated, echo: ASGIApp) -> None:
    waiting, sent = chunks(b"slowly but surely", 3), list[Message]()

    async def receive() -> Message:
        await asyncio.sleep(0.002)
        return waiting.pop(0)

    async def send(message: Message) -> None:
        sent.append(message)

    await gated(echo, body_timeout_ms=30_000)(http_scope(), receive, send)
    assert (sent[0]["status"], sent[1]["body"]) == (200, b"slowly but surely")


async def test_a_message_that_is_on_its_way_at_the_deadline_is_not_lost(
    gated: Gated, echo: ASGIApp
) -> None:
    """A layer around us may have taken a chunk and still be busy with it when time is up."""
    waiting, resume, sent = chunks(b"Hello there", 4), asyncio.Event(), list[Message]()

    async def receive() -> Message:
        message = waiting.pop(0)
        if len(waiting) == 1:
            await resume.wait()
        return message

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        resume.set()
        await echo(scope, receive, send)

    async def send(message: Message) -> None:
        sent.append(message)

    await gated(app, mode="monitor", body_timeout_ms=20)(http_scope(), receive, send)
    assert sent[1]["body"] == b"Hello there"


@pytest.mark.parametrize("mode", ["enforce", "monitor"])
async def test_a_time_out_of_the_servers_own_is_the_servers(gated: Gated, mode: str) -> None:
    async def receive() -> Message:
        raise TimeoutError("the server's own")

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        raise AssertionError

    async def send(message: Message) -> None:
        raise AssertionError

    with pytest.raises(TimeoutError, match="the server's own"):
        await gated(app, mode=mode)(http_scope(), receive, send)
