"""Clients that leave while their files are opened: heard, and never asked about twice at once."""

import asyncio
from collections.abc import Callable

from starlette.types import Message, Receive, Scope, Send

from abuse_gate.asgi.body import Body
from abuse_gate.asgi.doorman import Doorman
from abuse_gate.model.events import Reviewed
from abuse_gate.testing import RecordingObserver, ScriptedAdapter
from abuse_gate.testing.asgi import chunks, converse, http_scope

Gated = Callable[..., Doorman]

GONE: Message = {"type": "http.disconnect"}
PATIENT = {"verifier_timeout_ms": 60_000}
PAGE = b"<!doctype html><p>hello</p>"


class Server:
    """A server whose messages are put in by hand; counts how often it was asked."""

    def __init__(self, *messages: Message) -> None:
        self.incoming: asyncio.Queue[Message] = asyncio.Queue()
        self.sent: list[Message] = []
        self.asked = 0
        self.dropped = 0
        for message in messages:
            self.incoming.put_nowait(message)

    async def receive(self) -> Message:
        self.asked += 1
        try:
            return await self.incoming.get()
        except asyncio.CancelledError:
            self.dropped += 1
            raise

    async def send(self, message: Message) -> None:
        self.sent.append(message)


async def _never(scope: Scope, receive: Receive, send: Send) -> None:
    raise AssertionError("the app was called")


async def _settled() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


async def test_a_client_that_leaves_while_its_files_are_opened_is_not_answered(
    gated: Gated,
) -> None:
    observer = RecordingObserver()
    gate = gated(_never, observer=observer)
    talk = await converse(gate, http_scope(), chunks(PAGE), leaves=True)
    assert talk.sent == []
    assert observer.of(Reviewed) == []
    gate.gate.close()


async def test_one_receive_at_a_time_is_pending_however_often_the_client_is_watched() -> None:
    server = Server(*chunks(b"hello"))
    body = Body(server.receive)
    await body.read(10, 5.0, lossless=False)
    for _ in range(3):
        await body.watched(asyncio.sleep(0, "done"))
    assert server.asked == 2
    server.incoming.put_nowait(GONE)
    await _settled()
    assert await body.watched(asyncio.sleep(30, "done")) is None
    assert server.asked == 2
    body.close()


async def test_a_client_whose_files_were_opened_is_still_heard_when_a_verifier_is_asked(
    gated: Gated,
) -> None:
    adapter, server = ScriptedAdapter(delay=30), Server(*chunks(PAGE))
    gate = gated(_never, adapter=adapter, **PATIENT)
    task = asyncio.ensure_future(gate(http_scope(), server.receive, server.send))
    async with asyncio.timeout(30):
        while not adapter.payloads:
            await asyncio.sleep(0.01)
    server.incoming.put_nowait(GONE)
    await task
    await _settled()
    assert (server.sent, adapter.cancelled, server.asked) == ([], 1, 2)
    gate.gate.close()
