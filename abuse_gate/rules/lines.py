"""Where detectors find values in a text: within its lines, and across their ends.

Knows positions only; what becomes of a value is decided elsewhere. Linear: a line's end is looked
at once, with a bounded stretch of what follows it.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from abuse_gate.rules.detectors import Detector

Span = tuple[int, int, str]

# The last word of a line, and the first of the next.
_LINE_END: Final = re.compile(
    r"(?<![\w+/=.@%-])(?P<head>[\w+/=.@%-]++)\ ?\r?\n(?=(?P<next>[\w+/=.-]{1,64}))", re.ASCII
)
_HYPHEN_END: Final = re.compile(r"-\ ?\r?\n")
# Unlike a word, what goes on has a digit or a mark in it, or opens like a key.
_KEY_LIKE: Final = re.compile(r"[0-9_-]|\A(?:eyJ|A[KS]IA|AIza)")
_DIGIT: Final = re.compile(r"[0-9]")
_SEPARATORS: Final = re.compile(r"[\s._/-]")
# A shorter word on the next line is one of its own, and little is lost if not.
SHORTEST_REST: Final = 6


def detected(text: str, detectors: Iterable[Detector]) -> Iterator[Span]:
    """Start, end and kind of every value, detector after detector."""
    lowered = text.lower()
    for detector in detectors:
        if not detector.hints or any(hint in lowered for hint in detector.hints):
            for start, end in _spans(text, detector):
                yield start, end, detector.kind


def across_lines(text: str, detectors: Iterable[Detector]) -> Iterator[Span]:
    """The values that the end of a line cuts in two.

    Only a secret goes on without a hyphen: its first letters tell it, a number's do not.
    """
    ends = [match for match in _LINE_END.finditer(text) if _goes_on(match)]
    if not ends:
        return
    pieces, kept = _joined(text, ends)
    for start, end, kind in detected(pieces, [each for each in detectors if each.wraps]):
        low, high = kept[start], kept[end - 1] + 1
        crosses = high - low > end - start
        if crosses and (kind == "SECRET" or _HYPHEN_END.search(text, low, high)):
            yield low, high, kind


def _goes_on(match: re.Match[str]) -> bool:
    """Whether the last word of a line may go on in the next."""
    head, rest = match["head"], match["next"]
    if head.endswith("-"):
        return len(head) > 1
    return bool(len(rest) >= SHORTEST_REST and _DIGIT.search(rest) and _KEY_LIKE.search(head[:256]))


def _joined(text: str, ends: list[re.Match[str]]) -> tuple[str, list[int]]:
    """The text without those line ends, and where each of its characters stood."""
    kept: list[int] = []
    start = 0
    for match in ends:
        kept.extend(range(start, match.end("head")))
        start = match.end()
    kept.extend(range(start, len(text)))
    return "".join(map(text.__getitem__, kept)), kept


def _spans(text: str, detector: Detector) -> Iterator[tuple[int, int]]:
    group = "value" if "value" in detector.pattern.groupindex else 0
    position = 0
    while (match := detector.pattern.search(text, position)) is not None:
        start, end = match.span(group)
        size = _confirmed(detector, match[group])
        if size:
            yield start, start + size
        # What failed its check may hide a shorter value that begins inside it.
        position = max(end, match.start() + 1) if size else match.start() + 1


def _confirmed(detector: Detector, value: str) -> int:
    """How long the value is that passes the check, cut at its blanks where need be; 0 for none."""
    if detector.check is None or detector.check(value):
        return len(value)
    cuts: Sequence[int] = [match.start() for match in _SEPARATORS.finditer(value)]
    return next((cut for cut in reversed(cuts) if detector.check(value[:cut])), 0)
