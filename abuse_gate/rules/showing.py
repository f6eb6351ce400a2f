"""How much of somebody else's words is shown to whoever is asked, and which of them are suspected.

Values only; what is left out of a text is for others to choose.
"""

from dataclasses import dataclass
from typing import Final

MAX_CONTEXT: Final = 4_000
# Entries of context and of tool calls; what is beyond them is summed up in one more of each kind.
MAX_ENTRIES: Final = 32


@dataclass(frozen=True, slots=True)
class Showing:
    """Which segments whoever is asked sees more of, by their numbers, and which are suspected."""

    whole: frozenset[int] = frozenset()
    chars: int = MAX_CONTEXT
    entries: int = MAX_ENTRIES
    suspected: frozenset[int] = frozenset()
    # Whether something suspected is not shown at all.
    left_out: bool = False

    def limit(self, number: int) -> int:
        """How much of a segment is shown."""
        return self.chars if number in self.whole else MAX_CONTEXT


PLAINLY: Final = Showing()
