"""Files that stand inside a text: data URLs in the middle of it, and base64 that opens like a file.

Finds and decodes, within bounds; what the bytes are worth is decided elsewhere.
"""

import binascii
import re
from collections.abc import Iterator
from itertools import islice
from typing import Final

from abuse_gate.reading.documents.kinds import kinds_of

_URL_SAFE: Final = str.maketrans("-_", "+/", "\r\n\t=")
_WITHIN: Final = re.compile(
    r"data:([^,;\s\"'<>()]{0,100})(?:;[^,;\"'<>()]{0,100}){0,8};\s{0,4}base64,\s{0,4}([\w+/=-]{16,}+)",
    re.IGNORECASE | re.ASCII,
)
# Sixty characters are forty-five bytes: as much as the opening of any file needs.
_HEAD: Final = 60
_OPENING: Final = re.compile(r"\s{0,16}[A-Za-z0-9+/_-]{60}")
# Files in one text; what is beyond them stays text, which is scanned all the same.
MOST_FILES: Final = 64


def unbase64(text: str) -> bytes | None:
    """The bytes of base64 in either alphabet, padded or not, or None when it is not base64."""
    packed = text.translate(_URL_SAFE)
    try:
        return binascii.a2b_base64(packed + "=" * (-len(packed) % 4), strict_mode=True)
    except ValueError:
        return None


def forgiving(text: str) -> bytes | None:
    """The bytes that a decoder would find which passes over every foreign character."""
    packed = re.sub(r"[^A-Za-z0-9+/]", "", text.translate(_URL_SAFE))
    # One character alone in the last group is no byte.
    packed = packed[: len(packed) - (len(packed) % 4 == 1)]
    return unbase64(packed) or None


def may_hold_a_file(text: str) -> bool:
    """Whether it is worth looking for a file in a text, or for one that the text itself is."""
    if text[4:5] == ":" or _OPENING.match(text) is not None:
        return True
    return "ase64," in text or "ASE64," in text


def opens_like_a_file(text: str) -> bool:
    """Whether a text is base64 whose first bytes are those of a known kind of file."""
    match = _OPENING.match(text)
    if match is None:
        return False
    head = unbase64(match[0].strip()[:_HEAD])
    return head is not None and bool(kinds_of(head))


def files_within(text: str) -> Iterator[tuple[str, bytes]]:
    """The declared type and the bytes of each base64 data URL in a text."""
    if "ase64," not in text and "ASE64," not in text:
        return
    for match in islice(_WITHIN.finditer(text), MOST_FILES):
        yield match[1].lower(), unbase64(match[2]) or forgiving(match[2]) or b""
