"""Words put back out of the bare letters of a text, the misspelled ones as they ought to be.

Makes one text of another, and knows neither rules nor engine.
"""

import re
from collections.abc import Set as AbstractSet
from itertools import accumulate
from typing import Final

from abuse_gate.rules.lures import MENDED, STRAY, squeeze
from abuse_gate.rules.pace import pieces
from abuse_gate.rules.tongues import TONGUES
from abuse_gate.rules.views import encode, fold
from abuse_gate.rules.words import CONNECTING, KEYS, WHOLE


def _branches(words: list[str]) -> str:
    """Words as nested alternatives, the longest first: a letter is looked at once, not per word."""
    heads = sorted({word[0] for word in words if word})
    tails = {head: [word[1:] for word in words if word[:1] == head] for head in heads}
    branches = "|".join(head + _branches(tails[head]) for head in heads)
    if not branches:
        return ""
    return f"(?:{branches})?" if "" in words else f"(?:{branches})"


# Every English word that is put back.
KNOWN: Final = frozenset((*KEYS, *CONNECTING, *WHOLE))
# Per language, English first: the words to put back, and the right spelling of the wrong ones.
_MENDERS: Final = tuple(
    (re.compile(_branches(sorted({*words, *wrong}))), wrong)
    for words, wrong in (
        (KNOWN, MENDED),
        *(((*tongue.keys, *tongue.words), STRAY[name]) for name, tongue in TONGUES.items()),
    )
)


def mend(squeezed: str, tongue: int = 0, borders: AbstractSet[int] | None = None) -> str:
    """Bare letters with spaces round every word that is known, misspelled ones put right.

    Where `borders` of words are given, a misspelled one begins and ends at them: what reaches from
    one word into another is nobody's slip.
    """
    words, wrong = _MENDERS[tongue]

    def put(found: re.Match[str]) -> str:
        word = found.group()
        if borders is not None and word in wrong and not {*found.span()} <= borders:
            return word
        return f" {wrong.get(word, word)} "

    return words.sub(put, squeezed)


def put_back(squeezed: str, tongue: int = 0) -> set[str]:
    """The words that `mend` puts back, as they are spelled."""
    words, wrong = _MENDERS[tongue]
    found: set[str] = {word for piece in pieces(squeezed) for word in words.findall(piece)}
    return {wrong.get(word, word) for word in found}


def borders(text: str) -> frozenset[int]:
    """Where the words of a text begin and end among its bare letters."""
    sizes = (len(squeeze(word)) for word in encode(fold(text)).split())
    return frozenset(accumulate(sizes, initial=0))
