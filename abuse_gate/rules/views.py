"""The form of a text that rules are matched against: composed, plain letters, nothing invisible.

Knows characters only; it must not know rules, places or encodings of any other kind.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import Final

from abuse_gate.rules.confusables import ASTRAL, unmask
from abuse_gate.rules.letters import BRACKETED, INVISIBLE, PLAIN, UNBRACKET
from abuse_gate.rules.pace import pieces

# One character that NFKC turns into eighteen; no rule is written with it.
LIGATURE: Final = "\ufdfa"
# A normalizer sorts each run of combining marks, in quadratic time; no script needs this many.
MAX_MARKS: Final = 32


# What a normalizer sorts among marks: it is one, or decomposes into some. A loop without calls of
# its own: an import may stand at a depth of the stack where the interpreter maps memory for each.
_MARKS: Final = [
    char
    for char in map(chr, range(0x300, 0x1E950))
    if unicodedata.combining(char)
    or (
        unicodedata.decomposition(char)
        and unicodedata.combining(unicodedata.normalize("NFKD", char)[0])
    )
]


def _too_many(marks: Iterable[str]) -> re.Pattern[str]:
    return re.compile(f"[{''.join(marks)}]{{{MAX_MARKS + 1},}}")


_BMP_MARKS: Final = _too_many(char for char in _MARKS if char <= "\uffff")
_ALL_MARKS: Final = _too_many(_MARKS)
_SPREAD: Final = re.compile(
    "[" + "".join(f"{chr(first)}-{chr(last)}" for first, last in INVISIBLE) + "]+"
)
# One call of the standard library holds every other thread up for as long as it takes, so a long
# text goes through it in pieces.
SLICE: Final = 32_768
# What never composes with the character before it, so that a text may be cut there.
_STARTERS: Final = re.compile("[ -~\u0410-\u044f\u3041-\u3096\u4e00-\u9fff\uac00-\ud7a3]")
# What is no part of a word that look-alikes could be mixed into.
_BETWEEN_WORDS: Final = re.compile("[ -@\u4e00-\u9fff]")
_LAST_SIGMA: Final = "\u03c2"
# A round sigma, which a normalizer takes for the last one, looks like a C; capitals of Greek look
# like other letters than small ones do. Each as a letter that looks the same in any case.
_ROUND_SIGMA: Final = {0x03F2: "\u0441", 0x03F9: "\u0421"}
_GREEK: Final = re.compile("[\u0391-\u03c9]")
_GREEK_IN_LATIN: Final = re.compile("[A-Za-z][\u0391-\u03c9]|[\u0391-\u03c9][A-Za-z]")
_GREEK_CAPITALS: Final = {0x03A5: "\u04ae", 0x039D: "\u0578", 0x0397: "\u041d"}
# A soft hyphen shows at the end of a line only, where it parts a word in two.
_SOFT_BREAK: Final = re.compile("\u00ad\r?\n")


def tidy(text: str) -> str:
    """The text composed, its letters plain and nothing invisible in it; case kept for decoders."""
    if text.isascii():
        return text
    if len(text) > SLICE:
        return "".join(_tidy(piece) for piece in slices(text, _STARTERS))
    return _tidy(text)


def slices(text: str, cut: re.Pattern[str]) -> Iterator[str]:
    """A long text in pieces, each but the first beginning with what may be cut in front of.

    Where there is no such place far and wide, it is cut all the same: no word is so long.
    """
    start = 0
    while start < len(text):
        found = cut.search(text, start + SLICE, start + 2 * SLICE)
        end = start + 2 * SLICE if found is None else found.start()
        yield text[start:end]
        start = end


def _tidy(text: str) -> str:
    if text.isascii():
        return text
    if BRACKETED.search(text):
        text = text.translate(UNBRACKET)
    if "\u00ad" in text:
        text = _SOFT_BREAK.sub("", text)
    if "\u03f2" in text or "\u03f9" in text:
        text = text.translate(_ROUND_SIGMA)
    bounded = _bound_marks(text.replace(LIGATURE, " "))
    return unicodedata.normalize("NFKC", bounded).translate(PLAIN)


def fold(tidied: str) -> str:
    """A tidied text without its case, and with look-alikes of other scripts spelled in Latin."""
    if tidied.isascii():
        return tidied.lower()
    if len(tidied) > SLICE:
        return "".join(_fold(piece) for piece in slices(tidied, _BETWEEN_WORDS))
    return _fold(tidied)


def _fold(tidied: str) -> str:
    # The Greek letter at the end of a word looks like another one than inside.
    if _GREEK.search(tidied) and _GREEK_IN_LATIN.search(tidied):
        tidied = tidied.translate(_GREEK_CAPITALS)
    parts = tidied.split(_LAST_SIGMA)
    return unmask(_LAST_SIGMA.join(map(str.casefold, parts))).replace(_LAST_SIGMA, "\u03c3")


def view(text: str) -> str:
    """The one form of a text that the rules see."""
    return fold(tidy(text))


def spread(text: str) -> str:
    """The text with each run of invisible characters as a space; empty when it has none."""
    if text.isascii():
        return ""
    spaced = "".join(_SPREAD.sub(" ", piece) for piece in pieces(text))
    return "" if spaced == text else spaced


def encode(folded: str) -> bytes:
    """The bytes that the engine scans; a lone surrogate becomes a question mark."""
    return folded.encode("utf-8", "replace")


def _bound_marks(text: str) -> str:
    marks = _ALL_MARKS if ASTRAL.search(text) else _BMP_MARKS
    return marks.sub(lambda run: run.group()[:MAX_MARKS], text)
