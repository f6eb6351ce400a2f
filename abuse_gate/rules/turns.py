"""Texts that say how they are to be read: from the end, by numbers, or as a language game has it.

Nothing is guessed: what nobody announces is not tried. Linear in the text, never raises.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from abuse_gate.rules.pace import matches, outer

# How a text says that it runs the other way round, without accents.
ROUND: Final = (
    r"back.?to.?front|backwards|in reverse|revers\w{0,3} (?:the )?(?:word |order)|word order"
    r"|reversed|last word first|right.to.left|mirror(?:ed|ing)? (?:text|writing|words)"
    r"|ruckwarts|al reves|a l.envers|al contrario|achterstevoren|de tras (?:para|pra)"
)
# The games that have a name.
GAMES: Final = (
    r"l(?:of|oef)felsprache|geheimsprache|[bp].sprache|spoonerism|javanais|jerigon[zc]a"
    r"|jeringon[zc]a|lingua do p|lengua (?:de la )?p|farfallin|(?:secret|play) language"
    r"|language game|gibberish|double dutch|ubbi|opish|rovarspr|robbers?.? language"
    r"|(?:first|initial) (?:letter|sound)s?.{0,40}(?:swap|exchang|switch)"
    r"|(?:swap|exchang|switch)\w{0,4}.{0,40}(?:first|initial) (?:letter|sound)"
)
# Words under numbers, one behind the other.
NUMBERED: Final = r"\b1=[^\s]{1,20}[\s,;]{1,3}2=|\b1: ?[a-z]{1,20}[\s,;]{1,3}2: ?[a-z]"
_ENTRY: Final = re.compile(r"(?<!\d)(\d{1,3})[=:] ?([^\s,;=]{1,40})")
_ORDER: Final = re.compile(r"(?<![\d.])\d{1,3}(?:[-,. >]{1,3}\d{1,3}(?![\d=:])){3,200}+")
_NUMBER: Final = re.compile(r"\d+")
_ROUND: Final = re.compile(ROUND, re.IGNORECASE)
_GAMES: Final = re.compile(GAMES, re.IGNORECASE)
# So much is read behind an announcement: no model undoes more.
MAX_ANNOUNCED: Final = 4096
MAX_LINES: Final = 8
MAX_SAID: Final = 2
_SAID_TWICE: Final = re.compile(r"([aeiou]{1,2})([b-df-hj-np-tv-z][a-z]{0,3}?)\1")
# So many syllables of the same kind are none by accident.
MIN_SYLLABLES: Final = 4
_SWAPPED: Final = re.compile(r"spoonerism|swap|exchang|switch", re.IGNORECASE)
_FIRST: Final = (re.compile(r"\w"), re.compile(r"[^\W\daeiou_]+", re.IGNORECASE))


def turned_round(text: str) -> Iterator[str]:
    """The words of the lines that are announced, from the last to the first."""
    return (" ".join(reversed(line.split())) for line in _announced(_ROUND, text))


def games(text: str) -> Iterator[str]:
    """The announced lines without the syllables of a game, or first letters where they belong."""
    swapped = _SWAPPED.search(text)
    for line in _announced(_GAMES, text):
        yield from _without_syllables(line.lower())
        words = line.rpartition(":")[2].split() if swapped else ()
        for first in _FIRST if words else ():
            yield " ".join(_exchanged(words, first))
            yield " ".join(_exchanged(words[1:], first))


def numbered(text: str) -> Iterator[str]:
    """The words of a list in the order of the numbers that stand beside it."""
    text = text[:MAX_ANNOUNCED]
    words = dict(_ENTRY.findall(text))
    for order in islice(_ORDER.finditer(text), MAX_LINES):
        yield " ".join(words.get(number, "") for number in _NUMBER.findall(order.group()))


def _announced(said: re.Pattern[str], text: str) -> Iterator[str]:
    """The first and the last line that say so, without what they say, and the lines behind them.

    What is said once is undone once: a line that says so again would be read again.
    """
    for found in outer(matches(said, text), MAX_SAID):
        start = text.rfind("\n", 0, found.start()) + 1
        lines = text[start : start + MAX_ANNOUNCED].split("\n")[:MAX_LINES]
        yield from filter(None, (said.sub(" ", line) for line in lines))


def _without_syllables(line: str) -> Iterator[str]:
    found = Counter(said[2] for said in _SAID_TWICE.finditer(line))
    for syllable, times in found.most_common(1):
        if times >= MIN_SYLLABLES:
            yield re.sub(rf"([aeiou]{{1,2}}){syllable}\1", r"\1", line)


def _exchanged(words: Sequence[str], first: re.Pattern[str]) -> Iterator[str]:
    """Two words each with the beginnings of each other."""
    for one, other in zip(words[::2], [*words[1::2], ""], strict=False):
        mine, theirs = first.match(one), first.match(other)
        if mine and theirs:
            yield theirs.group() + one[mine.end() :]
            yield mine.group() + other[theirs.end() :]
        else:
            yield from (one, other)
