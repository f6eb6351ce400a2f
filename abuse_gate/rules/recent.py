"""Which of somebody else's words a judge is shown whole: the latest; the rest is summed up.

A summary is only as trusted as the least trusted thing in it, so that nothing gets trusted by
being pushed out of the window.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from abuse_gate.model.context import lowest
from abuse_gate.model.extract import PLACE_OF, Extract, Segment
from abuse_gate.model.hit import Place

# In the order in which a payload lists them.
_OTHERS: Final[tuple[Place, ...]] = ("third_party", "document")


@dataclass(frozen=True, slots=True)
class Window:
    """How many blocks, and how many characters of them, a judge is shown whole."""

    messages: int = 20
    chars: int = 32_000


@dataclass(frozen=True, slots=True, repr=False)
class Recent:
    """An extract seen through a window; `places` tells where a payload's context holds a block.

    `segments` tells where the new extract holds each old segment; `kept` are those that stand
    there by themselves, in the new numbers.
    """

    extract: Extract
    places: Mapping[int, int]
    segments: Mapping[int, int]
    kept: frozenset[int]


def recent(extract: Extract, window: Window, suspected: Collection[int] = ()) -> Recent:
    """The extract with all but some foreign blocks folded into one of each sort.

    The latest is kept, then as many of the suspected ones, then as many of the others as fit.
    """
    segments = extract.segments
    foreign = [number for number, each in enumerate(segments) if _is_shown(each)]
    kept = _kept(segments, foreign, window, suspected)
    folded = frozenset(foreign) - kept
    numbers = [number for number in range(len(segments)) if number not in folded]
    shown = [segments[number] for number in numbers]
    summed: dict[int, int] = {}
    for place in _OTHERS:
        group = sorted(n for n in folded if PLACE_OF[segments[n].origin] == place)
        if group:
            shown.insert(0, _summary([segments[number] for number in group]))
            numbers.insert(0, group[0])
            summed |= dict.fromkeys(group, group[0])
    places = _places(shown, numbers)
    places |= {number: places[first] for number, first in summed.items()}
    stands = {number: at for at, number in enumerate(numbers)}
    alone = frozenset(stands[number] for number in kept)
    stands |= {number: stands[first] for number, first in summed.items()}
    return Recent(extract._replace(segments=tuple(shown)), places, stands, alone)


def _is_shown(segment: Segment) -> bool:
    # Raw markup is sent to nobody, and so stands in no entry and in no summary.
    return PLACE_OF[segment.origin] in _OTHERS and not segment.markup


def _kept(
    segments: Sequence[Segment], foreign: Sequence[int], window: Window, suspected: Collection[int]
) -> frozenset[int]:
    newest = foreign[::-1]
    # The very latest is always shown: it is what an agent has just read.
    kept = list(newest[:1])
    left = window.chars - sum(len(segments[number].text) for number in kept)
    for number in sorted(newest[1:], key=lambda each: each not in suspected):
        size = len(segments[number].text)
        if size <= left and len(kept) < window.messages:
            kept.append(number)
            left -= size
    return frozenset(kept)


def _summary(segments: Sequence[Segment]) -> Segment:
    """Older blocks of one place as one block of that place."""
    text = "\n".join(segment.text for segment in segments)
    return Segment(text, segments[0].origin, lowest(segment.trust for segment in segments))


def _places(shown: Sequence[Segment], numbers: Sequence[int]) -> dict[int, int]:
    """Where each foreign block stands in a payload: by place, and in order within it."""
    ordered = [
        number
        for place in _OTHERS
        for segment, number in zip(shown, numbers, strict=True)
        if PLACE_OF[segment.origin] == place and _is_shown(segment)
    ]
    return {number: at for at, number in enumerate(ordered)}
