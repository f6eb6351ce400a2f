"""Whether bytes are a text somebody could read, and whether a run of letters hides something.

Judges by counting, at the speed of the standard library; it knows no rules.
"""

import base64
import binascii
import bz2
import lzma
import zlib
from typing import Final

from abuse_gate.rules.views import tidy

# Share of printable characters in a text; a few stray bytes must not hide the rest of it.
MIN_PRINTABLE: Final = 0.9
# Share of letters, digits and spaces in it: bytes that happen to print have fewer.
MIN_WORDY: Final = 0.6
# Share of zeros in text of four bytes a character.
MIN_ZEROS: Final = 0.7
MIN_LENGTH: Final = 8
# So many bytes are printable by no accident, though they be nothing but signs.
SURELY_ASCII: Final = 32
# Valid UTF-8 of this length is no accident, whatever its characters are.
SURELY_UTF8: Final = 256

# A run this long that mixes cases and digits is data, unless it is as long as a known digest
# is (SHA-256, SHA-384, SHA-512 without padding).
DENSE_LENGTH: Final = 120
DENSE_SAMPLE: Final = 256
DENSE_CASES: Final = 0.15
DENSE_DIGITS: Final = 0.04
DIGEST_LENGTHS: Final = frozenset({43, 64, 86})

PRINTABLE: Final = bytes({*range(0x20, 0x7F), 0x09, 0x0A, 0x0D})
WORDY: Final = bytes(code for code in PRINTABLE if chr(code).isalnum() or chr(code).isspace())
# All that dots and dashes are written with.
MORSE: Final = b".-_/| \r\n"
CONTROLS: Final = bytes(code for code in range(0x80) if code not in PRINTABLE)

# What a picture, a document or an archive starts with: opaque, and not our business here.
MEDIA: Final[tuple[bytes, ...]] = (
    b"\x89PNG",
    b"\xff\xd8\xff",
    b"GIF8",
    b"RIFF",
    b"%PDF",
    b"PK\x03\x04",
    b"\x1f\x8b",
    b"OggS",
    b"ID3",
    b"\x00\x00\x00",
)


# Packed data is unpacked as far as this; what is beyond is padding or a bomb.
MAX_UNPACKED: Final = 262_144
_GZIP: Final = b"\x1f\x8b\x08"
_BZIP2: Final = b"BZh"
_LZMA: Final = (b"\xfd7zXZ\x00", b"\x5d\x00\x00")
# The last block is the first one where little is packed, and is coded in one of two ways.
_KIND: Final = 0b111
_DEFLATED: Final = (0b011, 0b101)
MIN_DEFLATED: Final = 16
# What an archive may ask for to be unpacked.
MAX_MEMORY: Final = 64 * 1024 * 1024
_ZLIB: Final = (b"\x78\x01", b"\x78\x5e", b"\x78\x9c", b"\x78\xda")


def as_text(data: bytes) -> str | None:
    """The text that the bytes are, unpacked if need be, or None when they are something else."""
    if data.startswith((_GZIP, *_ZLIB, _BZIP2, *_LZMA)):
        return _plain_text(_unpacked(data))
    text = _plain_text(data)
    if text is None and len(data) >= MIN_DEFLATED and data[0] & _KIND in _DEFLATED:
        return _plain_text(_inflated(data))
    return text


def is_dear(data: bytes) -> bool:
    """Whether the bytes take long to unpack, however few they are."""
    return data.startswith((_BZIP2, *_LZMA))


def _unpacked(data: bytes) -> bytes:
    try:
        if data.startswith(_BZIP2):
            return bz2.BZ2Decompressor().decompress(data, MAX_UNPACKED)
        if data.startswith(_LZMA):
            return lzma.LZMADecompressor(memlimit=MAX_MEMORY).decompress(data, MAX_UNPACKED)
        return zlib.decompressobj(zlib.MAX_WBITS | 32).decompress(data, MAX_UNPACKED)
    except (zlib.error, lzma.LZMAError, OSError, EOFError):
        return data


def _inflated(data: bytes) -> bytes:
    """What is packed without a head, if it is; hardly any other data gets past its first bytes."""
    try:
        return zlib.decompressobj(-zlib.MAX_WBITS).decompress(data, MAX_UNPACKED)
    except zlib.error:
        return b""


def _plain_text(data: bytes) -> str | None:
    if len(data) < MIN_LENGTH:
        return None
    if _is_ascii_text(data):
        return data.decode("utf-8", "replace")
    # Every second byte zero: what PowerShell takes as an encoded command.
    if data[1::2].count(0) >= len(data[1::2]) * MIN_PRINTABLE and _is_ascii_text(data[::2]):
        return data.decode("utf-16-le", "replace")
    if data[::2].count(0) >= len(data[::2]) * MIN_PRINTABLE and _is_ascii_text(data[1::2]):
        return data.decode("utf-16-be", "replace")
    # Four bytes a character: all that is left of plain text without its zeros.
    if data.count(0) >= len(data) * MIN_ZEROS and _is_ascii_text(data.replace(b"\0", b"")):
        return data.replace(b"\0", b"").decode("utf-8", "replace")
    return None if data.isascii() else _as_utf8(data)


def base64_bytes(letters: str) -> bytes:
    """The bytes of unpadded standard base64; nothing when the letters are no base64."""
    # Four letters are three bytes; a lone fifth letter carries no whole byte and is dropped.
    usable = len(letters) - (len(letters) % 4 == 1)
    try:
        return base64.b64decode(letters[:usable] + "=" * (-usable % 4))
    except (binascii.Error, ValueError):
        return b""


def is_dense(letters: str) -> bool:
    """Whether a long run mixes cases and digits as encoded data does and names and words do not."""
    if len(letters) < DENSE_LENGTH or len(letters) in DIGEST_LENGTHS:
        return False
    sample = letters[:DENSE_SAMPLE]
    least = min(sum(map(str.isupper, sample)), sum(map(str.islower, sample)))
    digits = sum(map(str.isdigit, sample))
    return least >= len(sample) * DENSE_CASES and digits >= len(sample) * DENSE_DIGITS


def is_media(data: bytes) -> bool:
    """Whether the bytes begin as a well-known kind of file."""
    return data.startswith(MEDIA)


def _is_ascii_text(data: bytes) -> bool:
    if not data.translate(None, MORSE):
        return True
    strange = len(data.translate(None, PRINTABLE))
    if not strange and len(data) >= SURELY_ASCII:
        return True
    if strange > len(data) * (1 - MIN_PRINTABLE):
        return False
    return len(data.translate(None, WORDY)) <= len(data) * (1 - MIN_WORDY)


def _as_utf8(data: bytes) -> str | None:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return None
    if len(data) - len(data.translate(None, CONTROLS)) > len(data) * (1 - MIN_PRINTABLE):
        return None
    if len(text) > SURELY_UTF8:
        return text
    seen = tidy(text)
    wordy = sum(char.isalnum() or char.isspace() for char in seen)
    return text if wordy >= max(len(seen), 1) * MIN_WORDY else None
