"""The slots of one adapter, and fairness between its callers.

No caller can hold all of them or spend all the money. A credential has a quarter of the slots. It
is not checked yet when we count, so that anybody may change it with every request: therefore an
address has a share too, of a half, since behind a proxy many callers have one. The budget of a
minute is the subject's alone.
"""

import asyncio
import os
import threading
from collections import Counter, OrderedDict
from typing import Any, Final

from abuse_gate.work.threads import Bulkhead

MINUTE: Final = 60.0
# One caller's part of the slots that are there for all, and one address's.
QUARTER: Final = 4
HALF: Final = 2
# Callers whose spending is remembered; the one that has been quiet longest is forgotten first.
MOST_REMEMBERED: Final = 10_000


class Slots:
    """Who holds how many slots, and who has asked how often in this minute."""

    def __init__(self, limit: int, per_minute: int = 0) -> None:
        self.threads = Bulkhead(limit)
        self._limit = limit
        self._most = max(1, limit // QUARTER)
        self._most_at = max(1, limit // HALF)
        self._per_minute = per_minute
        self._spent: OrderedDict[str, tuple[float, int]] = OrderedDict()
        self._start_over()

    def admits(self, subject: str, now: float, address: str = "") -> bool:
        """Whether this caller may ask now; a caller without a name has no share of its own."""
        if not self.has_room(subject, address):
            return False
        with self._lock:
            return not subject or self._pays(subject, now)

    def has_room(self, subject: str, address: str = "") -> bool:
        """Whether a slot is free for this caller; costs nothing of its budget."""
        self._check_process()
        with self._lock:
            if self._is_free(subject, address):
                return True
            self._drop_the_dead()
            return self._is_free(subject, address)

    @property
    def taken(self) -> int:
        """How many slots are taken, those of calls that nobody waits for any more included."""
        self._check_process()
        with self._lock:
            self._drop_the_dead()
            return len(self._tasks)

    def enter(self, task: asyncio.Task[Any], subject: str, address: str = "") -> None:
        """A slot is the task's until the task itself has ended."""
        with self._lock:
            self._tasks[task] = subject, address
            self._held[subject] += 1
            self._at[address] += 1
        task.add_done_callback(self._leave)

    def _leave(self, task: asyncio.Task[Any]) -> None:
        with self._lock:
            self._release(task)

    def _release(self, task: asyncio.Task[Any]) -> None:
        holder = self._tasks.pop(task, None)
        if holder is None:
            return
        for held, name in zip((self._held, self._at), holder, strict=True):
            held[name] -= 1
            if not held[name]:
                del held[name]

    def _is_free(self, subject: str, address: str) -> bool:
        if len(self._tasks) >= self._limit:
            return False
        if subject and self._held[subject] >= self._most:
            return False
        return not address or self._at[address] < self._most_at

    def _drop_the_dead(self) -> None:
        """A task whose loop is closed never ends, and holds nothing any more."""
        for task in list(self._tasks):
            if task.get_loop().is_closed():
                self._release(task)

    def _check_process(self) -> None:
        """After a fork the calls under way are the parent's, and so may be the lock."""
        if self._pid != os.getpid():
            self._start_over()

    def _start_over(self) -> None:
        self._pid = os.getpid()
        self._lock = threading.Lock()
        self._tasks: dict[asyncio.Task[Any], tuple[str, str]] = {}
        self._held: Counter[str] = Counter()
        self._at: Counter[str] = Counter()

    def _pays(self, subject: str, now: float) -> bool:
        if not self._per_minute:
            return True
        since, count = self._spent.pop(subject, (now, 0))
        if now - since >= MINUTE:
            since, count = now, 0
        allowed = count < self._per_minute
        self._spent[subject] = (since, count + 1 if allowed else count)
        if len(self._spent) > MOST_REMEMBERED:
            self._spent.popitem(last=False)
        return allowed
