"""The shared store as long as it answers in time, and this process's own memory while it does not.

The request never waits longer than the store's deadline, and only until the absence is known; then
one attempt in the background, now and again, finds out whether the store is back, and as prompt as
a request needs it. Strikes made
meanwhile are handed over: the store knows an offence by its digests, so that none counts twice.
What the store forgot (a restart, an eviction, a clock that leapt) is put back from memory.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Final, TypeVar

from abuse_gate.contract import Observer
from abuse_gate.deciding.ladder import Ladder
from abuse_gate.model.decision import Mode
from abuse_gate.model.events import StoreFailed
from abuse_gate.model.standing import SEVERITY_OF_MODE, Offence, Standing, Subject
from abuse_gate.stores.absence import Absence
from abuse_gate.stores.journal import Journal
from abuse_gate.stores.link import Links
from abuse_gate.stores.memory import MemoryStore
from abuse_gate.stores.redis import RedisStore

Answer = TypeVar("Answer")

# A rung that nobody reaches.
NEVER: Final = 1 << 30
# Nobody waits for what is done in the background, or for an operator.
PATIENCE: Final = 5.0
BATCH: Final = 100
# Connections that are opened before the store is used again: those of requests that come at once.
WARM: Final = 8
# A term that ends this soon is not worth putting back: two clocks never agree entirely.
SLACK: Final = 5.0


def open_store(
    link: Links,
    ladder: Ladder,
    local: MemoryStore,
    observer: Observer,
    seconds: float,
) -> "SharedStore":
    """The shared store behind which this process's memory stands ready."""
    return SharedStore(RedisStore(link, ladder), local, observer, seconds)


