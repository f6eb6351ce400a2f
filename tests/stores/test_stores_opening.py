"""A server whose greeting takes longer than a request may wait is reached all the same."""

import asyncio
from typing import Any

import pytest

from abuse_gate.model.events import StoreFailed, StoreMoved
from abuse_gate.stores.link import connect
from abuse_gate.stores.verdicts import MemoryVerdicts, RedisVerdicts
from abuse_gate.testing import FakeClock, RecordingObserver
from tests.stores.opening import Opened, opened, relayed, until
from tests.stores.servers import Server

__all__ = ["opened"]

# One answer is in time, a greeting and an answer are not.
ANSWER, DEADLINE = 0.3, 0.55


async def test_whoever_leaves_early_leaves_an_open_connection(server: Server) -> None:
    async with relayed(server, ANSWER) as port:
        link = connect(f"redis://127.0.0.1:{port}/1", 5.0)
        pool: Any = vars(link)["_client"].connection_pool
        for _ in range(2):
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(ANSWER / 2):
                    await link.run([("GET", "a")])
            (left,) = vars(link)["_left"]
            assert await left == [None]
            assert [each.is_connected for each in pool._available_connections] == [True]
        leaving = asyncio.ensure_future(link.run([("GET", "a")]))
        await asyncio.sleep(0)
        leaving.cancel()
        await asyncio.gather(leaving, return_exceptions=True)
        (left,) = vars(link)["_left"]
        await link.aclose()
        assert left.done()
        assert not vars(link)["_left"]


async def test_a_store_with_a_slow_greeting_settles(opened: Opened, server: Server) -> None:
    async with relayed(server, ANSWER) as port:
        store, seen = opened(f"redis://127.0.0.1:{port}/1", DEADLINE)
        names = [[f"s{number}"] for number in range(8)]
        await asyncio.gather(*map(store.look, names))
        assert store.away
        await until(lambda: not store.away, store)
        for _ in range(3):
            await asyncio.gather(*map(store.look, names))
        assert [event.after for event in seen.of(StoreMoved)] == ["away", "up"]
        await store.aclose()


async def test_verdicts_behind_a_slow_greeting_are_found(server: Server) -> None:
    async with relayed(server, ANSWER) as port:
        clock, observer = FakeClock(), RecordingObserver()
        url = f"redis://127.0.0.1:{port}/1"
        link = connect(url, 5.0)
        near = MemoryVerdicts(60)
        verdicts = RedisVerdicts(lambda: link, near, observer, 60.0, DEADLINE, clock)
        await verdicts.put(["a"], "safe")
        await asyncio.gather(*vars(link)["_left"])
        clock.advance(2)
        await verdicts.put(["b"], "safe")
        assert [event.operation for event in observer.of(StoreFailed)] == ["verdict_put"]
        await verdicts.aclose()
