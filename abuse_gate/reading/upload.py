"""One file's bytes, wherever they came from: text is read here, a document is handed on.

Knows neither multipart nor JSON parts; they hand it bytes and what was declared. Opens nothing:
documents wait in the notes for a worker process.
"""

from typing import Final

from abuse_gate.model.extract import Modality, Origin, UploadKind
from abuse_gate.reading.charset import plain_text, salvaged
from abuse_gate.reading.documents.kinds import MARKUP, declared_kind, kinds_of, mismatched
from abuse_gate.reading.embedded import files_within
from abuse_gate.reading.notes import OPAQUE_KINDS, Notes
from abuse_gate.reading.sniff import mostly_text

_HINTED: Final[dict[Modality | None, UploadKind]] = {
    "image": "image",
    "audio": "audio",
    "video": "video",
}


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
        notes.add(text, origin)
        _within(notes, text)
        if not kinds and declared is not None and declared in MARKUP:
            kinds.append(declared)
    elif not kinds:
        # Some readers open a document without its first bytes: its own reader has the last word.
        kinds.append(declared or _HINTED.get(hint, "file"))
    if text is None and not OPAQUE_KINDS.isdisjoint(kinds) and mostly_text(data):
        notes.add(salvaged(data), origin)
    if _contradicts(kinds, media_type, file_name):
        notes.flags.add("type_mismatch")
    for kind in kinds:
        notes.upload(kind, data)
    return text


def _within(notes: Notes, text: str) -> None:
    """Read the files that a text carries; each level of them is a quarter shorter."""
    for media_type, data in files_within(text):
        read_upload(notes, data, media_type)


def _contradicts(kinds: list[UploadKind], media_type: str, file_name: str) -> bool:
    """Whether a file is two things at once, or another thing than it says."""
    if len(kinds) > 1:
        return True
    return mismatched(kinds[0] if kinds else None, media_type, file_name)
