"""By which disguise a text says what it says: the readings of a scan again, each with its name.

For whoever asks why a rule fired. A request is scanned without it; it keeps no text.
"""

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from typing import Final

from abuse_gate.rules.bends import named, seen
from abuse_gate.rules.book import RuleBook, Scratches
from abuse_gate.rules.budget import Budget, Layer
from abuse_gate.rules.decode import GUESS, MAX_LAYERS, decode
from abuse_gate.rules.hidden import hidden
from abuse_gate.rules.sift import Matched, sift
from abuse_gate.rules.views import encode, fold, spread, tidy

# How a text was read, outermost first.
Way = tuple[str, ...]

# Readings that are looked at; whoever packs more into a text gets no explanation for the rest.
MAX_READINGS: Final = 256


def ways(text: str, book: RuleBook, scratch: Scratches, wanted: AbstractSet[str]) -> dict[str, Way]:
    """For each of the wanted rules that fires in a disguised reading, the shortest way to one."""
    found: dict[str, Way] = {}
    budget, looked = Budget(), 0
    layer: list[tuple[Way, str]] = [((), text)]
    for _ in range(MAX_LAYERS + 2):
        deeper: list[tuple[Way, str]] = []
        for way, reading in layer[: max(MAX_READINGS - looked, 0)]:
            tidied = tidy(reading)
            matched = sift(book, scratch, encode(fold(tidied)))
            for rule in {book.rules[at].id for at in matched.rules} & wanted if way else ():
                found.setdefault(rule, way)
            odd = () if way else _odd(reading)
            deeper += [
                ((*way, name), below) for name, below in (*odd, *_below(tidied, matched, budget))
            ]
        looked += len(layer)
        layer = deeper
    return found


def _odd(text: str) -> Iterator[tuple[str, str]]:
    """The readings of characters that nobody sees, or that stand on their heads."""
    names = (
        *("invisible characters as spaces", "hidden characters", "on its head"),
        *("as it is drawn", "Russian"),
    )
    for name, reading in zip(names, (spread(text), hidden(text), *seen(text)), strict=True):
        if reading:
            yield name, reading


def _below(text: str, matched: Matched, budget: Budget) -> Iterator[tuple[str, str]]:
    """What a text holds in other encodings, and what it says once its words are mended."""
    layer = decode(text, matched.kinds, budget) if matched.kinds else Layer()
    read = [*zip(layer.ways, layer.texts, strict=True)]
    # What has a name goes before what is guessed.
    yield from (one for one in read if one[0] != GUESS)
    if matched.bent:
        yield from named(text, matched.squeezed, matched.bent)
    yield from (one for one in read if one[0] == GUESS)
