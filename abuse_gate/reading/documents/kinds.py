"""What a file is, by its bytes first and by its declared type and name second.

Tables and look-ups; an archive is told apart by the names of its members, not by inflating them.
"""

import re
from typing import Final

from abuse_gate.model.extract import UploadKind
from abuse_gate.reading.sniff import signature

# A member that only this kind of office document has.
MEMBERS: Final[tuple[tuple[bytes, UploadKind], ...]] = (
    (b"word/document", "docx"),
    (b"xl/workbook", "xlsx"),
    (b"ppt/presentation", "pptx"),
    (b"mimetypeapplication/vnd.oasis.opendocument", "odt"),
    (b"word/", "docx"),
    (b"xl/", "xlsx"),
    (b"ppt/", "pptx"),
)
EXTENSIONS: Final[dict[str, UploadKind]] = {
    "pdf": "pdf",
    "docx": "docx",
    "docm": "docx",
    "dotx": "docx",
    "xlsx": "xlsx",
    "xlsm": "xlsx",
    "pptx": "pptx",
    "pptm": "pptx",
    "odt": "odt",
    "ods": "odt",
    "odp": "odt",
    "zip": "zip",
    "htm": "html",
    "html": "html",
    "xhtml": "html",
    "rtf": "rtf",
    "svg": "svg",
    "eml": "mail",
    "mht": "mail",
    "mhtml": "mail",
    "png": "image",
    "jpg": "image",
    "jpeg": "image",
    "gif": "image",
    "webp": "image",
    "tif": "image",
    "tiff": "image",
    "heic": "image",
    "mp3": "audio",
    "wav": "audio",
    "ogg": "audio",
    "flac": "audio",
    "m4a": "audio",
    "mp4": "video",
    "mov": "video",
    "avi": "video",
    "webm": "video",
    "mkv": "video",
}
_OOXML: Final = "application/vnd.openxmlformats-officedocument."
DECLARED: Final[tuple[tuple[str, UploadKind], ...]] = (
    ("application/pdf", "pdf"),
    (_OOXML + "wordprocessingml", "docx"),
    (_OOXML + "spreadsheetml", "xlsx"),
    (_OOXML + "presentationml", "pptx"),
    ("application/vnd.oasis.opendocument", "odt"),
    ("application/zip", "zip"),
    ("application/x-zip", "zip"),
    ("text/html", "html"),
    ("application/xhtml", "html"),
    ("application/rtf", "rtf"),
    ("text/rtf", "rtf"),
    ("image/svg", "svg"),
    ("message/rfc822", "mail"),
    ("multipart/related", "mail"),
    ("image/", "image"),
    ("audio/", "audio"),
    ("video/", "video"),
)
# Containers that are told apart by what is in them: one may well be called the other.
_ALIKE: Final = frozenset({"audio", "video"})
# Markup is text as well: an app may read the one or the other.
MARKUP: Final[frozenset[UploadKind]] = frozenset({"html", "rtf", "svg", "xml", "mail"})
# Names that promise plain text; bytes that are a document under one of them are a surprise.
TEXT_EXTENSIONS: Final = frozenset({"txt", "csv", "json", "md", "xml", "yaml", "yml", "log"})

PDF_MARK: Final = b"%PDF-"
# Readers look for the mark this far into a file.
_PDF_WITHIN: Final = 1024
_ZIP_STARTS: Final = (b"PK\x03\x04", b"PK\x05\x06")
_ZIP_END: Final = b"PK\x05\x06"
_ZIP_ENTRY: Final = b"PK\x01\x02"
# A member's header, then its name; an open document says what it is right behind that.
_ZIP_HEADER: Final = 30
_FIRST_MEMBER: Final = 128
# The longest comment behind an archive's directory, and the directory's end itself.
_ZIP_TAIL: Final = 65_557
_HTML: Final = re.compile(
    rb"\s*(?:<\?xml[^>]{0,200}\?>\s*)?(?:<!--.{0,2000}?-->\s*)?"
    rb"<(?:!doctype\s+html|html|head|body)\b",
    re.IGNORECASE | re.DOTALL,
)
_SVG: Final = re.compile(rb"<(?:[a-z]{1,10}:)?svg[\s>]", re.IGNORECASE)
_XML: Final = re.compile(rb"\s*<\?xml\s")
# A message opens with its headers, one of which says that it has parts or codings.
_MAIL: Final = re.compile(rb"(?:[!-9;-~]{1,70}:[^\n]{0,998}\n(?:[ \t][^\n]{0,998}\n){0,50}){1,100}")
_MIME: Final = re.compile(rb"^(?:mime-version|content-type):", re.IGNORECASE | re.MULTILINE)
_HEAD: Final = 2048
_HEADERS: Final = 16_384


