"""A message as mail programs and browsers store it: headers, and every part by its own kind."""

from collections.abc import Callable
from email import message_from_bytes
from email.errors import HeaderParseError
from email.header import decode_header, make_header
from email.message import Message
from typing import cast

from abuse_gate.reading.charset import codec_for, strict
from abuse_gate.reading.documents.report import Report

Attach = Callable[[bytes, str], None]

_NAMES = {"text/html": "part.html", "message/rfc822": "part.eml"}


def read_mail(report: Report, data: bytes, attach: Attach) -> None:
    """Take down a message; `attach` is called with each part's bytes and a name for it."""
    message = message_from_bytes(data)
    for part in message.walk():
        if report.room.entries <= 0:
            report.flags.add("truncated")
            return
        report.room.entries -= 1
        for name, value in part.items():
            report.show(f"{name}: {_header(value)}")
        if not part.is_multipart():
            _part(report, part, attach)
    if message.defects:
        report.flags.add("malformed")


def _part(report: Report, part: Message, attach: Attach) -> None:
    # Of a part that has no parts in it this is always bytes; its type says more.
    data = cast("bytes", part.get_payload(decode=True))
    report.count("parts")
    attach(_recoded(report, part, data), str(part.get_filename() or _named(part)))


def _named(part: Message) -> str:
    return _NAMES.get(part.get_content_type(), "")


def _recoded(report: Report, part: Message, data: bytes) -> bytes:
    """Text in a declared charset as UTF-8; everything else as it is."""
    declared = part.get_content_charset()
    if declared is None or part.get_content_maintype() != "text":
        return data
    codec = codec_for(declared)
    text = None if codec is None else strict(data, codec)
    if text is None:
        report.flags.add("malformed")
        return data
    return text.encode("utf-8", "replace")


def _header(value: object) -> str:
    """A header's words, encoded ones decoded; what cannot be decoded stands as it is."""
    text = str(value)
    try:
        return str(make_header(decode_header(text)))
    except (HeaderParseError, LookupError, ValueError):
        return text
