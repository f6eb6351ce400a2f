"""Urlencoded pairs, in a body or a query string: every name and every value, each as often as sent.

Reads them as the app's own form parser does, and a second time where another parser would differ.
"""

from collections.abc import Iterator
from typing import Final
from urllib.parse import unquote_plus

from abuse_gate.model.extract import Origin
from abuse_gate.reading.jsontext import parse
from abuse_gate.reading.media import open_data_url
from abuse_gate.reading.notes import Notes
from abuse_gate.reading.shapes import read_document, read_object

# Beyond this a value is not decoded once more as latin-1, which no common parser does.
LONG: Final = 65_536


def pairs(text: str) -> Iterator[tuple[str, str]]:
    """Names and values still escaped; an empty chunk is no pair."""
    for chunk in text.split("&"):
        if chunk:
            name, _, value = chunk.partition("=")
            yield name, value


def read_pairs(notes: Notes, raw: bytes, origin: Origin) -> None:
    """Take down every name and value of a urlencoded body or query."""
    _read(notes, raw.decode("latin-1"), origin)
    if not raw.isascii():
        _read(notes, raw.decode("utf-8", "replace"), origin)


def _read(notes: Notes, text: str, origin: Origin) -> None:
    names: dict[str, str] = {}
    for name, value in pairs(text):
        if notes.full:
            notes.flags.add("truncated")
            notes.whole(unquote_plus(text))
            return
        if name not in names:
            # A name that is repeated would part the values, which may be words of one sentence.
            names[name] = _unquoted(notes, name, origin)
        read_field(notes, names[name], _unquoted(notes, value, origin))


def _unquoted(notes: Notes, text: str, origin: Origin) -> str:
    plain = unquote_plus(text)
    notes.add(plain, origin)
    if "\ufffd" in plain and "%" in text and len(text) < LONG:
        notes.add(unquote_plus(text, "latin-1"), origin)
    return plain


def read_field(notes: Notes, name: str, value: str) -> None:
    """Read on into a field whose value is a file, or JSON as if it were a body."""
    parsed = parse(value, max_documents=1) if value.lstrip().startswith(("{", "[")) else None
    if parsed is None or not parsed.whole:
        open_data_url(notes, value)
    if parsed is None:
        return
    notes.bounded(deep=parsed.deep, cut=parsed.cut)
    for document in parsed.documents:
        if isinstance(document, list):
            read_object(notes, {name: document})
        else:
            read_document(notes, document)
