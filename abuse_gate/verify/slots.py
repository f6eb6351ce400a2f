"""The slots of one adapter, and fairness between its callers.

All tenants of an adapter share its slots; no caller can hold all of them or spend all the money.
"""

import asyncio
from collections import Counter, OrderedDict
from typing import Any, Final

from abuse_gate.work.threads import Bulkhead

MINUTE: Final = 60.0
# One caller's part of the slots that are there for all.
QUARTER: Final = 4
# Callers whose spending is remembered; the one that has been quiet longest is forgotten first.
MOST_REMEMBERED: Final = 10_000


class Slots:
    """Who holds how many slots, and who has asked how often in this minute."""

    def __init__(self, limit: int, per_minute: int = 0) -> None:
        self.threads = Bulkhead(limit)
        self._limit = limit
        self._tasks: set[asyncio.Task[Any]] = set()
        self._most = max(1, limit // QUARTER)
        self._per_minute = per_minute
        self._held: Counter[str] = Counter()
        self._spent: OrderedDict[str, tuple[float, int]] = OrderedDict()

    def admits(self, subject: str, now: float) -> bool:
        """Whether this caller may ask now; a caller without a name has no share of its own."""
        if len(self._tasks) >= self._limit:
            return False
        if not subject:
            return True
        return self._held[subject] < self._most and self._pays(subject, now)

    @property
    def taken(self) -> int:
        """How many slots are taken, those of calls that nobody waits for any more included."""
        return len(self._tasks)

    def enter(self, task: asyncio.Task[Any], subject: str) -> None:
        """A slot is the task's until the task itself has ended."""
        self._tasks.add(task)
        if subject:
            self._held[subject] += 1

        def leave(_task: asyncio.Task[Any]) -> None:
            self._tasks.discard(task)
            self._release(subject)

        task.add_done_callback(leave)

    def _release(self, subject: str) -> None:
        if not subject:
            return
        self._held[subject] -= 1
        if self._held[subject] <= 0:
            del self._held[subject]

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
