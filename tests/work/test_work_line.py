"""The line of the workers: owners take turns, and nobody fills it alone."""

import asyncio
import queue
import sys
from typing import TYPE_CHECKING

import pytest

from abuse_gate.model.extract import Upload
from abuse_gate.work.document_worker import end_with_parent
from abuse_gate.work.documents import DocumentPool, PoolLimits
from abuse_gate.work.jobs import Answer, Job, Line
from abuse_gate.work.worker_process import WorkerProcess

if TYPE_CHECKING:
    from collections.abc import Iterator

FILE = Upload("html", b"")


def job(owner: str, told: list[Answer] | None = None) -> Job:
    return Job(FILE, 0.0, (told if told is not None else []).append, owner)


def served(line: Line) -> list[str]:
    found: list[str] = []
    while len(line):
        taken = line.get(0)
        assert taken is not None
        found.append(taken.owner)
    return found


def test_owners_take_turns() -> None:
    line = Line(16)
    for owner in "aaabbc":
        assert line.put(job(owner))
    assert "".join(served(line)) == "abcaba"


def test_whoever_comes_new_is_served_before_those_who_were() -> None:
    line = Line(16)
    for _ in range(3):
        line.put(job("a"))
    assert getattr(line.get(0), "owner", "") == "a"
    line.put(job("b"))
    assert "".join(served(line)) == "baa"


def test_only_so_many_owners_are_remembered() -> None:
    line = Line(4)
    for number in range(2_000):
        line.put(job(str(number)))
        line.get(0)
    assert len(line) == 0


def test_no_owner_fills_the_line_alone() -> None:
    line = Line(8)
    assert [line.put(job("a")) for _ in range(3)] == [True, True, False]
    assert line.put(job("b"))


def test_whoever_has_no_name_may_fill_it() -> None:
    line = Line(3)
    assert [line.put(job("")) for _ in range(4)] == [True, True, True, False]


def test_a_line_that_stays_empty_says_so() -> None:
    with pytest.raises(queue.Empty):
        Line(1).get(0)


def test_those_who_wait_are_told_when_the_line_is_dismissed() -> None:
    line, told = Line(4), list[Answer]()
    line.put(job("a", told))
    line.dismiss(1)
    assert told == ["saturated"]
    assert line.get(0) is None


def test_a_worker_notices_that_its_parent_is_gone() -> None:
    parents: Iterator[int] = iter([7, 7, 1])
    left: list[int] = []
    end_with_parent(7, lambda: next(parents), left.append, seconds=0.0)
    assert left == [1]


HANGS = "import sys,time;o=sys.stdout.buffer;o.write(b'r');o.flush();time.sleep(60)"


async def test_one_callers_slow_files_hold_up_another_by_one_of_them() -> None:
    def start(memory: int) -> WorkerProcess:
        return WorkerProcess(memory, (sys.executable, "-c", HANGS))

    pool = DocumentPool(PoolLimits(workers=1, seconds=0.4, waiting=64), start)
    slow = [asyncio.ensure_future(pool.open(FILE, "slow")) for _ in range(10)]
    async with asyncio.timeout(30):
        while not pool.pids:
            await asyncio.sleep(0.01)
        assert await pool.open(FILE, "other") == "timeout"
    assert sum(task.done() for task in slow) <= 2
    for task in slow:
        task.cancel()
    pool.close()
