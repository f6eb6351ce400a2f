"""Whoever strikes, or changes a mode, may leave or wait in vain: what was begun is done."""

import asyncio
from collections.abc import Sequence

import pytest

from abuse_gate.deciding.ladder import Ladder
from abuse_gate.model.caller import Caller
from abuse_gate.model.decision import Mode
from abuse_gate.model.events import ModeChanged, Struck
from abuse_gate.model.standing import FREE, Offence, Standing
from abuse_gate.stores.memory import MemoryStore
from abuse_gate.stores.operators import UNCONFIRMED, Subjects
from abuse_gate.stores.strikes import Strikes
from abuse_gate.testing import RecordingObserver

CALLER = Caller("key-a", "addr-a", others=("key-b", "key-c"))


@pytest.mark.parametrize("ticks", range(1, 5))
async def test_an_offence_counts_at_whatever_moment_its_request_is_cancelled(ticks: int) -> None:
    store, observer = MemoryStore(), RecordingObserver()
    strikes = Strikes(store, observer, lambda _: Ladder(lock_at=1))
    striking = asyncio.ensure_future(strikes.record_unsafe(CALLER, Offence(("m",)), "i", FREE))
    for _ in range(ticks):
        await asyncio.sleep(0)
    striking.cancel()
    await asyncio.gather(striking, *vars(strikes)["_counting"], return_exceptions=True)
    assert [standing.strikes for standing in await store.look(CALLER.ids)] == [1, 1, 1, 1]
    assert {event.subject for event in observer.of(Struck)} == {*CALLER.ids}
    assert {event.subject for event in observer.of(ModeChanged)} == {*CALLER.ids}
    assert not vars(strikes)["_counting"]


class Broken(MemoryStore):
    """A store of somebody's own that raises, or never answers."""

    def __init__(self, error: Exception | None = None) -> None:
        super().__init__()
        self._error = error

    async def record_unsafe(
        self, subjects: Sequence[tuple[str, Ladder]], offence: Offence, incident: str, /
    ) -> Sequence[Standing]:
        return await self._fail()

    async def impose(self, subject: str, mode: Mode, seconds: float, note: str, /) -> Standing:
        return (await self._fail())[0]

    async def _fail(self) -> Sequence[Standing]:
        if self._error is not None:
            raise self._error
        await asyncio.Event().wait()
        return ()


async def test_a_store_that_raises_says_so_to_whoever_waits() -> None:
    strikes = Strikes(Broken(ConnectionError()), RecordingObserver(), lambda _: Ladder())
    with pytest.raises(ConnectionError):
        await strikes.record_unsafe(CALLER, Offence(("m",)), "i", FREE)


async def test_a_request_may_leave_a_store_that_hangs() -> None:
    strikes = Strikes(Broken(), RecordingObserver(), lambda _: Ladder())
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.01):
            await strikes.record_unsafe(CALLER, Offence(("m",)), "i", FREE)
    (hanging,) = vars(strikes)["_counting"]
    hanging.cancel()
    await asyncio.gather(hanging, return_exceptions=True)
    assert not vars(strikes)["_counting"]


async def test_a_change_that_hangs_is_given_up_and_on_record_as_unconfirmed() -> None:
    observer = RecordingObserver()
    subjects = Subjects(Broken(), observer, patience=0.01)
    with pytest.raises(TimeoutError):
        await subjects.set(f"key-{0:032x}", "execute_locked", reason="why")
    assert [event.cause for event in observer.of(ModeChanged)] == [UNCONFIRMED]
