"""A cluster of several nodes: every key finds its node, and a node that is gone hurts nobody."""

import asyncio
import os
import re
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from abuse_gate.model.standing import Offence
from abuse_gate.settings import Settings
from abuse_gate.stores.link import connect
from abuse_gate.stores.memory import MemoryStore
from abuse_gate.stores.redis import PREFIX, PROBE, PROBES, RedisStore
from abuse_gate.stores.shared import SharedStore, open_store
from abuse_gate.stores.verdicts import MemoryVerdicts, RedisVerdicts
from abuse_gate.testing import RecordingObserver
from abuse_gate.wiring import build_gate
from tests.examples.test_strikes_page import PAGE
from tests.stores.opening import LADDER, advised_user, leave_early, modes, strike, until
from tests.stores.servers import PATIENCE, Server, running

SLOTS = 16_384
NODES = 3
# What befalls a node, how it ends, and how many strikes of each of its subjects are gone then.
TROUBLES: dict[str, tuple[Callable[[Server], None], Callable[[Server], None], int]] = {
    "frozen": (Server.freeze, Server.thaw, 0),
    **({"killed": (Server.kill, Server.start, 1)} if os.environ.get("SOAK") else {}),
}
NAMES = [f"key-{number}" for number in range(60)]


@pytest.fixture(scope="module")
def cluster() -> Iterator[list[Server]]:
    """Three primaries that know of each other, each with a third of the slots."""
    with ExitStack() as stack:
        options = ("--cluster-enabled", "yes", "--cluster-node-timeout", "2000")
        servers = [stack.enter_context(running(*options)) for _ in range(NODES)]
        bounds = [SLOTS * number // NODES for number in range(NODES + 1)]
        for server, first, end in zip(servers, bounds, bounds[1:], strict=False):
            server.command("CLUSTER", "ADDSLOTSRANGE", first, end - 1)
            server.command("CLUSTER", "MEET", "127.0.0.1", servers[0].port)
        give_up = time.monotonic() + PATIENCE
        while not all(_is_whole(server) for server in servers):
            assert time.monotonic() < give_up
            time.sleep(0.02)
        yield servers


def _is_whole(server: Server) -> bool:
    told = str(server.command("CLUSTER", "INFO"))
    slots = server.command("CLUSTER", "SLOTS")
    return "cluster_state:ok" in told and len(slots) == NODES


def _url(servers: list[Server]) -> str:
    return f"redis+cluster://127.0.0.1:{servers[0].port}"


def _opened(url: str) -> tuple[SharedStore, RecordingObserver]:
    observer = RecordingObserver()
    opened = open_store(lambda: connect(url, PATIENCE), LADDER, MemoryStore(), observer, 0.2)
    return opened, observer


def _held(servers: list[Server], pattern: str) -> list[int]:
    return [len(server.command("KEYS", pattern)) for server in servers]


async def test_strikes_are_counted_on_every_node(cluster: list[Server]) -> None:
    store = RedisStore(lambda: connect(_url(cluster), PATIENCE))
    struck = [(name, LADDER) for name in NAMES]
    found = [await store.record_unsafe(struck, Offence((f"m{n}",)), f"i{n}") for n in range(3)]
    assert {standing.mode for standing in found[-1]} == {"execute_locked"}
    assert [standing.strikes for standing in await store.look(NAMES)] == [3] * len(NAMES)
    assert sorted(subject.id for subject in await store.subjects(1000)) == sorted(NAMES)
    assert sorted(await store.find("i1")) == sorted(NAMES)
    assert (await store.impose(NAMES[0], "normal", 0, "a mistake")).mode == "normal"
    held = await asyncio.to_thread(_held, cluster, f"{PREFIX}*")
    assert sum(held) == len(NAMES)
    assert min(held) > 0
    await store.probe()
    probed = await asyncio.to_thread(_held, cluster, f"{PROBE}*")
    assert (sum(probed), min(probed) > 0) == (PROBES, True)
    await store.aclose()


async def test_a_user_with_few_rights_is_enough(cluster: list[Server]) -> None:
    (more,) = re.findall(r"In a cluster it needs `([^`]+)` besides", PAGE)
    for server in cluster:
        await asyncio.to_thread(server.command, *advised_user(PAGE, "word"), *more.split())
    url = _url(cluster).replace("://", "://gate:word@")
    store = RedisStore(lambda: connect(url, PATIENCE))
    assert len(await store.look(NAMES)) == len(NAMES)
    await store.probe()
    assert await store.find("nobody's") == []
    await store.aclose()


async def test_more_callers_than_connections_wait_for_a_turn(cluster: list[Server]) -> None:
    store = RedisStore(lambda: connect(_url(cluster), PATIENCE, connections=2))
    found = await asyncio.gather(*(store.look(NAMES) for _ in range(20)))
    assert [len(standings) for standings in found] == [len(NAMES)] * 20
    await store.aclose()


async def test_a_node_that_forgot_the_script_is_told_again(cluster: list[Server]) -> None:
    store = RedisStore(lambda: connect(_url(cluster), PATIENCE))
    await store.look(NAMES)
    await asyncio.to_thread(cluster[1].forget_scripts)
    assert len(await store.look(NAMES)) == len(NAMES)
    await store.aclose()


async def test_verdicts_are_shared_in_a_cluster(cluster: list[Server]) -> None:
    observer = RecordingObserver()

    def verdicts() -> RedisVerdicts:
        near = MemoryVerdicts(60)
        return RedisVerdicts(lambda: connect(_url(cluster), PATIENCE), near, observer, 60.0, 5.0)

    one, two = verdicts(), verdicts()
    await one.put(NAMES, "safe")
    assert await two.get([*NAMES, "other"]) == ["safe"] * len(NAMES) + [None]
    assert not observer.events
    for store in (one, two):
        await store.aclose()


@pytest.mark.parametrize("trouble", TROUBLES)
async def test_a_node_in_trouble_hurts_nobody(cluster: list[Server], trouble: str) -> None:
    begin, end, lost = TROUBLES[trouble]
    store, _ = _opened(_url(cluster))
    names = [(f"{trouble}-{number}", LADDER) for number in range(30)]
    await store.record_unsafe(names, Offence(("m0",)), "i")
    await asyncio.to_thread(begin, cluster[2])
    try:
        found = await store.record_unsafe(names, Offence(("m1",)), "i")
        assert ([s.strikes for s in found], store.away) == ([2] * len(names), True)
    finally:
        await asyncio.to_thread(end, cluster[2])
    await until(lambda: not store.away and not store.waiting, store)
    # What a node had counted may be gone with it, and nothing else.
    counted = {standing.strikes for standing in await store.look([name for name, _ in names])}
    assert counted == {2 - lost, 2}
    assert modes(await strike(store, 1, subject=trouble)) == ["normal"]
    await store.aclose()


async def test_answers_are_never_mixed_up_by_callers_who_leave(cluster: list[Server]) -> None:
    await leave_early(_url(cluster))


async def test_a_slot_that_moves_takes_its_strikes_along(cluster: list[Server]) -> None:
    """First the key has gone and the slot has not, then the slot has gone as well."""
    url, told = _url(cluster), ("moving", LADDER)
    stores = [RedisStore(lambda: connect(url, PATIENCE)) for _ in range(2)]
    for number, store in enumerate(stores):
        await store.record_unsafe([told], Offence((f"m{number}",)), "i")
    move = await asyncio.to_thread(Move, cluster, f"{PREFIX}{{moving}}")
    await asyncio.to_thread(move.begin)
    await stores[0].record_unsafe([told], Offence(("m2",)), "i")
    await asyncio.to_thread(move.end)
    for number, store in enumerate(stores, 3):
        await store.record_unsafe([told], Offence((f"m{number}",)), "i")
    assert [(await store.look(["moving"]))[0].strikes for store in stores] == [5, 5]
    for store in stores:
        await store.aclose()


class Move:
    """One slot on its way from the node that has it to the next."""

    def __init__(self, servers: list[Server], key: str) -> None:
        self._servers = servers
        self._key = key
        self._slot = int(servers[0].command("CLUSTER", "KEYSLOT", key))
        at = self._slot * NODES // SLOTS
        self._old, self._new = servers[at], servers[(at + 1) % NODES]

    def begin(self) -> None:
        self._set(self._new, "IMPORTING", self._old)
        self._set(self._old, "MIGRATING", self._new)
        self._old.command("MIGRATE", "127.0.0.1", self._new.port, self._key, 0, 5000)

    def end(self) -> None:
        for server in (self._new, self._old, *self._servers):
            self._set(server, "NODE", self._new)

    def _set(self, server: Server, how: str, other: Server) -> None:
        server.command("CLUSTER", "SETSLOT", self._slot, how, other.command("CLUSTER", "MYID"))


def test_no_key_lives_for_ever(cluster: list[Server]) -> None:
    """Nor is any key without our name on it."""
    asyncio.run(_struck_once(_url(cluster)))
    for server in cluster:
        assert all(key.startswith("abuse_gate:") for key in server.command("KEYS", "*"))
        keys = server.command("KEYS", f"{PREFIX}*")
        assert keys
        assert all(0 < server.lifetime(key) <= 21_600_000 for key in keys)


def test_a_gate_is_built_over_a_cluster(cluster: list[Server]) -> None:
    settings = {"redis_url": _url(cluster), "verdict_cache": "redis", "store_timeout_ms": 5000}
    gate = build_gate(Settings.model_validate(settings))

    async def use() -> str:
        assert gate.subjects is not None
        standing = await gate.subjects.set("key-" + "1" * 32, "execute_locked", reason="r")
        shown = await gate.subjects.show("key-" + "1" * 32)
        assert shown is not None
        await gate.aclose()
        return f"{standing.mode} {shown.note}"

    assert asyncio.run(use()) == "execute_locked r"


async def _struck_once(url: str) -> list[int]:
    store = RedisStore(lambda: connect(url, PATIENCE))
    struck = [(name, LADDER) for name in NAMES]
    found = await store.record_unsafe(struck, Offence(("m",)), "")
    await store.aclose()
    return [standing.strikes for standing in found]
