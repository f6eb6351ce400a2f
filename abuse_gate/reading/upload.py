"""One file's bytes, wherever they came from: text is read here, a document is handed on.

Knows neither multipart nor JSON parts; they hand it bytes and what was declared. Opens nothing:
documents wait in the notes for a worker process.
"""

from typing import Final

from abuse_gate.model.extract import Modality, Origin, UploadKind
from abuse_gate.reading.charset import narrow, plain_text, salvaged
from abuse_gate.reading.documents.kinds import (
    MARKUP,
    declared_kind,
    holds_a_pdf,
    kinds_of,
    mismatched,
)
from abuse_gate.reading.embedded import files_within
from abuse_gate.reading.notes import OPAQUE_KINDS, Notes
from abuse_gate.reading.sniff import mostly_text

_HINTED: Final[dict[Modality | None, UploadKind]] = {
    "image": "image",
    "audio": "audio",
    "video": "video",
}
# What an app may read as plain text for all that its bytes are none.
_WORDED: Final = OPAQUE_KINDS | MARKUP


def read_upload(
    notes: Notes,
    data: bytes,
    media_type: str,
    hint: Modality | None = None,
    file_name: str = "",
    origin: Origin = "document",
) -> str | None:
    """The text of a file that is text, taken down as a document; whatever it is goes on record."""
    if not data:
        return ""
    kinds = kinds_of(data)
    declared = declared_kind(media_type, file_name)
    text = plain_text(data) if not kinds or kinds[0] in MARKUP else None
    if text is not None:
        if not kinds and declared is not None and declared in MARKUP:
            kinds.append(declared)
        _text(notes, (text, narrow(data, text) or ""), origin, markup=bool(kinds))
    elif not kinds:
        # Some readers open a document without its first bytes: its own reader has the last word.
        kinds.append(declared or _HINTED.get(hint, "file"))
    if text is None and not _WORDED.isdisjoint(kinds) and mostly_text(data):
        notes.add(salvaged(data), origin)
    # A PDF lies open in an archive that does not pack it: two readings, and no disguise.
    named = kinds[:1] if holds_a_pdf(data) else kinds
    if _contradicts(named, media_type, file_name):
        notes.flags.add("type_mismatch")
    for kind in kinds:
        notes.upload(kind, data)
    return text


def _text(notes: Notes, readings: tuple[str, str], origin: Origin, *, markup: bool) -> None:
    start = len(notes.segments)
    for reading in readings:
        notes.add(reading, origin)
    if markup:
        notes.withhold(start)
    for reading in readings:
        _within(notes, reading)


def _within(notes: Notes, text: str) -> None:
    """Read the files that a text carries; each level of them is a quarter shorter."""
    for media_type, data in files_within(text):
        read_upload(notes, data, media_type)


def _contradicts(kinds: list[UploadKind], media_type: str, file_name: str) -> bool:
    """Whether a file is two things at once, or another thing than it says."""
    if len(kinds) > 1:
        return True
    return mismatched(kinds[0] if kinds else None, media_type, file_name)
