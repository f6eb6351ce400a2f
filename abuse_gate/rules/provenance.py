"""Which untrusted block the text of a tool call came from, by fingerprints and without a model.

Blocks and arguments are normalized to their letters and cut into short overlapping pieces; what
share of an argument's pieces a block holds is told by their hashes, wherever the text stands in
it. The evidence is a block's number and a share; never any text.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final
from zlib import crc32

from abuse_gate.model.extract import PLACE_OF, Extract, Segment
from abuse_gate.model.hit import Place
from abuse_gate.rules.views import view

# Letters to a piece: two texts that share this many in a row are noticed.
PIECE: Final = 12
# A shorter value (a path, an address, a number) is looked for as a whole.
MIN_VALUE: Final = 6
# Share of an argument's fingerprints from which on it was taken from the block.
MIN_SHARE: Final = 0.3
# Characters of blocks, latest first, that are fingerprinted in one request, and of arguments; the
# rest is reported as unread.
MAX_CHARS: Final = 64 * 1024
# Pieces that are compared in one request: arguments times blocks would grow without bound.
MAX_COMPARED: Final = 400_000
# Characters of older blocks that are looked through for a piece of an argument, more cheaply; one
# beyond ASCII counts for several. Blocks that are older still count as suspects.
MAX_OLDER: Final = 256 * 1024
# Pieces of the arguments that are looked for there, and in texts that are cut for a judge.
MOST_PIECES: Final = 64
# Characters of untrusted blocks in which rules are looked for a second time, block by block.
MAX_SCANNED: Final = 64 * 1024
BEYOND_ASCII: Final = 8
# Untrusted blocks, latest first, in which rules are looked for, and that are named because of it.
MOST_BLOCKS: Final = 200
MOST_SUSPECTS: Final = 32

_FOREIGN: Final[frozenset[Place]] = frozenset({"third_party", "document"})
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
    """Where the arguments came from; `complete` is false when blocks were left unread.

    `older` are blocks that hold a piece of an argument, or were not looked into at all.
    """

    origins: tuple[Origin, ...] = ()
    complete: bool = True
    older: tuple[int, ...] = ()

    @property
    def blocks(self) -> tuple[int, ...]:
        """The blocks that any argument was, or may have been, taken from, sorted."""
        return tuple(sorted({*self.older, *(origin.block for origin in self.origins)}))


def trace(extract: Extract) -> Provenance:
    """Every argument of the pending calls against every untrusted block of the request.

    A block's id is the place of its segment in the extract.
    """
    calls = extract.pending_calls
    if not calls:
        return Provenance()
    blocks, complete = _blocks(extract)
    allowance = _Allowance(MAX_CHARS, MAX_COMPARED)
    origins = tuple(
        Origin(call, argument, block, share)
        for call, proposed in enumerate(calls)
        for argument, text in enumerate(proposed.texts)
        for block, share in _shares(text, blocks, allowance)
    )
    whole = complete and not allowance.spent
    return Provenance(origins, whole, () if whole else _older(extract, len(blocks)))


def suspects(extract: Extract, fires: Callable[[Segment], bool]) -> tuple[int, ...]:
    """The untrusted blocks that a pending call was taken from, or in which a rule fires."""
    taken = trace(extract).blocks
    latest = islice(_untrusted(extract), MOST_BLOCKS)
    # What fires beyond this is on record as a hit; only its block stays unnamed.
    near = _affordable(latest, MAX_SCANNED)
    marked = (number for number, segment in near if fires(segment))
    return tuple(sorted({*taken, *islice(marked, MOST_SUSPECTS)}))


def quoting(extract: Extract) -> Callable[[str], bool]:
    """Tells whether a text holds a piece of a pending call's arguments: cheap, and may miss some.

    Pieces are looked for as they are, at most so many of them, the ends of long arguments included.
    """
    pieces = [piece for call in extract.pending_calls for piece in _pieces(call.texts)]
    step = max(1, -(-len(pieces) // MOST_PIECES))
    wanted = list(dict.fromkeys(pieces[::step]))

    def quotes(text: str) -> bool:
        if not wanted or _cost(text) > MAX_OLDER:
            return False
        letters = _letters(text)
        return any(piece in letters for piece in wanted)

    return quotes


def _pieces(texts: Sequence[str]) -> Iterator[str]:
    for text in texts:
        letters = _letters(text[:MAX_CHARS])
        if len(letters) >= MIN_VALUE:
            last = max(1, len(letters) - MIN_VALUE + 1)
            yield from (letters[at : at + PIECE] for at in range(0, last, PIECE))


def _older(extract: Extract, read: int) -> tuple[int, ...]:
    """Of the blocks that were not fingerprinted, those that may be where a call came from."""
    rest = list(islice(_untrusted(extract), read, None))
    near = list(_affordable(rest, MAX_OLDER))
    quotes = quoting(extract)
    held = [number for number, segment in near if quotes(segment.text)]
    unread = [number for number, _ in rest[len(near) :]]
    return (*held[:MOST_SUSPECTS], *unread[:MOST_SUSPECTS])


def _cost(text: str) -> int:
    return len(text) * (1 if text.isascii() else BEYOND_ASCII)


def _affordable(blocks: Iterable[tuple[int, Segment]], chars: int) -> Iterator[tuple[int, Segment]]:
    """As many of the blocks as that many characters pay for."""
    for number, segment in blocks:
        chars -= _cost(segment.text)
        if chars < 0:
            return
        yield number, segment


@dataclass(slots=True)
class _Allowance:
    """How much of one request is still compared."""

    chars: int
    pieces: int

    @property
    def spent(self) -> bool:
        return self.chars < 0 or self.pieces < 0

    def pays(self, *, chars: int = 0, pieces: int = 0) -> bool:
        """Whether that much can still be paid for; then it has been."""
        self.chars -= chars
        self.pieces -= pieces
        return not self.spent


@dataclass(frozen=True, slots=True)
class _Block:
    number: int
    letters: str
    prints: frozenset[int]


def _blocks(extract: Extract) -> tuple[list[_Block], bool]:
    allowance = _Allowance(MAX_CHARS, 0)
    blocks: list[_Block] = []
    for number, segment in _untrusted(extract):
        if not allowance.pays(chars=len(segment.text)):
            return blocks, False
        letters = _letters(segment.text)
        blocks.append(_Block(number, letters, frozenset(fingerprints(letters))))
    return blocks, True


def _untrusted(extract: Extract) -> Iterator[tuple[int, Segment]]:
    """The untrusted blocks with their numbers: what others wrote first, the latest first of it."""
    known = [pair for pair in enumerate(extract.segments) if pair[1].trust == "untrusted"]
    foreign = [pair for pair in known if PLACE_OF[pair[1].origin] in _FOREIGN]
    yield from reversed(foreign)
    yield from (pair for pair in reversed(known) if PLACE_OF[pair[1].origin] not in _FOREIGN)


def _shares(
    text: str, blocks: Sequence[_Block], allowance: _Allowance
) -> Iterator[tuple[int, float]]:
    """The blocks that an argument was taken from, with the share of it that they hold."""
    if not allowance.pays(chars=len(text)):
        return
    letters = _letters(text)
    if len(letters) < MIN_VALUE:
        return
    prints = frozenset(fingerprints(letters))
    for block in blocks:
        if not allowance.pays(pieces=min(len(prints), len(block.prints)) + 1):
            return
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
