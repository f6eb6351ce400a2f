"""Slots: how many calls at once, and how many of them for one caller."""

import asyncio
import os

from abuse_gate.testing import FakeClock, RecordingObserver, ScriptedAdapter
from abuse_gate.verify.guard import Guard, GuardLimits
from abuse_gate.verify.slots import MOST_REMEMBERED, Slots
from abuse_gate.work.threads import Bulkhead
from tests.verify.asking import HASTY, Stubborn, until


def _guard(adapter: ScriptedAdapter, clock: FakeClock | None = None, **limits: int) -> Guard:
    chosen = GuardLimits(timeout_seconds=5, max_retries=0, **limits)
    return Guard(adapter, "scripted", chosen, RecordingObserver(), clock or FakeClock())


async def _hold(slots: Slots, subject: str) -> asyncio.Task[None]:
    task = asyncio.create_task(asyncio.sleep(60))
    slots.enter(task, subject)
    await asyncio.sleep(0)
    return task


async def test_one_caller_holds_at_most_a_quarter_of_the_slots() -> None:
    slots = Slots(8)
    held = [await _hold(slots, "flooder") for _ in range(2)]
    assert not slots.admits("flooder", 0.0)
    assert slots.admits("somebody else", 0.0)
    assert slots.admits("", 0.0)
    held[0].cancel()
    await asyncio.gather(*held[:1], return_exceptions=True)
    assert slots.admits("flooder", 0.0)
    held[1].cancel()


async def test_a_caller_without_a_name_is_bounded_by_all_slots_only() -> None:
    slots = Slots(2)
    tasks = [await _hold(slots, "") for _ in range(2)]
    assert slots.taken == 2
    assert not slots.admits("", 0.0)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    assert slots.taken == 0


async def test_a_flooder_is_shed_and_others_are_verified() -> None:
    adapter = ScriptedAdapter("safe", delay=0.2)
    guard = _guard(adapter, max_in_flight=8)
    flood = [asyncio.create_task(guard.assess({}, subject="flooder")) for _ in range(20)]
    await asyncio.sleep(0)
    others = [asyncio.create_task(guard.assess({}, subject=f"user {n}")) for n in range(4)]
    answers = await asyncio.gather(*flood)
    assert [answer.reason for answer in answers].count("saturated") == 18
    assert {answer.verdict for answer in await asyncio.gather(*others)} == {"safe"}
    assert guard.in_flight == 0


async def test_the_budget_of_a_minute_is_spent_and_comes_back() -> None:
    clock = FakeClock()
    guard = _guard(ScriptedAdapter("safe"), clock, max_in_flight=8, subject_budget=2)
    reasons = [(await guard.assess({}, subject="spender")).reason for _ in range(3)]
    assert reasons == ["model_safe", "model_safe", "saturated"]
    assert (await guard.assess({}, subject="another")).reason == "model_safe"
    clock.advance(60)
    assert (await guard.assess({}, subject="spender")).reason == "model_safe"


async def test_a_new_credential_with_every_request_is_no_new_budget() -> None:
    clock = FakeClock()
    guard = _guard(ScriptedAdapter("safe"), clock, max_in_flight=8, subject_budget=3)

    async def ask(number: int, address: str) -> str:
        return (await guard.assess({}, subject=f"token {number}", address=address)).reason

    flood = [await ask(number, "flooder") for number in range(20)]
    assert flood == ["model_safe"] * 6 + ["saturated"] * 14
    # Somebody else with one of the same credentials has what that one has left.
    assert await ask(0, "elsewhere") == "model_safe"
    clock.advance(60)
    assert await ask(99, "flooder") == "model_safe"


def test_credential_and_address_pay_apart_and_the_stricter_holds() -> None:
    slots = Slots(8, per_minute=1)
    assert slots.admits("a", 0.0, "home")
    assert not slots.admits("a", 0.0, "abroad"), "the credential has spent its own"
    assert slots.admits("b", 0.0, "home")
    assert not slots.admits("c", 0.0, "home"), "the address has spent its two"
    assert slots.admits("c", 0.0, "abroad"), "a question that was not admitted cost nothing"
    assert slots.admits("", 0.0)