class SharedStore:
    """A store that is always there."""

    def __init__(
        self,
        remote: RedisStore,
        local: MemoryStore,
        observer: Observer,
        seconds: float = 0.05,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._remote = remote
        self._local = local
        self._observer = observer
        self._seconds = seconds
        self._clock = clock
        self._journal = Journal(clock=clock)
        self._absence = Absence(observer, clock)
        # Handed over since the store was last up.
        self._merged = 0
        self._trying: asyncio.Task[None] | None = None

    @property
    def away(self) -> bool:
        """Whether this process goes on with its own memory."""
        return self._absence.away

    @property
    def waiting(self) -> int:
        """How many strikes the shared store has not heard of yet."""
        return len(self._journal)

    async def look(self, subjects: Sequence[str], /) -> Sequence[Standing]:
        """How the subjects stand, by the shared store if it answers."""
        found = await self._ask("look", lambda: self._looked(subjects))
        return await self._local.look(subjects) if found is None else found

    async def record_unsafe(
        self, subjects: Sequence[tuple[str, Ladder]], offence: Offence, incident: str, /
    ) -> Sequence[Standing]:
        """Counts in both; what only this process has counted is handed over later."""
        call, found = self._remote.record_unsafe, None
        try:
            found = await self._ask("strike", lambda: call(subjects, offence, incident))
        finally:
            # Also when whoever waits for it has gone: the offence is a fact.
            own = self._counted(subjects, offence, incident, found)
        return own

    def _counted(
        self,
        subjects: Sequence[tuple[str, Ladder]],
        offence: Offence,
        incident: str,
        found: Sequence[Standing] | None,
    ) -> Sequence[Standing]:
        """Counts here what the store has counted, or what it has not heard of.

        After it, and without modes of our own: a mode that is known here before the store knows it
        would look as if the store had lost it.
        """
        if found is None:
            for subject, ladder in subjects:
                self._journal.write(subject, ladder, offence, incident)
            return [self._local.strike(*struck, offence, incident) for struck in subjects]
        for (subject, ladder), standing in zip(subjects, found, strict=True):
            quietly = replace(ladder, lock_at=NEVER, quarantine_at=None)
            self._local.strike(subject, quietly, offence, incident)
            self._mirror(subject, standing)
        return found

    async def note(self, subjects: Sequence[str], incident: str, /) -> None:
        """Remembers an incident, wherever that is possible."""
        await self._local.note(subjects, incident)
        await self._ask("note", lambda: self._noted(subjects, incident))

    async def show(self, subject: str, /) -> Subject | None:
        """For operators: the shared store's word, or its failure."""
        async with asyncio.timeout(PATIENCE):
            return await self._remote.show(subject)

    async def subjects(self, limit: int, /) -> Sequence[Subject]:
        """For operators: the shared store's word, or its failure."""
        return await self._remote.subjects(limit)

    async def find(self, incident: str, /) -> Sequence[str]:
        """For operators: the shared store's word, or its failure."""
        return await self._remote.find(incident)

    async def impose(self, subject: str, mode: Mode, seconds: float, note: str, /) -> Standing:
        """For operators: done in the shared store, or failed; never here alone."""
        async with asyncio.timeout(PATIENCE):
            standing = await self._remote.impose(subject, mode, seconds, note)
        self._mirror(subject, standing)
        return standing

    async def aclose(self) -> None:
        """A last attempt to hand over what waits, then the connections are closed."""
        if self._trying is not None:
            self._trying.cancel()
        if self._journal:
            await self._try()
        await self._remote.aclose()

    async def _looked(self, subjects: Sequence[str]) -> Sequence[Standing]:
        found = await self._remote.look(subjects)
        pairs = zip(subjects, found, strict=True)
        return [await self._reconciled(subject, standing) for subject, standing in pairs]

    async def _noted(self, subjects: Sequence[str], incident: str) -> bool:
        await self._remote.note(subjects, incident)
        return True

    async def _reconciled(self, subject: str, standing: Standing) -> Standing:
        """The store's word, unless it has lost what this process remembers, or a later epoch."""
        own = self._local.peek(subject)
        milder = SEVERITY_OF_MODE[standing.mode] < SEVERITY_OF_MODE[own.mode]
        lost = milder and own.epoch == standing.epoch and own.seconds > SLACK
        if lost or own.epoch > standing.epoch:
            # Older rather than younger: one that an operator has lifted must not look new.
            age = self._local.age(subject) + SLACK
            return await self._remote.heal(subject, own, age)
        if standing.mode != "normal" or standing.epoch != own.epoch:
            self._mirror(subject, standing)
        return standing

    def _mirror(self, subject: str, standing: Standing) -> None:
        if standing.mode != "normal" or standing.epoch:
            self._local.put_on(subject, standing.mode, standing.seconds, standing.epoch)

    async def _ask(self, operation: str, call: Callable[[], Awaitable[Answer]]) -> Answer | None:
        """The shared store's answer; None when there is none in time."""
        if self.away or self._journal:
            self._try_again()
        if self.away:
            self._observer.record(StoreFailed(operation, "away", 0.0))
            return None
        started = self._clock()
        try:
            async with asyncio.timeout(self._seconds):
                return await call()
        except Exception as error:  # noqa: BLE001 - whatever it is, the request goes on
            reason, elapsed = type(error).__name__, (self._clock() - started) * 1000
            self._observer.record(StoreFailed(operation, reason, elapsed))
            self._absence.begins(reason)
            return None

    def _try_again(self) -> None:
        """Starts an attempt in the background, when it is time for one and none is under way."""
        running = self._trying is not None and not self._trying.done()
        stranded = running and self._trying is not None and self._trying.get_loop().is_closed()
        if (running and not stranded) or not self._absence.is_due:
            return
        self._trying = asyncio.get_running_loop().create_task(self._try())

    async def _try(self) -> None:
        try:
            async with asyncio.timeout(PATIENCE):
                await self._remote.load()
                await asyncio.gather(*(self._remote.probe() for _ in range(WARM)))
                merged = self._merged = self._merged + await self._hand_over()
                await self._prompt()
        except Exception:  # noqa: BLE001 - still away
            self._absence.goes_on()
            return
        self._merged = 0
        self._absence.ends(merged)

    async def _prompt(self) -> None:
        """Raises if the store answers, but not as soon as a request needs it."""
        async with asyncio.timeout(self._seconds):
            await self._remote.probe()

    async def _hand_over(self) -> int:
        """Tells the shared store everything that it has missed; how much it was."""
        merged = 0
        while batch := self._journal.first(BATCH):
            await self._remote.strike(
                [(e.subject, e.ladder, e.offence, e.incident, age) for e, age in batch]
            )
            self._journal.strike_out([entry for entry, _ in batch])
            merged += len(batch)
        return merged
