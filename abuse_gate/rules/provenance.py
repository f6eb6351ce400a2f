"""Which untrusted block the text of a tool call came from, by fingerprints and without a model.

Blocks and arguments are normalized to their letters and cut into short overlapping pieces; what
share of an argument's pieces a block holds is told by their hashes, wherever the text stands in
it. The evidence is a block's number and a share; never any text.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final
from zlib import crc32

from abuse_gate.model.extract import Extract, Segment
from abuse_gate.rules.views import view

# Letters to a piece: two texts that share this many in a row are noticed.
PIECE: Final = 12
# A shorter value (a path, an address, a number) is looked for as a whole.
MIN_VALUE: Final = 6
# Share of an argument's fingerprints from which on it was taken from the block.
MIN_SHARE: Final = 0.3
# Characters of blocks that are fingerprinted in one request; the rest is reported as unread.
MAX_CHARS: Final = 256 * 1024
# Blocks that are named because of what rules found in them.
MOST_SUSPECTS: Final = 32

_NOT_LETTERS: Final = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class Origin:
    """One argument of one pending call and the block it shares text with."""

    call: int
    argument: int
    block: int
    share: float


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where the arguments came from; `complete` is false when blocks were left unread."""

    origins: tuple[Origin, ...] = ()
    complete: bool = True

    @property
    def blocks(self) -> tuple[int, ...]:
        """The blocks that any argument was taken from, sorted."""
        return tuple(sorted({origin.block for origin in self.origins}))


def trace(extract: Extract) -> Provenance:
    """Every argument of the pending calls against every untrusted block of the request.

    A block's id is the place of its segment in the extract.
    """
    calls = extract.pending_calls
    if not calls:
        return Provenance()
    blocks, complete = _blocks(extract)
    origins = tuple(
        Origin(call, argument, block, share)
        for call, proposed in enumerate(calls)
        for argument, text in enumerate(proposed.texts)
        for block, share in _shares(text, blocks)
    )
    return Provenance(origins, complete)


def suspects(extract: Extract, fires: Callable[[Segment], bool]) -> tuple[int, ...]:
    """The untrusted blocks that a pending call was taken from, or in which a rule fires."""
    taken = trace(extract).blocks
    marked = (
        number
        for number, segment in enumerate(extract.segments)
        if segment.trust == "untrusted" and fires(segment)
    )
    return tuple(sorted({*taken, *islice(marked, MOST_SUSPECTS)}))


@dataclass(frozen=True, slots=True)
class _Block:
    number: int
    letters: str
    prints: frozenset[int]


def _blocks(extract: Extract) -> tuple[list[_Block], bool]:
    left = MAX_CHARS
    blocks: list[_Block] = []
    for number, segment in enumerate(extract.segments):
        if segment.trust != "untrusted":
            continue
        if len(segment.text) > left:
            return blocks, False
        left -= len(segment.text)
        letters = _letters(segment.text)
        blocks.append(_Block(number, letters, frozenset(fingerprints(letters))))
    return blocks, True


def _shares(text: str, blocks: Sequence[_Block]) -> Iterator[tuple[int, float]]:
    """The blocks that an argument was taken from, with the share of it that they hold."""
    letters = _letters(text[:MAX_CHARS])
    if len(letters) < MIN_VALUE:
        return
    prints = frozenset(fingerprints(letters))
    for block in blocks:
        if not prints:
            if letters in block.letters:
                yield block.number, 1.0
            continue
        share = len(prints & block.prints) / len(prints)
        if share >= MIN_SHARE:
            yield block.number, round(share, 2)


def fingerprints(letters: str) -> Iterator[int]:
    """The hash of every piece of some letters; none for a text shorter than one piece."""
    return (_hash(letters[at : at + PIECE]) for at in range(len(letters) - PIECE + 1))


def _hash(piece: str) -> int:
    return crc32(piece.encode("utf-8", "replace"))


def _letters(text: str) -> str:
    return _NOT_LETTERS.sub("", view(text))
