"""One worker process seen from the gate: a question within a deadline, or a reason why not.

Blocking by design: it is called from a thread of the pool, never from an event loop.
"""

import os
import selectors
import subprocess
import sys
import time
from pathlib import Path
from typing import Final, Literal

from abuse_gate.work.document_worker import ANSWER, READY, question

Failure = Literal["timeout", "crashed", "saturated", "bad_reply"]

COMMAND: Final = (sys.executable, "-P", "-m", "abuse_gate.work.document_worker")
_CHUNK: Final = 1 << 16
# A report holds at most a few million characters, each up to six bytes of JSON.
MAX_ANSWER: Final = 32 * 1024 * 1024
_KEPT: Final = ("SYSTEMROOT", "LD_LIBRARY_PATH", "LANG")


class WorkerFailed(Exception):
    """The worker gave no usable answer and is gone."""

    def __init__(self, reason: Failure) -> None:
        super().__init__(reason)
        self.reason: Failure = reason


class WorkerProcess:
    """A running worker; after a failure it is dead and must be replaced."""

    def __init__(self, memory_bytes: int, command: tuple[str, ...] = COMMAND) -> None:
        # Nothing of our environment but the way to this package: a parser needs no secrets.
        self._process = subprocess.Popen(  # noqa: S603 - our own interpreter, our own module
            [*command, str(memory_bytes)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=_environment(),
            bufsize=0,
        )
        pipes = (self._process.stdin, self._process.stdout)
        self._pipes = tuple(pipe for pipe in pipes if pipe is not None)
        self._in, self._out = (pipe.fileno() for pipe in self._pipes)
        os.set_blocking(self._in, False)
        os.set_blocking(self._out, False)

    @property
    def pid(self) -> int:
        """The process's id."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether the process is still running."""
        return self._process.poll() is None

    def wait_ready(self, seconds: float) -> None:
        """Wait until the worker has loaded its parsers; that time is no document's."""
        try:
            self._read(len(READY), time.monotonic() + seconds)
        except WorkerFailed:
            self.end()
            raise

    def ask(self, kind: str, data: bytes, seconds: float) -> bytes:
        """The answer's bytes, or WorkerFailed; a worker that failed is to be ended."""
        try:
            return self._exchange(kind, data, time.monotonic() + seconds)
        except OSError:
            raise WorkerFailed("crashed") from None

    def _exchange(self, kind: str, data: bytes, deadline: float) -> bytes:
        self._write(question(kind, data), deadline)
        self._write(data, deadline)
        head = self._read(ANSWER.size, deadline)
        (size,) = ANSWER.unpack(head)
        if size > MAX_ANSWER:
            raise WorkerFailed("bad_reply")
        return self._read(size, deadline)

    def _write(self, data: bytes, deadline: float) -> None:
        view = memoryview(data)
        while view:
            self._wait(self._in, selectors.EVENT_WRITE, deadline)
            view = view[os.write(self._in, view[:_CHUNK]) :]

    def _read(self, size: int, deadline: float) -> bytes:
        found = bytearray()
        while len(found) < size:
            self._wait(self._out, selectors.EVENT_READ, deadline)
            chunk = os.read(self._out, min(size - len(found), _CHUNK))
            if not chunk:
                raise WorkerFailed("crashed")
            found += chunk
        return bytes(found)

    def _wait(self, descriptor: int, event: int, deadline: float) -> None:
        with selectors.DefaultSelector() as selector:
            selector.register(descriptor, event)
            if not selector.select(max(deadline - time.monotonic(), 0)):
                raise WorkerFailed("timeout")

    def kill(self) -> None:
        """Stop the process at once; whoever is waiting for its answer is told that it crashed."""
        self._process.kill()

    def end(self) -> None:
        """Stop the process, collect it and close the pipes; only its own thread does this."""
        self.kill()
        self._process.wait()
        self.let_go()

    def let_go(self) -> None:
        """Close our ends of the pipes; a worker that has no questions left ends by itself."""
        for pipe in self._pipes:
            pipe.close()


def _environment() -> dict[str, str]:
    here = str(Path(__file__).resolve().parents[2])
    path = os.pathsep.join(dict.fromkeys([here, *filter(None, sys.path)]))
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    return {**kept, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
