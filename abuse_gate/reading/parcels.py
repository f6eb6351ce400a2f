"""The parts of a multipart body to notes: names, values, files, and headers that say something."""

import binascii
import re
from typing import Final
from urllib.parse import unquote

from abuse_gate.reading.charset import codec_for, salvaged, strict
from abuse_gate.reading.documents.kinds import kinds_of
from abuse_gate.reading.embedded import unbase64
from abuse_gate.reading.forms import read_field
from abuse_gate.reading.jsontext import parse
from abuse_gate.reading.multipart import Part, take_apart
from abuse_gate.reading.notes import Notes
from abuse_gate.reading.sniff import has_control
from abuse_gate.reading.upload import read_upload
from abuse_gate.reading.walk import say

_PLAIN_HEADER: Final = re.compile(
    r"[\w.+/-]{0,80}(?:; ?[\w-]{1,20}=\"?[\w.:+/-]{0,80}\"?){0,4}\Z", re.ASCII
)
# An extended parameter, or a folder in front of a file name: the app's parser drops both.
_UNSEEN: Final = re.compile(r"[*\\]")
_KNOWN_KINDS: Final = frozenset({b"form-data", b"attachment", b"inline", b"file"})
_KNOWN_OPTIONS: Final = frozenset({b"name", b"filename"})

_MOST_CODECS: Final = 2


def read_multipart(notes: Notes, body: bytes, options: dict[bytes, bytes]) -> bool:
    """Take down a multipart body; false when it could not be taken apart as a whole."""
    boundary = options.get(b"boundary")
    if not boundary:
        return False
    taken = take_apart(body, boundary)
    codecs = _codecs(notes, taken.parts, options)
    for part in taken.parts:
        _part(notes, part, codecs)
    for text in taken.around:
        notes.add(text.decode("utf-8", "replace"), "form")
    if taken.too_many:
        notes.flags.add("truncated")
        notes.whole(salvaged(body))
    return not taken.broken


def _codecs(notes: Notes, parts: list[Part], options: dict[bytes, bytes]) -> list[str]:
    """UTF-8, and the charset that the body or its _charset_ field declares."""
    named = [options[b"charset"]] if b"charset" in options else []
    named += [bytes(part.data[:64]) for part in parts if part.field_name == b"_charset_"]
    known = _known(notes, named)
    # A parser goes by the first or the last; each more would be one more reading of every part.
    if len(known) > _MOST_CODECS:
        notes.flags.add("malformed")
        known = [known[0], known[-1]]
    return ["utf-8", *known]


def _known(notes: Notes, named: list[bytes]) -> list[str]:
    found = [codec_for(name.decode("latin-1")) for name in named]
    if None in found:
        notes.flags.add("unsupported_encoding")
    return [codec for codec in dict.fromkeys(found) if codec is not None]


def _part(notes: Notes, part: Part, codecs: list[str]) -> None:
    _, options = part.options(b"content-disposition")
    name = _words(options.get(b"name", b""), codecs)
    for text in name:
        notes.add(text, "form")
    _headers(notes, part)
    data = _transferred(part)
    if b"filename" not in options:
        _value(notes, name[0], bytes(part.data), part, codecs)
        if data is not None:
            notes.add(data.decode("utf-8", "replace"), "form")
        return
    for text in _words(options[b"filename"], codecs):
        notes.add(text, "filename")
    file_name = _words(options[b"filename"], codecs)[0]
    _file(notes, bytes(part.data), part, file_name)
    if data is not None:
        _file(notes, data, part, file_name)


def _words(raw: bytes, codecs: list[str]) -> list[str]:
    """A text as each of the codecs reads it; where one cannot, it is latin-1, as in the app."""
    found = [strict(raw, codec) for codec in codecs]
    texts = [text for text in found if text is not None]
    if None in found:
        texts.append(raw.decode("latin-1"))
    return list(dict.fromkeys(texts))


def _value(notes: Notes, name: str, data: bytes, part: Part, codecs: list[str]) -> None:
    declared = part.options(b"content-type")[1].get(b"charset")
    more = _known(notes, [declared]) if declared else []
    for text in _words(data, [*codecs, *more]):
        notes.add(text, "form")
        read_field(notes, name, text)
    kinds = kinds_of(data)
    for kind in kinds:
        notes.upload(kind, data)
    if not kinds and has_control(data):
        notes.flags.add("malformed")


def _file(notes: Notes, data: bytes, part: Part, file_name: str) -> None:
    media_type = part.options(b"content-type")[0].decode("latin-1")
    text = read_upload(notes, data, media_type, None, file_name)
    if text is None or not text.lstrip().startswith(("{", "[")):
        return
    parsed = parse(text, max_documents=1000)
    notes.bounded(deep=parsed.deep, cut=parsed.cut)
    for document in parsed.documents:
        say(notes, document, "document")


def _transferred(part: Part) -> bytes | None:
    """The data with its Content-Transfer-Encoding undone, for parsers that still do so."""
    encoding = part.options(b"content-transfer-encoding")[0]
    if encoding == b"base64":
        return unbase64(part.data.decode("latin-1"))
    return binascii.a2b_qp(bytes(part.data)) if encoding == b"quoted-printable" else None


def _headers(notes: Notes, part: Part) -> None:
    """Take down part headers that are more than the plain tokens every client sends."""
    for name, value in part.headers:
        text = value.decode("utf-8", "replace")
        if name == b"content-disposition":
            _disposition(notes, part, text)
        elif not _PLAIN_HEADER.match(text) or not name.startswith(b"content-"):
            notes.add(f"{name.decode('latin-1')}: {text}", "form")


def _disposition(notes: Notes, part: Part, text: str) -> None:
    """A disposition is plain when the app sees all of it; else the whole of it is a file name."""
    kind, options = part.options(b"content-disposition")
    seen = options.keys() <= _KNOWN_OPTIONS and text.count(";") == len(options)
    if seen and kind in _KNOWN_KINDS and not _UNSEEN.search(text):
        return
    notes.add(text, "filename")
    if "%" in text:
        notes.add(unquote(text), "filename")
