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
# These say more of a document; less than this is a remark all the same. What speaks to a model is
# none, nor what an operator looks for by rules of his own.
OTHERS: Final = frozenset({"shell", "exfiltration", "encoded"})
REMARK: Final = 70.0
# So many rules may hear one remark, and weigh so much together; more is an attack.
MOST_HEARD: Final = 2
MOST_TOGETHER: Final = 120


def is_a_remark(loud: Iterable[Hit], block: float) -> bool:
    """Whether all that weighs is one thing said in somebody else's text, and no plain attack."""
    hits = [hit for hit in loud if hit.severity]
    voices = {SPOKEN.get(hit.family, hit.family) for hit in hits}
    heard = {hit.rule: hit.severity for hit in hits}
    if len(voices) != 1 or len(heard) > MOST_HEARD or sum(heard.values()) > MOST_TOGETHER:
        return False
    return all(_may_be(hit, block) for hit in hits)


def _may_be(hit: Hit, block: float) -> bool:
    bound = block if hit.family in SPOKEN else min(REMARK, block) if hit.family in OTHERS else 0
    return hit.place in OTHERS_WORDS and not hit.decoded and hit.severity < bound
