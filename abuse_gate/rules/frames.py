"""Words that stand one by one in the same frame: string literals, cells, lines of a log or a list.

Takes the frame away and reads what is left; knows no words and no rules. Linear, never raises.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from abuse_gate.rules.pace import matches, occurs, replaced

# What stands between two of the same signs on one line.
_LITERALS: Final = (
    re.compile(r'"[^"\n]{1,80}"'),
    re.compile(r"'[^'\n]{1,80}'"),
    re.compile(r"`[^`\n]{1,80}`"),
)
# Fewer are quotations, not a text in pieces.
MIN_PIECES: Final = 4
# Words between the same marks, apart from each other.
_MARKS: Final = (
    re.compile(r"\*\*([^*\n]{1,40})\*\*"),
    re.compile(r"(?<!_)__(?![\s_])([^_\n]{1,40})(?<!\s)__"),
    re.compile(r"==([^=\n]{1,40})=="),
    re.compile(r"<(?:b|i|u|em|strong|mark|span|ins|del|s)\b[^<>]{0,60}>([^<>\n]{1,40})</"),
    re.compile(r"(?<![*\w])\*([^*\n]{1,40})\*(?![*\w])"),
    re.compile(r"(?<![_\w])_([^_\n]{1,40})_(?![_\w])"),
)
# What is found everywhere counts where a text speaks of it.
_BRACKETS: Final = (
    re.compile(r"\[([^\[\]\n]{1,40})\](?!\()"),
    re.compile(r"\{([^{}\n]{1,40})\}"),
    re.compile(r"\(([^()\n]{1,40})\)"),
)
_BRACKETED: Final = re.compile("bracket|parenthes|brace", re.IGNORECASE)
# Words that are marked by themselves are a text in pieces; whole sentences are headings.
MAX_WORDS: Final = 3
MARKED: Final = (
    "|".join(
        rf"(?:{mark}[^\n]{{1,80}}){{5}}"
        for mark in (
            r"\*\*",
            "__",
            "==",
            "</(?:b|i|u|em|strong|mark|span)>",
            r" \*[a-z]",
            " _[a-z]",
        )
    )
    + "|bracket|parenthes"
)
# What stands at a place along a line of a drawing or a page.
_PLACED: Final = re.compile(r"(?:\bx=[\"']?|left: ?)([0-9]{1,5})[^<>]{0,80}>([^<>]{1,20})<")
_TAG: Final = re.compile(r"<[^<>]{1,200}>")
_NUMBER: Final = re.compile(r"(?<!\S)[0-9]{1,6}(?!\S)")
MIN_PLACED: Final = 8
WIDER: Final = 1.5
# Lines that are compared to learn what they have in common.
_SAMPLE: Final = 128
# What lines have in common is no longer than this.
MAX_FRAME: Final = 80
# No line of a log or a table is longer; of a longer one nothing is cut.
MAX_LINE: Final = 4096
_DIGITS: Final = re.compile(r"\d+")
_LETTER: Final = re.compile(r"[^\W\d_]")


def strings(text: str) -> Iterator[str]:
    """The string literals of a text one after the other, as they are and with spaces between."""
    for literal in _LITERALS:
        every = [(piece.group()[1:-1], piece.end()) for piece in matches(literal, text)]
        values = [piece for piece, end in every if text[end : end + 1] != ":"]
        named = [values] if len(values) < len(every) else []
        for found in ([piece for piece, _ in every], *named):
            if len(found) >= MIN_PIECES:
                yield "".join(found)
                yield " ".join(piece.strip() for piece in found)


def marked(text: str) -> Iterator[str]:
    """The words that are marked in the same way, without those between them."""
    for mark in (*_MARKS, *_BRACKETS) if occurs(_BRACKETED, text) else _MARKS:
        found = [piece[1].strip() for piece in matches(mark, text) if _LETTER.search(piece[1])]
        if len(found) >= MIN_PIECES and sum(map(_size, found)) <= len(found) * MAX_WORDS:
            # Padding at the end of a line would be taken for a soft line break.
            yield " ".join(found).rstrip("=")
            yield "".join(found).rstrip("=")


def _size(piece: str) -> int:
    return len(piece.split())


def untagged(text: str) -> Iterator[str]:
    """What stands between tags, with spaces for them: words of cells, without their numbers."""
    if text.count("</") >= MIN_PIECES:
        yield replaced(_NUMBER, replaced(_TAG, text, lambda _: " "), lambda _: "")


def positioned(text: str) -> Iterator[str]:
    """Letters that were put in their places one by one: a wider step is a space."""
    found = [(int(piece[1]), piece[2]) for piece in matches(_PLACED, text)]
    if len(found) < MIN_PLACED:
        return
    steps = [after - before for (before, _), (after, _) in pairwise(found)]
    usual = sorted(steps)[len(steps) // 2]
    gaps = (" " if not 0 <= step <= usual * WIDER else "" for step in steps)
    yield found[0][1] + "".join(
        gap + piece for gap, (_, piece) in zip(gaps, found[1:], strict=True)
    )


def records(text: str) -> Iterator[str]:
    """What the lines of a text say beside what they have in common; numbers count as common."""
    every = text.splitlines()
    lines = [line for line in every if _LETTER.search(line)]
    if len(lines) < MIN_PIECES:
        return
    plain = [_DIGITS.sub("0", line) for line in lines[:_SAMPLE]]
    head = _shared(plain)
    tail = _shared([line[::-1] for line in plain])[::-1]
    if not head and not tail and len(lines) == len(every):
        return
    frame = re.compile(f"^{_loose(head)}|{_loose(tail)}$")
    left = [frame.sub("", line) if len(line) <= MAX_LINE else line for line in lines]
    yield " ".join(left)
    yield "".join(left)


def _shared(lines: Sequence[str]) -> str:
    """What most neighbours begin with, up to the word in which they differ."""
    starts = Counter(_common(one, other) for one, other in pairwise(lines))
    return starts.most_common(1)[0][0]


def _common(one: str, other: str) -> str:
    """The start that two lines share, without the letters of a word that goes on."""
    size = 0
    for mine, theirs in zip(one[:MAX_FRAME], other[:MAX_FRAME], strict=False):
        if mine != theirs:
            break
        size += 1
    while size and one[size - 1].isalpha():
        size -= 1
    return one[:size]


def _loose(frame: str) -> str:
    return re.escape(frame).replace("0", r"\d{1,20}")
