"""Single flight: one call for a key, whoever comes and goes while it is under way."""

import asyncio

import pytest

from abuse_gate.verify.flights import Flights


async def _tidy(started: asyncio.Event, ending: asyncio.Event) -> str:
    """A call that takes its time to end, as one does that closes a connection."""
    started.set()
    try:
        await asyncio.Event().wait()
    finally:
        await ending.wait()
    return "never"


async def _soon(answer: str) -> str:
    await asyncio.sleep(0.01)
    return answer


@pytest.mark.parametrize("loop_turns", range(5))
async def test_whoever_comes_while_a_call_is_given_up_makes_a_new_one(loop_turns: int) -> None:
    flights: Flights[str] = Flights()
    started, ending = asyncio.Event(), asyncio.Event()
    leaving = asyncio.ensure_future(flights.fly("k", lambda: _tidy(started, ending)))
    await started.wait()
    leaving.cancel()
    # The one who leaves has to run before it has left.
    await asyncio.wait([leaving])
    for _ in range(loop_turns):
        await asyncio.sleep(0)
    second = asyncio.ensure_future(flights.fly("k", lambda: _soon("second")))
    await asyncio.sleep(0)
    ending.set()
    assert await second == ("second", False)


async def test_a_call_that_ends_late_does_not_hide_the_one_in_its_place() -> None:
    flights: Flights[str] = Flights()
    started, ending, go = asyncio.Event(), asyncio.Event(), asyncio.Event()
    leaving = asyncio.ensure_future(flights.fly("k", lambda: _tidy(started, ending)))
    await started.wait()
    leaving.cancel()
    await asyncio.wait([leaving])

    async def held() -> str:
        await go.wait()
        return "held"

    second = asyncio.ensure_future(flights.fly("k", held))
    await asyncio.sleep(0)
    ending.set()
    await asyncio.sleep(0.01)
    third = asyncio.ensure_future(flights.fly("k", lambda: _soon("third")))
    await asyncio.sleep(0)
    go.set()
    assert (await second, await third) == (("held", False), ("held", True))


async def test_a_call_that_fails_fails_for_all_who_wait_and_for_nobody_after_them() -> None:
    flights: Flights[str] = Flights()

    async def fails() -> str:
        await asyncio.sleep(0.01)
        raise ValueError

    both = [asyncio.ensure_future(flights.fly("k", fails)) for _ in range(2)]
    found = await asyncio.gather(*both, return_exceptions=True)
    assert [type(error) for error in found] == [ValueError, ValueError]
    assert await flights.fly("k", lambda: _soon("after")) == ("after", False)
