"""What an operator can do about subjects: look, find, lift, set.

Every change has a reason and is an event, so that it stands in the audit trail; so does one that
the store did not confirm.
"""

import asyncio
import logging
import re
from collections.abc import Collection, Sequence
from dataclasses import asdict, replace
from typing import Any, Final

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
# Of an id's 32 digits: fewer would find somebody else.
SHORTEST: Final = 6
# How a subject is spelled, whatever the store; and the beginnings by which a known one is found.
_ID: Final = re.compile(r"(monitor-)?(user|key|addr)-[0-9a-f]{32}")
_BEGINNING: Final = re.compile(rf"(monitor-)?(user|key|addr)-[0-9a-f]{{{SHORTEST},31}}")
_INCIDENT: Final = re.compile(rf"[0-9a-f]{{{SHORTEST},31}}")
# So many subjects are looked at for a beginning; more than a process's memory holds.
MOST_LOOKED_AT: Final = 200_000
SPELLING: Final = (
    "a subject is user-, key- or addr- and 32 digits of 0-9a-f, in monitor mode with monitor- in "
    f"front; {SHORTEST} digits or more are enough for one that is remembered: see subjects list"
)


class WrongChangeError(ValueError):
    """What an operator asks for cannot be meant; the words say what can."""


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
        """One subject, by its name or a beginning of it; None when nothing is remembered of it."""
        if not (_ID.fullmatch(subject) or _BEGINNING.fullmatch(subject)):
            return None
        try:
            return await self._store.show(await self.named(subject))
        except UnknownSubjectError:
            return None

    async def named(self, subject: str) -> str:
        """The whole name of a subject; of one that is remembered a beginning is enough."""
        if _ID.fullmatch(subject):
            return subject
        if not _BEGINNING.fullmatch(subject):
            raise WrongChangeError(SPELLING)
        everybody = await self._store.subjects(MOST_LOOKED_AT)
        found = [each.id for each in everybody if each.id.startswith(subject)]
        if not found:
            raise UnknownSubjectError
        return _only(subject, "subjects", found)

    async def find(self, incident_id: str) -> Sequence[str]:
        """The subjects of an incident, as long as it is remembered; a beginning may be enough."""
        found = await self._store.find(incident_id) if incident_id else ()
        if found or not _INCIDENT.fullmatch(incident_id):
            return found
        everybody = await self._store.subjects(MOST_LOOKED_AT)
        known = {name for each in everybody for name in each.incidents}
        meant = sorted(name for name in known if name.startswith(incident_id))
        return await self._store.find(_only(incident_id, "incidents", meant)) if meant else ()

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
            raise WrongChangeError(f"a mode is one of {', '.join(SETTABLE)}")
        span = self._usual(mode) if seconds is None else seconds
        if not 0 < span <= MOST_SECONDS:
            raise WrongChangeError(f"seconds lie between 0 and {MOST_SECONDS:.0f}")
        return await self._change(subject, mode, span, reason, actor)

    def _usual(self, mode: Mode) -> float:
        locked = mode == "execute_locked"
        return self._ladder.lock_for if locked else self._ladder.quarantine_for

    async def _change(
        self, subject: str, mode: Mode, seconds: float, reason: str, actor: str
    ) -> Standing:
        reason = reason.strip()[:MOST_REASON]
        if not reason or not subject:
            raise WrongChangeError("a change needs a subject and a reason")
        if not reason.isprintable():
            raise WrongChangeError("a reason is one line of printable text")
        subject = await self.named(subject)
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
        _log.warning("%s", told, extra={"abuse_gate": fields})


def standing_shape(standing: Standing) -> dict[str, Any]:
    """A standing in JSON, the same for every tool."""
    return {
        "mode": standing.mode,
        "seconds": round(standing.seconds),
        "strikes": standing.strikes,
    }


def subject_shape(subject: Subject) -> dict[str, Any]:
    """A subject in JSON, the same for every tool."""
    more = {"incidents": list(subject.incidents), "note": subject.note}
    return {"id": subject.id, **standing_shape(subject.standing), **more}


def _only(beginning: str, what: str, found: Collection[str]) -> str:
    """The only one that begins so; several are a wrong question."""
    if len(found) > 1:
        some = ", ".join(sorted(found)[:5])
        raise WrongChangeError(f"{beginning} begins several {what}: {some}")
    return next(iter(found))
