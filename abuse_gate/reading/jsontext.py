"""Bytes or text to JSON values, as tolerant as the parsers of the apps behind the gate.

Only parses: every occurrence of a repeated key is kept, nothing is interpreted.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, repeat
from typing import Final, TypeAlias

Json: TypeAlias = "dict[str, Json] | list[Json] | str | int | float | bool | None"

Member: TypeAlias = "tuple[str | None, Json]"

# What the next document of a sequence may start with. Bare numbers do not continue a sequence:
# a column of figures is text.
_SEQUENCE_STARTS: Final = frozenset('{["')
_LINE_STARTS: Final = ("{", "[", '"')
# Making more than this holds the interpreter for a tenth of a second, in one call.
MAX_CONTAINERS: Final = 100_000
MAX_QUOTES: Final = 1_000_000
# White space, byte-order marks and record separators stand between documents.
_BETWEEN: Final = " \t\r\n\x1e\ufeff"
_GAP: Final = re.compile(f"[{_BETWEEN}]*")


class Doubled(dict[str, Json]):
    """An object in which a key stood twice: a dict of the last values, and those they shadow."""

    __slots__ = ("shadowed",)

    def __init__(self, pairs: list[tuple[str, Json]]) -> None:
        super().__init__(pairs)
        last = {key: index for index, (key, _) in enumerate(pairs)}
        self.shadowed = [pair for index, pair in enumerate(pairs) if last[pair[0]] != index]


@dataclass(frozen=True, slots=True, repr=False)
class Parsed:
    """The documents found; `whole`: nothing stood beside them; `deep`, `cut`: a bound was hit."""

    documents: list[Json]
    whole: bool
    deep: bool = False
    cut: bool = False


def _object(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    plain = dict(pairs)
    return plain if len(plain) == len(pairs) else Doubled(pairs)


_DECODER: Final = json.JSONDecoder(object_pairs_hook=_object)
# Whole numbers beyond the interpreter's digit limit stay digits.
_DIGITS: Final = json.JSONDecoder(object_pairs_hook=_object, parse_int=str)


def children(value: dict[str, Json] | list[Json]) -> Iterator[Member]:
    """What a container holds in document order: items without a key, or members, shadowed last."""
    if isinstance(value, list):
        return zip(repeat(None), value)
    if isinstance(value, Doubled):
        return chain(value.items(), value.shadowed)
    return iter(value.items())


def word(value: Json) -> str:
    """A value as a look-up key: itself when it is a string, else nothing."""
    return value if isinstance(value, str) else ""


def decode_json_bytes(body: bytes) -> str | None:
    """The text that a JSON parser would see in these bytes (UTF-8, 16 or 32), or None."""
    try:
        return body.decode(json.detect_encoding(body), "surrogatepass")
    except UnicodeDecodeError:
        return None


def parse(text: str, max_documents: int) -> Parsed:
    """The JSON documents in a text: one, several in a row, or the lines that are JSON."""
    start = text[:64].lstrip(_BETWEEN)[:1] or text.lstrip(_BETWEEN)[:1]
    if start not in '{["-0123456789tfnNI' or not start:
        return Parsed([], whole=False)
    if text.count("[") + text.count("{") > MAX_CONTAINERS or text.count('"') > MAX_QUOTES:
        return Parsed([], whole=False, cut=True)
    try:
        return Parsed([_DECODER.decode(text)], whole=True)
    except RecursionError:
        return Parsed([], whole=False, deep=True)
    except ValueError:
        return _sequence(text, max_documents)


def _sequence(text: str, max_documents: int) -> Parsed:
    documents: list[Json] = []
    try:
        at = _collect(text, documents, max_documents)
    except RecursionError:
        return Parsed(documents, whole=False, deep=True)
    except ValueError:
        at = -1
    if at == len(text):
        return Parsed(documents, whole=True)
    if len(documents) >= max_documents:
        return Parsed(documents, whole=False, cut=True)
    return _lines(text, max_documents) or Parsed(documents, whole=False)


def _collect(text: str, documents: list[Json], max_documents: int) -> int:
    """Take one document after the other; returns where it came to a stop."""
    at = _skip(text, 0)
    while len(documents) < max_documents:
        value, at = _document(text, at)
        documents.append(value)
        at = _skip(text, at)
        if text[at : at + 1] not in _SEQUENCE_STARTS:
            break
    return at


def _document(text: str, at: int) -> tuple[Json, int]:
    try:
        return _DECODER.raw_decode(text, at)
    except json.JSONDecodeError:
        raise
    except ValueError:
        return _DIGITS.raw_decode(text, at)


def _skip(text: str, at: int) -> int:
    match = _GAP.match(text, at)
    return match.end() if match else at


def _lines(text: str, max_documents: int) -> Parsed | None:
    """One broken line must not hide the others from a reader that goes line by line."""
    if "\n" not in text or text[_skip(text, 0)] not in _SEQUENCE_STARTS:
        return None
    documents: list[Json] = []
    deep = False
    for line in text.splitlines():
        if line.lstrip(_BETWEEN).startswith(_LINE_STARTS) and len(documents) < max_documents:
            deep |= _take(line.strip(_BETWEEN), documents)
    cut = len(documents) >= max_documents
    return Parsed(documents, whole=False, deep=deep, cut=cut) if documents or deep else None


def _take(line: str, documents: list[Json]) -> bool:
    try:
        documents.append(_document(line, 0)[0])
    except RecursionError:
        return True
    except ValueError:
        return False
    return False
