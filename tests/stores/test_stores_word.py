"""The shared store keeps its word: after a spoiled key, a lift, a loss, a longer lifetime."""

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest
from redis.exceptions import ConnectionError as Unreachable
from redis.exceptions import ResponseError

from abuse_gate.deciding.ladder import Ladder
from abuse_gate.model.decision import Mode
from abuse_gate.model.events import StoreFailed
from abuse_gate.model.standing import FREE, Offence, Standing
from abuse_gate.stores.link import connect
from abuse_gate.stores.redis import PREFIX, RedisStore, is_of_one_key
from abuse_gate.testing import FakeClock
from tests.stores.opening import LADDER, Opened, modes, opened, strike, until
from tests.stores.servers import Server

__all__ = ["opened"]

WRAPPED = "Error running script (call to f_3a1b): @user_script:12: @user_script: 12:"


async def test_a_key_that_is_something_else_costs_nobody_the_store(
    opened: Opened, server: Server
) -> None:
    store, seen = opened()
    for act in (store.subjects(10), store.look(["s"]), strike(store, 0)):
        await asyncio.to_thread(server.spoil, f"{PREFIX}{{s}}")
        await act
    fields = {"s": "x,;;,", "lu": "soon", "qu": "9" * 5000, "e": "?", "c": "-"}
    await asyncio.to_thread(server.write, f"{PREFIX}{{t}}", **fields)
    assert [s.strikes for s in await store.look(["s", "t"])] == [1, 0]
    assert {subject.id for subject in await store.subjects(10)} == {"s", "t"}
    assert modes(await strike(store, 1, 2)) == ["normal", "execute_locked"]
    assert not seen.of(StoreFailed)


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (ResponseError("WRONGTYPE Operation against a key"), True),
        (ResponseError("user_script:12: attempt to compare nil"), True),
        (ResponseError("MISCONF Redis is configured to save"), False),
        (Unreachable("WRONGTYPE"), False),
        # As Redis 5 and 6 say it.
        (ResponseError(f"{WRAPPED} -WRONGTYPE Operation against a key"), True),
        (ResponseError(f"{WRAPPED} attempt to compare nil with number"), True),
        (ResponseError(f"{WRAPPED} -OOM command not allowed when used memory >"), False),
        (ResponseError(f"{WRAPPED} -READONLY You can't write against a read only"), False),
        (ResponseError(f"{WRAPPED} -MISCONF Redis is configured to save RDB"), False),
        (ResponseError(f"{WRAPPED} -NOREPLICAS Not enough good replicas to write."), False),
        (ResponseError(f"{WRAPPED} -LOADING Redis is loading the dataset in memory"), False),
        (ResponseError(f"{WRAPPED} The user executing the script can't run this command"), False),
    ],
)
def test_one_spoiled_record_says_nothing_about_the_server(error: Exception, expected: bool) -> None:
    assert is_of_one_key(error) is expected


async def test_what_was_done_before_a_lift_is_not_handed_over_after_it(
    opened: Opened, server: Server
) -> None:
    (one, _), (two, _) = opened(seconds=0.05), opened()
    await one.look(["s"])
    server.freeze()
    try:
        await strike(one, *range(5))
        assert (await one.look(["s"]))[0].mode == "full_quarantine"
    finally:
        server.thaw()
    # What is handed over is dated by how long ago it was, which a busy machine tells a little late.
    await asyncio.sleep(0.25)
    await two.impose("s", "normal", 0, "a mistake")
    await until(lambda: not one.away and not one.waiting, one)
    assert [(s.mode, s.strikes) for s in await one.look(["s"])] == [("normal", 0)]


async def test_an_operators_word_outlives_what_the_server_lost(
    opened: Opened, server: Server
) -> None:
    (one, _), (two, _) = opened(), opened()
    locked = await two.impose("locked", "full_quarantine", 86_400, "ticket")
    await strike(one, *range(5), subject="forgiven")
    forgiven = await two.impose("forgiven", "normal", 0, "a mistake")
    await one.look(["locked"])
    await asyncio.to_thread(server.empty)
    assert [(s.mode, s.epoch) for s in await two.look(["locked", "forgiven"])] == [
        ("full_quarantine", locked.epoch),
        ("normal", forgiven.epoch),
    ]
    assert modes(list(await one.look(["locked", "forgiven"]))) == ["full_quarantine", "normal"]


async def test_a_lift_of_long_ago_forgives_nothing_that_came_after_a_loss(
    opened: Opened, server: Server
) -> None:
    (one, _), (two, _) = opened(), opened()
    await one.impose("s", "normal", 0, "a mistake")
    await asyncio.to_thread(server.empty)
    await asyncio.sleep(0.005)
    assert modes(await strike(two, *range(5)))[-1] == "full_quarantine"
    for store in (one, two):
        assert [(s.mode, s.strikes) for s in await store.look(["s"])] == [("full_quarantine", 5)]


@pytest.mark.parametrize("mode", ["full_quarantine", "normal"])
async def test_of_two_operators_the_later_has_the_last_word_after_a_loss(
    opened: Opened, server: Server, mode: Mode
) -> None:
    (one, _), (two, _) = opened(), opened()
    await one.impose("s", "normal", 0, "the first word")
    await one.impose("s", "execute_locked", 60, "the second")
    await asyncio.to_thread(server.empty)
    await two.impose("s", mode, 60, "the last word")
    for store in (one, two):
        assert modes(list(await store.look(["s"]))) == [mode]


@pytest.mark.parametrize(
    ("at", "expected"),
    [
        (-1, ("full_quarantine", 2)),
        (0, ("full_quarantine", 2)),
        (1, ("execute_locked", 1)),
        (5000, ("execute_locked", 1)),
        (5001, ("normal", 0)),
        # The clock has stepped back since.
        (60_000, ("full_quarantine", 2)),
    ],
)
async def test_a_word_that_was_lost_forgives_what_was_before_it(
    server: Server, at: int, expected: tuple[Mode, int]
) -> None:
    clock = FakeClock(1e9)
    store = RedisStore(lambda: connect(server.url, 5.0), LADDER, clock=clock)
    strict = Ladder(lock_at=1, quarantine_at=1, decay=600)
    await store.strike([("s", strict, Offence(("m0",)), "", 0.0)])
    clock.advance(5)
    await store.strike([("s", Ladder(lock_at=1, decay=600), Offence(("m1",)), "", 0.0)])
    clock.advance(5)
    told = Standing("normal", 0.0, 0, 10**12 + at)
    healed = await store.heal("s", told, 0.0)
    assert (healed.mode, healed.strikes) == expected
    assert healed.epoch == told.epoch
    await store.aclose()


async def test_a_note_shortens_no_lifetime(opened: Opened, server: Server) -> None:
    store, _ = opened()
    day = Ladder(window=86_400)
    await store.record_unsafe([("s", day)], Offence(("m",)), "i")
    await store.note(["s"], "j")
    assert await asyncio.to_thread(server.lifetime, f"{PREFIX}{{s}}") > 86_400_000


class Spoiled:
    """A link to a server on which the script stumbles over every record."""

    async def run(self, commands: Sequence[object]) -> list[Exception]:
        return [ResponseError("user_script:1: attempt to compare nil with number")]

    async def load(self, script: str) -> str:
        return "sha"


async def test_a_record_over_which_the_script_stumbles_is_none() -> None:
    made: Any = Spoiled
    store = RedisStore(made)
    assert await store.look(["s"]) == [FREE]
    assert await store.show("s") is None
