"""The door of the room: one request in, one Extract out. Never raises, whatever the bytes."""

from collections.abc import Sequence

from abuse_gate.model.extract import UNREAD, Dialect, Extract, Segment
from abuse_gate.reading.body import ContentType, kinds_of_types, read_body
from abuse_gate.reading.dialect import dialect_of_path
from abuse_gate.reading.forms import read_pairs
from abuse_gate.reading.head import Head
from abuse_gate.reading.inflate import encodings, inflate
from abuse_gate.reading.notes import TRUST_OF, Notes
from abuse_gate.reading.plain import ROOT, plain_body
from abuse_gate.reading.request import RawRequest, ReadingOptions
from abuse_gate.reading.surroundings import read_surroundings

# Of a repeated header apps take the first or the last; nobody takes the ones between.
_MOST_TYPES = 2
_JSON = (b"application/json",)


def read(request: RawRequest, options: ReadingOptions) -> Extract:
    """Read everything that the app could read; what cannot be read is a flag."""
    head = request.head
    hint = head.dialect or dialect_of_path(request.path)
    tried = head.types == _JSON and not (head.codings or head.spoken or request.query)
    if tried:
        found = _plain(request, options, hint)
        if found is not None:
            return found
    notes = Notes(options, hint)
    if not request.complete:
        notes.flags.add("truncated")
    read_surroundings(notes, request, head)
    kinds = _kinds(notes, head)
    names = _codings(head) if head.codings and request.body else []
    if names and _inflated(notes, request, names, kinds, options.max_inflated_bytes):
        _as_sent(notes, request, kinds)
    else:
        read_body(notes, request.body, kinds, complete=request.complete, tried=tried)
    return notes.extract(len(request.body))


def _plain(request: RawRequest, options: ReadingOptions, hint: Dialect) -> Extract | None:
    """A request that says nothing but a plain path and a plain body, without any notes."""
    body = request.body
    if "%" in request.path or not request.complete or len(body) > options.max_inflated_bytes:
        return None
    trust = TRUST_OF[options.wire_roles]
    plain = plain_body(body, trust, hint)
    if plain is None or len(plain.segments) + 1 >= options.max_strings:
        return None
    segments = plain.segments
    if request.path not in ROOT:
        segments.insert(0, Segment(request.path, "path", trust["path"]))
    return Extract(
        segments=tuple(segments),
        modalities=("text",) if segments else (),
        dialect=plain.dialect or hint,
        body_bytes=len(body),
    )


def _codings(head: Head) -> list[str]:
    return encodings(b",".join(head.codings).decode("latin-1"))


def _kinds(notes: Notes, head: Head) -> Sequence[ContentType]:
    """The first and the last content type; each costs a reading of the whole body."""
    values = head.types if len(head.types) < _MOST_TYPES else list(dict.fromkeys(head.types))
    if len(values) > _MOST_TYPES:
        notes.flags.add("malformed")
        values = [values[0], values[-1]]
    return kinds_of_types(values)


def _inflated(
    notes: Notes, request: RawRequest, names: list[str], kinds: Sequence[ContentType], limit: int
) -> bool:
    """Read what a coded body holds; true when it was coded as it said."""
    found = inflate(request.body, names, limit)
    # A body that was cut off ends too early by itself; that flag is already there.
    notes.flags |= found.flags if request.complete else found.flags - {"malformed"}
    if found.data is None:
        return False
    read_body(notes, found.data, kinds, complete=request.complete and not found.flags)
    return "malformed" not in found.flags or not request.complete


def _as_sent(notes: Notes, request: RawRequest, kinds: Sequence[ContentType]) -> None:
    """Read the coded bytes too: most apps do not inflate, and a coding has room for a message.

    That packed bytes are not text is no news, so that this leaves no flag of that sort behind.
    """
    flags, modalities = set(notes.flags), dict(notes.modalities)
    read_body(notes, request.body, kinds, complete=request.complete)
    notes.whole(request.body.decode("latin-1"))
    read_pairs(notes, request.body, "form")
    notes.flags = flags | (notes.flags & UNREAD)
    notes.modalities = modalities
