"""The door of the room: one request in, one Extract out. Never raises, whatever the bytes."""

from typing import Final

from abuse_gate.model.extract import Extract
from abuse_gate.reading.body import ContentType, content_type, read_body
from abuse_gate.reading.dialect import dialect_before_body
from abuse_gate.reading.inflate import encodings, inflate
from abuse_gate.reading.notes import Notes
from abuse_gate.reading.request import RawRequest, ReadingOptions
from abuse_gate.reading.sniff import mostly_text, signature
from abuse_gate.reading.surroundings import read_surroundings

# Byte-order marks, zero bytes of wide encodings and white space; then how a body may open.
_LEADING: Final = b"\0\xef\xbb\xbf\xfe\xff \t"
_OPENINGS: Final = frozenset({b"{", b"[", b'"', b"-", b"\r", b"\n"})


def read(request: RawRequest, options: ReadingOptions) -> Extract:
    """Read everything that the app could read; what cannot be read is a flag."""
    notes = Notes(options, dialect_before_body(request.path, request.headers))
    if not request.complete:
        notes.flags.add("truncated")
    read_surroundings(notes, request)
    kinds = _kinds(request)
    # Most apps do not inflate, and the header may be a lie: the bytes as sent are read as well.
    names = _codings(request)
    coded = names and _inflated(notes, request, names, kinds, options.max_inflated_bytes)
    if not coded or _plausible(request.body):
        read_body(notes, request.body, kinds, complete=request.complete)
    return notes.extract(len(request.body))


def _codings(request: RawRequest) -> list[str]:
    header = b",".join(request.headers_named(b"content-encoding"))
    return encodings(header.decode("latin-1")) if header and request.body else []


def _kinds(request: RawRequest) -> list[ContentType]:
    """Every distinct content type: of a repeated header, apps take the first or the last."""
    values = dict.fromkeys(request.headers_named(b"content-type"))
    return [content_type(value) for value in values] or [content_type(b"")]


def _inflated(
    notes: Notes, request: RawRequest, names: list[str], kinds: list[ContentType], limit: int
) -> bool:
    """Read what a coded body holds; true when it was coded as it said."""
    found = inflate(request.body, names, limit)
    # A body that was cut off ends too early by itself; that flag is already there.
    notes.flags |= found.flags if request.complete else found.flags - {"malformed"}
    if found.data is None:
        return False
    read_body(notes, found.data, kinds, complete=request.complete and not found.flags)
    return "malformed" not in found.flags or not request.complete


def _plausible(body: bytes) -> bool:
    """Whether coded bytes could at the same time be text, JSON or multipart."""
    if signature(body)[0]:
        return False
    return mostly_text(body) or body.lstrip(_LEADING)[:1] in _OPENINGS
