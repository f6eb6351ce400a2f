"""The form of a text that rules are matched against: composed, invisible characters gone, folded.

Knows characters only; it must not know rules, places or encodings of any other kind.
"""

import re
import unicodedata
from collections.abc import Iterator
from typing import Final

# Characters that take no room on the page but break a word for a matcher.
INVISIBLE: Final[tuple[tuple[int, int], ...]] = (
    (0x00AD, 0x00AD),  # soft hyphen
    (0x034F, 0x034F),  # combining grapheme joiner
    (0x061C, 0x061C),  # Arabic letter mark
    (0x115F, 0x1160),  # Hangul fillers
    (0x17B4, 0x17B5),  # Khmer inherent vowels
    (0x180B, 0x180F),  # Mongolian selectors
    (0x200B, 0x200F),  # zero width, direction marks
    (0x202A, 0x202E),  # embeddings and overrides
    (0x2060, 0x206F),  # word joiner, isolates, invisible operators
    (0x3164, 0x3164),  # Hangul filler
    (0xFE00, 0xFE0F),  # variation selectors
    (0xFEFF, 0xFEFF),  # byte order mark
    (0xFFA0, 0xFFA0),  # half-width Hangul filler
    (0xFFF9, 0xFFFB),  # interlinear annotation
    (0x1D173, 0x1D17A),  # musical format controls
    (0xE0000, 0xE0FFF),  # tags and supplementary variation selectors
)
# What separates words without being one of the ASCII spaces that byte-mode \s knows.
SPACES: Final = "\u0085\u1680\u2028\u2029"
# Tag characters mirror printable ASCII at this distance: a hidden channel.
TAG_BASE: Final = 0xE0000
# One character that NFKC turns into eighteen; no rule is written with it.
LIGATURE: Final = "\ufdfa"
# A normalizer sorts each run of combining marks, in quadratic time; no script needs this many.
MAX_MARKS: Final = 32


def _sorts(char: str) -> bool:
    """Whether a normalizer sorts this character among marks: it is one, or decomposes into some."""
    first = unicodedata.normalize("NFKD", char)[0] if unicodedata.decomposition(char) else char
    return unicodedata.combining(first) != 0


def _spans() -> Iterator[tuple[int, int]]:
    start = 0
    for code in range(0x300, 0x1E950):
        if _sorts(chr(code)):
            start = start or code
        elif start:
            yield start, code - 1
            start = 0


def _class(low: int, high: int) -> str:
    inside = (span for span in _spans() if low <= span[0] <= high)
    return "[" + "".join(f"{chr(first)}-{chr(last)}" for first, last in inside) + "]"


_BMP_MARKS: Final = re.compile(_class(0, 0xFFFF) + f"{{{MAX_MARKS + 1},}}")
_ALL_MARKS: Final = re.compile(_class(0, 0x10FFFF) + f"{{{MAX_MARKS + 1},}}")
_CODES: Final = [code for first, last in INVISIBLE for code in range(first, last + 1)]
_TIDY: Final[dict[int, str | None]] = dict.fromkeys(_CODES) | dict.fromkeys(map(ord, SPACES), " ")
_SPREAD: Final[dict[int, str | None]] = dict.fromkeys(_CODES, " ")
_TAGS: Final = re.compile("[\U000e0020-\U000e007e]+")
_UNTAG: Final = {TAG_BASE + code: code for code in range(0x20, 0x7F)}


def tidy(text: str) -> str:
    """The text composed and without invisible characters, its letters' case kept for decoders."""
    if text.isascii():
        return text
    bounded = _bound_marks(text.replace(LIGATURE, " "))
    return unicodedata.normalize("NFKC", bounded).translate(_TIDY)


def fold(tidied: str) -> str:
    """A tidied text without its case."""
    return tidied.lower() if tidied.isascii() else tidied.casefold()


def view(text: str) -> str:
    """The one form of a text that the rules see."""
    return fold(tidy(text))


def spread(text: str) -> str:
    """The text with each invisible character as a space; empty when it has none."""
    if text.isascii():
        return ""
    spaced = text.translate(_SPREAD)
    return "" if spaced == text else spaced


def hidden(text: str) -> str:
    """The ASCII text written in tag characters, run by run; empty when there is none."""
    if text.isascii():
        return ""
    return "\n".join(_TAGS.findall(text)).translate(_UNTAG)


def encode(folded: str) -> bytes:
    """The bytes that the engine scans; a lone surrogate becomes a question mark."""
    return folded.encode("utf-8", "replace")


def _bound_marks(text: str) -> str:
    marks = _ALL_MARKS if max(text) > "\uffff" else _BMP_MARKS
    return marks.sub(lambda run: run.group()[:MAX_MARKS], text)
