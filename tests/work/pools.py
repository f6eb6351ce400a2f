"""Pools of document workers for tests, and workers that go wrong, each in a way of its own."""

import asyncio
import sys
from typing import Any

from abuse_gate.model.extract import Upload
from abuse_gate.work.documents import DocumentPool, PoolLimits
from abuse_gate.work.jobs import Answer
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


def shown(answer: Answer) -> str:
    assert isinstance(answer, dict)
    found: str = answer["shown"]
    return found


async def until(holds: Any) -> None:
    """Waits for a thread to get somewhere."""
    async with asyncio.timeout(20):
        while not holds():
            await asyncio.sleep(0.01)
