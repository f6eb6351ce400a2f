"""One call of the standard library over a long text in short steps.

A search holds the interpreter until it finds something: over a megabyte that is long enough for
every other request to notice. Finds what one call over the whole text would find.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final, TypeVar

Item = TypeVar("Item")

# Characters per step: the slowest of our expressions takes some ten milliseconds for them.
STEP: Final = 32_768
# How far a match may reach beyond its step; a longer one is cut there, and goes on behind the cut.
SLACK: Final = 512
# Whatever ends so near to the cut may go on behind it.
NEAR: Final = 64
# How many pieces are put together at a time.
PARTS: Final = 4096
# How much of a run that was cut is read again, so that a sentence on the cut is whole once. A
# multiple of eight, because so many digits make a byte.
AGAIN: Final = 4096
# What is read of a text that gives a key or names a cipher: no model follows one over more.
END: Final = 4096


def matches(
    pattern: re.Pattern[str], text: str, *, again: int = 0, whole: bool = False
) -> Iterator[re.Match[str]]:
    """Every match from left to right; `whole` finishes long ones, `again` overlaps their pieces."""
    at, size = 0, len(text)
    while at < size:
        stop = at + STEP
        edge = min(stop + SLACK, size)
        at = stop
        cut = edge - NEAR if edge < size else size
        for found in pattern.finditer(text, stop - STEP, edge):
            start, end = found.span()
            if start >= stop:
                break
            if end <= cut:
                yield found
                at = max(stop, end)
                continue
            full = (pattern.match(text, start) if whole else None) or found
            yield full
            at = max(stop, full.end()) - again


def occurs(pattern: re.Pattern[str], text: str) -> bool:
    """Whether there is a match at all."""
    return any(True for _ in matches(pattern, text))


def texts(pattern: re.Pattern[str], text: str) -> Iterator[str]:
    """The text of every match; of a run without end in pieces that overlap."""
    return (found.group() for found in matches(pattern, text, again=AGAIN))


def outer(found: Iterable[Item], most: int) -> list[Item]:
    """The first and the last of many: one that counts is seldom amid those that do not."""
    every = list(found)
    return every if len(every) <= most else every[: most // 2] + every[-(most - most // 2) :]


def ends(text: str) -> str:
    """The beginning and the end of a text; most are no longer than both."""
    return text if len(text) <= 2 * END else f"{text[:END]}\n{text[-END:]}"


def changed(before: str, after: str) -> str:
    """The lines of a text that are no longer what they were, if it still has as many."""
    old, new = before.split("\n"), after.split("\n")
    if len(old) != len(new):
        return after
    return "\n".join(mine for mine, theirs in zip(new, old, strict=True) if mine != theirs)


def pieces(text: str) -> Iterator[str]:
    """A text in steps, for what looks at one character at a time."""
    return (text[at : at + STEP] for at in range(0, len(text), STEP))


def translated(text: str, table: Mapping[int, int | str]) -> str:
    """`str.translate` in steps."""
    return "".join(piece.translate(table) for piece in pieces(text))


def replaced(pattern: re.Pattern[str], text: str, spell: Callable[[re.Match[str]], str]) -> str:
    """The text with every match spelled anew."""
    if len(text) <= STEP:
        return pattern.sub(spell, text)
    whole: list[str] = []
    parts: list[str] = []
    done = 0
    for found in matches(pattern, text):
        start, end = found.span()
        parts += (text[done:start], spell(found))
        done = end
        if len(parts) > PARTS:
            # A million small strings at once would cost more than as many twice.
            whole.append("".join(parts))
            parts.clear()
    return "".join([*whole, *parts, text[done:]])
