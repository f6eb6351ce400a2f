"""The guard and time: deadlines, cancellation, bulkheads. Order and ratios only."""

import asyncio
import contextvars
import time
from collections.abc import Mapping
from typing import Any

import pytest

from abuse_gate.contract import ConfigError, ProviderRateLimited
from abuse_gate.model.events import BreakerMoved, Verified
from abuse_gate.model.verdict import Verdict
from abuse_gate.testing import FakeClock, RecordingObserver, ScriptedAdapter
from abuse_gate.verify.guard import Guard, GuardLimits
from tests.verify.asking import HASTY, PATIENT, FailingThenFine, HangingSync, Stubborn, guard, until

TENANT: contextvars.ContextVar[str] = contextvars.ContextVar("tenant", default="nobody")


class Timed:
    """Never answers, and notes how long each attempt was let live."""

    def __init__(self) -> None:
        self.lives: list[float] = []

    async def assess(self, payload: Mapping[str, Any]) -> Verdict:
        started = time.monotonic()
        try:
            await asyncio.Event().wait()
        finally:
            self.lives.append(time.monotonic() - started)
        return "safe"


async def test_the_first_attempt_gets_the_larger_part_and_both_fit_the_budget() -> None:
    adapter, observer = Timed(), RecordingObserver()
    answer = await guard(adapter, GuardLimits(0.5), observer, time.monotonic).assess({})
    await until(lambda: len(adapter.lives) == 2)
    first, second = adapter.lives
    assert answer.reason == "timeout"
    assert first > second > 0
    assert [event.attempts for event in observer.of(Verified)] == [2]


async def test_without_retries_the_only_attempt_gets_everything() -> None:
    whole, part = Timed(), Timed()
    await guard(part, GuardLimits(0.4, max_retries=1), clock=time.monotonic).assess({})
    await guard(whole, GuardLimits(0.4, max_retries=0), clock=time.monotonic).assess({})
    await until(lambda: bool(whole.lives) and len(part.lives) == 2)
    assert whole.lives[0] > part.lives[0]


async def test_the_deadline_holds_for_an_adapter_that_swallows_cancellation() -> None:
    adapter = Stubborn()
    stubborn = guard(adapter, HASTY)
    answer = await stubborn.assess({})
    assert (answer.verdict, answer.reason) == ("unclear", "timeout")
    assert stubborn.in_flight == 1
    await until(lambda: adapter.refusals == 1)
    adapter.may_end.set()
    await until(lambda: stubborn.in_flight == 0)


async def test_calls_that_nobody_waits_for_any_more_still_count_as_in_flight() -> None:
    adapter = Stubborn()
    full = guard(adapter, GuardLimits(0.05, max_retries=0, max_in_flight=2))
    reasons = [(await full.assess({})).reason for _ in range(4)]
    adapter.may_end.set()
    assert reasons == ["timeout", "timeout", "saturated", "saturated"]
    await until(lambda: full.in_flight == 0)
    assert (await full.assess({})).verdict == "safe"


async def test_being_saturated_is_no_failure_of_the_provider() -> None:
    adapter, observer = Stubborn(), RecordingObserver()
    full = guard(adapter, GuardLimits(30.0, max_in_flight=1), observer)
    waiting = asyncio.create_task(full.assess({}))
    await until(lambda: full.in_flight == 1)
    assert {(await full.assess({})).reason for _ in range(9)} == {"saturated"}
    adapter.may_end.set()
    assert (await waiting).verdict == "safe"
    assert observer.of(BreakerMoved) == []


async def test_cancellation_passes_through_and_reaches_the_adapter() -> None:
    adapter, observer = ScriptedAdapter("safe", delay=30), RecordingObserver()
    asked = guard(adapter, PATIENT, observer)
    task = asyncio.create_task(asked.assess({}))
    await until(lambda: len(adapter.payloads) == 1)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await until(lambda: adapter.cancelled == 1)
    await until(lambda: asked.in_flight == 0)
    assert observer.events == []


async def test_ten_cancelled_calls_do_not_open_the_circuit() -> None:
    adapter, observer = ScriptedAdapter("safe", delay=30), RecordingObserver()
    asked = guard(adapter, PATIENT, observer)
    tasks = [asyncio.create_task(asked.assess({})) for _ in range(10)]
    await until(lambda: len(adapter.payloads) == 10)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    assert observer.of(BreakerMoved) == []


class Probed:
    """Fails until it is told to wait instead."""

    def __init__(self) -> None:
        self.waits = False
        self.asked = 0

    async def assess(self, payload: Mapping[str, Any]) -> Verdict:
        self.asked += 1
        if self.waits:
            await asyncio.Event().wait()
        raise ValueError


async def test_a_cancelled_probe_gives_its_lease_back_at_once() -> None:
    clock, observer, adapter = FakeClock(), RecordingObserver(), Probed()
    asked = guard(adapter, PATIENT, observer, clock)
    for _ in range(5):
        await asked.assess({})
    clock.advance(60.5)
    adapter.waits = True
    probe = asyncio.create_task(asked.assess({}))
    await until(lambda: adapter.asked == 6)
    assert (await asked.assess({})).reason == "breaker_open"
    probe.cancel()
    with pytest.raises(asyncio.CancelledError):
        await probe
    adapter.waits = False
    assert (await asked.assess({})).reason == "provider_error"
    moves = [event.after for event in observer.of(BreakerMoved)]
    assert moves == ["open", "probing", "open", "probing", "open"]


