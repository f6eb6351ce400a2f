"""The pool: one upload's trouble is that upload's alone, and the next one gets a new worker."""

import asyncio
import os
import signal
import sys

import pytest

from abuse_gate.model.extract import Upload
from abuse_gate.work.documents import PoolLimits
from abuse_gate.work.worker_process import WorkerProcess
from tests.work.pools import BAD, HTML, READY, Pools, bad_worker, shown, until


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


async def test_no_process_to_be_had_is_our_side_being_full(pools: Pools) -> None:
    def start(memory: int) -> WorkerProcess:
        return WorkerProcess(memory, ("/does/not/exist",))

    pool = pools(start=start)
    assert await pool.open(HTML) == "saturated"
