"""The shared store as long as it answers in time, and this process's own memory while it does not.

The request never waits longer than the store's deadline, and only until the absence is known; then
one attempt in the background, now and again, finds out whether the store is back. Strikes made
meanwhile are handed over: the store knows an offence by its digests, so that none counts twice.
What the store forgot (a restart, an eviction, a clock that leapt) is put back from memory.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Final, TypeVar

from abuse_gate.contract import Observer
from abuse_gate.deciding.ladder import Ladder
from abuse_gate.model.decision import Mode
from abuse_gate.model.events import StoreFailed, StoreMoved
from abuse_gate.model.standing import SEVERITY_OF_MODE, Offence, Standing, Subject
from abuse_gate.stores.journal import Journal
from abuse_gate.stores.memory import MemoryStore
from abuse_gate.stores.redis import RedisStore

if TYPE_CHECKING:
    from redis.asyncio import Redis

Answer = TypeVar("Answer")

_log = logging.getLogger("abuse_gate")

# Between two attempts to reach a store that is away.
FIRST_PAUSE: Final = 0.25
LONGEST_PAUSE: Final = 5.0
# Nobody waits for what is done in the background, or for an operator.
PATIENCE: Final = 5.0
BATCH: Final = 100
# A term that ends this soon is not worth putting back: two clocks never agree entirely.
SLACK: Final = 5.0
# One absence is said once; a store that comes and goes does not fill a log.
QUIET_FOR: Final = 60.0


def open_store(
    client: Callable[[], "Redis"],
    ladder: Ladder,
    local: MemoryStore,
    observer: Observer,
    seconds: float,
) -> "SharedStore":
    """The shared store behind which this process's memory stands ready."""
    return SharedStore(RedisStore(client, ladder), local, observer, seconds)


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
        self._away = False
        self._pause = FIRST_PAUSE
        self._next_try = 0.0
        self._said = -QUIET_FOR
        self._trying: asyncio.Task[None] | None = None

    @property
    def away(self) -> bool:
        """Whether this process goes on with its own memory."""
        return self._away

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
        own = await self._local.record_unsafe(subjects, offence, incident)
        call = self._remote.record_unsafe
        found = await self._ask("strike", lambda: call(subjects, offence, incident))
        if found is None:
            for subject, ladder in subjects:
                self._journal.write(subject, ladder, offence, incident)
            return own
        for (subject, _), standing in zip(subjects, found, strict=True):
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
            return await self._remote.heal(subject, own)
        if standing.mode != "normal" or standing.epoch != own.epoch:
            self._mirror(subject, standing)
        return standing

    def _mirror(self, subject: str, standing: Standing) -> None:
        if standing.mode != "normal" or standing.epoch:
            self._local.put_on(subject, standing.mode, standing.seconds, standing.epoch)

    async def _ask(self, operation: str, call: Callable[[], Awaitable[Answer]]) -> Answer | None:
        """The shared store's answer; None when there is none in time."""
        if self._away or self._journal:
            self._try_again()
        if self._away:
            self._observer.record(StoreFailed(operation, "away", 0.0))
            return None
        started = self._clock()
        try:
            async with asyncio.timeout(self._seconds):
                return await call()
        except Exception as error:  # noqa: BLE001 - whatever it is, the request goes on
            self._failed(operation, error, started)
            return None

    def _failed(self, operation: str, error: Exception, started: float) -> None:
        now = self._clock()
        reason = type(error).__name__
        self._observer.record(StoreFailed(operation, reason, (now - started) * 1000))
        if self._away:
            return
        self._away, self._pause, self._next_try = True, FIRST_PAUSE, now + FIRST_PAUSE
        self._observer.record(StoreMoved("up", "away", reason))
        if now - self._said >= QUIET_FOR:
            self._said = now
            _log.warning(
                "abuse-gate: the shared store is away (%s); strikes are counted in this process "
                "and handed over when it returns",
                reason,
            )

    def _try_again(self) -> None:
        """Starts an attempt in the background, when it is time for one and none is under way."""
        running = self._trying is not None and not self._trying.done()
        stranded = running and self._trying is not None and self._trying.get_loop().is_closed()
        if (running and not stranded) or self._clock() < self._next_try:
            return
        self._trying = asyncio.get_running_loop().create_task(self._try())

    async def _try(self) -> None:
        try:
            async with asyncio.timeout(PATIENCE):
                await self._remote.probe()
                merged = await self._hand_over()
        except Exception:  # noqa: BLE001 - still away
            self._pause = min(2 * self._pause, LONGEST_PAUSE)
            self._next_try = self._clock() + self._pause
            return
        if self._away:
            self._away = False
            self._observer.record(StoreMoved("away", "up", merged=merged))
            _log.info("abuse-gate: the shared store is back; %d strikes handed over", merged)

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
