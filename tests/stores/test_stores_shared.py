"""The shared store and this process's memory: who is believed when, and what is handed over."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable

import pytest
from redis.exceptions import ConnectionError as Unreachable

from abuse_gate.contract import ConfigError
from abuse_gate.deciding.ladder import Ladder
from abuse_gate.model.events import StoreFailed, StoreMoved
from abuse_gate.model.standing import Offence, Standing
from abuse_gate.remembering import redis_room
from abuse_gate.settings import Settings
from abuse_gate.stores.journal import Journal
from abuse_gate.stores.memory import MemoryStore
from abuse_gate.stores.redis import (
    PREFIX,
    SCAN_STEP,
    RedisStore,
    client_maker,
    connect,
)
from abuse_gate.stores.shared import SharedStore, open_store
from abuse_gate.stores.verdicts import MemoryVerdicts, RedisVerdicts
from abuse_gate.testing import FakeClock, RecordingObserver
from abuse_gate.verify.cached import VerdictCache
from abuse_gate.wiring import build_gate
from tests.stores.servers import Server, running

LADDER = Ladder()
Opened = Callable[..., tuple[SharedStore, RecordingObserver]]


@pytest.fixture
async def opened(server: Server) -> AsyncIterator[Opened]:
    """Opens stores as so many workers would, and closes them."""
    stores: list[SharedStore] = []

    def make(url: str = "", seconds: float = 5.0) -> tuple[SharedStore, RecordingObserver]:
        observer = RecordingObserver()
        store = open_store(
            lambda: connect(url or server.url, 5.0), LADDER, MemoryStore(), observer, seconds
        )
        stores.append(store)
        return store, observer

    yield make
    for store in stores:
        await store.aclose()


async def strike(store: SharedStore, *numbers: int, subject: str = "s") -> list[Standing]:
    return [
        (await store.record_unsafe([(subject, LADDER)], Offence((f"m{n}",)), f"i{n}"))[0]
        for n in numbers
    ]


def modes(found: list[Standing]) -> list[str]:
    return [standing.mode for standing in found]


async def until(happened: Callable[[], bool], store: SharedStore) -> None:
    give_up = time.monotonic() + 20
    while not happened():
        assert time.monotonic() < give_up
        await store.look(["nobody"])
        await asyncio.sleep(0.02)


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
    await one.impose("s", "normal", 0, "a mistake")
    for store in (two, one):
        assert modes(list(await store.look(["s"]))) == ["normal"]
    assert modes(await strike(two, 7, 8, 9)) == ["normal", "normal", "execute_locked"]
    shown = await two.show("s")
    assert shown is not None
    assert (shown.note, shown.standing.epoch) == ("a mistake", 1)
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


def test_keys_are_at_home_in_a_cluster() -> None:
    """A cluster refuses a script that touches keys of two slots."""
    with running("--cluster-enabled", "yes") as server:
        with server.client() as client:
            client.execute_command("CLUSTER", "ADDSLOTSRANGE", "0", "16383")
            give_up = time.monotonic() + 20
            while "cluster_state:ok" not in str(client.execute_command("CLUSTER", "INFO")):
                assert time.monotonic() < give_up
                time.sleep(0.05)
        assert asyncio.run(_clustered(server.url)) == ["normal", "normal", "execute_locked"]


async def _clustered(url: str) -> list[str]:
    store = RedisStore(lambda: connect(url, 5.0))
    names = [(f"key-{number}", LADDER) for number in range(20)]
    try:
        return [
            (await store.record_unsafe(names, Offence((f"m{n}",)), ""))[-1].mode for n in range(3)
        ]
    finally:
        await store.aclose()


def test_no_key_lives_for_ever(server: Server) -> None:
    asyncio.run(_clustered(server.url))
    with server.client() as client:
        keys = client.keys("*")
        assert len(keys) == 20
        assert all(key.startswith(PREFIX) and 0 < client.pttl(key) <= 3_600_000 for key in keys)


async def test_an_operator_sees_no_more_than_asked_for(opened: Opened) -> None:
    store, _ = opened()
    for number in range(7):
        await strike(store, number, subject=f"s{number}")
    assert [len(await store.subjects(limit)) for limit in (3, 10)] == [3, 7]
    await store.note([f"many{number}" for number in range(2 * SCAN_STEP)], "crowd")
    assert len(await store.find("crowd")) == 2 * SCAN_STEP
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


async def test_verdicts_are_shared_and_a_cache_that_fails_has_forgotten(server: Server) -> None:
    observer = RecordingObserver()

    def cache(url: str) -> RedisVerdicts:
        return RedisVerdicts(lambda: connect(url, 0.2), MemoryVerdicts(60), observer, 60.0, 5.0)

    one, two, lost = cache(server.url), cache(server.url), cache("redis://127.0.0.1:1")
    await one.put(["a"], "safe")
    assert await two.get(["a", "b"]) == ["safe", None]
    assert await two.get(["a"]) == ["safe"]
    assert await lost.get(["a"]) == [None]
    await lost.put(["a"], "unsafe")
    assert await lost.get(["a"]) == ["unsafe"]
    assert [event.operation for event in observer.of(StoreFailed)] == ["verdict_get"]
    for store in (one, two, lost):
        await store.aclose()
        await store.aclose()


@pytest.mark.parametrize("url", ["redis://h?canary=1", "redis://h?db=canary"])
def test_an_address_that_nobody_can_read_is_said_without_showing_it(url: str) -> None:
    with pytest.raises(ConfigError, match="ABUSE_GATE_REDIS_URL: the Redis client cannot") as said:
        client_maker(Settings.model_validate({"redis_url": url}))
    assert "canary" not in str(said.value)


def test_a_gate_is_built_with_what_the_settings_name(server: Server) -> None:
    gate = build_gate(Settings.model_validate({"redis_url": server.url, "verdict_cache": "redis"}))
    assert isinstance(vars(gate)["_cache"], VerdictCache)
    assert gate.subjects is not None
    asyncio.run(gate.aclose())
    with pytest.raises(ConfigError, match="needs ABUSE_GATE_REDIS_URL"):
        build_gate(Settings(verdict_cache="redis"))
    assert build_gate(Settings(strikes="off")).subjects is None
    with pytest.raises(ConfigError, match="pip install 'abuse-gate"):
        redis_room("abuse_gate.stores.of_another_extra")
