"""The slots of one adapter, and fairness between its callers.

No caller can hold all of them or spend all the money. A credential has a quarter of the slots and
one budget a minute. It is not checked yet when we count, so that anybody may change it with every
request: therefore an address has a share too, of a half and of two budgets, since behind a proxy
many callers have one.
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
# An address pays for this many budgets: it has as many times a credential's slots.
BUDGETS_OF_ADDRESS: Final = QUARTER // HALF
# Names whose spending is remembered; the one that has been quiet longest is forgotten first.
MOST_REMEMBERED: Final = 10_000


class Spending:
    """How often each name has asked in its minute; who has no name pays nothing."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._spent: OrderedDict[str, tuple[float, int]] = OrderedDict()

    def can_pay(self, name: str, now: float) -> bool:
        """Whether a name may ask once more; asking for it costs nothing."""
        return not (self._most and name) or self._so_far(name, now)[1] < self._most

    def pay(self, name: str, now: float) -> None:
        """Count one more question of a name."""
        if not (self._most and name):
            return
        since, count = self._so_far(name, now)
        self._spent[name] = since, count + 1
        self._spent.move_to_end(name)
        if len(self._spent) > MOST_REMEMBERED:
            self._spent.popitem(last=False)

    def _so_far(self, name: str, now: float) -> tuple[float, int]:
        since, count = self._spent.get(name, (now, 0))
        return (now, 0) if now - since >= MINUTE else (since, count)


class Slots:
    """Who holds how many slots, and who has asked how often in this minute."""

    def __init__(self, limit: int, per_minute: int = 0) -> None:
        self.threads = Bulkhead(limit)
        self._limit = limit
        self._most = max(1, limit // QUARTER)
        self._most_at = max(1, limit // HALF)
        # Apart, so that a flood of new credentials cannot make us forget its address.
        self._by_subject = Spending(per_minute)
        self._by_address = Spending(per_minute * BUDGETS_OF_ADDRESS)
        self._start_over()

    def admits(self, subject: str, now: float, address: str = "") -> bool:
        """Whether this caller may ask now; a caller without a name has no share of its own."""
        if not self.has_room(subject, address):
            return False
        with self._lock:
            return self._pays(subject, address, now)

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

    def _pays(self, subject: str, address: str, now: float) -> bool:
        """Whether both can pay; then both have, and otherwise neither."""
        if not (self._by_address.can_pay(address, now) and self._by_subject.can_pay(subject, now)):
            return False
        self._by_address.pay(address, now)
        self._by_subject.pay(subject, now)
        return True


def swallow(task: asyncio.Task[Any]) -> None:
    """Retrieves the exception of a call that nobody waits for, so that asyncio does not log it."""
    if not task.cancelled():
        task.exception()
