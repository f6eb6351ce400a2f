"""Strikes that the shared store has not heard of yet, in the order in which they were made."""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from abuse_gate.deciding.ladder import Ladder
from abuse_gate.model.standing import Offence

# Of a longer absence the oldest are forgotten first; their modes hold here all the same.
MOST_ENTRIES: Final = 10_000


@dataclass(frozen=True, slots=True)
class Entry:
    """One strike of one subject, and when it was made by the journal's clock."""

    subject: str
    ladder: Ladder
    offence: Offence
    incident: str
    at: float


class Journal:
    """Bounded; the same offence of the same subject is written down once."""

    def __init__(
        self, most: int = MOST_ENTRIES, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._most = most
        self._clock = clock
        self._entries: OrderedDict[tuple[str, tuple[str, ...]], Entry] = OrderedDict()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._entries)

    def write(self, subject: str, ladder: Ladder, offence: Offence, incident: str) -> None:
        """Writes a strike down, now."""
        entry = Entry(subject, ladder, offence, incident, self._clock())
        with self._lock:
            self._entries.setdefault((subject, offence.marks), entry)
            if len(self._entries) > self._most:
                self._entries.popitem(last=False)

    def first(self, count: int) -> list[tuple[Entry, float]]:
        """The oldest entries, each with its age in seconds."""
        now = self._clock()
        with self._lock:
            entries = [
                entry for _, entry in zip(range(count), self._entries.values(), strict=False)
            ]
        return [(entry, max(0.0, now - entry.at)) for entry in entries]

    def strike_out(self, entries: list[Entry]) -> None:
        """Forgets entries that have been handed over."""
        with self._lock:
            for entry in entries:
                self._entries.pop((entry.subject, entry.offence.marks), None)
