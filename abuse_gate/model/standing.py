"""How a subject stands with us, and what it is reproached with. Digests and numbers, never text."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from abuse_gate.model.decision import Mode

# From the mildest to the strictest; monitor is no punishment.
SEVERITY_OF_MODE: Final[dict[Mode, int]] = {
    "normal": 0,
    "monitor": 0,
    "execute_locked": 1,
    "full_quarantine": 2,
}
# Digests by which one strike is known.
MOST_MARKS: Final = 8


@dataclass(frozen=True, slots=True)
class Standing:
    """The mode that holds for a subject now, and for how many seconds still.

    `strikes` are those of the window that is running. `epoch` is when an operator last changed it,
    in milliseconds of the store's clock.
    `previous` is the mode before a strike, where this is the answer to one.
    """

    mode: Mode = "normal"
    seconds: float = 0.0
    strikes: int = 0
    epoch: int = 0
    previous: Mode | None = None


FREE: Final = Standing()


@dataclass(frozen=True, slots=True)
class Offence:
    """An unsafe message of the caller's own, as keyed digests.

    It is the same offence as an earlier one when all of its `marks` were seen before (the messages
    that condemn it), or any of its `prefixes` (a conversation that was condemned has grown; of
    one that is begun anew at the same place again and again, only a few are excused).
    """

    marks: tuple[str, ...]
    prefixes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Subject:
    """What an operator sees of a subject: its standing, its latest incidents, the last reason."""

    id: str
    standing: Standing
    incidents: tuple[str, ...] = ()
    note: str = ""


def folded(marks: Sequence[str]) -> tuple[str, ...]:
    """The marks by which an offence is known: of too many, the first are one together.

    So a new one among them makes another offence, and the same ones again do not.
    """
    cut = len(marks) - MOST_MARKS + 1
    if cut <= 1:
        return tuple(marks)
    first = hashlib.sha256("\0".join(marks[:cut]).encode()).hexdigest()[:32]
    return (first, *marks[cut:])


def stricter(first: Standing, second: Standing) -> Standing:
    """The stricter of two standings; of two equally strict ones the longer."""
    if SEVERITY_OF_MODE[first.mode] == SEVERITY_OF_MODE[second.mode]:
        return second if second.seconds > first.seconds else first
    worse = SEVERITY_OF_MODE[second.mode] > SEVERITY_OF_MODE[first.mode]
    return second if worse else first
