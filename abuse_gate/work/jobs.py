"""Uploads on their way to a worker: the line they stand in, and what an answer may be."""

import json
import queue
import threading
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, cast

from abuse_gate.model.extract import Upload
from abuse_gate.work.worker_process import Failure

Answer = dict[str, Any] | Failure

# No owner may take more than one of so many parts of the line.
_SHARES: Final = 4
# Owners of whom it is known when they were served last.
_REMEMBERED: Final = 1024


@dataclass(slots=True, repr=False)
class Job:
    """One upload on its way; `expires` bounds the wait for a worker and the work together."""

    upload: Upload
    expires: float
    settle: Callable[[Answer], None]
    owner: str = ""
    dropped: threading.Event = field(default_factory=threading.Event)


class Line:
    """Where jobs wait: first come, first served for each owner; next is who was served longest ago.

    So one caller with many slow files delays the others by the files that are being opened, not
    by all of its own. By hand, because the queues of the standard library know no owners.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._share = max(1, most // _SHARES)
        self._waiting: dict[str, deque[Job]] = {}
        self._served: OrderedDict[str, int] = OrderedDict()
        self._turns = 0
        self._size = 0
        self._farewells = 0
        self._changed = threading.Condition()

    def __len__(self) -> int:
        return self._size

    def put(self, job: Job) -> bool:
        """Stand in line; false when the line, or its owner's share of it, is full."""
        with self._changed:
            own = self._waiting.get(job.owner, ())
            if self._size >= self._most or (job.owner and len(own) >= self._share):
                return False
            self._waiting.setdefault(job.owner, deque()).append(job)
            self._size += 1
            self._changed.notify()
            return True

    def get(self, timeout: float) -> Job | None:
        """The next owner's next job; None to end a thread. Raises queue.Empty in the end."""
        with self._changed:
            if not self._changed.wait_for(lambda: self._size or self._farewells, timeout):
                raise queue.Empty
            if not self._size:
                self._farewells -= 1
                return None
            return self._next()

    def _next(self) -> Job:
        owner = min(self._waiting, key=lambda each: self._served.get(each, 0))
        job = self._waiting[owner].popleft()
        self._size -= 1
        if not self._waiting[owner]:
            del self._waiting[owner]
        self._turns += 1
        self._served[owner] = self._turns
        self._served.move_to_end(owner)
        if len(self._served) > _REMEMBERED:
            self._served.popitem(last=False)
        return job

    def dismiss(self, threads: int) -> None:
        """Tell every thread to end; whoever still waits is told that we are full."""
        with self._changed:
            left = [job for jobs in self._waiting.values() for job in jobs]
            self._waiting.clear()
            self._size = 0
            self._farewells += threads
            self._changed.notify_all()
        for job in left:
            job.settle("saturated")


def parsed(reply: bytes) -> Answer:
    """A worker's answer, or what is wrong with it."""
    try:
        answer: object = json.loads(reply)
    except ValueError:
        return "bad_reply"
    return cast("dict[str, Any]", answer) if isinstance(answer, dict) else "bad_reply"