def archive_kind(data: bytes) -> UploadKind:
    """Which kind of archive the names of its members make it, not what lies packed in them."""
    names = _directory(data)
    if data.startswith(b"mimetype", _ZIP_HEADER):
        names += data[_ZIP_HEADER:_FIRST_MEMBER]
    for mark, kind in MEMBERS:
        if mark in names:
            return kind
    return "zip"


def _directory(data: bytes) -> bytes:
    """An archive's list of names, as its end tells where; all of it when there is no such list."""
    end = data.rfind(_ZIP_END, max(0, len(data) - _ZIP_TAIL))
    start = end - int.from_bytes(data[end + 12 : end + 16], "little")
    found = data[max(0, start) : end] if end >= 0 else b""
    return found if found.startswith(_ZIP_ENTRY) else data


def holds_a_pdf(data: bytes) -> bool:
    """Whether bytes are an archive whose first member is a PDF, packed as it is."""
    name, extra = (int.from_bytes(data[at : at + 2], "little") for at in (26, 28))
    return data.startswith(_ZIP_STARTS) and data.startswith(PDF_MARK, _ZIP_HEADER + name + extra)


def kinds_of(data: bytes) -> list[UploadKind]:
    """Everything that these bytes could be opened as, the plainest reading first."""
    found: dict[UploadKind, None] = {}
    if data.startswith(_ZIP_STARTS):
        found[archive_kind(data)] = None
    elif not data.startswith(PDF_MARK):
        marked = _marked_up(data)
        if marked is not None:
            found[marked] = None
        known, modality = signature(data)
        if known:
            found[_media(modality)] = None
    if PDF_MARK in data[:_PDF_WITHIN]:
        found["pdf"] = None
    # An archive is read from its end, so it may stand behind anything.
    if _ZIP_END in data[-_ZIP_TAIL:] and not data.startswith(_ZIP_STARTS):
        found[archive_kind(data)] = None
    return list(found)


def _media(modality: str | None) -> UploadKind:
    medias: dict[str | None, UploadKind] = {"image": "image", "audio": "audio", "video": "video"}
    return medias.get(modality, "file")


def _marked_up(data: bytes) -> UploadKind | None:
    head = data[:_HEAD].lstrip(b"\xef\xbb\xbf")
    if head.startswith(b"{\\rtf"):
        return "rtf"
    if _HTML.match(head):
        return "html"
    if _SVG.search(head):
        return "svg"
    if _XML.match(head):
        return "xml"
    headers = _MAIL.match(data[:_HEADERS])
    return "mail" if headers is not None and _MIME.search(headers[0]) else None


def declared_kind(media_type: str, file_name: str) -> UploadKind | None:
    """What a file is said to be: by its media type, else by its name."""
    for start, kind in DECLARED:
        if media_type.startswith(start):
            return kind
    return EXTENSIONS.get(_extension(file_name))


def mismatched(found: UploadKind | None, media_type: str, file_name: str) -> bool:
    """Whether bytes contradict the declared type or the name; None stands for plain text."""
    said = (declared_kind(media_type, ""), declared_kind("", file_name))
    claims = [claim for claim in said if claim is not None]
    if found is None:
        return any(claim not in MARKUP for claim in claims)
    if any(claim != found and not {claim, found} <= _ALIKE for claim in claims):
        return True
    return found not in MARKUP and (
        _extension(file_name) in TEXT_EXTENSIONS or media_type.startswith("text/plain")
    )


def _extension(file_name: str) -> str:
    return file_name.rpartition(".")[2].strip().lower() if "." in file_name else ""
