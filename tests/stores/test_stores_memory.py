"""Strikes in memory: bounded whatever comes, expired by time alone, and cheap."""

import asyncio
import os
import resource
import sys
import time
from collections.abc import Callable
from dataclasses import replace

import pytest

from abuse_gate.deciding.ladder import Ladder
from abuse_gate.model.standing import FREE, Offence
from abuse_gate.stores.memory import MOST_SUBJECTS, STEP, MemoryStore
from abuse_gate.testing import FakeClock

LADDER = Ladder()
SOAK = bool(os.environ.get("SOAK"))
SUBJECTS, MOST = (1_000_000, MOST_SUBJECTS) if SOAK else (20_000, 5_000)


def _strike(store: MemoryStore, subject: str, count: int = 1, ladder: Ladder = LADDER) -> None:
    for number in range(count):
        store.strike(subject, ladder, Offence((f"m{number}",)), "incident")


async def test_nobody_is_remembered_for_longer_than_it_matters() -> None:
    clock = FakeClock()
    store = MemoryStore(clock=clock)
    empty = store.quiet
    store.strike("a", LADDER, Offence(("m",)))
    _strike(store, "b", 3)
    assert (empty, store.quiet) == (True, False)
    clock.advance(LADDER.window * 2)
    assert await store.show("a") is None
    assert store.peek("a") == FREE
    assert store.peek("b").mode == "execute_locked"
    clock.advance(LADDER.quarantine_for)
    assert store.peek("b") == FREE
    # What has expired goes when somebody else comes.
    store.strike("c", LADDER, Offence(("m",)))
    assert [subject.id for subject in await store.subjects(10)] == ["c"]
    assert len(store) == 1
    await store.aclose()


async def test_those_who_serve_a_term_outlive_any_number_of_newcomers() -> None:
    store = MemoryStore(most=10)
    _strike(store, "worst", 5)
    for number in range(100):
        _strike(store, f"new{number}")
    assert len(store) == 11
    assert store.peek("worst").mode == "full_quarantine"
    assert store.peek("new0") == FREE
    for number in range(20):
        _strike(store, f"bad{number}", 3)
    assert len(store) == 20
    assert store.peek("worst").mode == "full_quarantine"


async def test_of_equally_strict_terms_the_one_that_ends_first_goes() -> None:
    store = MemoryStore(most=3)
    for subject, seconds in (("long", 9000), ("short", 60), ("middle", 600)):
        await store.impose(subject, "full_quarantine", seconds, "why")
    await store.impose("new", "full_quarantine", 300, "why")
    assert [store.peek(subject).mode for subject in ("long", "short", "middle", "new")] == [
        "full_quarantine",
        "normal",
        "full_quarantine",
        "full_quarantine",
    ]


@pytest.mark.parametrize("noted", [False, True])
async def test_a_lifetime_is_never_shortened(noted: bool) -> None:
    """A tenant's window may be longer than that of whoever only looks or takes notes."""
    clock = FakeClock()
    store, day = MemoryStore(clock=clock), replace(LADDER, window=86_400)
    _strike(store, "a", 4, day)
    clock.advance(3700)
    if noted:
        await store.note(["a"], "i")
        store.put_on("a", "normal", 0, 0)
    clock.advance(21_601)
    assert store.strike("a", day, Offence(("m9",))).mode == "full_quarantine"


async def test_an_operator_sees_the_worst_and_latest_first() -> None:
    store = MemoryStore()
    _strike(store, "first")
    _strike(store, "worst", 5)
    await store.note(["last"], "other")
    assert [subject.id for subject in await store.subjects(10)] == ["worst", "last", "first"]
    assert [subject.id for subject in await store.subjects(1)] == ["worst"]
    assert await store.find("other") == ["last"]
    assert await store.find("incident") == ["worst", "first"]
    shown = await store.show("worst")
    assert shown is not None
    # One incident is remembered once, however many strikes it was told with.
    assert shown.incidents == ("incident",)


