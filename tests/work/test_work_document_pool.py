"""The pool: one upload's trouble is that upload's alone, and the next one gets a new worker."""

import asyncio
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from abuse_gate.model.extract import Upload
from abuse_gate.work.documents import DocumentPool, PoolLimits, close_pools, forget_pools
from abuse_gate.work.jobs import Answer, Line
from abuse_gate.work.worker_process import WorkerProcess

HTML = Upload("html", b"<!doctype html><p>hello</p>")
READY = "import sys,time,os;o=sys.stdout.buffer;i=sys.stdin.buffer;o.write(b'r');o.flush();"
HEARD = READY + "n=int.from_bytes(i.read(10)[2:],'big');i.read(4+n);"
# Workers that go wrong, each in a way of its own.
BAD: dict[str, tuple[str, str]] = {
    "hangs": (READY + "i.read(1);time.sleep(60)", "timeout"),
    "never reads": (READY + "time.sleep(60)", "timeout"),
    "dies": (READY + "i.read(1);os._exit(3)", "crashed"),
    "never starts": ("import os;os._exit(1)", "crashed"),
    "boasts": (HEARD + "o.write(b'\\xff'*8);o.flush();time.sleep(60)", "bad_reply"),
    "stammers": (
        HEARD + "o.write(b'\\0'*7+b'\\3'+b'{{{');o.flush();time.sleep(60)",
        "bad_reply",
    ),
    "says a list": (
        HEARD + "o.write(b'\\0'*7+b'\\2'+b'[]');o.flush();time.sleep(60)",
        "bad_reply",
    ),
}
LIMITS = PoolLimits(workers=1, seconds=1.0, idle_seconds=30.0)


def bad_worker(script: str) -> Any:
    def start(memory: int) -> WorkerProcess:
        return WorkerProcess(memory, (sys.executable, "-c", script))

    return start


class Pools:
    """Makes pools and closes every one of them."""

    def __init__(self) -> None:
        self.made: list[DocumentPool] = []

    def __call__(self, limits: PoolLimits = LIMITS, **options: Any) -> DocumentPool:
        self.made.append(DocumentPool(limits, **options))
        return self.made[-1]


@pytest.fixture
def pools() -> Iterator[Pools]:
    made = Pools()
    yield made
    for pool in made.made:
        pool.close()


def shown(answer: Answer) -> str:
    assert isinstance(answer, dict)
    found: str = answer["shown"]
    return found


async def until(holds: Any) -> None:
    """Waits for a thread to get somewhere."""
    async with asyncio.timeout(20):
        while not holds():
            await asyncio.sleep(0.01)


async def test_an_upload_is_opened_and_its_worker_is_kept(pools: Pools) -> None:
    pool = pools()
    assert pool.pids == ()
    assert shown(await pool.open(HTML)) == "hello"
    first = pool.pids
    assert shown(await pool.open(HTML)) == "hello"
    assert pool.pids == first
    assert len(first) == 1


@pytest.mark.parametrize("name", BAD)
async def test_a_worker_that_goes_wrong_is_a_reason(name: str, pools: Pools) -> None:
    script, reason = BAD[name]
    # More than a pipe holds, so that a worker that does not read is noticed too.
    large = Upload("html", b"x" * 300_000)
    assert await pools(start=bad_worker(script)).open(large) == reason


async def test_a_killed_worker_costs_one_upload_and_the_next_one_works(pools: Pools) -> None:
    starts: list[bool] = []

    def start(memory: int) -> WorkerProcess:
        starts.append(True)
        # The first one sleeps over its work, so that there is a middle to be killed in.
        command = (sys.executable, "-c", READY + "i.read(1);time.sleep(60)")
        return WorkerProcess(memory, command) if len(starts) == 1 else WorkerProcess(memory)

    pool = pools(PoolLimits(workers=1, seconds=30.0), start=start)
    waiting = asyncio.ensure_future(pool.open(HTML))
    await until(lambda: pool.pids)
    os.kill(pool.pids[0], signal.SIGKILL)
    assert await waiting == "crashed"
    assert shown(await pool.open(HTML)) == "hello"
    assert len(starts) == 2


async def test_a_worker_that_was_ended_while_idle_costs_nothing(pools: Pools) -> None:
    pool = pools()
    await pool.open(HTML)
    (pid,) = pool.pids
    os.kill(pid, signal.SIGKILL)
    await asyncio.sleep(0.2)
    assert shown(await pool.open(HTML)) == "hello"
    assert pool.pids != (pid,)


async def test_a_full_pool_says_so_at_once(pools: Pools) -> None:
    limits = PoolLimits(workers=1, waiting=1, seconds=30.0)
    pool = pools(limits, start=bad_worker(READY + "i.read(1);time.sleep(60)"))
    first = asyncio.ensure_future(pool.open(HTML))
    await until(lambda: pool.pids)
    second = asyncio.ensure_future(pool.open(HTML))
    await asyncio.sleep(0)
    assert await pool.open(HTML) == "saturated"
    pool.close()
    assert await first == "crashed"
    assert await second == "saturated"


