"""Which parts of a long text are sent: its head, its tail, and windows around what rules found."""

from collections.abc import Callable
from typing import Final

WINDOW: Final = 1024
_STEP: Final = WINDOW // 2

Locate = Callable[[str], bool]


def nowhere(_text: str) -> bool:
    """Finds nothing, for texts in which no rule has fired."""
    return False


def pieces(text: str, limit: int, locate: Locate) -> list[tuple[int, int]]:
    """Start and end of every part that is sent, in order; together about the limit."""
    if len(text) <= limit:
        return [(0, len(text))]
    windows = _windows(text, limit, locate)
    edge = limit // 4 if windows else limit // 2
    return _merged([(0, edge), *windows, (len(text) - edge, len(text))])


def _windows(text: str, limit: int, locate: Locate) -> list[tuple[int, int]]:
    """Overlapping windows in which a rule fires, as many as half the limit holds."""
    most = limit // 2 // WINDOW
    found: list[tuple[int, int]] = []
    start = 0
    while start < len(text) and len(found) < most:
        if locate(text[start : start + WINDOW]):
            found.append((start, min(start + WINDOW, len(text))))
            start += _STEP
        start += _STEP
    return found


def _merged(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(end, merged[-1][1])
        else:
            merged.append((start, end))
    return merged
