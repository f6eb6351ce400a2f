"""Clients that leave, and the `receive` pending meanwhile: nothing is invented, nothing lost."""

import asyncio

import pytest
from starlette.types import Message, Receive, Scope, Send

from abuse_gate.asgi.body import MOST_KEPT, Body
from abuse_gate.model.events import Reviewed
from abuse_gate.testing import RecordingObserver, ScriptedAdapter
from abuse_gate.testing.asgi import chunks, converse, http_scope
from tests.asgi.leaving import GONE, PATIENT, Gated, Server, never, settled


@pytest.mark.parametrize("before", [[], chunks(b"hello", 2)[:1], chunks(b"hello", 2)[:2]])
@pytest.mark.parametrize("mode", ["enforce", "monitor"])
async def test_a_client_that_leaves_during_the_body_is_not_answered(
    gated: Gated, before: list[Message], mode: str
) -> None:
    observer = RecordingObserver()
    gate = gated(never, mode=mode, observer=observer)
    talk = await converse(gate, http_scope(), before, leaves=True)
    assert talk.sent == []
    assert observer.events == []


async def test_a_client_that_leaves_during_verification_ends_the_question(gated: Gated) -> None:
    adapter, observer = ScriptedAdapter(delay=30), RecordingObserver()
    gate = gated(never, adapter=adapter, observer=observer, **PATIENT)
    talk = await converse(gate, http_scope(), chunks(b"hello"), leaves=True)
    await settled()
    assert (talk.sent, len(adapter.payloads), adapter.cancelled) == ([], 1, 1)
    assert observer.of(Reviewed) == []


async def test_a_listener_that_is_cancelled_is_a_client_that_left(gated: Gated) -> None:
    adapter, waiting, server = ScriptedAdapter(delay=30), chunks(b"hello"), Server()

    async def receive() -> Message:
        if waiting:
            return waiting.pop()
        raise asyncio.CancelledError

    await gated(never, adapter=adapter, **PATIENT)(http_scope(), receive, server.send)
    await settled()
    assert (server.sent, adapter.cancelled) == ([], 1)


async def test_a_server_that_cancels_the_request_cancels_question_and_listener(
    gated: Gated,
) -> None:
    adapter, server = ScriptedAdapter(delay=30), Server(*chunks(b"hello"))
    gate = gated(never, adapter=adapter, **PATIENT)
    request = asyncio.ensure_future(gate(http_scope(), server.receive, server.send))
    while not adapter.payloads:
        await asyncio.sleep(0)
    request.cancel()
    with pytest.raises(asyncio.CancelledError):
        await request
    await settled()
    assert (adapter.cancelled, server.dropped, server.sent) == (1, 1, [])


async def test_a_server_that_cancels_during_the_body_is_obeyed(gated: Gated) -> None:
    """Cancellation from outside is no body deadline."""
    server = Server()
    request = asyncio.ensure_future(gated(never)(http_scope(), server.receive, server.send))
    await settled()
    request.cancel()
    with pytest.raises(asyncio.CancelledError):
        await request
    assert (server.dropped, server.sent) == (1, [])


@pytest.mark.parametrize("adapter", [None, ScriptedAdapter(delay=0.01)])
async def test_the_app_hears_the_real_disconnect_once(
    gated: Gated, adapter: ScriptedAdapter | None
) -> None:
    server, heard = Server(*chunks(b"hello")), list[Message]()

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        heard.append(await receive())
        server.incoming.put_nowait(GONE)
        heard.append(await receive())

    await gated(app, adapter=adapter, **PATIENT)(http_scope(), server.receive, server.send)
    assert [message["type"] for message in heard] == ["http.request", "http.disconnect"]
    assert heard[1] is GONE
    assert (server.asked, server.dropped) == (2, 0)


async def test_a_client_that_leaves_as_the_verdict_comes_is_known_to_the_app() -> None:
    """An answer that is there is used, and the disconnect beside it is the app's to read."""
    server = Server(GONE)

    async def answer() -> str:
        return "safe"

    body = Body(server.receive)
    assert await body.watched(answer()) == "safe"
    assert await body.receive() is GONE
    assert (server.asked, server.dropped) == (1, 0)


