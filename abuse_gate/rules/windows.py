"""Which parts of a long text are sent: its head, its tail, and windows around what rules found."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from abuse_gate.model.hit import Place

WINDOW: Final = 1024
# What is this long or shorter stands in one half as a whole, wherever a text is cut in two.
_OVERLAP: Final = WINDOW // 2
# Even of a text that may not be long.
LEAST_WINDOWS: Final = 3
# How many times its own length of a text is scanned while looking for windows.
MOST_LOOKS: Final = 4

# Which rules fire in a text that stands in a place.
Locate = Callable[[str, Place], Collection[str]]
Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Cut:
    """Start and end of every part that is sent, in order, and whether a rule fires between them."""

    spans: list[Span]
    hiding: bool = False


def nowhere(_text: str, _place: Place) -> Collection[str]:
    """Finds nothing, for texts in which no rule has fired."""
    return ()


def cut(text: str, limit: int, locate: Locate, place: Place = "caller") -> Cut:
    """The parts of a text that are sent, together about the limit."""
    if len(text) <= limit:
        return Cut([(0, len(text))])

    def fires(span: Span) -> bool:
        return bool(locate(text[slice(*span)], place))

    edge = limit // 4
    # Head and tail are sent anyway: what fires in there must not use up what the rest may have.
    middle = max(0, edge - _OVERLAP), min(len(text), len(text) - edge + _OVERLAP)
    if not fires(middle):
        half = limit // 2
        return Cut([(0, half), (len(text) - half, len(text))])
    windows = _windows(middle, max(LEAST_WINDOWS * WINDOW, limit // 2), fires)
    spans = _merged([(0, edge), *windows, (len(text) - edge, len(text))])
    return Cut(spans, any(map(fires, _between(spans))))


def _windows(middle: Span, most: int, fires: Callable[[Span], bool]) -> list[Span]:
    """Windows in which a rule fires, by halving what fires until it is small enough.

    Not by trying them all: each try unpacks and decodes, and a long text has thousands.
    """
    found: list[Span] = []
    # What is still to be looked at, and whether something is known to fire there: of a whole that
    # fires, the second half does if the first does not.
    todo = [(middle, True)]
    looks = MOST_LOOKS * _length(middle)

    def look(span: Span) -> bool:
        nonlocal looks
        looks -= _length(span)
        return fires(span)

    while todo and looks > 0 and sum(map(_length, found)) < most:
        span, known = todo.pop()
        if _length(span) <= WINDOW:
            found = _merged([*found, span]) if look(span) else found
        elif known or look(span):
            first, second = _halves(span)
            todo += [(second, False), (first, True)] if look(first) else [(second, True)]
    return found


def _length(span: Span) -> int:
    return span[1] - span[0]


def _halves(span: Span) -> tuple[Span, Span]:
    centre = sum(span) // 2
    return (span[0], centre + _OVERLAP // 2), (centre - _OVERLAP // 2, span[1])


def _between(spans: list[Span]) -> list[Span]:
    return [(first[1], second[0]) for first, second in pairwise(spans)]


def _merged(spans: list[Span]) -> list[Span]:
    merged: list[Span] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(end, merged[-1][1])
        else:
            merged.append((start, end))
    return merged
