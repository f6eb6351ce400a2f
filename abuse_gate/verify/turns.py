"""A conversation as messages with digests: which of them are new, and what stands before them.

Pure but for the key. A message's key holds the digest of the window before it, so that the same
words after other words are another question.
"""

import hmac
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from abuse_gate.model.extract import Extract, Segment

# What a new message is shown with: so many messages before it, and so many characters of them.
WINDOW: Final = 4
WINDOW_CHARS: Final = 4_000
# Longer conversations are asked about as a whole.
MOST_TURNS: Final = 256
# A message this short says little by itself: "yes" is unsafe only after what it answers.
SHORT: Final = 24
# What a piece costs beside its characters.
_A_PIECE: Final = 32


@dataclass(frozen=True, slots=True, repr=False)
class Turn:
    """One message: its place in the conversation, its segments, its digest."""

    number: int
    segments: tuple[Segment, ...]
    digest: str
    chars: int

    @property
    def is_users(self) -> bool:
        """Whether all of it goes by the user's role."""
        return all(segment.origin == "user" for segment in self.segments)


class Digests:
    """Keyed digests within one scope: tenant, adapter, model and policy are part of every key."""

    def __init__(self, key: bytes, *scope: str) -> None:
        self._key = hmac.digest(key, _framed("verdict", *scope), "sha256")

    def of(self, *parts: str) -> str:
        """The digest of some parts, none of which can run into the next."""
        return hmac.digest(self._key, _framed(*parts), "sha256").hex()[:40]

    def of_segments(self, segments: Sequence[Segment]) -> str:
        """The digest of texts with their origins and trust."""
        return self.of(*(p for s in segments for p in (s.origin, s.trust, s.text)))


def effort_of(extract: Extract) -> int:
    """What it costs to go through a request: many small pieces cost as much as a long text."""
    return extract.chars + _A_PIECE * len(extract.segments)


def _framed(*parts: str) -> bytes:
    encoded = (part.encode("utf-8", "surrogatepass") for part in parts)
    return b"".join(b"%d:%s" % (len(part), part) for part in encoded)


def turns_of(extract: Extract, digests: Digests) -> list[Turn]:
    """The messages of a conversation; none where a part of it cannot be told from the whole.

    Calls, uploads and anything unread are judged as they stand, never piecemeal.
    """
    if extract.calls or extract.sources or extract.flags:
        return []
    groups: dict[int, list[Segment]] = {}
    for segment in extract.segments:
        if segment.turn is not None:
            groups.setdefault(segment.turn, []).append(segment)
    if len(groups) > MOST_TURNS:
        return []
    return [
        Turn(number, tuple(parts), digests.of_segments(parts), sum(len(p.text) for p in parts))
        for number, parts in groups.items()
    ]


def window_before(turns: Sequence[Turn], index: int) -> Sequence[Turn]:
    """What a message is shown with: the messages just before it, within the bound."""
    chars, first = 0, index
    while first > max(0, index - WINDOW) and chars < WINDOW_CHARS:
        first -= 1
        chars += turns[first].chars
    return turns[first:index]


def run_up_to(turns: Sequence[Turn], index: int) -> Sequence[Turn]:
    """A message and all that was shown with it, if what was asked about lies in its window."""
    return turns[max(0, index - 2 * WINDOW) : index + 1]


def narrowed(extract: Extract, turns: Sequence[Turn], asked: Collection[int]) -> Extract:
    """The request with only the messages that are asked about, and the windows before them.

    Of a long message in a window only the end is shown.
    """
    whole: set[int | None] = {None, *(turns[index].number for index in asked)}
    before = {turn.number for index in asked for turn in window_before(turns, index)}
    shown = whole | before
    kept = [
        segment if segment.turn in whole else _end(segment)
        for segment in extract.segments
        if segment.turn in shown
    ]
    return extract._replace(segments=tuple(kept))


def _end(segment: Segment) -> Segment:
    return segment._replace(text=segment.text[-WINDOW_CHARS:])
