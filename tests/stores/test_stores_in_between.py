"""While the shared store is being asked: nothing happens early, nothing twice, nothing is lost."""

import asyncio

import pytest

from abuse_gate.model.events import StoreFailed, StoreMoved
from abuse_gate.stores.absence import FIRST_PAUSE, LONGEST_PAUSE, STEADY, Absence
from abuse_gate.stores.verdicts import FIRST_PAUSE as FIRST_REST
from abuse_gate.stores.verdicts import MemoryVerdicts, RedisVerdicts
from abuse_gate.testing import FakeClock, RecordingObserver
from tests.stores.opening import Opened, leave_early, modes, opened, relayed, strike, until
from tests.stores.servers import Server

__all__ = ["opened"]


async def test_a_strike_on_its_way_is_no_mode_that_was_lost(opened: Opened, server: Server) -> None:
    """Else this process would put a mode on somebody before the store has counted that far."""
    store, _ = opened()
    await store.look(["s"])
    server.freeze()
    try:
        striking = [asyncio.create_task(strike(store, number)) for number in range(5)]
        looking = [asyncio.create_task(store.look(["s"])) for _ in range(5)]
        await asyncio.sleep(0.05)
        assert vars(store)["_local"].peek("s").mode == "normal"
    finally:
        server.thaw()
    found = [(await task)[0] for task in striking]
    await asyncio.gather(*looking)
    assert sorted(modes(found)) == sorted(
        ["normal", "normal", "execute_locked", "execute_locked", "full_quarantine"]
    )
    assert (await store.look(["s"]))[0].strikes == 5


async def test_an_offence_counts_though_nobody_waits_for_the_answer(
    opened: Opened, server: Server
) -> None:
    store, _ = opened()
    await store.look(["s"])
    server.freeze()
    try:
        leaving = asyncio.create_task(strike(store, 0))
        await asyncio.sleep(0.02)
        leaving.cancel()
        with pytest.raises(asyncio.CancelledError):
            await leaving
        assert store.waiting == 1
    finally:
        server.thaw()
    await until(lambda: not store.waiting, store)
    # Whether the server had heard of it or not, it is one.
    (found,) = await store.look(["s"])
    assert found.strikes == 1
    shown = await store.show("s")
    assert shown is not None
    assert shown.incidents == ("i0",)


async def test_what_one_process_saw_lifted_is_lifted_again_after_a_loss(
    opened: Opened, server: Server
) -> None:
    (one, _), (two, _) = opened(), opened()
    await strike(one, *range(5))
    lifted = await two.impose("s", "normal", 0, "a mistake")
    await asyncio.to_thread(server.empty)
    # This one has not heard of it, and puts back what it remembers.
    assert (await one.look(["s"]))[0].mode == "full_quarantine"
    for store in (two, one, two):
        assert [(s.mode, s.epoch) for s in await store.look(["s"])] == [("normal", lifted.epoch)]


async def test_putting_back_makes_no_term_longer(opened: Opened) -> None:
    store, _ = opened()
    (*_, before) = await strike(store, *range(5))
    remote, own = vars(store)["_remote"], vars(store)["_local"].peek("s")
    await asyncio.sleep(0.06)
    found = await remote.heal("s", own, 0.0)
    assert found.mode == "full_quarantine"
    assert found.seconds <= before.seconds - 0.06


async def test_a_store_that_is_slow_for_good_costs_one_request_its_wait(
    opened: Opened, server: Server
) -> None:
    async with relayed(server, 0.08) as port:
        store, seen = opened(f"redis://127.0.0.1:{port}", 0.02)
        await strike(store, *range(4))
        for _ in range(40):
            await store.look(["s"])
            await asyncio.sleep(0.02)
        waited = [event for event in seen.of(StoreFailed) if event.elapsed_ms]
        assert (len(waited), store.away, store.waiting) == (1, True, 0)
        await store.aclose()
    # It is slow, not deaf: what was counted here has arrived there.
    two, _ = opened()
    assert (await two.look(["s"]))[0].strikes == 4


def test_a_store_that_comes_and_goes_is_left_alone_for_longer() -> None:
    clock, observer = FakeClock(), RecordingObserver()
    absence = Absence(observer, clock)
    pauses: list[float] = []
    for up in (0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, STEADY):
        clock.advance(up)
        absence.begins("TimeoutError")
        absence.begins("TimeoutError")
        began = clock()
        while not absence.is_due:
            clock.advance(0.25)
        pauses.append(clock() - began)
        absence.ends(0)
        absence.ends(0)
    assert pauses[:2] == [FIRST_PAUSE, 2 * FIRST_PAUSE]
    assert pauses[-3:] == [LONGEST_PAUSE, LONGEST_PAUSE, FIRST_PAUSE]
    assert len(observer.of(StoreMoved)) == 16


async def test_answers_are_never_mixed_up_by_callers_who_leave(server: Server) -> None:
    await leave_early(server.url)


class Broken:
    """A link on which nothing works until it is mended."""

    def __init__(self) -> None:
        self.tried = 0
        self.mended = False

    async def run_all(self, commands: list[object]) -> list[str]:
        self.tried += 1
        if not self.mended:
            raise OSError
        return ["safe" for _ in commands]


async def test_a_cache_that_fails_is_asked_ever_more_rarely() -> None:
    clock, link = FakeClock(), Broken()
    cache = RedisVerdicts(
        lambda: link, MemoryVerdicts(60), RecordingObserver(), 60.0, 5.0, clock=clock
    )
    for _ in range(120):
        assert await cache.get(["a"]) == [None]
        clock.advance(1)
    assert link.tried < 10
    link.mended = True
    clock.advance(60)
    assert await cache.get(["a"]) == ["safe"]
    link.mended, tried = False, link.tried
    for number in range(2):
        await cache.get([f"b{number}"])
        clock.advance(FIRST_REST)
    assert link.tried == tried + 2
