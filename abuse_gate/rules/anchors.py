"""Which plain words a pattern cannot match without, read off the pattern itself.

Most text holds none of them, and then the pattern need not be tried at all. Reads patterns as
text only; where it is unsure it claims nothing, so that no match is ever lost.
"""

import re
from collections.abc import Iterator
from typing import Final

from abuse_gate.rules.patterns import ITEM

# Shorter pieces stand in every text and would sift nothing.
MIN_ANCHOR: Final = 3
# How many different words a pattern may be asked for at once.
MAX_ANCHORS: Final = 3
# A set of this expected frequency is in every text; the base is the odds of one more letter.
_COMMON: Final = 3e-3
_ODDS: Final = 12.0
# Words that are in every text, however long they are, sift nothing.
_EVERYDAY_TEXT: Final = (
    "you your the are and for from with that this will not all have has can new what how now any "
    "say use see get act one two they when then would could should like just only into"
)
_EVERYDAY: Final = frozenset(_EVERYDAY_TEXT.split())

Words = frozenset[str]


def anchors(pattern: str) -> tuple[Words, ...]:
    """Up to three sets of words: whatever the pattern matches holds one of each."""
    sets = sorted(_Parser(pattern).alternatives(), key=_frequency)
    return tuple(words for words in sets if _frequency(words) <= _COMMON)[:MAX_ANCHORS]


def _frequency(words: Words) -> float:
    return sum(1.0 if word in _EVERYDAY else _ODDS ** -len(word.encode()) for word in words)


class _Parser:
    """One walk over a pattern's items; a set of words for every part that cannot be left out."""

    __slots__ = ("_at", "_items", "_pattern")

    def __init__(self, pattern: str) -> None:
        self._pattern = pattern
        self._items = list(ITEM.finditer(pattern))
        self._at = 0

    def alternatives(self) -> list[Words]:
        """The sets that hold whichever alternative is taken."""
        branches = [self._sequence()]
        while self._peek() == "|":
            self._at += 1
            branches.append(self._sequence())
        if len(branches) == 1:
            return branches[0]
        ranked = [sorted(branch, key=_frequency) for branch in branches]
        return [
            frozenset[str]().union(*(sets[rank] for sets in ranked))
            for rank in range(min(map(len, ranked)))
        ]

    def _sequence(self) -> list[Words]:
        found: list[Words] = []
        run = ""
        while self._peek() not in ("", "|", ")"):
            item = self._items[self._at]
            self._at += 1
            inner = self._group() if item.lastgroup == "open" else []
            optional, repeated = self._repeat()
            letter = _letter(item)
            if letter and not repeated:
                run += letter
                continue
            # What is repeated at least once is there once; then the run is interrupted.
            found += _whole(run + letter if letter and not optional else run)
            found += [] if optional else inner
            run = ""
        return found + _whole(run)

    def _group(self) -> list[Words]:
        inner = self.alternatives()
        self._at += 1  # the closing parenthesis
        return inner

    def _repeat(self) -> tuple[bool, bool]:
        """Whether the item just read may be missing, and whether it is repeated at all."""
        repeats = list(self._repeats())
        return any(text[0] in "*?" or text.startswith(("{0", "{,")) for text in repeats), bool(
            repeats
        )

    def _repeats(self) -> Iterator[str]:
        while self._at < len(self._items) and self._items[self._at].lastgroup == "repeat":
            yield self._items[self._at].group()
            self._at += 1

    def _peek(self) -> str:
        return self._items[self._at].group() if self._at < len(self._items) else ""


def _letter(item: re.Match[str]) -> str:
    """The character that an item stands for, in lower case; empty for anything wider."""
    text = item.group()
    if item.lastgroup == "escape" and not text[1:].isalnum():
        return text[1:].lower()
    if item.lastgroup == "other" and text not in "^$.)|":
        return text.lower()
    return ""


def _whole(run: str) -> list[Words]:
    return [frozenset({run})] if len(run.encode()) >= MIN_ANCHOR else []