def test_a_flood_of_credentials_does_not_make_its_address_forgotten() -> None:
    slots = Slots(8, per_minute=1)
    for number in range(2):
        assert slots.admits(f"first {number}", 0.0, "flooder")
    for number in range(MOST_REMEMBERED + 1):
        assert not slots.admits(f"token {number}", 0.0, "flooder")
    assert not slots.admits("last", 0.0, "flooder")


def test_the_memory_of_spenders_is_bounded() -> None:
    slots = Slots(8, per_minute=1)
    for number in range(MOST_REMEMBERED + 1):
        assert slots.admits(f"subject {number}", 0.0)
    assert slots.admits("subject 0", 0.0)
    assert not slots.admits(f"subject {MOST_REMEMBERED}", 0.0)


async def test_one_address_holds_at_most_half_of_the_slots_whatever_it_calls_itself() -> None:
    adapter = ScriptedAdapter("safe", delay=0.1)
    guard = _guard(adapter, max_in_flight=8)
    flood = [
        asyncio.create_task(guard.assess({}, subject=f"token {n}", address="flooder"))
        for n in range(20)
    ]
    await asyncio.sleep(0)
    other = guard.assess({}, subject="user", address="elsewhere")
    assert (await other).verdict == "safe"
    answers = await asyncio.gather(*flood)
    assert [answer.reason for answer in answers].count("saturated") == 16


def test_calls_of_a_closed_loop_hold_no_slot() -> None:
    slots = Slots(1)
    loop = asyncio.new_event_loop()
    task = loop.create_task(asyncio.sleep(60))
    slots.enter(task, "a", "b")
    assert not slots.has_room("c", "d")
    task.get_coro().close()
    task._log_destroy_pending = False  # type: ignore[attr-defined]
    loop.close()
    assert slots.has_room("a", "b")
    assert slots.taken == 0


async def test_a_child_process_starts_with_free_slots() -> None:
    slots, threads = Slots(1), Bulkhead(1)
    held = await _hold(slots, "a")
    threads.own_slots().acquire()
    child = os.fork()
    if child == 0:
        free = slots.has_room("a") and threads.own_slots().acquire(blocking=False)
        os._exit(0 if free else 1)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0
    assert not slots.has_room("a")
    held.cancel()


async def test_a_retry_takes_no_slot_that_is_not_there() -> None:
    adapter = Stubborn()
    limits = GuardLimits(timeout_seconds=0.2, max_retries=1, max_in_flight=2)
    guard = Guard(adapter, "mine", limits, RecordingObserver(), jitter=lambda: 0.0)
    answers = await asyncio.gather(guard.assess({}), guard.assess({}))
    assert [answer.reason for answer in answers] == ["timeout", "timeout"]
    assert guard.in_flight == 2
    adapter.may_end.set()
    await until(lambda: guard.in_flight == 0)


async def test_a_question_that_cannot_be_put_is_on_record() -> None:
    observer = RecordingObserver()
    guard = Guard(ScriptedAdapter("safe"), "scripted", HASTY, observer)
    answer = guard.refuse("misconfigured")
    assert (answer.verdict, answer.reason) == ("unclear", "misconfigured")
    assert len(observer.events) == 1


async def test_after_a_fork_the_parents_calls_hold_nothing() -> None:
    slots = Slots(1)
    task = await _hold(slots, "")
    assert not slots.admits("", 0.0)
    # What a child process finds: the same object under another process id.
    vars(slots)["_pid"] = -1
    assert slots.admits("", 0.0)
    task.cancel()
    # The parent's task ends without taking anything from the child.
    await asyncio.gather(task, return_exceptions=True)
    await asyncio.sleep(0)
    assert (slots.taken, slots.admits("", 0.0)) == (0, True)
