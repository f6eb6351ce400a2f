"""Blobs inside JSON: data URLs and base64, opened within bounds; text comes out as a document.

The blob itself is never a segment unless it is not what it claims to be.
"""

import binascii
import re
from typing import Final
from urllib.parse import unquote_to_bytes

from abuse_gate.model.extract import Modality
from abuse_gate.reading.notes import Notes
from abuse_gate.reading.upload import read_upload

_DATA_URL: Final = re.compile(r"data:([^,;\s]{0,100})((?:;[^,;\s]{0,100}){0,8}),", re.IGNORECASE)
_URL_SAFE: Final = str.maketrans("-_", "+/", "\r\n\t=")
# Shorter than this a "blob" may as well be a word, so it is read as one too.
_WORDY: Final = 64
# A media type and its parameters have room for a message beyond this.
_LONG_HEADER: Final = 40


def unbase64(text: str) -> bytes | None:
    """The bytes of base64 in either alphabet, padded or not, or None when it is not base64."""
    packed = text.translate(_URL_SAFE)
    try:
        return binascii.a2b_base64(packed + "=" * (-len(packed) % 4), strict_mode=True)
    except ValueError:
        return None


def open_data_url(notes: Notes, text: str) -> bool:
    """Read what a data URL carries; false when the text is none."""
    return text[:5].lower() == "data:" and read_data_url(notes, text, None) is not None


def read_data_url(notes: Notes, text: str, hint: Modality | None) -> bool | None:
    """Read what a data URL carries: whether it was text, or None when the string is no data URL."""
    match = _DATA_URL.match(text)
    if match is None:
        return None
    if match.end() > _LONG_HEADER:
        notes.field(match[0])
    media_type, packed = match[1].lower(), text[match.end() :]
    if ";base64" in match[2].lower():
        return read_base64(notes, packed, media_type, hint)
    notes.field(text)
    return read_upload(notes, unquote_to_bytes(packed), media_type, hint) is not None


def read_base64(notes: Notes, text: str, media_type: str, hint: Modality | None) -> bool:
    """Read what base64 carries: whether it was text; characters that are none are a field's own."""
    data = unbase64(text)
    if data is None or len(text) < _WORDY:
        notes.field(text)
    if data is None:
        return True
    return read_upload(notes, data, media_type, hint) is not None
