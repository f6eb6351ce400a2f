"""One text past the shelves of rules that concern it, and its bare letters past the lures.

Knows indexes of rules and kinds of candidates; what they mean is for the caller.
"""

from dataclasses import dataclass
from typing import Final

from abuse_gate.rules import engine
from abuse_gate.rules.book import RuleBook, Scratches
from abuse_gate.rules.candidates import Kind
from abuse_gate.rules.lures import squeeze


@dataclass(frozen=True, slots=True)
class Matched:
    """What was found in one text: rules, decoder candidates, and words that were bent."""

    rules: tuple[int, ...]
    kinds: frozenset[Kind]
    squeezed: bytes
    bent: tuple[int, ...]


NOTHING: Final = Matched((), frozenset(), b"", ())


def sift(book: RuleBook, scratches: Scratches, data: bytes) -> Matched:
    """Everything that the engine finds in a text's bytes; NOTHING for most of them."""
    squeezed = squeeze(data)
    bent = engine.scan(book.lures, scratches.lures, squeezed)
    found = engine.scan(book.main.database, scratches.main, data)
    coded = engine.scan(book.codes.database, scratches.codes, data)
    if not (found or coded or bent):
        return NOTHING
    meanings = [*map(book.main.meanings.__getitem__, found)]
    meanings += map(book.codes.meanings.__getitem__, coded)
    rules = [meaning for meaning in meanings if isinstance(meaning, int)]
    kinds = frozenset(meaning for meaning in meanings if isinstance(meaning, str))
    if rules:
        rules += _context(book, scratches, data)
    return Matched(tuple(sorted(rules)), kinds, squeezed, tuple(bent))


def _context(book: RuleBook, scratches: Scratches, data: bytes) -> list[int]:
    """The rules without weight that say how the others are meant."""
    found = engine.scan(book.context.database, scratches.context, data)
    return [index for index in map(book.context.meanings.__getitem__, found) if isinstance(index, int)]
