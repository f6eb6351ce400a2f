"""How what was found is meant: quoted, or spoken of.

Gives caps for the places whose text says so, and weighs nothing itself. Knows hits, never a text.
"""

from collections.abc import Iterable
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


def context_caps(hits: Iterable[Hit]) -> dict[Where, float]:
    """The caps of the places whose text speaks about attacks."""
    caps: dict[Where, float] = {}
    for hit in hits:
        # What comes to light in a disguise says nothing about how the rest is meant.
        if hit.family == ABOUT and not hit.decoded:
            cap = QUOTED_CAP if hit.rule == QUOTATION else DISCUSSED_CAP
            where = hit.place, hit.source
            caps[where] = min(caps.get(where, cap), cap)
    return caps
