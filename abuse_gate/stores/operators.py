"""What an operator can do about subjects: look, find, lift, set.

Every change has a reason and is an event, so that it stands in the audit trail.
"""

import re
from collections.abc import Sequence
from typing import Final

from abuse_gate.contract import Observer
from abuse_gate.model.decision import Mode
from abuse_gate.model.events import ModeChanged
from abuse_gate.model.standing import FREE, Standing, Subject
from abuse_gate.store_contract import Store

SETTABLE: Final[tuple[Mode, ...]] = ("execute_locked", "full_quarantine")
MOST_REASON: Final = 200
MOST_SECONDS: Final = 30 * 86_400.0
DEFAULT_SECONDS: Final = 3600.0
DEFAULT_LIMIT: Final = 100
# How a subject is spelled; wide enough for a store of one's own, too narrow for a terminal's codes.
_ID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:@-]{0,127}")


class UnknownSubjectError(LookupError):
    """Nothing is remembered of a subject, so that there is nothing to lift: most likely a typo."""


class Subjects:
    """The operator's view of a store; whatever the store raises reaches the operator."""

    def __init__(self, store: Store, observer: Observer | None = None) -> None:
        self._store = store
        self._observer = observer

    async def list(self, limit: int = DEFAULT_LIMIT) -> Sequence[Subject]:
        """Subjects of which something is remembered."""
        return await self._store.subjects(limit)

    async def show(self, subject: str) -> Subject | None:
        """One subject; None when nothing is remembered of it."""
        return await self._store.show(subject)

    async def find(self, incident_id: str) -> Sequence[str]:
        """The subjects of an incident, as long as it is remembered."""
        return await self._store.find(incident_id)

    async def lift(self, subject: str, *, reason: str, actor: str = "") -> Standing:
        """Strikes and modes of a subject are gone, in every worker; an unknown one is refused."""
        return await self._change(subject, "normal", 0.0, reason, actor)

    async def set(
        self,
        subject: str,
        mode: Mode,
        *,
        reason: str,
        seconds: float = DEFAULT_SECONDS,
        actor: str = "",
    ) -> Standing:
        """A mode for so long, whatever it was before; longer or shorter."""
        if mode not in SETTABLE:
            raise ValueError(f"a mode is one of {', '.join(SETTABLE)}")
        if not 0 < seconds <= MOST_SECONDS:
            raise ValueError(f"seconds lie between 0 and {MOST_SECONDS:.0f}")
        return await self._change(subject, mode, seconds, reason, actor)

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
        after = await self._store.impose(subject, mode, seconds, reason)
        if self._observer is not None:
            self._observer.record(
                ModeChanged(
                    subject, before.mode, after.mode, "operator", after.seconds, reason, actor
                )
            )
        return after