async def test_an_adapter_that_cancels_itself_has_failed_and_cancels_nobody_else() -> None:
    class GivesUp:
        async def assess(self, payload: Mapping[str, Any]) -> Verdict:
            raise asyncio.CancelledError

    answer = await guard(GivesUp()).assess({})
    assert (answer.verdict, answer.reason) == ("unclear", "provider_error")


async def test_a_late_failure_of_an_abandoned_call_is_swallowed() -> None:
    class FailsLate(Stubborn):
        async def assess(self, payload: Mapping[str, Any]) -> Verdict:
            await super().assess(payload)
            raise ValueError("canary")

    adapter = FailsLate()
    late = guard(adapter, HASTY)
    assert (await late.assess({})).reason == "timeout"
    adapter.may_end.set()
    await until(lambda: late.in_flight == 0)


async def test_a_hanging_sync_adapter_is_left_behind_and_frees_its_own_slot() -> None:
    adapter = HangingSync()
    hung = guard(adapter, GuardLimits(0.06, max_retries=0, max_in_flight=2))
    reasons = [(await hung.assess({})).reason for _ in range(4)]
    assert reasons == ["timeout", "timeout", "saturated", "saturated"]
    assert (adapter.calls, hung.in_flight) == (2, 0)
    adapter.release.set()
    for _ in range(400):
        answer = await hung.assess({})
        if answer.verdict == "safe":
            return
        await asyncio.sleep(0.005)
    pytest.fail("the threads ended and no slot was freed")


async def _ticks(count: int) -> float:
    started = time.perf_counter()
    for _ in range(count):
        await asyncio.sleep(0)
    return time.perf_counter() - started


async def test_two_hundred_hanging_sync_calls_do_not_slow_the_loop() -> None:
    alone = min([await _ticks(2000) for _ in range(9)])
    adapter = HangingSync()
    crowd = guard(adapter, GuardLimits(30.0, max_retries=0, max_in_flight=200))
    tasks = [asyncio.create_task(crowd.assess({})) for _ in range(200)]
    await until(lambda: adapter.calls == 200)
    assert (await crowd.assess({})).reason == "saturated"
    among = min([await _ticks(2000) for _ in range(9)])
    adapter.release.set()
    answers = await asyncio.gather(*tasks)
    assert {answer.verdict for answer in answers} == {"safe"}
    assert among < 10 * alone


async def test_the_callers_context_reaches_a_sync_adapter() -> None:
    class Tenanted:
        def assess(self, payload: Mapping[str, Any]) -> Verdict:
            return "safe" if TENANT.get() == "acme" else "unsafe"

    TENANT.set("acme")
    assert (await guard(Tenanted()).assess({})).verdict == "safe"


async def test_a_later_and_shorter_wish_does_not_shorten_a_throttle() -> None:
    clock = FakeClock()
    gates = [asyncio.Event(), asyncio.Event()]
    wishes = iter([(gates[0], 30.0), (gates[1], None)])

    class Busy:
        async def assess(self, payload: Mapping[str, Any]) -> Verdict:
            opened, wish = next(wishes)
            await opened.wait()
            raise ProviderRateLimited(wish)

    asked = guard(Busy(), clock=clock)
    tasks = [asyncio.create_task(asked.assess({})) for _ in gates]
    await until(lambda: asked.in_flight == 2)
    for opened, task in zip(gates, tasks, strict=True):
        opened.set()
        await task
    clock.advance(10)
    assert (await asked.assess({})).reason == "rate_limited"


@pytest.mark.parametrize("name", ["My Adapter", "Acme", "acme/guard", "", "a" * 65])
async def test_a_name_unfit_for_records_is_refused_or_harmless(name: str) -> None:
    """Entry-point names may have capitals; a failure under such a name must not raise either."""
    try:
        named = Guard(FailingThenFine(ValueError()), name, PATIENT, RecordingObserver())
    except ConfigError:
        return
    assert (await named.assess({})).reason == "provider_error"


def test_one_guard_serves_several_event_loops() -> None:
    shared = guard(ScriptedAdapter("safe"))
    assert [asyncio.run(shared.assess({})).verdict for _ in range(3)] == ["safe"] * 3


async def test_what_earlier_tiers_have_left_is_all_there_is() -> None:
    adapter, observer = Timed(), RecordingObserver()
    keeper = guard(adapter, GuardLimits(30.0, max_retries=0), observer, time.monotonic)
    answer = await keeper.assess({}, within=0.05)
    assert (answer.verdict, answer.reason) == ("unclear", "timeout")
    for spent in (0.0, -3.0):
        answer = await keeper.assess({}, within=spent)
        assert (answer.verdict, answer.reason) == ("unclear", "budget_spent")
    await until(lambda: len(adapter.lives) == 1)
    assert [event.attempts for event in observer.of(Verified)] == [1, 0, 0]