async def test_an_operators_search_lets_requests_pass() -> None:
    store = MemoryStore()
    for number in range(4 * STEP):
        _strike(store, f"s{number}")
    turns = 0

    async def requests() -> None:
        nonlocal turns
        while True:
            turns += 1
            _strike(store, f"new{turns}")
            await asyncio.sleep(0)

    passing = asyncio.ensure_future(requests())
    assert len(await store.find("incident")) == 4 * STEP
    found = turns
    assert found >= 3
    assert len(await store.subjects(3 * STEP)) == 3 * STEP
    assert turns >= found + 2
    passing.cancel()


async def test_what_is_known_from_elsewhere_is_taken_over() -> None:
    store = MemoryStore()
    store.put_on("a", "full_quarantine", 60, 0)
    assert round(store.peek("a").seconds) == 60
    store.put_on("a", "normal", 0, 1)
    assert (store.peek("a").mode, store.peek("a").epoch) == ("normal", 1)
    # A server that has lost the operator's word does not take it back.
    store.put_on("a", "normal", 0, 0)
    assert store.peek("a").epoch == 1
    assert (await store.impose("a", "execute_locked", 30, "why")).mode == "execute_locked"
    assert (await store.impose("a", "normal", 0, "why")).epoch > 2


async def test_an_epoch_is_a_time_and_never_the_same_twice() -> None:
    clock = FakeClock(50.0)
    store = MemoryStore(clock=clock)
    first = [(await store.impose("a", "normal", 0, "why")).epoch for _ in range(2)]
    clock.advance(1)
    assert (first, (await store.impose("b", "normal", 0, "why")).epoch) == (
        [50_000, 50_001],
        51_000,
    )


def test_how_long_a_mode_has_been_known() -> None:
    clock = FakeClock(50.0)
    store = MemoryStore(clock=clock)
    store.put_on("locked", "execute_locked", 60, 0)
    store.put_on("quarantined", "full_quarantine", 60, 0)
    clock.advance(20)
    assert [store.age(name) for name in ("locked", "quarantined", "nobody")] == [20, 20, 0]


async def test_a_clock_that_steps_back_is_noticed_when_somebody_looks() -> None:
    clock = FakeClock(1e9)
    store = MemoryStore(clock=clock)
    _strike(store, "a", 5)
    clock.advance(-1e8)
    assert store.peek("a").mode == "full_quarantine"
    clock.advance(LADDER.quarantine_for)
    assert store.peek("a").mode == "normal"


def _peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _seconds(names: list[str], act: Callable[[str], object]) -> float:
    started = time.process_time()
    for name in names:
        act(name)
    return time.process_time() - started


def test_a_million_subjects_cost_no_more_than_the_bound(
    capsys: pytest.CaptureFixture[str],
) -> None:
    store = MemoryStore(most=MOST)
    names = [f"key-{number:032x}" for number in range(SUBJECTS)]
    before = _peak_mb()
    half = len(names) // 2
    _seconds(names[:half], lambda name: store.strike(name, LADDER, Offence(("m",)), "i" * 32))
    middle = _peak_mb()
    strike = _seconds(
        names[half:], lambda name: store.strike(name, LADDER, Offence(("m",)), "i" * 32)
    )
    grown = _peak_mb() - middle
    assert len(store) == MOST
    # Once the store is full it does not grow: the second half fits where the first one was.
    assert grown < 0.5 * max(middle - before, 20)
    plain: dict[str, int] = {}
    written = _seconds(names[half:], lambda name: plain.__setitem__(name, 1))
    looked = _seconds(names[half:], store.peek)
    got = _seconds(names[half:], plain.get)
    per = 1e6 / (len(names) - half)
    with capsys.disabled():
        sys.stdout.write(
            f"\n{SUBJECTS} subjects: {len(store)} kept, {middle - before:.0f} MB, then "
            f"{grown:.0f} MB more; look {looked * per:.2f} us ({looked / got:.1f} x a dict), "
            f"strike {strike * per:.2f} us ({strike / written:.0f} x a dict)\n"
        )


async def test_many_threads_of_strikes_are_all_counted() -> None:
    store, ladder = MemoryStore(), replace(LADDER, lock_at=60, quarantine_at=60)

    def worker(first: int) -> None:
        for number in range(first, first + 15):
            store.strike("a", ladder, Offence((f"m{number}",)))

    await asyncio.gather(*(asyncio.to_thread(worker, 15 * n) for n in range(4)))
    assert store.peek("a").strikes == 60
    assert store.peek("a").mode == "full_quarantine"
