"""One file's bytes, wherever they came from: text is read as a document, the rest is a flag.

Knows neither multipart nor JSON parts; they hand it bytes and what was declared.
"""

from abuse_gate.model.extract import Modality
from abuse_gate.reading.charset import plain_text
from abuse_gate.reading.notes import Notes
from abuse_gate.reading.sniff import declared_modality, mostly_text, signature


def read_upload(
    notes: Notes, data: bytes, media_type: str, hint: Modality | None = None
) -> str | None:
    """The text of a file that is text, taken down as a document; otherwise a flag and None."""
    known, modality = signature(data)
    text = None if known else plain_text(data)
    if text is not None:
        notes.add(text, "document")
        return text
    notes.opaque(modality or declared_modality(media_type) or hint)
    if mostly_text(data):
        notes.add(data.decode("utf-8", "replace"), "document")
    return None
