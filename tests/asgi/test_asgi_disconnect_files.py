"""Clients that leave while their files are opened: heard, and never asked about twice at once."""

import asyncio

from abuse_gate.asgi.body import Body
from abuse_gate.model.events import Reviewed
from abuse_gate.testing import RecordingObserver, ScriptedAdapter
from abuse_gate.testing.asgi import chunks, converse, http_scope
from tests.asgi.leaving import GONE, PATIENT, Gated, Server, never, settled

PAGE = b"<!doctype html><p>hello</p>"


async def test_a_client_that_leaves_while_its_files_are_opened_is_not_answered(
    gated: Gated,
) -> None:
    observer = RecordingObserver()
    gate = gated(never, observer=observer)
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
    await settled()
    assert await body.watched(asyncio.sleep(30, "done")) is None
    assert server.asked == 2
    body.close()


async def test_a_client_whose_files_were_opened_is_still_heard_when_a_verifier_is_asked(
    gated: Gated,
) -> None:
    adapter, server = ScriptedAdapter(delay=30), Server(*chunks(PAGE))
    gate = gated(never, adapter=adapter, **PATIENT)
    task = asyncio.ensure_future(gate(http_scope(), server.receive, server.send))
    async with asyncio.timeout(30):
        while not adapter.payloads:
            await asyncio.sleep(0.01)
    server.incoming.put_nowait(GONE)
    await task
    await settled()
    assert (server.sent, adapter.cancelled, server.asked) == ([], 1, 2)
    gate.gate.close()
