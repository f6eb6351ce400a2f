"""Where in a text as it is written a rule fires: lines, columns and offsets, and none of the text.

For whoever asks why a rule fired. The engine says where a match ends; where it begins is found by
looking from ever later words. A request is scanned without it.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from itertools import accumulate
from typing import Final, NamedTuple

from abuse_gate.rules.book import RuleBook, Scratches
from abuse_gate.rules.shelves import Shelf, ShelfScratch
from abuse_gate.rules.views import encode, view

# Of a rule that fires all over a text so many places are told; one more is looked for, to say so.
MOST_SPOTS: Final = 3
# Matches are seldom longer: gaps are bounded.
NEAR: Final = 4096
# Where a match may begin: at a word, or at what is none. Never inside a character.
_CUT: Final = re.compile(rb"\w+|[^\w\x80-\xbf]")


class Spot(NamedTuple):
    """Where a match stands: lines and columns from 1, the last ones included; offsets from 0.

    All but the line is None where the rules see something that is not written letter by letter.
    """

    line: int
    column: int | None = None
    start: int | None = None
    end: int | None = None
    last_line: int | None = None
    last_column: int | None = None


def spots(
    text: str, book: RuleBook, scratches: Scratches, wanted: AbstractSet[str]
) -> dict[str, tuple[Spot, ...]]:
    """For each of the wanted rules that fires in a text as it is written, the first places.

    Those to be told, and one more where there is one.
    """
    data = encode(view(text))
    written, seen = text.split("\n"), data.split(b"\n")
    if len(written) != len(seen):
        # A line's end that the rules do not see: no line can be told.
        return {}
    lines = _Lines(written, seen)
    shelves = ((book.main, scratches.main), (book.context, scratches.context))
    return {
        book.rules[rule].id: tuple(lines.spot(*span) for span in _spans(shelf, scratch, data, rule))
        for shelf, scratch in shelves
        for rule in shelf.find(scratch, data)
        if book.rules[rule].id in wanted
    }


def _spans(
    shelf: Shelf, scratch: ShelfScratch, data: bytes, rule: int
) -> Iterator[tuple[int, int]]:
    """Start and end of the first few matches of a rule."""
    done = 0
    for _ in range(MOST_SPOTS + 1):
        end = _next_end(shelf, scratch, data, rule, done)
        if end is None:
            return
        yield _start(shelf, scratch, data, rule, done, end), end
        following = _CUT.search(data, end)
        done = following.start() if following else len(data)


def _next_end(
    shelf: Shelf, scratch: ShelfScratch, data: bytes, rule: int, start: int
) -> int | None:
    """Where the next match ends; near by first, for whatever fires once often fires again soon."""
    end = _end(shelf, scratch, data[start : start + NEAR], rule)
    # At the end of a part a word may seem to end that does not.
    if end is None or end >= NEAR - 1:
        end = _end(shelf, scratch, data[start:], rule)
    return None if end is None else start + end


def _end(shelf: Shelf, scratch: ShelfScratch, data: bytes, rule: int) -> int | None:
    ends = (end for _, end, found in shelf.find_spans(scratch, data) if found == rule)
    return min(ends, default=None)


def _start(shelf: Shelf, scratch: ShelfScratch, data: bytes, rule: int, low: int, end: int) -> int:
    """The last cut from which the same match is still found, at its very end."""

    def fires(start: int) -> bool:
        # One byte more, or what is inside a word would end one.
        return _end(shelf, scratch, data[start : end + 1], rule) == end - start

    near = _CUT.search(data, max(low, end - NEAR), end)
    low = near.start() if near and fires(near.start()) else low
    cuts = [match.start() for match in _CUT.finditer(data, low, end)] or [low]
    first, last = 0, len(cuts) - 1
    while first < last:
        middle = (first + last + 1) // 2
        if fires(cuts[middle]):
            first = middle
        else:
            last = middle - 1
    return cuts[first]


class _Lines:
    """The lines of a text beside those that the rules see."""

    def __init__(self, written: list[str], seen: list[bytes]) -> None:
        self._written = written
        self._seen = seen
        # Of a line that was looked at, where in its view each character begins.
        self._known: dict[int, list[int] | None] = {}
        # Where each line begins: in characters as written, in bytes as seen.
        self._begins = [0]
        self._bytes = [0]
        for line, view_of_it in zip(written, seen, strict=True):
            self._begins.append(self._begins[-1] + len(line) + 1)
            self._bytes.append(self._bytes[-1] + len(view_of_it) + 1)

    def spot(self, start: int, end: int) -> Spot:
        """Where a span of bytes stands in the text."""
        (line, column), (last_line, last_column) = self._at(start), self._at(end)
        if column is None or last_column is None:
            return Spot(line + 1)
        last = self._begins[last_line] + last_column
        while last_column == 0 and last_line > line:
            # Ends with the line before: no editor has a column 0.
            last_line -= 1
            last_column = len(self._written[last_line])
        return Spot(
            line + 1,
            column + 1,
            self._begins[line] + column,
            last,
            last_line + 1,
            last_column,
        )

    def _at(self, offset: int) -> tuple[int, int | None]:
        """The line and the character in it, both from 0; None where characters do not add up."""
        line = bisect_right(self._bytes, offset) - 1
        inside = offset - self._bytes[line]
        if self._written[line].isascii():
            return line, inside
        if line not in self._known:
            self._known[line] = _begins_of(self._written[line], self._seen[line])
        begins = self._known[line]
        return line, None if begins is None else bisect_left(begins, inside)


def _begins_of(written: str, seen: bytes) -> list[int] | None:
    """Where in its view each character of a line begins; None where they do not add up to it."""
    known = {char: encode(view(char)) for char in set(written)}
    if b"".join(known[char] for char in written) != seen:
        return None
    return [*accumulate((len(known[char]) for char in written), initial=0)]
