"""A verdict is one model's: who asks another one asks anew, though everything else is the same."""

import asyncio
from typing import Any

import pytest

from tests.stores.conftest import one_server, server
from tests.stores.servers import Server
from tests.verify.remembering import Chat

__all__ = ["one_server", "server"]

TEXT = "What is the capital of France?"
PAIRS: list[tuple[dict[str, Any], dict[str, Any], int]] = [
    ({"model": "m-1"}, {"model": "m-1"}, 0),
    ({"model": "m-1"}, {"model": "m-2"}, 1),
    ({"model": "m-1"}, {}, 1),
    # Both are the same word in a record.
    ({"model": "a b"}, {"model": "a/b"}, 1),
    ({"model": "M-1"}, {"model": "m-1"}, 1),
    ({"model": "m", "version": "1"}, {"model": "m", "version": "2"}, 1),
    ({"model": "m", "version": 1}, {"model": "m", "version": None}, 1),
    ({"model": "m1", "version": ""}, {"model": "m", "version": "1"}, 1),
]


async def _talk(chats: list[Chat]) -> list[int]:
    for chat in chats:
        for said in ([TEXT], [TEXT, "Paris.", "And of Spain?"]):
            assert (await chat.send(said)).status == 200
        await vars(chat.gate)["_doorman"].gate.aclose()
    return [len(chat.judge.shown) for chat in chats]


@pytest.mark.parametrize(("one", "two", "asked"), PAIRS)
def test_two_models_never_share_a_verdict(
    server: Server, one: dict[str, Any], two: dict[str, Any], asked: int
) -> None:
    """Neither a single message's nor a conversation's, in the store that all workers share."""
    settings = {"verdict_cache": "redis", "redis_url": server.url, "secret": "0123456789abcdef"}
    chats = [Chat(told, store_timeout_ms=5000, **settings) for told in (one, two)]
    assert asyncio.run(_talk(chats)) == [2, 2 * asked]
