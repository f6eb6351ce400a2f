"""How what was found is meant: quoted, spoken of, a command that is explained or asked about.

Gives caps for the places whose text says so, and weighs nothing itself. Knows hits, never a text.
"""

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from typing import Final, TypeAlias

from abuse_gate.model.hit import ABOUT, QUOTATION, Hit, Place

# Whose words, and out of which upload: what is said in one excuses nothing in another.
Where: TypeAlias = tuple[Place, int | None]

# A rule that weighs less is a sign, whatever it stands beside.
SIGN: Final = 40.0
# What all plain hits of a place may weigh together where attacks are quoted, and where they are
# spoken of: not enough for a notice, and not enough to block.
QUOTED_CAP: Final = 50.0
DISCUSSED_CAP: Final = 75.0

# Who asks about a command gives none, and a manual has some: where nothing but commands was found.
COMMANDS: Final = "shell"
PIPED: Final = "seed.pipe_to_shell"
COMMAND_TALK: Final[Mapping[str, AbstractSet[Place]]] = {
    "about.how_to_install": frozenset[Place]({"document"}),
    "about.asked_download": frozenset[Place]({"caller"}),
    "about.doubted_download": frozenset[Place]({"caller"}),
}


def context_caps(hits: Iterable[Hit]) -> dict[Where, float]:
    """The caps of the places whose text speaks about attacks."""
    caps: dict[Where, float] = {}
    explained: set[Where] = set()
    loud: set[Where] = set()
    for hit in hits:
        # What comes to light in a disguise says nothing about how the rest is meant.
        if hit.decoded:
            continue
        where = hit.place, hit.source
        if hit.family == ABOUT:
            cap = QUOTED_CAP if hit.rule == QUOTATION else DISCUSSED_CAP
            caps[where] = min(caps.get(where, cap), cap)
            if hit.place in COMMAND_TALK.get(hit.rule, ()):
                explained.add(where)
        elif hit.severity >= SIGN and hit.family != COMMANDS and hit.rule != PIPED:
            loud.add(where)
    return caps | dict.fromkeys(explained - loud, QUOTED_CAP)
