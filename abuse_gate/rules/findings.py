"""What a scan hands out, and the question whether it may stop; knows hits and flags alone."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from abuse_gate.model.extract import Flag
from abuse_gate.model.hit import Hit


@dataclass(frozen=True, slots=True)
class Findings:
    """What the rules found: hits, what was left unread, and whether anything was disguised."""

    hits: tuple[Hit, ...] = ()
    flags: frozenset[Flag] = frozenset()
    encoded: bool = False


CLEAN: Final = Findings()

# Whether the hits of one place say everything already, so that nobody need look deeper there.
Enough = Callable[[Sequence[Hit]], bool]


def never(_hits: Sequence[Hit], /) -> bool:
    """Nothing is enough: everything that there is will be found."""
    return False
