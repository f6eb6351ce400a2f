"""A pool from its start to its end: forks, loops, idle hours, and a start after the end."""

import asyncio
import os
import threading
import time
from collections.abc import Callable
from typing import Any

from abuse_gate.work.documents import DocumentPool, PoolLimits, close_pools, forget_pools
from abuse_gate.work.jobs import Line
from tests.work.pools import BAD, HTML, Pools, bad_worker, shown, until


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
