"""The ladder: strikes in, modes out. Its time is whatever clock is handed in.

A clock that steps must neither lose a term nor make it eternal: what lies in the future is moved
to now, and no term has more left than its whole span. `abuse_gate/stores/ladder.lua` says the same
to a Redis server, and a test plays both against each other.
"""

import math
from dataclasses import dataclass, replace
from typing import Final

from abuse_gate.model.decision import Mode
from abuse_gate.model.standing import Offence, Standing, folded

# Strikes that are remembered of one subject, incidents by which it can be found.
MOST_STRIKES: Final = 64
MOST_INCIDENTS: Final = 16
MOST_PREFIXES: Final = 64
# A condemned conversation may go on, in so many branches of a window and for so many turns in all:
# more is trying wordings.
FREE_GROWTHS: Final = 3
FREE_TURNS: Final = 12
# What stands before the mark of a branch's latest turn, once for every turn that it has grown.
GROWTH: Final = "+"
# Strikes that were made while the shared store was away arrive late, and need their neighbours.
KEPT_WINDOWS: Final = 2
# A record's lifetime is never shortened, unless a clock that stepped back has made it longer still.
LONGEST_KEPT: Final = 30 * 86_400.0


@dataclass(frozen=True, slots=True)
class Ladder:
    """How many strikes within how long lead to which mode, and for how long; times in seconds.

    With a `decay` a strike is forgotten only after that long, one after the other, so that two in
    every window do not go unnoticed for ever.
    """

    window: float = 600.0
    lock_at: int = 3
    lock_for: float = 3600.0
    # None: never, as for an address that many may share.
    quarantine_at: int | None = 5
    quarantine_for: float = 21600.0
    decay: float = 0.0


@dataclass(frozen=True, slots=True)
class Strike:
    """One offence and when it was."""

    at: float
    marks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Record:
    """All that is remembered of one subject."""

    strikes: tuple[Strike, ...] = ()
    locked_until: float = 0.0
    locked_span: float = 0.0
    quarantined_until: float = 0.0
    quarantined_span: float = 0.0
    level: float = 0.0
    level_at: float = 0.0
    epoch: int = 0
    # When an operator last changed it; what was done before that is forgiven.
    changed_at: float = -math.inf
    incidents: tuple[str, ...] = ()
    note: str = ""


EMPTY: Final = Record()


def rebased(record: Record, now: float) -> Record:
    """The record on a clock that may have stepped back since it was written."""
    if not _ahead(record, now):
        return record
    return replace(
        record,
        strikes=tuple(replace(strike, at=min(strike.at, now)) for strike in record.strikes),
        locked_until=min(record.locked_until, now + record.locked_span),
        quarantined_until=min(record.quarantined_until, now + record.quarantined_span),
        level_at=min(record.level_at, now),
        changed_at=min(record.changed_at, now),
    )


def _ahead(record: Record, now: float) -> bool:
    return (
        record.locked_until > now + record.locked_span
        or record.quarantined_until > now + record.quarantined_span
        or record.level_at > now
        or record.changed_at > now
        or bool(record.strikes and record.strikes[-1].at > now)
    )


def standing_of(record: Record, now: float, window: float) -> Standing:
    """The mode that holds now; expiry needs no event, only time."""
    quarantined = min(record.quarantined_until - now, record.quarantined_span)
    locked = min(record.locked_until - now, record.locked_span)
    strikes = sum(now - strike.at < window for strike in record.strikes)
    if quarantined > 0:
        return Standing("full_quarantine", quarantined, strikes, record.epoch)
    if locked > 0:
        return Standing("execute_locked", locked, strikes, record.epoch)
    return Standing("normal", 0.0, strikes, record.epoch)


def term_age(record: Record, now: float) -> float:
    """For how many seconds the mode that holds now has held."""
    if record.quarantined_until > now:
        return max(0.0, now - record.quarantined_until + record.quarantined_span)
    if record.locked_until > now:
        return max(0.0, now - record.locked_until + record.locked_span)
    return 0.0


def record_unsafe(
    record: Record, offence: Offence, now: float, ladder: Ladder, age: float = 0.0
) -> tuple[Record, bool]:
    """The record after an offence `age` seconds ago, and whether it was a new one.

    Terms only ever grow: a later strike never shortens a mode or makes it milder.
    """
    record = rebased(record, now)
    at = now - age
    if at < record.changed_at:
        return record, False
    excused = _excused(record, offence, at, ladder.window)
    if excused is not None:
        return excused, False
    strike = Strike(at, folded(offence.marks))
    strikes = sorted((*record.strikes, strike), key=lambda entry: entry.at)
    oldest = strikes[-1].at - _kept_for(ladder)
    if at <= oldest:
        # Nobody could tell it from one that is known and forgotten.
        return record, False
    kept = tuple(entry for entry in strikes[-MOST_STRIKES:] if entry.at > oldest)
    record = _levelled(replace(record, strikes=kept), at, ladder)
    for moment in sorted({entry.at for entry in kept if entry.at >= at} | {at}):
        record = _climbed(record, moment, ladder)
    return record, True