async def test_who_waited_too_long_is_told_that_we_are_full(pools: Pools) -> None:
    limits = PoolLimits(workers=1, seconds=0.3)
    pool = pools(limits, start=bad_worker(READY + "i.read(1);time.sleep(60)"))
    answers = await asyncio.gather(*(pool.open(HTML) for _ in range(4)))
    assert answers[0] == "timeout"
    assert "saturated" in answers


async def test_a_caller_who_left_costs_no_work(pools: Pools) -> None:
    pool = pools(PoolLimits(workers=1, seconds=0.5), start=bad_worker(BAD["hangs"][0]))
    first = asyncio.ensure_future(pool.open(HTML))
    second = asyncio.ensure_future(pool.open(HTML))
    await asyncio.sleep(0)
    second.cancel()
    assert await first == "timeout"
    with pytest.raises(asyncio.CancelledError):
        await second
    # Whoever comes after the one who left has been answered: so that one was passed over.
    assert await pool.open(HTML) == "timeout"


async def test_a_caller_who_leaves_in_the_middle_is_not_answered(pools: Pools) -> None:
    pool = pools(PoolLimits(workers=1, seconds=0.5), start=bad_worker(BAD["hangs"][0]))
    waiting = asyncio.ensure_future(pool.open(HTML))
    await until(lambda: pool.pids)
    waiting.cancel()
    assert await pool.open(HTML) == "timeout"
    assert waiting.cancelled()


class Idle:
    """A worker that is no process and answers nothing in particular."""

    pid = 1
    alive = True

    def __init__(self) -> None:
        self.left = False

    def wait_ready(self, seconds: float) -> None:
        """Ready at once."""

    def ask(self, kind: str, data: bytes, seconds: float) -> bytes:
        return b"{}"

    def kill(self) -> None:
        """Nothing to end."""

    def end(self) -> None:
        """Nothing to collect."""

    def let_go(self) -> None:
        self.left = True


def _starting(worker: Any) -> Callable[[int], Any]:
    def start(_memory: int) -> Any:
        return worker

    return start


async def test_after_a_fork_the_workers_of_the_parent_are_let_go(pools: Pools) -> None:
    worker: Any = Idle()
    pool = pools(start=_starting(worker))
    assert await pool.open(HTML) == {}
    forget_pools([pool])
    assert worker.left
    assert pool.pids == ()


async def test_at_the_end_every_pool_is_closed(pools: Pools) -> None:
    pool = pools(start=_starting(Idle()))
    await pool.open(HTML)
    close_pools([pool])
    await until(lambda: not pool.pids)


def test_a_line_that_is_dismissed_twice_is_empty() -> None:
    jobs = Line(4)
    jobs.dismiss(1)
    jobs.dismiss(0)
    assert len(jobs) == 0
    assert jobs.get(0) is None


async def test_no_process_to_be_had_is_our_side_being_full(pools: Pools) -> None:
    def start(memory: int) -> WorkerProcess:
        return WorkerProcess(memory, ("/does/not/exist",))

    pool = pools(start=start)
    assert await pool.open(HTML) == "saturated"


async def test_idle_workers_are_sent_home_and_come_back(pools: Pools) -> None:
    pool = pools(PoolLimits(workers=1, seconds=5.0, idle_seconds=0.1))
    await pool.open(HTML)
    await until(lambda: not pool.pids)
    assert shown(await pool.open(HTML)) == "hello"


async def test_a_closed_pool_starts_anew(pools: Pools) -> None:
    pool = pools()
    await pool.open(HTML)
    pool.close()
    await until(lambda: not pool.pids)
    assert shown(await pool.open(HTML)) == "hello"


def test_one_pool_serves_several_loops(pools: Pools) -> None:
    pool = pools(PoolLimits(workers=2, seconds=10.0))
    found: list[str] = []

    def loop() -> None:
        found.append(shown(asyncio.run(pool.open(HTML))))

    threads = [threading.Thread(target=loop) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == ["hello"] * 4


def test_an_answer_for_a_loop_that_is_closed_is_dropped(pools: Pools) -> None:
    pool = pools(PoolLimits(workers=1, seconds=0.3), start=bad_worker(BAD["hangs"][0]))

    async def leave() -> None:
        asyncio.ensure_future(pool.open(HTML))  # noqa: RUF006 - it is to be left behind
        await until(lambda: pool.pids)

    asyncio.run(leave())
    deadline = time.monotonic() + 20
    while pool.pids and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not pool.pids
    assert shown(asyncio.run(DocumentPoolOnce().open(HTML))) == "hello"


class DocumentPoolOnce(DocumentPool):
    """A pool with the default limits, closed when the test process ends."""


def test_a_forked_child_has_a_pool_of_its_own(pools: Pools) -> None:
    pool = pools()
    assert shown(asyncio.run(pool.open(HTML))) == "hello"
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.write(write, shown(asyncio.run(pool.open(HTML))).encode() + str(pool.pids).encode())
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    said = os.read(read, 100).decode()
    os.close(read)
    os.close(write)
    assert said.startswith("hello")
    assert str(pool.pids) not in said
    assert shown(asyncio.run(pool.open(HTML))) == "hello"
