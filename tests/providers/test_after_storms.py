"""What is left after a storm of cancelled, reset and hanging calls: everything."""

import asyncio
from collections.abc import Callable

from abuse_gate.contract import VerifierAdapter
from abuse_gate.model.events import Verified
from abuse_gate.testing import FaultyProvider, RecordingObserver
from abuse_gate.testing.contract_faults import UNASKED
from abuse_gate.testing.contract_kit import PAYLOAD, aclose
from abuse_gate.testing.contract_watch import until
from abuse_gate.verify.guard import Guard, GuardLimits

Maker = Callable[[str], VerifierAdapter]

STORM = (
    "hang_on_connect",
    "hang_after_request",
    "hang_in_answer",
    "reset_on_connect",
    "reset_after_request",
    "reset_in_answer",
    "close_in_answer",
    "slow_drip",
    "endless_chunks",
    "half_close",
)


async def storm(guard: Guard, provider: FaultyProvider, calls: int) -> None:
    """Questions that fail in every way, half of them given up on by whoever asked."""
    for mode in STORM:
        provider.mode = mode
        asked = [asyncio.ensure_future(guard.assess(PAYLOAD)) for _ in range(calls)]
        await asyncio.sleep(0.02)
        for task in asked[::2]:
            task.cancel()
        await asyncio.gather(*asked, return_exceptions=True)


async def test_after_a_storm_every_call_is_verified_and_no_slot_is_lost(
    make: Maker, soak: bool
) -> None:
    calls = 1000 if soak else 200
    observer = RecordingObserver()
    limits = GuardLimits(timeout_seconds=0.2, circuit_open_seconds=0.01, max_in_flight=64)
    async with FaultyProvider() as provider:
        adapter = await asyncio.to_thread(make, provider.url)
        guard = Guard(adapter, "storm", limits, observer)
        await storm(guard, provider, calls=40)
        assert {event.verdict for event in observer.of(Verified)} == {"unclear"}
        await until(lambda: not guard.in_flight)

        provider.mode = "safe"
        await asyncio.sleep(0.02)
        patient = Guard(adapter, "calm", GuardLimits(timeout_seconds=10.0), observer)
        answers = [await guard.assess(PAYLOAD)]
        free = asyncio.Semaphore(32)

        async def ask() -> None:
            async with free:
                answers.append(await patient.assess(PAYLOAD))

        await asyncio.gather(*(ask() for _ in range(calls - 1)))
        assert [answer.verdict for answer in answers] == ["safe"] * calls
        assert guard.in_flight == patient.in_flight == 0
        await aclose(adapter)
        await until(lambda: not provider.open_connections)


async def test_an_answer_that_nobody_asked_for_serves_nobody(make: Maker) -> None:
    """A second answer on a connection belongs to no later question."""
    limits = GuardLimits(timeout_seconds=5.0)
    async with FaultyProvider() as provider:
        adapter = await asyncio.to_thread(make, provider.url)
        guard = Guard(adapter, "unasked", limits, RecordingObserver())
        answers: list[str] = []
        for mode in (UNASKED, "unsafe") * 3:
            provider.mode = mode
            answers.append((await guard.assess(PAYLOAD)).verdict)
        await aclose(adapter)
    assert "safe" not in answers
