"""The server's script against the ladder in Python: the same standings after anything at all."""

import asyncio
import os
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from abuse_gate.deciding.ladder import FREE_TURNS, Ladder
from abuse_gate.model.standing import Offence, Standing, Subject
from abuse_gate.stores.link import connect
from abuse_gate.stores.memory import MemoryStore
from abuse_gate.stores.redis import RedisStore
from abuse_gate.testing import FakeClock
from tests.stores.servers import Server

LADDERS = (
    Ladder(window=60, lock_at=2, lock_for=300, quarantine_at=4, quarantine_for=30_000),
    Ladder(window=60, lock_at=2, lock_for=2000, quarantine_at=None, quarantine_for=30_000),
    Ladder(window=60, lock_at=3, lock_for=300, quarantine_at=5, quarantine_for=30_000, decay=400),
)
EXAMPLES = 400 if os.environ.get("SOAK") else 25
MARKS = st.lists(st.sampled_from("abcdefghij"), min_size=1, max_size=3, unique=True).map(tuple)
STEPS = st.one_of(
    st.tuples(
        st.just("strike"), MARKS, st.lists(st.sampled_from("abcxyz"), max_size=2), st.booleans()
    ),
    st.tuples(st.just("wait"), st.sampled_from([0.5, 1, 30, 59, 60, 61, 300, 899, 900])),
    st.tuples(st.just("back"), st.sampled_from([1, 100, 10_000, 1e8])),
    st.tuples(st.just("impose"), st.sampled_from(["execute_locked", "full_quarantine", "normal"])),
    st.tuples(st.just("note"), st.sampled_from(["i1", "i2", "i3"])),
)


async def _do(store: Any, step: tuple[Any, ...], ladder: Ladder, number: int) -> Any:
    match step:
        case ("strike", marks, prefixes, told):
            offence = Offence(marks, tuple(prefixes))
            return await store.record_unsafe([("s", ladder)], offence, f"n{number}" if told else "")
        case ("impose", mode):
            return await store.impose("s", mode, 250, "because")
        case ("note", incident):
            return await store.note(["s"], incident)
        case _:
            return None


def _rounded(found: Subject | None) -> object:
    if found is None:
        return None
    standing = found.standing
    left = round(standing.seconds, 2)
    return (standing.mode, left, standing.strikes, standing.epoch, found.incidents, found.note)


async def _play(server: Server, steps: list[tuple[Any, ...]], ladder: Ladder) -> None:
    clock = FakeClock(1e9)
    memory = MemoryStore(ladder, clock=clock)
    shared = RedisStore(lambda: connect(server.url, 5.0), ladder, clock=clock)
    try:
        for number, step in enumerate(steps):
            if step[0] in ("wait", "back"):
                clock.advance(step[1] if step[0] == "wait" else -step[1])
            for store in (memory, shared):
                await _do(store, step, ladder, number)
            # Looking rebases what a step of the clock has left in the future, on the server.
            assert [s.mode for s in await memory.look(["s"])] == [
                s.mode for s in await shared.look(["s"])
            ]
            ours, theirs = await memory.show("s"), await shared.show("s")
            if theirs is not None and ours is not None:
                assert _rounded(ours) == _rounded(theirs)
            else:
                # A record that means nothing any more may be gone from one of them already.
                left = ours or theirs
                assert left is None or left.standing.mode == "normal"
                # Keys expire by the server's clock and not by the test's: both begin anew.
                await asyncio.to_thread(server.empty)
                memory = MemoryStore(ladder, clock=clock)
    finally:
        await shared.aclose()


@pytest.mark.parametrize("number", range(len(LADDERS)))
@hypothesis_settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(steps=st.lists(STEPS, max_size=25))
def test_script_and_ladder_agree(server: Server, number: int, steps: list[tuple[Any, ...]]) -> None:
    with server.client() as client:
        client.flushall()
    asyncio.run(_play(server, steps, LADDERS[number]))


def test_script_and_ladder_agree_on_what_a_condemned_conversation_may_do(server: Server) -> None:
    grown: list[tuple[Any, ...]] = [
        ("strike", (f"t{n}",), [f"t{m}" for m in range(n)], True) for n in range(FREE_TURNS + 4)
    ]
    branched: list[tuple[Any, ...]] = [("strike", (f"b{n}",), ["t0"], False) for n in range(6)]
    for steps in (grown, grown[:3] + branched + grown[3:]):
        server.empty()
        asyncio.run(_play(server, steps, LADDERS[0]))


async def test_the_servers_own_clock_counts(server: Server) -> None:
    """A worker whose clock is wrong by years changes nothing: it is never asked."""
    store = RedisStore(lambda: connect(server.url, 5.0), Ladder(lock_at=1, lock_for=100))
    found = await store.record_unsafe([("s", Ladder(lock_at=1, lock_for=100))], Offence(("a",)), "")
    assert found[0].mode == "execute_locked"
    assert 99 <= found[0].seconds <= 100
    locked, free = await store.look(["s", "t"])
    assert (locked.mode, free) == ("execute_locked", Standing())
    await store.aclose()
