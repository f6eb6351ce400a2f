"""One text through the sieve and through the shelves that it opens; its bare letters for the lures.

Knows indexes of rules and kinds of candidates; what they mean is for the caller.
"""

from dataclasses import dataclass
from typing import Final

from abuse_gate.model.hit import Place
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


def sift(book: RuleBook, scratches: Scratches, data: bytes, place: Place) -> Matched:
    """Everything that the engine finds in a text's bytes; NOTHING for most of them."""
    squeezed = squeeze(data)
    bent = engine.scan(book.lures, scratches.lures, squeezed)
    found = engine.scan(book.sieve, scratches.sieve, data)
    if not found:
        return Matched((), frozenset(), squeezed, tuple(bent)) if bent else NOTHING
    rules: list[int] = []
    kinds: set[Kind] = set()
    opened = 0
    for index in found:
        mark = book.marks[index]
        opened |= mark.opens
        if mark.kind is not None:
            kinds.add(mark.kind)
        elif mark.rule is not None:
            rules.append(mark.rule)
    if opened:
        _look_behind(book, scratches, data, _ready(book, found, opened, place), rules)
    if not (rules or kinds or bent):
        return NOTHING
    return Matched(tuple(sorted(rules)), frozenset(kinds), squeezed, tuple(bent))


def _ready(book: RuleBook, found: list[int], opened: int, place: Place) -> list[int]:
    """The shelves with a rule for this place that has a word of each of its sets in the text."""
    gates = book.gates[place]
    ready = {
        number for index in found for mask, number in gates.get(index, ()) if mask & opened == mask
    }
    return sorted(ready, key=lambda number: book.shelves[number].weightless)


def _look_behind(
    book: RuleBook, scratches: Scratches, data: bytes, numbers: list[int], found: list[int]
) -> None:
    """Adds the rules found on some shelves; the weightless come last, and only behind others."""
    for number in numbers:
        shelf = book.shelves[number]
        if shelf.weightless and not found:
            break
        matched = engine.scan(shelf.database, scratches.shelf(number), data)
        found += [shelf.rules[index] for index in matched]
