"""Whether what was found in somebody else's text is a remark of its author, and no attack.

In a manual or a report a sentence sounds like an attack by accident; like two different ones it
hardly does. Knows hits, never a text.
"""

from collections.abc import Iterable, Mapping
from typing import Final

from abuse_gate.model.hit import Hit, Place

# Families that are about what a caller says to a model, by what they have in common.
SPOKEN: Final[Mapping[str, str]] = {
    "override": "override",
    "seed": "override",
    "roleplay": "roleplay",
    "extraction": "extraction",
    "coaxing": "extraction",
    "policy": "policy",
}
OTHERS_WORDS: Final = frozenset[Place]({"third_party", "document"})
# The other families say more of a document; less than this is a remark all the same.
REMARK: Final = 70.0
# What speaks to a model, what a document is made of, and what its operator looks for is none.
AIMED: Final = frozenset({"indirect", "document", "custom"})


def is_a_remark(loud: Iterable[Hit], block: float) -> bool:
    """Whether all that weighs is one thing said in somebody else's text, and no plain attack."""
    hits = [hit for hit in loud if hit.severity]
    voices = {SPOKEN.get(hit.family, hit.family) for hit in hits}
    return len(voices) == 1 and all(_may_be(hit, block) for hit in hits)


def _may_be(hit: Hit, block: float) -> bool:
    bound = block if hit.family in SPOKEN else min(REMARK, block)
    named = hit.place in OTHERS_WORDS and hit.family not in AIMED
    return named and not hit.decoded and hit.severity < bound
