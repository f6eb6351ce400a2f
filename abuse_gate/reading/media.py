"""Blobs inside JSON: data URLs and base64, opened within bounds; text comes out as a document.

The blob itself is never a segment unless it is not what it claims to be.
"""

import re
from collections.abc import Iterator
from typing import Final
from urllib.parse import unquote_to_bytes

from abuse_gate.model.extract import Modality
from abuse_gate.reading.embedded import (
    files_within,
    forgiving,
    names_a_file,
    opens_like_a_file,
    unbase64,
)
from abuse_gate.reading.jsontext import Json, children, parse
from abuse_gate.reading.notes import Notes
from abuse_gate.reading.upload import read_upload

_DATA_URL: Final = re.compile(r"data:([^,;\s]{0,100})((?:;[^,;\s]{0,100}){0,8}),", re.IGNORECASE)
# Shorter than this a "blob" may as well be a word, so it is read as one too.
_WORDY: Final = 64
# "data:," and as many characters as hold anything at all.
_SHORTEST: Final = 7
# A media type and its parameters have room for a message beyond this.
_LONG_HEADER: Final = 40
_JSON_STARTS: Final = ("{", "[", '"')


def open_data_url(notes: Notes, text: str) -> bool:
    """Read the files of a text: true when it is one itself, by its URL or by its first bytes."""
    if len(text) < _SHORTEST:
        return False
    if text[:5].lower() == "data:" and read_data_url(notes, text, None) is not None:
        return True
    if opens_like_a_file(text):
        return read_base64(notes, text, "", None)
    if not _open_json(notes, text):
        for media_type, data in files_within(text):
            read_upload(notes, data, media_type)
    return False


def _open_json(notes: Notes, text: str) -> bool:
    """Read the files among the strings of a JSON text; false when it is none, or holds no file.

    Each level of JSON in JSON doubles its escapes, so that there are few of them.
    """
    if text.lstrip()[:1] not in _JSON_STARTS or not names_a_file(text):
        return False
    parsed = parse(text, notes.max_documents)
    notes.bounded(deep=parsed.deep, cut=parsed.cut)
    if parsed.whole:
        for value in _strings(parsed.documents):
            open_data_url(notes, value)
    return parsed.whole


def _strings(documents: list[Json]) -> Iterator[str]:
    stack = documents[::-1]
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            yield item
        elif isinstance(item, dict | list):
            stack.extend(value for _, value in children(item))


def read_data_url(
    notes: Notes, text: str, hint: Modality | None, file_name: str = ""
) -> bool | None:
    """Read what a data URL carries: true when all of it was read, None when it is no data URL."""
    match = _DATA_URL.match(text)
    if match is None:
        return _loose(notes, text, hint, file_name)
    if match.end() > _LONG_HEADER:
        notes.field(match[0])
    media_type, packed = match[1].lower(), text[match.end() :]
    if ";base64" in match[2].lower():
        return read_base64(notes, packed, media_type, hint, file_name)
    notes.field(text)
    read_upload(notes, unquote_to_bytes(packed), media_type, hint, file_name)
    return True


def _loose(notes: Notes, text: str, hint: Modality | None, file_name: str) -> bool | None:
    """A data URL of a form that only a forgiving parser takes: whatever is before the comma."""
    header, comma, packed = text.partition(",")
    if text[:5].lower() != "data:" or not comma or "base64" not in header.lower():
        return None
    notes.field(header)
    return read_base64(notes, packed, header[5:].partition(";")[0].lower(), hint, file_name)


def read_base64(
    notes: Notes, text: str, media_type: str, hint: Modality | None, file_name: str = ""
) -> bool:
    """Read what base64 carries, and go on record with it; other characters are a field."""
    data = unbase64(text)
    if data is None or len(text) < _WORDY:
        notes.field(text)
    if data is None:
        # Many decoders pass over what is no base64, so that an app may have a file all the same.
        notes.flags.add("malformed")
        data = forgiving(text)
    if data is not None:
        read_upload(notes, data, media_type, hint, file_name)
    return True
