"""What surrounds a body: path, query, cookies and `x-` headers, each as the app would decode it."""

import re
from typing import Final
from urllib.parse import unquote

from abuse_gate.model.extract import Origin
from abuse_gate.reading.forms import read_pairs
from abuse_gate.reading.head import Head
from abuse_gate.reading.notes import Notes
from abuse_gate.reading.plain import ROOT
from abuse_gate.reading.request import RawRequest

_ESCAPE: Final = re.compile(r"\\(?:([0-3][0-7][0-7])|(.))")


def read_surroundings(notes: Notes, request: RawRequest, head: Head) -> None:
    """Take down everything that a request says outside its body."""
    if request.path not in ROOT:
        _variants(notes, request.path, "path")
    if request.query:
        read_pairs(notes, request.query, "query")
    for origin, value in head.spoken:
        _header(notes, value, origin)


def _header(notes: Notes, value: bytes, origin: Origin) -> None:
    text = value.decode("latin-1")
    _variants(notes, text, origin)
    if not value.isascii():
        notes.add(value.decode("utf-8", "replace"), origin)
    if "\\" in text:
        notes.add(_ESCAPE.sub(_unescaped, text), origin)


def _variants(notes: Notes, text: str, origin: Origin) -> None:
    notes.add(text, origin)
    if "%" in text:
        notes.add(unquote(text), origin)


def _unescaped(match: re.Match[str]) -> str:
    return chr(int(match[1], 8)) if match[1] else match[2]
