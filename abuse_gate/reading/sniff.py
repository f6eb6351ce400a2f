"""What bytes are, by their first bytes and then by what they are declared to be.

Tables and look-ups only; decodes nothing.
"""

from typing import Final

from abuse_gate.model.extract import Modality

# How the bytes open, what stands where, and the modality (None: an archive or a program).
SIGNATURES: Final[tuple[tuple[bytes, int, bytes, Modality | None], ...]] = (
    (b"", 0, b"\x89PNG", "image"),
    (b"", 0, b"\xff\xd8\xff", "image"),
    (b"", 0, b"GIF87a", "image"),
    (b"", 0, b"GIF89a", "image"),
    (b"RIFF", 8, b"WEBP", "image"),
    (b"", 0, b"II*\x00", "image"),
    (b"", 0, b"MM\x00*", "image"),
    (b"", 0, b"\x00\x00\x01\x00", "image"),
    (b"\x00", 4, b"ftypavif", "image"),
    (b"\x00", 4, b"ftypheic", "image"),
    (b"\x00", 4, b"ftypM4A", "audio"),
    (b"\x00", 4, b"ftyp", "video"),
    (b"", 0, b"%PDF-", "pdf"),
    (b"", 0, b"PK\x03\x04", None),
    (b"", 0, b"PK\x05\x06", None),
    (b"", 0, b"ID3\x02", "audio"),
    (b"", 0, b"ID3\x03", "audio"),
    (b"", 0, b"ID3\x04", "audio"),
    (b"", 0, b"\xff\xfb", "audio"),
    (b"", 0, b"\xff\xf3", "audio"),
    (b"", 0, b"\xff\xf1", "audio"),
    (b"RIFF", 8, b"WAVE", "audio"),
    (b"", 0, b"fLaC\x00", "audio"),
    (b"", 0, b"OggS\x00", "audio"),
    (b"RIFF", 8, b"AVI ", "video"),
    (b"", 0, b"\x1a\x45\xdf\xa3", "video"),
    (b"", 0, b"\x00\x00\x01\xba", "video"),
    (b"", 0, b"\xd0\xcf\x11\xe0", None),
    (b"", 0, b"\x1f\x8b", None),
    (b"", 0, b"7z\xbc\xaf", None),
    (b"", 0, b"Rar!\x1a", None),
    (b"", 0, b"\x7fELF", None),
)

# The start of a declared media type, and the modality that it claims.
DECLARED: Final[tuple[tuple[str, Modality], ...]] = (
    ("image/", "image"),
    ("audio/", "audio"),
    ("video/", "video"),
    ("application/pdf", "pdf"),
    ("application/vnd.openxmlformats-officedocument.wordprocessingml", "docx"),
    ("application/msword", "docx"),
)

_CONTROL: Final = bytes(set(range(0x20)) - set(b"\t\n\r\f\x1b\x1e")) + b"\x7f"
_ALL: Final = bytes(range(256))
_NOT_CONTROL: Final = _ALL.translate(None, _CONTROL)
_FEW: Final = 0.1


def signature(data: bytes) -> tuple[bool, Modality | None]:
    """Whether the bytes open like a known binary format, and which modality that is."""
    for opening, offset, magic, modality in SIGNATURES:
        if data.startswith(magic, offset) and data.startswith(opening):
            return True, _archive(data) if magic.startswith(b"PK") else modality
    return False, None


def _archive(data: bytes) -> Modality | None:
    return "docx" if b"word/" in data else None


def declared_modality(media_type: str) -> Modality | None:
    """The modality that a media type claims, or None."""
    for start, modality in DECLARED:
        if media_type.startswith(start):
            return modality
    return None


def mostly_text(data: bytes) -> bool:
    """Whether nine tenths are readable as UTF-8, as a sentence behind a false signature is."""
    text = data.decode("utf-8", "replace")
    unreadable = text.count("\ufffd") + len(data.translate(None, _NOT_CONTROL))
    return unreadable <= len(text) * _FEW


def has_control(data: bytes) -> bool:
    """Whether there are control bytes that plain text does not have."""
    return len(data.translate(None, _NOT_CONTROL)) > 0
