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


def is_plainly_clear(book: RuleBook, scratches: Scratches, text: str) -> bool:
    """Whether `sift` finds NOTHING in a text of plain letters; of any other it does not say so."""
    data = text.encode() if text.isascii() else western(text)
    if data is None:
        return False
    found: list[int] = []
    book.main.database.scan(data, note, 0, found, scratches.first)
    if found:
        return False
    book.codes.scan(data, note, 0, found, scratches.codes)
    book.lures.scan(squeeze(data), note, 0, found, scratches.lures)
    if book.own is not None:
        book.own.scan(data, note, 0, found, scratches.own)
    return not found


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
