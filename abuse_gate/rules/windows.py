"""Which parts of a long text are sent: its head, its tail, and windows around what rules found."""

from collections.abc import Callable, Collection
from itertools import pairwise
from typing import Final

from abuse_gate.model.hit import Place

WINDOW: Final = 1024
_STEP: Final = WINDOW // 2
# Even of a text that may not be long.
LEAST_WINDOWS: Final = 3

# Which rules fire in a text that stands in a place.
Locate = Callable[[str, Place], Collection[str]]
Span = tuple[int, int]


def nowhere(_text: str, _place: Place) -> Collection[str]:
    """Finds nothing, for texts in which no rule has fired."""
    return ()


def pieces(text: str, limit: int, locate: Locate, place: Place = "caller") -> list[Span]:
    """Start and end of every part that is sent, in order; together about the limit."""
    if len(text) <= limit:
        return [(0, len(text))]
    edge = limit // 4
    windows = _windows(text, (edge, len(text) - edge), limit, lambda part: locate(part, place))
    edge = edge if windows else limit // 2
    return _merged([(0, edge), *windows, (len(text) - edge, len(text))])


def gaps(spans: list[Span]) -> list[Span]:
    """What lies between the parts that are sent."""
    return [(first[1], second[0]) for first, second in pairwise(spans)]


def _windows(
    text: str, middle: Span, limit: int, fires: Callable[[str], Collection[str]]
) -> list[Span]:
    """Overlapping windows in which a rule fires, as many as half the limit holds.

    Only those that reach into the middle: head and tail are sent anyway, and hits in there must
    not use up what is meant for the rest.
    """
    most = max(LEAST_WINDOWS, limit // 2 // WINDOW)
    found: list[Span] = []
    start = max(0, middle[0] - _STEP)
    while start < middle[1] and len(found) < most:
        if fires(text[start : start + WINDOW]):
            found.append((start, min(start + WINDOW, len(text))))
            start += _STEP
        start += _STEP
    return found


def _merged(spans: list[Span]) -> list[Span]:
    merged: list[Span] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(end, merged[-1][1])
        else:
            merged.append((start, end))
    return merged
