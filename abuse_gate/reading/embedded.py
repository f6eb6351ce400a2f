"""Files that stand inside a text: data URLs in the middle of it, and base64 that opens like a file.

Finds and decodes, within bounds; what the bytes are worth is decided elsewhere.
"""

import binascii
import re
from collections.abc import Iterator
from itertools import islice
from typing import AnyStr, Final

from abuse_gate.model.openings import DATA_SIGN, HEAD, OPENINGS
from abuse_gate.reading.documents.kinds import kinds_of

_URL_SAFE: Final = str.maketrans("-_", "+/", "\r\n\t=")
_WITHIN: Final = re.compile(
    r"data:([^,;\s\"'<>()]{0,100})(?:;[^,;\"'<>()]{0,100}){0,8};\s{0,4}base64,\s{0,4}([\w+/=-]{16,}+)",
    re.IGNORECASE | re.ASCII,
)
_OPENING: Final = re.compile(r"\s{0,16}[A-Za-z0-9+/_-]{60}")
# Such an opening in the middle of a text and what follows it, on one line or wrapped.
_RUN: Final = re.compile(
    rf"(?<![\w+/])(?:{'|'.join(OPENINGS)})(?:[\w+/-]++|\\[/rn]|\r?\n(?=[\w+/-]))*+", re.ASCII
)
_WRAPPING: Final = re.compile(r"\\[rn]|\\|\s")
# Shorter than this it is a word that happens to begin alike.
SHORTEST_RUN: Final = 200
# Files in one text: more than a request may have opened, so that the one bound tells of the other.
MOST_FILES: Final = 1_001


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


def may_be_a_file(text: str) -> bool:
    """Whether it is worth looking for the file that a text itself is."""
    return text[4:5] == ":" or _OPENING.match(text) is not None


def may_hold_a_file(text: str) -> bool:
    """Whether it is worth looking for a file in a text, or for one that the text itself is."""
    return may_be_a_file(text) or DATA_SIGN in text or names_a_file(text)


def may_hold_files(body: bytes) -> bool:
    """Whether any text of a JSON body may hold a file in its middle, asked of all of them at once.

    An escape may spell any letter of it.
    """
    return b"\\u" in body or DATA_SIGN.encode() in body or not _is_spaced(body, b" ")


def opens_like_a_file(text: str) -> bool:
    """Whether a text is base64 whose first bytes are those of a known kind of file."""
    match = _OPENING.match(text)
    if match is None:
        return False
    head = unbase64(match[0].strip()[:HEAD])
    return head is not None and bool(kinds_of(head))


def names_a_file(text: str) -> bool:
    """Whether a document's opening in base64 may stand anywhere in a text.

    JSON in a string may spell any letter of it by its number.
    """
    if len(text) < SHORTEST_RUN:
        return False
    return "\\u" in text or (not _is_spaced(text, " ") and any(map(text.__contains__, OPENINGS)))


def _is_spaced(text: AnyStr, space: AnyStr) -> bool:
    """Whether spaces stand so close that there is no run of base64 worth opening between them."""
    step = SHORTEST_RUN // 2
    for start in range(0, len(text) - step + 1, step):
        if text.find(space, start, start + step) < 0:
            return False
    return True


def files_within(text: str) -> Iterator[tuple[str, bytes]]:
    """The declared type and the bytes of each file in a text: data URLs, and bare base64."""
    if DATA_SIGN in text:
        for match in islice(_WITHIN.finditer(text), MOST_FILES):
            yield match[1].lower(), unbase64(match[2]) or forgiving(match[2]) or b""
        text = _WITHIN.sub(" ", text)
    if names_a_file(text):
        for match in islice(_RUN.finditer(text), MOST_FILES):
            yield from _bare(match[0])


def _bare(run: str) -> Iterator[tuple[str, bytes]]:
    packed = _WRAPPING.sub("", run)
    data = (unbase64(packed) or forgiving(packed)) if len(packed) >= SHORTEST_RUN else None
    if data is not None and kinds_of(data):
        yield "", data
