"""Strikes in this process's own memory: bounded, expired by a clock that never steps.

By hand and not cachetools: subjects that serve a term must outlive any number of newcomers, and an
entry's time to live is its own.
"""

import asyncio
import threading
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import replace
from itertools import chain, islice
from typing import Final

from abuse_gate.deciding.ladder import (
    EMPTY,
    LONGEST_KEPT,
    Ladder,
    Record,
    imposed,
    keep_for,
    lifted,
    noted,
    rebased,
    record_unsafe,
    standing_of,
    term_age,
)
from abuse_gate.model.decision import Mode
from abuse_gate.model.standing import FREE, Offence, Standing, Subject

# Subjects that are remembered, of each sort: those with strikes, the locked, the quarantined. Each
# sort drives out its own only, so that no number of locked ones sets a quarantined one free.
MOST_SUBJECTS: Final = 50_000
# Entries looked at for expiry whenever one is written, so that no write ever sweeps all of them.
SWEPT: Final = 2
# Entries that are looked at for an operator before requests have a turn.
STEP: Final = 500
# Entries among which the one that ends first is looked for, when somebody has to go.
COMPARED: Final = 16

Kept = OrderedDict[str, tuple[float, Record]]
Plain = dict[str, tuple[float, Record]]


class MemoryStore:
    """A store for one process; several event loops may share it."""

    def __init__(
        self,
        ladder: Ladder | None = None,
        most: int = MOST_SUBJECTS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._ladder = ladder or Ladder()
        self._most = most
        self._clock = clock
        self._watched: Kept = OrderedDict()
        self._locked: Kept = OrderedDict()
        self._quarantined: Kept = OrderedDict()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._watched) + len(self._locked) + len(self._quarantined)

    @property
    def quiet(self) -> bool:
        """Whether nobody is remembered at all, so that nobody need be looked up."""
        return not self._watched and not self._locked and not self._quarantined

    def peek(self, subject: str) -> Standing:
        """How a subject stands; never waits."""
        found = self._find(subject)
        if found is None:
            return FREE
        now = self._clock()
        if found[0] <= now:
            return FREE
        record = rebased(found[1], now)
        if record is not found[1]:
            # Somebody's clock has stepped back: from now on it is counted from here.
            with self._lock:
                self._put(subject, record, now, self._ladder)
        return standing_of(record, now, self._ladder.window)

    def age(self, subject: str) -> float:
        """For how many seconds a subject's mode has been known here."""
        now = self._clock()
        return term_age(self._get(subject, now), now)

    def strike(
        self, subject: str, ladder: Ladder, offence: Offence, incident: str = "", age: float = 0.0
    ) -> Standing:
        """One offence of one subject, `age` seconds ago."""
        with self._lock:
            now = self._clock()
            before = self._get(subject, now)
            record, _ = record_unsafe(before, offence, now, ladder, age)
            self._put(subject, noted(record, incident) if incident else record, now, ladder)
            previous = standing_of(before, now, ladder.window).mode
            return replace(standing_of(record, now, ladder.window), previous=previous)

    def put_on(self, subject: str, mode: Mode, seconds: float, epoch: int) -> None:
        """What is known of a subject from elsewhere, taken over as it is."""
        with self._lock:
            now = self._clock()
            record = self._get(subject, now)
            if record.epoch < epoch:
                record = Record(epoch=epoch, incidents=record.incidents)
            if mode != "normal":
                record = imposed(record, mode, seconds, now)
            self._put(subject, record, now, self._ladder)

    async def look(self, subjects: Sequence[str], /) -> Sequence[Standing]:
        """How the subjects stand now."""
        return [self.peek(subject) for subject in subjects]

    async def record_unsafe(
        self, subjects: Sequence[tuple[str, Ladder]], offence: Offence, incident: str, /
    ) -> Sequence[Standing]:
        """Adds a strike to each subject, by its ladder, unless the offence is known already."""
        return [self.strike(subject, ladder, offence, incident) for subject, ladder in subjects]

    async def note(self, subjects: Sequence[str], incident: str, /) -> None:
        """Remembers an incident by which the subjects can be found."""
        with self._lock:
            now = self._clock()
            for subject in subjects:
                record = noted(self._get(subject, now), incident)
                self._put(subject, record, now, self._ladder)

    async def show(self, subject: str, /) -> Subject | None:
        """All there is to see of a subject; None when nothing is remembered of it."""
        now = self._clock()
        record = self._get(subject, now)
        return None if record is EMPTY else self._seen(subject, record, now)

    async def subjects(self, limit: int, /) -> Sequence[Subject]:
        """Those that serve a term first, the latest first."""
        seen: list[Subject] = []
        async for subject, record in self._alive():
            if len(seen) >= limit:
                break
            seen.append(self._seen(subject, record, self._clock()))
        return seen

    async def find(self, incident: str, /) -> Sequence[str]:
        """The subjects of an incident."""
        return [subject async for subject, record in self._alive() if incident in record.incidents]

    async def impose(self, subject: str, mode: Mode, seconds: float, note: str, /) -> Standing:
        """Sets a mode for so long, whatever it was before; `normal` lifts it."""
        with self._lock:
            now = self._clock()
            record = lifted(self._get(subject, now), note, now)
            if mode != "normal":
                record = imposed(record, mode, seconds, now)
            self._put(subject, record, now, self._ladder)
            return standing_of(record, now, self._ladder.window)

    async def aclose(self) -> None:
        """Nothing is held open."""

    def _get(self, subject: str, now: float) -> Record:
        found = self._find(subject)
        return found[1] if found is not None and found[0] > now else EMPTY

    def _put(self, subject: str, record: Record, now: float, ladder: Ladder) -> None:
        tiers = (self._watched, self._locked, self._quarantined)
        found = [tier.pop(subject)[0] for tier in tiers if subject in tier]
        promised = min(max(found, default=now) - now, LONGEST_KEPT)
        kept = now + max(promised, keep_for(record, now, ladder))
        self._tier(record, now)[subject] = (kept, record)
        for tier in tiers:
            _sweep(tier, now)
            if len(tier) > self._most:
                _drop(tier)

    def _tier(self, record: Record, now: float) -> Kept:
        if record.quarantined_until > now:
            return self._quarantined
        return self._locked if record.locked_until > now else self._watched

    def _find(self, subject: str) -> tuple[float, Record] | None:
        found = self._quarantined.get(subject) or self._locked.get(subject)
        return found or self._watched.get(subject)

    async def _alive(self) -> AsyncIterator[tuple[str, Record]]:
        """All that are remembered, the worst first; requests have their turns in between."""
        with self._lock:
            tiers = (self._quarantined, self._locked, self._watched)
            # The same order as the tier's own, which takes ten times as long to walk.
            names: list[list[str]] = [list(Plain.keys(tier)) for tier in tiers]
        for number, subject in enumerate(chain.from_iterable(map(reversed, names)), 1):
            record = self._get(subject, self._clock())
            if record is not EMPTY:
                yield subject, record
            if number % STEP == 0:
                await asyncio.sleep(0)

    def _seen(self, subject: str, record: Record, now: float) -> Subject:
        standing = standing_of(record, now, self._ladder.window)
        return Subject(subject, standing, record.incidents, record.note)


def _drop(entries: Kept) -> None:
    """Drops, of the oldest entries, the one whose term ends first."""
    oldest = islice(entries.items(), COMPARED)
    subject, _ = min(oldest, key=lambda entry: _end(entry[1][1]))
    del entries[subject]


def _end(record: Record) -> float:
    return max(record.locked_until, record.quarantined_until)


def _sweep(entries: Kept, now: float) -> None:
    """Drops what has expired among the oldest entries."""
    for _ in range(min(SWEPT, len(entries))):
        oldest = next(iter(entries))
        if entries[oldest][0] > now:
            return
        del entries[oldest]
