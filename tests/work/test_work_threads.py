"""The bulkhead: at most so many threads, each freed by itself, the rest shed at once."""

import asyncio
import contextvars
import subprocess
import sys
import threading
from collections.abc import Iterator

import pytest

from abuse_gate.contract import ProviderSaturated
from abuse_gate.work.threads import Bulkhead

COLOUR: contextvars.ContextVar[str] = contextvars.ContextVar("colour", default="none")

LATE = """
import asyncio, threading
from abuse_gate.work.threads import Bulkhead
release = threading.Event()
async def main():
    task = asyncio.create_task(Bulkhead(1).call(release.wait))
    await asyncio.sleep(0.05)
    task.cancel()
asyncio.run(main())
print("loop closed", flush=True)
"""


async def test_the_result_comes_out_of_a_thread_of_our_own() -> None:
    name = await Bulkhead(1).call(lambda: threading.current_thread().name)
    assert name == "abuse-gate-adapter"
    assert await Bulkhead(1).call(lambda: threading.current_thread().daemon)


def _raises(error: BaseException) -> None:
    raise error


async def test_what_is_raised_in_the_thread_is_raised_here() -> None:
    with pytest.raises(KeyError, match="x"):
        await Bulkhead(1).call(lambda: _raises(KeyError("x")))


async def test_a_stop_iteration_cannot_be_awaited_and_becomes_something_that_can() -> None:
    with pytest.raises(RuntimeError):
        await Bulkhead(1).call(lambda: _raises(StopIteration("canary")))


@pytest.mark.parametrize(
    "error",
    [asyncio.CancelledError("canary"), KeyboardInterrupt("canary"), SystemExit("canary")],
    ids=lambda error: type(error).__name__,
)
async def test_what_is_no_exception_stays_in_the_thread_and_quotes_nothing(
    error: BaseException, capfd: pytest.CaptureFixture[str]
) -> None:
    bulkhead = Bulkhead(1)
    with pytest.raises(RuntimeError) as caught:
        await asyncio.wait_for(bulkhead.call(lambda: _raises(error)), 10)
    assert caught.value.args == ()
    assert capfd.readouterr().err == ""
    assert await bulkhead.call(lambda: 3) == 3


@pytest.fixture
def release() -> Iterator[threading.Event]:
    """Lets every waiting thread end, whatever became of the test."""
    event = threading.Event()
    yield event
    event.set()


async def _shed(bulkhead: Bulkhead) -> bool:
    try:
        await bulkhead.call(lambda: None)
    except ProviderSaturated:
        return True
    return False


async def test_the_rest_are_shed_and_never_queued(release: threading.Event) -> None:
    bulkhead = Bulkhead(2)
    tasks = [asyncio.create_task(bulkhead.call(lambda: release.wait(20))) for _ in range(2)]
    await asyncio.sleep(0)
    assert await _shed(bulkhead)
    release.set()
    assert await asyncio.gather(*tasks) == [True, True]
    assert not await _shed(bulkhead)


async def test_a_caller_that_leaves_does_not_take_the_slot_along(release: threading.Event) -> None:
    bulkhead = Bulkhead(1)
    ended = threading.Event()

    def work() -> None:
        release.wait(20)
        ended.set()

    task = asyncio.create_task(bulkhead.call(work))
    await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await _shed(bulkhead)
    release.set()
    for _ in range(1000):
        if not await _shed(bulkhead):
            break
        await asyncio.sleep(0.005)
    assert ended.is_set()
    assert not await _shed(bulkhead)


async def test_a_failure_that_comes_after_the_caller_left_bothers_nobody(
    release: threading.Event,
) -> None:
    bulkhead = Bulkhead(1)

    def fail() -> None:
        release.wait(20)
        raise KeyError("canary")

    task = asyncio.create_task(bulkhead.call(fail))
    await asyncio.sleep(0.01)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    release.set()
    while await _shed(bulkhead):
        await asyncio.sleep(0.005)
    await asyncio.sleep(0.01)


def test_an_answer_for_a_loop_that_is_closed_is_dropped() -> None:
    release, bulkhead = threading.Event(), Bulkhead(1)

    async def leave() -> None:
        task = asyncio.create_task(bulkhead.call(lambda: release.wait(20)))
        await asyncio.sleep(0.01)
        task.cancel()

    asyncio.run(leave())
    (worker,) = [thread for thread in threading.enumerate() if thread.name == "abuse-gate-adapter"]
    release.set()
    worker.join(20)
    assert not worker.is_alive()
    assert asyncio.run(bulkhead.call(lambda: 3)) == 3


def test_a_hung_adapter_does_not_hang_the_shutdown() -> None:
    done = subprocess.run(
        [sys.executable, "-c", LATE], capture_output=True, text=True, check=True, timeout=30
    )
    assert done.stdout == "loop closed\n"


async def test_the_callers_context_is_copied_and_not_shared() -> None:
    COLOUR.set("red")

    def paint() -> str:
        before = COLOUR.get()
        COLOUR.set("blue")
        return before

    assert await Bulkhead(1).call(paint) == "red"
    assert COLOUR.get() == "red"


async def test_no_thread_left_is_our_own_side_being_full(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    bulkhead = Bulkhead(1)
    with monkeypatch.context() as patching:
        patching.setattr(threading.Thread, "start", refuse)
        assert await _shed(bulkhead)
        assert await _shed(bulkhead)
    assert not await _shed(bulkhead)


def test_after_a_fork_no_slot_is_the_parents() -> None:
    bulkhead = Bulkhead(1)
    before = bulkhead.own_slots()
    assert bulkhead.own_slots() is before
    assert before.acquire(blocking=False)
    # What a child process finds: the same object under another process id.
    vars(bulkhead)["_pid"] = -1
    assert bulkhead.own_slots() is not before
    assert bulkhead.own_slots().acquire(blocking=False)
