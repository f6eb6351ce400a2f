"""What is left after a storm of cancelled, reset and hanging calls: everything."""

import asyncio
import random
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


async def storm(guard: Guard, provider: FaultyProvider, seed: int, calls: int) -> None:
    """Questions that fail in every way at once, half of them given up on at any moment."""
    chance = random.Random(seed)
    provider.mode = [*chance.choices(STORM, k=2 * calls), "hang_after_request"]
    asked = [asyncio.ensure_future(guard.assess(PAYLOAD)) for _ in range(calls)]
    for task in asked[::2]:
        await asyncio.sleep(chance.uniform(0.0, 0.01))
        task.cancel()
    await asyncio.gather(*asked, return_exceptions=True)


async def test_after_a_storm_the_same_guard_verifies_every_call_and_no_slot_is_lost(
    make: Maker, soak: bool, report: Callable[[str, str], None]
) -> None:
    rounds, calls = (10, 1000) if soak else (1, 80)
    observer = RecordingObserver()
    limits = GuardLimits(timeout_seconds=1.5, circuit_open_seconds=0.01, max_in_flight=64)
    async with FaultyProvider() as provider:
        adapter = await asyncio.to_thread(make, provider.url)
        guard = Guard(adapter, "storm", limits, observer)
        for seed in range(rounds):
            await storm(guard, provider, seed, calls=64)
        assert {event.verdict for event in observer.of(Verified)} == {"unclear"}
        await until(lambda: not guard.in_flight and not provider.open_connections)

        provider.mode = "safe"
        # The probe that closes the breaker, if the storm has opened it.
        await asyncio.sleep(0.02)
        answers = [await guard.assess(PAYLOAD)]
        free = asyncio.Semaphore(8)

        async def ask() -> None:
            async with free:
                answers.append(await guard.assess(PAYLOAD))

        await asyncio.gather(*(ask() for _ in range(calls - 1)))
        verified = [answer.verdict for answer in answers].count("safe")
        report(f"after a storm of {64 * rounds} calls", f"{verified} of {calls} verified")
        assert verified == calls
        assert guard.in_flight == 0
        await until(lambda: not provider.open_connections)
        await aclose(adapter)


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
