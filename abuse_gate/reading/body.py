"""One body under one content type: JSON whatever the type says, then what the type says, then text.

Content codings are already undone here; the bytes are read as an app would get them.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from python_multipart.multipart import parse_options_header

from abuse_gate.reading.charset import codec_for, detected, narrow, readings, salvaged, strict
from abuse_gate.reading.documents.kinds import MARKUP, declared_kind, kinds_of
from abuse_gate.reading.forms import read_pairs
from abuse_gate.reading.jsontext import Parsed, decode_json_bytes, parse
from abuse_gate.reading.media import open_data_url
from abuse_gate.reading.notes import Notes
from abuse_gate.reading.parcels import read_multipart
from abuse_gate.reading.plain import read_plain
from abuse_gate.reading.shapes import read_document
from abuse_gate.reading.sniff import has_control
from abuse_gate.reading.upload import read_upload

FORM: Final = "application/x-www-form-urlencoded"
# Byte-order marks, zero bytes of wide encodings and white space; then how JSON may open.
_LOOK: Final = 64
_LEADING: Final = b"\0\xef\xbb\xbf\xfe\xff \t\r\n"
_OPENINGS: Final = (b"{", b"[", b'"')
# A longer Content-Type is not parsed for parameters: taking one apart is not linear.
MAX_CONTENT_TYPE: Final = 4096


@dataclass(frozen=True, slots=True, repr=False)
class ContentType:
    """A media type and its parameters, both as sent by the client."""

    media_type: str
    options: dict[bytes, bytes]

    @property
    def claims_json(self) -> bool:
        """Whether the body is said to be JSON."""
        return self.media_type.endswith(("/json", "+json"))

    @property
    def charset(self) -> str | None:
        """The declared charset, or None."""
        value = self.options.get(b"charset")
        return None if value is None else value.decode("latin-1")


JUST_JSON: Final = (ContentType("application/json", {}),)


def kinds_of_types(headers: Sequence[bytes]) -> Sequence[ContentType]:
    """The content types of a body; without one it is of no type."""
    if len(headers) == 1 and headers[0] == b"application/json":
        return JUST_JSON
    return [content_type(header) for header in headers] or [content_type(b"")]


def content_type(header: bytes) -> ContentType:
    """Parse a Content-Type as the app's form parser does."""
    if len(header) > MAX_CONTENT_TYPE:
        header = header[:MAX_CONTENT_TYPE].partition(b";")[0]
    media_type, options = parse_options_header(header)
    return ContentType(media_type.decode("latin-1").strip(), options)


def read_body(
    notes: Notes,
    body: bytes,
    kinds: Iterable[ContentType],
    *,
    complete: bool,
    tried: bool = False,
) -> None:
    """Take down a body; whatever cannot be read as what it claims to be leaves a flag.

    `tried` says that the short way has already been tried and was of no use.
    """
    if not body or body.isspace():
        return
    was_json = (not tried and _plain_bytes(notes, body)) or _json_bytes(notes, body)
    for kind in kinds:
        _typed(notes, body, kind, was_json=was_json, complete=complete)


def _plain_bytes(notes: Notes, body: bytes) -> bool:
    return len(body) <= notes.max_json and read_plain(notes, body)


def _json_bytes(notes: Notes, body: bytes) -> bool:
    """Read a body as JSON, unless it is longer than any JSON that is to be read."""
    if len(body) <= notes.max_json:
        return _json(notes, decode_json_bytes(body))
    if body[:_LOOK].lstrip(_LEADING)[:1] in _OPENINGS:
        notes.flags.add("truncated")
        notes.whole(body[: notes.max_json].decode("utf-8", "replace"))
    return False


def _json(notes: Notes, text: str | None) -> bool:
    """Read the JSON documents of a text; true when there is nothing else in it."""
    if text is None:
        return False
    before = frozenset(notes.flags)
    parsed = parse(text, notes.max_documents)
    _documents(notes, parsed)
    notes.bounded(deep=parsed.deep, cut=parsed.cut)
    # A bound was hit on the way: the text as a whole is the cheap remainder.
    if parsed.whole and notes.flags & {"too_deep", "truncated"} - before:
        notes.whole(text)
    return parsed.whole


def _documents(notes: Notes, parsed: Parsed) -> None:
    for document in parsed.documents:
        if parsed.whole or isinstance(document, dict | list):
            read_document(notes, document)


def _typed(notes: Notes, body: bytes, kind: ContentType, *, was_json: bool, complete: bool) -> None:
    if kind.media_type.startswith("multipart/"):
        if not read_multipart(notes, body, kind.options) and not was_json:
            _broken(notes, body, complete=complete)
    elif kind.media_type == FORM:
        read_pairs(notes, body, "form")
        _charset(notes, body, kind, was_json=True)
        _unformed(notes, body)
    elif was_json:
        _charset(notes, body, kind, was_json=True)
    else:
        _text(notes, body, kind, complete=complete)


def _unformed(notes: Notes, body: bytes) -> None:
    """A file sent as a form, as command-line clients do unless told otherwise, is still a file."""
    kinds = kinds_of(body)
    if kinds and kinds[0] not in MARKUP:
        read_upload(notes, body, "", origin="text")
    for kind in MARKUP.intersection(kinds[:1]):
        notes.upload(kind, body)


def _broken(notes: Notes, body: bytes, *, complete: bool) -> None:
    notes.whole(salvaged(body))
    if complete:
        notes.flags.add("malformed")


def _charset(notes: Notes, body: bytes, kind: ContentType, *, was_json: bool) -> bool:
    """Take down each reading of a declared charset; false when there was none to go by."""
    if kind.charset is None:
        return False
    codec = codec_for(kind.charset)
    if codec is None:
        notes.flags.add("unsupported_encoding")
        return False
    if was_json and codec in {"utf-8", "ascii"}:
        return True
    found, sound = readings(body, codec)
    for text in found[: 1 if was_json else None]:
        notes.whole(text)
        if not _json(notes, text):
            open_data_url(notes, text)
    if not sound:
        notes.flags.add("malformed")
    return True


def _text(notes: Notes, body: bytes, kind: ContentType, *, complete: bool) -> None:
    known = kinds_of(body)
    if declared_kind(kind.media_type, "") is not None or (known and known[0] not in MARKUP):
        read_upload(notes, body, kind.media_type, origin="text")
        return
    for found in known:
        notes.upload(found, body)
    if kind.claims_json and complete:
        notes.flags.add("malformed")
    start = len(notes.segments)
    if not _charset(notes, body, kind, was_json=False):
        _undeclared(notes, body, complete=complete)
    if known:
        notes.withhold(start)
    if b"=" in body and not any(map(body.__contains__, (b" ", b"\n", b"\0"))):
        read_pairs(notes, body, "form")


def _undeclared(notes: Notes, body: bytes, *, complete: bool) -> None:
    found = [text for text in (detected(body), strict(body, "utf-8-sig")) if text is not None]
    if not found:
        _broken(notes, body, complete=complete)
        return
    beside = narrow(body, found[0])
    for text in dict.fromkeys([*found, beside] if beside else found):
        notes.whole(text)
        open_data_url(notes, text)
    if has_control(found[0].encode("utf-8", "replace")):
        notes.flags.add("malformed")