def _kept_for(ladder: Ladder) -> float:
    return max(KEPT_WINDOWS * ladder.window, ladder.decay)


def _excused(record: Record, offence: Offence, at: float, window: float) -> Record | None:
    """The record if the offence is no new one: known, or a condemned conversation that goes on."""
    near = [entry for entry in record.strikes if abs(at - entry.at) < window]
    seen = {mark.lstrip(GROWTH) for entry in near for mark in entry.marks}
    fresh = [mark for mark in folded(offence.marks) if mark not in seen]
    if not fresh:
        return record
    tips = [(entry, mark) for entry in near for mark in entry.marks if mark.startswith(GROWTH)]
    if sum(_turns(mark) for _, mark in tips) >= FREE_TURNS:
        return None
    before = frozenset(offence.prefixes[-MOST_PREFIXES:])
    for entry, mark in tips:
        if mark.lstrip(GROWTH) in before:
            tip = GROWTH * (_turns(mark) + 1) + fresh[-1]
            # The turn before it stays known: a copy of it may arrive late.
            others = (m for m in entry.marks if m != mark)
            return _marked(record, entry, (*others, mark.lstrip(GROWTH), tip))
    if len(tips) >= FREE_GROWTHS or seen.isdisjoint(before):
        return None
    return _marked(record, near[-1], (*near[-1].marks, GROWTH + fresh[-1]))


def _turns(mark: str) -> int:
    return len(mark) - len(mark.lstrip(GROWTH))


def _marked(record: Record, struck: Strike, marks: tuple[str, ...]) -> Record:
    other = replace(struck, marks=marks)
    return replace(record, strikes=tuple(other if s is struck else s for s in record.strikes))


def _levelled(record: Record, at: float, ladder: Ladder) -> Record:
    if ladder.decay <= 0:
        return record
    faded = max(0.0, at - record.level_at) / ladder.decay
    level = max(0.0, record.level - faded) + 1
    return replace(record, level=level, level_at=max(at, record.level_at))


def _climbed(record: Record, at: float, ladder: Ladder) -> Record:
    """What the strikes of the window that ends at a moment lead to."""
    count = sum(0 <= at - entry.at < ladder.window for entry in record.strikes)
    count = max(count, math.floor(record.level)) if ladder.decay > 0 else count
    if ladder.quarantine_at is not None and count >= ladder.quarantine_at:
        record = _term(record, "full_quarantine", at, ladder.quarantine_for)
    if count >= ladder.lock_at:
        record = _term(record, "execute_locked", at, ladder.lock_for)
    return record


def _term(record: Record, mode: Mode, at: float, span: float) -> Record:
    if mode == "full_quarantine":
        if at + span <= record.quarantined_until:
            return record
        return replace(record, quarantined_until=at + span, quarantined_span=span)
    if at + span <= record.locked_until:
        return record
    return replace(record, locked_until=at + span, locked_span=span)


def imposed(record: Record, mode: Mode, seconds: float, now: float) -> Record:
    """The record with a mode put on it that lasts at least that long; nothing is made milder."""
    return _term(rebased(record, now), mode, now, seconds)


def lifted(record: Record, note: str, now: float) -> Record:
    """A clean record: strikes and modes are gone, and whoever remembers them can tell.

    Its epoch is the time: a record that was lost and begun anew still knows the newer word.
    """
    epoch = max(record.epoch + 1, round(now * 1000))
    return Record(epoch=epoch, changed_at=now, incidents=record.incidents, note=note)


def noted(record: Record, incident: str) -> Record:
    """The record with one more incident by which its subject can be found."""
    if incident in record.incidents:
        return record
    return replace(record, incidents=(*record.incidents, incident)[-MOST_INCIDENTS:])


def keep_for(record: Record, now: float, ladder: Ladder) -> float:
    """For how many seconds a record still means something.

    What an operator has changed is kept for a whole quarantine, so that nobody who remembers the
    time before brings it back; so is an incident, for an operator to find its subject by.
    """
    newest = max((strike.at for strike in record.strikes), default=now)
    faded = record.level_at + record.level * ladder.decay
    told = bool(record.epoch or record.incidents)
    changed = now + ladder.quarantine_for if told else now
    ends = (record.locked_until, record.quarantined_until, faded, changed)
    return max(ladder.window, newest + KEPT_WINDOWS * ladder.window - now, *(e - now for e in ends))
