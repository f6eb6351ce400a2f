"""The texts of a request by the place where they stand: what is scanned together, as one text.

Knows whose words are whose; it must not know what is looked for in them.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from abuse_gate.model.extract import PLACE_OF, Extract
from abuse_gate.model.hit import Place

# Whose words, and out of which upload; each upload is scanned for itself, so that hits have a name.
Where = tuple[Place, int | None]

# Nearly all texts are the caller's own.
CALLERS: Final[Where] = ("caller", None)
OPERATORS: Final[Where] = ("operator", None)
_BY_CALLER: Final = frozenset(origin for origin, place in PLACE_OF.items() if place == "caller")
# Two values and their keys: fewer are not parted by a key.
MIN_KEYED: Final = 4


def grouped(extract: Extract) -> Iterable[tuple[Where, Sequence[str]]]:
    """Every text of a request, place by place."""
    groups: dict[Where, list[str]] = {}
    for text, origin, trust, source, _, _ in extract.segments:
        if trust == "trusted":
            where = OPERATORS
        else:
            callers = source is None and origin in _BY_CALLER
            where = CALLERS if callers else (PLACE_OF[origin], source)
        if where in groups:
            groups[where].append(text)
        else:
            groups[where] = [text]
    if extract.calls:
        called = [part for call in extract.pending_calls for part in (call.name, *call.texts)]
        if called:
            groups["call", None] = called
    mine = groups.get(CALLERS, ())
    if len(mine) < MIN_KEYED:
        return groups.items()
    return (*groups.items(), *_values_alone(extract, mine))


def _values_alone(extract: Extract, mine: Sequence[str]) -> Iterator[tuple[Where, Sequence[str]]]:
    """The caller's words once more without the keys between them, which may part a sentence."""
    values = [
        segment.text
        for segment in extract.segments
        if segment.origin == "field" and segment.trust != "trusted"
    ]
    if 1 < len(values) < len(mine):
        yield CALLERS, values
