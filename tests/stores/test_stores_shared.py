"""The shared store and this process's memory: who is believed when, and what is handed over."""

import asyncio

import pytest
from redis.exceptions import ConnectionError as Unreachable

from abuse_gate.model.events import StoreFailed, StoreMoved
from abuse_gate.model.standing import Offence, Standing
from abuse_gate.stores.journal import Journal
from abuse_gate.stores.link import SCAN_STEP, connect
from abuse_gate.stores.redis import RedisStore
from abuse_gate.testing import FakeClock
from tests.stores.opening import LADDER, Opened, modes, opened, strike, until
from tests.stores.servers import Server

__all__ = ["opened"]


async def test_workers_count_together(opened: Opened) -> None:
    (one, _), (two, _) = opened(), opened()
    assert modes(await strike(one, 0, 1)) == ["normal", "normal"]
    assert modes(await strike(two, 1, 2)) == ["normal", "execute_locked"]
    assert (await one.look(["s"]))[0].strikes == 3
    assert modes(await strike(one, 3, 4)) == ["execute_locked", "full_quarantine"]


async def test_strikes_come_home(opened: Opened, server: Server) -> None:
    """Each of two workers counts for itself while the store is away; together it is five."""
    (one, seen), (two, _) = opened(seconds=0.05), opened(seconds=0.05)
    await strike(one, 0)
    await two.look(["s"])
    server.freeze()
    try:
        await strike(one, 1, 2)
        await strike(two, 2, 3, 4)
        assert (one.waiting, two.waiting) == (2, 3)
    finally:
        server.thaw()
    await until(lambda: not one.away and not one.waiting, one)
    await until(lambda: not two.away and not two.waiting, two)
    # Number 2 was struck in both: it counts once.
    (found,) = await one.look(["s"])
    assert (found.mode, found.strikes) == ("full_quarantine", 5)
    moved = seen.of(StoreMoved)
    assert [(event.before, event.after) for event in moved] == [("up", "away"), ("away", "up")]
    assert moved[1].merged == 2


async def test_a_store_that_comes_and_goes_fills_no_log(
    opened: Opened, server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    store, seen = opened(seconds=0.05)
    for _ in range(2):
        await store.look(["s"])
        server.freeze()
        try:
            await store.look(["s"])
            assert store.away
        finally:
            server.thaw()
        await until(lambda: not store.away, store)
    assert len(seen.of(StoreMoved)) >= 4
    assert caplog.text.count("the shared store is away") == 1


async def test_a_last_attempt_is_made_at_the_end(opened: Opened, server: Server) -> None:
    one, _ = opened(seconds=0.05)
    await one.look(["s"])
    server.freeze()
    try:
        await strike(one, 0)
    finally:
        server.thaw()
    assert one.waiting == 1
    await one.aclose()
    two, _ = opened()
    assert (await two.look(["s"]))[0].strikes == 1


async def test_what_the_server_lost_is_put_back(opened: Opened, server: Server) -> None:
    """So it looks after a restart, an eviction, or a clock that leapt forward."""
    (one, _), (two, _) = opened(), opened()
    await strike(one, *range(5))
    await asyncio.to_thread(server.empty)
    assert modes(list(await two.look(["s"]))) == ["normal"]
    (found,) = await one.look(["s"])
    assert found.mode == "full_quarantine"
    assert found.seconds > 21_000
    assert modes(list(await two.look(["s"]))) == ["full_quarantine"]


async def test_what_an_operator_lifted_stays_lifted(opened: Opened) -> None:
    (one, _), (two, _) = opened(), opened()
    await strike(one, *range(5))
    await two.look(["s"])
    lifted = await one.impose("s", "normal", 0, "a mistake")
    for store in (two, one):
        assert modes(list(await store.look(["s"]))) == ["normal"]
    assert modes(await strike(two, 7, 8, 9)) == ["normal", "normal", "execute_locked"]
    shown = await two.show("s")
    assert shown is not None
    assert (shown.note, shown.standing.epoch) == ("a mistake", lifted.epoch)
    assert [subject.id for subject in await one.subjects(10)] == ["s"]
    assert await one.find("i9") == ["s"]


async def test_an_operator_is_told_when_the_store_is_away(opened: Opened) -> None:
    store, _ = opened("redis://127.0.0.1:1", 0.2)
    with pytest.raises(Unreachable):
        await store.impose("s", "full_quarantine", 60, "why")


async def test_an_absence_is_said_once(opened: Opened, caplog: pytest.LogCaptureFixture) -> None:
    store, seen = opened("redis://127.0.0.1:1", 0.2)
    for _ in range(3):
        await store.note(["s"], "incident")
        await store.look(["s"])
        await asyncio.sleep(0.3)
    assert caplog.text.count("the shared store is away") == 1
    assert len(seen.of(StoreFailed)) >= 5
    assert len(seen.of(StoreMoved)) == 1


async def test_a_server_that_forgot_the_script_is_told_again(server: Server) -> None:
    store = RedisStore(lambda: connect(server.url, 5.0))
    await store.look(["s"])
    await asyncio.to_thread(server.forget_scripts)
    assert await store.look([]) == []
    assert await store.look(["s"]) == [Standing()]
    await store.aclose()
    await store.aclose()


async def test_an_operator_sees_no_more_than_asked_for(opened: Opened) -> None:
    store, _ = opened()
    for number in range(7):
        await strike(store, number, subject=f"s{number}")
    assert [len(await store.subjects(limit)) for limit in (3, 10)] == [3, 7]
    await store.impose("s5", "execute_locked", 60, "why")
    await store.impose("s3", "full_quarantine", 60, "why")
    await store.note([f"many{number}" for number in range(2 * SCAN_STEP)], "crowd")
    assert len(await store.find("crowd")) == 2 * SCAN_STEP
    listed = await store.subjects(4)
    assert [subject.id for subject in listed[:2]] == ["s3", "s5"]
    assert len(listed) == 4
    assert len(await store.subjects(10_000)) == 2 * SCAN_STEP + 7
    shown = await store.show("s0")
    assert shown is not None
    assert shown.incidents == ("i0",)


async def test_what_another_loop_left_behind_is_handed_over(opened: Opened) -> None:
    store, _ = opened()
    vars(store)["_journal"].write("s", LADDER, Offence(("m",)), "i")
    await until(lambda: not store.waiting, store)
    assert (await store.look(["s"]))[0].strikes == 1


def test_a_journal_forgets_the_oldest_first() -> None:
    clock = FakeClock()
    journal = Journal(most=2, clock=clock)
    for number in range(3):
        journal.write("s", LADDER, Offence((f"m{number}",)), "")
        clock.advance(1)
    journal.write("s", LADDER, Offence(("m2",)), "")
    entries = journal.first(10)
    assert [(entry.offence.marks, age) for entry, age in entries] == [
        (("m1",), 2.0),
        (("m2",), 1.0),
    ]
    journal.strike_out([entry for entry, _ in entries])
    assert len(journal) == 0
