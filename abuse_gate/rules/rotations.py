"""Letters that were turned or exchanged in a way that the text names: rot13, atbash, backwards.

The engine finds most of these by the words that come out; this is for words that it does not know.
Reads a text as far as anybody would turn it by hand; linear, never raises.
"""

import re
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Final

from abuse_gate.rules.pace import ends

# How a text names them.
NAMED: Final = (
    r"rot-?(?:13|5|18)\b|atbash|affine|backwards|\.reverse\b|\breversed\b|strrev|\[::-?[1-9]\]"
    r"|right to left"
)
MAX_STEPS: Final = 64

_LOWER: Final = "abcdefghijklmnopqrstuvwxyz"
_UPPER: Final = _LOWER.upper()
_DIGITS: Final = "0123456789"
_MIRROR: Final = str.maketrans(_LOWER, _LOWER[::-1])
# Letters and digits half of their alphabets further.
_ROT18: Final = str.maketrans(
    _LOWER + _UPPER + _DIGITS,
    _LOWER[13:] + _LOWER[:13] + _UPPER[13:] + _UPPER[:13] + _DIGITS[5:] + _DIGITS[:5],
)
_AFFINE: Final = re.compile(
    r"affine[^\n]{0,40}?([0-9]{1,2})[^0-9\n]{1,12}([0-9]{1,2})", re.IGNORECASE
)
_STEP: Final = re.compile(r"([\"'])([^\"'\n]{8,2000})\1\s?\[\d?::([2-9])\]")
_LITERAL: Final = re.compile(r"\"[^\"\n]{12,2000}\"|'[^'\n]{12,2000}'")
_WORD: Final = re.compile(r"[^\W\d_]+")


def named_turns(text: str) -> Iterator[str]:
    """The text turned back in each way that it names."""
    text = ends(text)
    for name, read in _READERS:
        if name.search(text):
            yield from read(text)


def _affine(text: str) -> Iterator[str]:
    """Each letter multiplied and shifted."""
    found = _AFFINE.search(text)
    if found is not None:
        by, plus = int(found[1]), int(found[2])
        letters = enumerate(_LOWER)
        table = {ord(_LOWER[(by * at + plus) % 26]): letter for at, letter in letters}
        yield text.lower().translate(table)


def _turned(text: str) -> Iterator[str]:
    yield text[::-1]
    yield _WORD.sub(lambda word: word.group()[::-1], text)


def _turned_literals(text: str) -> Iterator[str]:
    """What a program turns: nothing but its string literals."""
    yield "\n".join(found.group()[-2:0:-1] for found in _LITERAL.finditer(text))


def _stepped(text: str) -> Iterator[str]:
    """Every so manyth character of each string literal."""
    for found in islice(_STEP.finditer(text), MAX_STEPS):
        yield found[2][:: int(found[3])]


def _shifted(text: str) -> Iterator[str]:
    yield text.translate(_ROT18)


def _mirrored(text: str) -> Iterator[str]:
    yield text.lower().translate(_MIRROR)


_READERS: Final[tuple[tuple[re.Pattern[str], Callable[[str], Iterator[str]]], ...]] = tuple(
    (re.compile(name, re.IGNORECASE), read)
    for name, read in (
        (r"affine", _affine),
        (r"rot-?(?:13|5|18)\b", _shifted),
        (r"atbash", _mirrored),
        (r"\[\d?::[2-9]\]", _stepped),
        (r"backwards|\breversed\b(?!\()|right to left", _turned),
        (r"\.reverse\b|\breversed\(|strrev|\[::-1\]", _turned_literals),
    )
)
