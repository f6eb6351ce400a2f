"""What an operator can do about subjects: look, find, lift, set.

Every change has a reason and is an event, so that it stands in the audit trail; so does one that
the store did not confirm.
"""

import asyncio
import logging
import re
from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Final

from abuse_gate.contract import Observer
from abuse_gate.deciding.ladder import Ladder
from abuse_gate.model.decision import Mode
from abuse_gate.model.events import ModeChanged
from abuse_gate.model.standing import FREE, Standing, Subject
from abuse_gate.store_contract import Store

_log = logging.getLogger("abuse_gate")

SETTABLE: Final[tuple[Mode, ...]] = ("execute_locked", "full_quarantine")
MOST_REASON: Final = 200
MOST_SECONDS: Final = 30 * 86_400.0
MOST_ACTOR: Final = 200
DEFAULT_LIMIT: Final = 100
# What a store that hangs may take for a change.
PATIENCE: Final = 10.0
# Changes under way: an event loop alone would let go of them.
_CHANGING: Final = set[asyncio.Task[Standing]]()
# The cause on record of a change that may have been made.
UNCONFIRMED: Final = "operator_unconfirmed"
# How a subject is spelled; wide enough for a store of one's own, too narrow for a terminal's codes.
_ID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:@-]{0,127}")


class UnknownSubjectError(LookupError):
    """Nothing is remembered of a subject, so that there is nothing to lift: most likely a typo."""


class Subjects:
    """The operator's view of a store; whatever the store raises reaches the operator."""

    def __init__(
        self,
        store: Store,
        observer: Observer | None = None,
        ladder: Ladder | None = None,
        patience: float = PATIENCE,
    ) -> None:
        """`ladder` says how long a mode lasts when nobody says otherwise."""
        self._patience = patience
        self._store = store
        self._observer = observer
        self._ladder = ladder or Ladder()

    async def list(self, limit: int = DEFAULT_LIMIT) -> Sequence[Subject]:
        """Subjects of which something is remembered."""
        return await self._store.subjects(limit)

    async def show(self, subject: str) -> Subject | None:
        """One subject; None when nothing is remembered of it."""
        return await self._store.show(subject) if _ID.fullmatch(subject) else None

    async def find(self, incident_id: str) -> Sequence[str]:
        """The subjects of an incident, as long as it is remembered."""
        return await self._store.find(incident_id) if incident_id else ()

    async def lift(self, subject: str, *, reason: str, actor: str = "") -> Standing:
        """Strikes and modes of a subject are gone, in every worker; an unknown one is refused."""
        return await self._change(subject, "normal", 0.0, reason, actor)

    async def set(
        self,
        subject: str,
        mode: Mode,
        *,
        reason: str,
        seconds: float | None = None,
        actor: str = "",
    ) -> Standing:
        """A mode for so long, or as long as strikes would bring it; whatever it was before."""
        if mode not in SETTABLE:
            raise ValueError(f"a mode is one of {', '.join(SETTABLE)}")
        span = self._usual(mode) if seconds is None else seconds
        if not 0 < span <= MOST_SECONDS:
            raise ValueError(f"seconds lie between 0 and {MOST_SECONDS:.0f}")
        return await self._change(subject, mode, span, reason, actor)

    def _usual(self, mode: Mode) -> float:
        locked = mode == "execute_locked"
        return self._ladder.lock_for if locked else self._ladder.quarantine_for

    async def _change(
        self, subject: str, mode: Mode, seconds: float, reason: str, actor: str
    ) -> Standing:
        reason = reason.strip()[:MOST_REASON]
        if not reason or not subject:
            raise ValueError("a change needs a subject and a reason")
        if not _ID.fullmatch(subject):
            raise ValueError("a subject is a kind and a digest, as in key-8f14e45f")
        if not reason.isprintable():
            raise ValueError("a reason is one line of printable text")
        known = await self._store.show(subject)
        if known is None and mode == "normal":
            raise UnknownSubjectError
        before = FREE if known is None else known.standing
        who = actor[:MOST_ACTOR]
        told = ModeChanged(subject, before.mode, mode, "operator", seconds, reason, who)
        # Whoever asked may leave; what is done is on record all the same.
        doing = asyncio.ensure_future(self._done(told, mode))
        _CHANGING.add(doing)
        doing.add_done_callback(_CHANGING.discard)
        doing.add_done_callback(lambda done: done.cancelled() or done.exception())
        return await asyncio.shield(doing)

    async def _done(self, told: ModeChanged, mode: Mode) -> Standing:
        confirmed = False
        try:
            async with asyncio.timeout(self._patience):
                after = await self._store.impose(told.subject, mode, told.seconds, told.reason)
            confirmed = True
        finally:
            # A store that failed may have done it before it did.
            self._record(told if confirmed else replace(told, cause=UNCONFIRMED))
        return after

    def _record(self, told: ModeChanged) -> None:
        if self._observer is not None:
            self._observer.record(told)
            return
        # Nobody watches; in the log it is all the same.
        fields = {"event": "mode", **asdict(told)}
        words = "subject %s: %s -> %s (%s)"
        change = (told.subject, told.before, told.after, told.cause)
        _log.warning(words, *change, extra={"abuse_gate": fields})
