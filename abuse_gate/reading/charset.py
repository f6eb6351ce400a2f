"""Bytes to text by a declared or a detected charset, never by an arbitrary codec.

Some of Python's codecs are quadratic or are no charsets at all, so names are looked up in a list.
"""

import codecs
import json
import re
from typing import Final

from abuse_gate.reading.sniff import has_control, mostly_text

_NAMES: Final = """
    ascii utf-8 utf-8-sig utf-7 utf-16 utf-16-le utf-16-be utf-32 utf-32-le utf-32-be
    cp437 cp850 cp866 cp874 cp932 cp949 cp950
    cp1250 cp1251 cp1252 cp1253 cp1254 cp1255 cp1256 cp1257 cp1258
    iso-8859-1 iso-8859-2 iso-8859-3 iso-8859-4 iso-8859-5 iso-8859-6 iso-8859-7 iso-8859-8
    iso-8859-9 iso-8859-10 iso-8859-11 iso-8859-13 iso-8859-14 iso-8859-15 iso-8859-16
    shift_jis euc-jp iso-2022-jp euc-kr iso-2022-kr gb2312 gbk gb18030 big5 big5hkscs hz
    koi8-r koi8-u mac-roman tis-620
"""
ALLOWED: Final = frozenset(codecs.lookup(name).name for name in _NAMES.split())

_BOMS: Final[tuple[tuple[bytes, str], ...]] = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# Encodings of two and four bytes a letter; a reader of single bytes finds something else in them.
_WIDE: Final = ("utf-16", "utf-32")
_WIDE_BOMS: Final = tuple(bom for bom, codec in _BOMS if codec in _WIDE)
# Letters side by side, as no Latin text of two bytes a letter has them.
_NARROW_RUN: Final = re.compile(rb"[\x20-\x7e]{12}")
_LONGEST_NAME: Final = 40

# One character in this many may be damaged before a text counts as noise.
MOST_DAMAGE: Final = 20
# So little noise costs nothing.
LITTLE: Final = 4096
_ASCII_ONLY: Final = bytes([*range(128), *b" " * 128])


def codec_for(name: str) -> str | None:
    """The codec of a declared charset, or None when it is not one that we read."""
    name = name.strip().strip("\"'")
    if not name.isascii() or len(name) > _LONGEST_NAME or "\0" in name:
        return None
    try:
        found = codecs.lookup(name).name
    except LookupError:
        return None
    return found if found in ALLOWED else None


def strict(data: bytes, codec: str) -> str | None:
    """The text of these bytes under a codec, or None when they are not text of that codec."""
    try:
        return data.decode(codec)
    except UnicodeError:
        return None


def detected(data: bytes) -> str | None:
    """The text of these bytes by their byte-order mark or their zero bytes, else as UTF-8."""
    for bom, codec in _BOMS:
        if data.startswith(bom):
            return strict(data, codec)
    guess = json.detect_encoding(data) if b"\0" in data[:4] else "utf-8"
    return strict(data, guess)


def plain_text(data: bytes) -> str | None:
    """The text of bytes that are plain text in a Unicode or an 8-bit charset, or None."""
    text = detected(data)
    if text is not None:
        return None if has_control(text.encode("utf-8", "replace")) else text
    if has_control(data) or not mostly_text(data):
        return None
    return data.decode("latin-1")


def narrow(data: bytes, wide: str) -> str | None:
    """What single bytes say where a byte-order mark claims wide ones, unless it is the same."""
    mark = next(filter(data.startswith, _WIDE_BOMS), None)
    if mark is None:
        return None
    rest = data[len(mark) :]
    text = strict(rest, "utf-8")
    if text is not None:
        return None if text.replace("\0", "") == wide else text
    if mostly_text(rest):
        return rest.decode("latin-1")
    return salvaged(rest) if _NARROW_RUN.search(rest) else None


def readings(data: bytes, codec: str) -> tuple[list[str], bool]:
    """Each different text that these bytes may be read as, and whether the codec took all of them.

    An app may well ignore the declared charset, so the detected reading stands beside it.
    """
    declared = strict(data, codec)
    first = declared if declared is not None else data.decode(codec, "replace")
    found = [first]
    for other in (detected(data), strict(data, "utf-8-sig"), narrow(data, first)):
        if other is not None and other not in found:
            found.append(other)
    return found, declared is not None


def salvaged(body: bytes) -> str:
    """What can be read of bytes that are no text: all of it when little is damaged, else the ASCII.

    Noise decodes into characters that cost a thousand times what ASCII does, and say nothing.
    """
    text = body.decode("utf-8", "replace")
    if len(body) < LITTLE or text.count("\ufffd") * MOST_DAMAGE <= len(text):
        return text
    return body.translate(_ASCII_ONLY).decode("ascii")