async def test_an_app_that_stops_waiting_loses_nothing(gated: Gated) -> None:
    server, heard = Server(*chunks(b"hello")), list[Message]()

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await receive()
        for _ in range(3):
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(receive(), 0.005)
        server.incoming.put_nowait(GONE)
        heard.append(await receive())

    gate = gated(app, adapter=ScriptedAdapter(delay=0.01), **PATIENT)
    await gate(http_scope(), server.receive, server.send)
    assert heard == [GONE]
    assert (server.asked, server.dropped) == (2, 0)


async def test_an_app_may_listen_while_the_pending_message_was_already_taken(gated: Gated) -> None:
    """After the pending message every further one comes straight from the server."""
    server, heard = Server(*chunks(b"hello")), list[Message]()

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await receive()
        server.incoming.put_nowait(GONE)
        server.incoming.put_nowait(GONE)
        heard.extend([await receive(), await receive()])

    gate = gated(app, adapter=ScriptedAdapter(delay=0.01), **PATIENT)
    await gate(http_scope(), server.receive, server.send)
    assert heard == [GONE, GONE]
    assert server.asked == 3


@pytest.mark.parametrize("early", [0, 1, 2])
async def test_a_body_that_goes_on_during_verification_reaches_the_app_whole(
    gated: Gated, early: int
) -> None:
    """`early` chunks arrive while the verifier is asked, the others afterwards."""
    whole = bytes(range(97, 122)) * 200
    parts = chunks(whole, 1250)
    server, got = Server(parts[0]), bytearray()

    class Adapter:
        name = "busy"

        async def assess(self, payload: object) -> str:
            for part in parts[1 : 1 + early]:
                server.incoming.put_nowait(part)
                await asyncio.sleep(0.005)
            return "safe"

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        for part in parts[1 + early :]:
            server.incoming.put_nowait(part)
        more = True
        while more:
            message = await receive()
            got.extend(message["body"])
            more = message["more_body"]

    gate = gated(app, adapter=Adapter(), max_body_bytes=1024, on_unread="allow")
    await gate(http_scope(), server.receive, server.send)
    assert bytes(got) == whole
    assert (server.asked, server.dropped) == (len(parts), 0)


async def test_listening_ends_with_the_request(gated: Gated) -> None:
    """An app that never listens leaves no `receive` pending behind it."""
    server = Server(*chunks(b"hello"))

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 204, "headers": []})

    gate = gated(app, adapter=ScriptedAdapter(delay=0.01), **PATIENT)
    await gate(http_scope(), server.receive, server.send)
    await settled()
    assert (server.asked, server.dropped, server.sent[0]["status"]) == (2, 1, 204)


async def test_a_client_that_leaves_after_the_answer_changes_nothing(gated: Gated) -> None:
    server = Server(*chunks(b"hello"))

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"bye"})
        server.incoming.put_nowait(GONE)
        await settled()

    await gated(app)(http_scope(), server.receive, server.send)
    assert [message["type"] for message in server.sent] == [
        "http.response.start",
        "http.response.body",
    ]


async def test_a_client_that_sends_more_and_leaves_is_noticed() -> None:
    more = chunks(b"hello", 1)
    server, work = Server(*more, GONE), asyncio.ensure_future(asyncio.sleep(60, "safe"))
    body = Body(server.receive)
    assert await body.watched(work) is None
    await settled()
    assert work.cancelled()
    assert [await body.receive() for _ in range(len(more) + 1)] == [*more, GONE]


async def test_what_is_kept_for_the_app_is_bounded_and_in_order() -> None:
    sent: list[Message] = [
        {"type": "http.request", "body": bytes([number]), "more_body": True}
        for number in range(MOST_KEPT * 2)
    ]
    server = Server(*sent, GONE)
    body = Body(server.receive)

    async def work() -> str:
        while server.asked < MOST_KEPT:
            await asyncio.sleep(0)
        await settled()
        return "safe"

    assert await body.watched(work()) == "safe"
    assert server.asked == MOST_KEPT
    assert [await body.receive() for _ in range(len(sent) + 1)] == [*sent, GONE]


async def test_a_receive_that_raises_is_the_apps_to_hear() -> None:
    async def receive() -> Message:
        raise OSError

    async def work() -> str:
        await asyncio.sleep(0.001)
        return "safe"

    body = Body(receive)
    assert await body.watched(work()) == "safe"
    with pytest.raises(OSError):  # noqa: PT011 - it has no text
        await body.receive()
