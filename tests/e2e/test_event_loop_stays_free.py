"""However a large body arrives, other requests go on while it is read."""

import asyncio
import gzip

import pytest
from starlette.types import Receive, Scope, Send

from abuse_gate import AbuseGateMiddleware, Settings
from abuse_gate.testing.asgi import Header, chunks, converse, http_scope

LARGE = b'{"text": "' + b"word " * 200_000 + b'"}'
BODIES: dict[str, tuple[bytes, list[Header]]] = {
    "plain": (LARGE, []),
    "gzip": (gzip.compress(LARGE), [(b"content-encoding", b"gzip")]),
}


async def _app(scope: Scope, receive: Receive, send: Send) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b""})


@pytest.fixture(scope="module")
def gate() -> AbuseGateMiddleware:
    return AbuseGateMiddleware(_app, settings=Settings())


async def _turns(gate: AbuseGateMiddleware, body: bytes, headers: list[Header]) -> int:
    """How often the loop came round to others before the request was answered."""
    request = asyncio.ensure_future(converse(gate, http_scope(headers=headers), chunks(body)))
    turns = 0
    while not request.done():
        turns += 1
        await asyncio.sleep(0)
    assert (await request).status == 200
    return turns


@pytest.mark.parametrize("kind", BODIES)
async def test_the_event_loop_turns_while_a_large_body_is_read(
    gate: AbuseGateMiddleware, kind: str
) -> None:
    assert await _turns(gate, *BODIES[kind]) > 1


async def test_a_small_body_is_read_in_one_go(gate: AbuseGateMiddleware) -> None:
    """What is done on the loop is over within one turn: that is how the test above can tell."""
    assert await _turns(gate, b'{"text": "word"}', []) == 1
