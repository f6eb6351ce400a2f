"""One text past the shelves of rules that concern it, and its bare letters past the lures.

Knows indexes of rules and kinds of candidates; what they mean is for the caller.
"""

from dataclasses import dataclass
from typing import Final

from abuse_gate.rules import engine
from abuse_gate.rules.book import RuleBook, Scratches
from abuse_gate.rules.candidates import KINDS, Kind
from abuse_gate.rules.engine import note
from abuse_gate.rules.lures import squeeze
from abuse_gate.rules.western import western


@dataclass(frozen=True, slots=True)
class Matched:
    """What was found in one text: rules, decoder candidates, and words that were bent."""

    rules: tuple[int, ...]
    kinds: frozenset[Kind]
    squeezed: bytes
    bent: tuple[int, ...]


NOTHING: Final = Matched((), frozenset(), b"", ())
# No shipped rule, candidate or lure matches more bytes than this.
REACH: Final = 512


def is_plainly_clear(book: RuleBook, scratches: Scratches, text: str) -> bool:
    """Whether `sift` finds NOTHING in a text of plain letters; of any other it does not say so."""
    data = plain_bytes(text)
    return data is not None and is_clear(book, scratches, data)


def plain_bytes(text: str) -> bytes | None:
    """What the rules see of a text of plain letters; None for any other."""
    return text.encode() if text.isascii() else western(text)


def is_clear(book: RuleBook, scratches: Scratches, data: bytes, known: int = 0) -> bool:
    """Whether `sift` finds NOTHING in what the rules see of a plain text.

    So much of it, from the beginning, is `known` to hold nothing: then only what begins there and
    what reaches back from beyond it is looked at. How far an operator's rules reach nobody knows.
    """
    fresh = data[max(0, known - REACH - 1) :] if known else data
    found: list[int] = []
    book.main.database.scan(fresh, note, 0, found, scratches.first)
    if found:
        return False
    book.codes.scan(fresh, note, 0, found, scratches.codes)
    letters = _last_letters(data, known) + squeeze(data[known:]) if known else squeeze(data)
    book.lures.scan(letters, note, 0, found, scratches.lures)
    if book.own is not None:
        book.own.scan(data, note, 0, found, scratches.own)
    return not found


def _last_letters(data: bytes, end: int) -> bytes:
    """As many bare letters before a place as any lure has, however far apart they stand."""
    back = 2 * REACH
    while True:
        letters = squeeze(data[max(0, end - back) : end])
        if len(letters) >= REACH or back >= end:
            return letters
        back *= 4


def sift(book: RuleBook, scratches: Scratches, data: bytes) -> Matched:
    """Everything that the engine finds in a text's bytes; NOTHING for most of them."""
    squeezed = squeeze(data)
    bent = engine.scan(book.lures, scratches.lures, squeezed)
    rules = book.main.find(scratches.main, data)
    coded = engine.scan(book.codes, scratches.codes, data)
    if not (rules or coded or bent):
        return NOTHING
    if rules:
        # Rules without weight only say how the others are meant.
        rules = book.met(sorted([*rules, *book.context.find(scratches.context, data)]))
    kinds = frozenset[Kind](KINDS[at] for at in coded)
    return Matched(tuple(rules), kinds, squeezed, tuple(bent))
