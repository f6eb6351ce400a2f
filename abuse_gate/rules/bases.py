"""Encodings that cannot be told by their looks, undone where a text names them.

Base36 to base91, Z85, EBCDIC, bytes that were combined with a key or turned round.
Reads a text as far as anybody would decode such a thing by hand; linear, never raises.
"""

import base64 as codec
import re
from collections.abc import Callable, Iterator
from itertools import cycle
from typing import Final

from abuse_gate.rules.pace import ends, outer
from abuse_gate.rules.readable import as_text, base64_bytes

# How a text names them.
NAMED: Final = (
    r"base ?-?(?:32 ?-?hex|36|45|62|64|91)\b|\bz85\b|ebcdic|cp-?(?:037|500)\b|\bxor|nibble"
)
MAX_RUNS: Final = 64
# Keys that are tried.
MAX_KEYS: Final = 4
# A number is read in time that grows with the square of its length.
MAX_DIGITS: Final = 512

_HEX: Final = re.compile(r"(?:[0-9A-Fa-f]{2}[\s:,-]{0,2}){12,}+")
_BYTE: Final = re.compile(r"[0-9A-Fa-f]{2}")
_RUN: Final = re.compile(r"[A-Za-z0-9]{16,}+")
_NUMBER: Final = re.compile(r"\b[0-9]{1,40}\b")
_LINE45: Final = re.compile(r"[0-9A-Z $%*+\-./:]{16,}+")
_SIGNS: Final = re.compile(r"[!-~]{16,}+")
_GROUPS: Final = re.compile(r"(?:[A-Za-z0-9+/]{2,8}[ .|\n-]{1,2}){6,}+[A-Za-z0-9+/]{1,8}={0,2}")
_GAPS: Final = re.compile(r"[^A-Za-z0-9+/]+")
_KEY: Final = re.compile(
    r"\bxor(?:ed|ing)?\b[^\n]{0,40}?"
    r"(?:0x([0-9A-Fa-f]{2})\b|\b([0-9]{1,3})\b|[\"'`]([^\"'`\n]{1,16})[\"'`]|\bkey:? (\w{1,16}))",
    re.IGNORECASE,
)
_DIGITS: Final = "0123456789"
_LOWER: Final = "abcdefghijklmnopqrstuvwxyz"
_UPPER: Final = _LOWER.upper()
_ALPHABET45: Final = f"{_DIGITS}{_UPPER} $%*+-./:"
_ALPHABETS62: Final = (
    _DIGITS + _UPPER + _LOWER,
    _DIGITS + _LOWER + _UPPER,
    _UPPER + _LOWER + _DIGITS,
)
_ALPHABET91: Final = f'{_UPPER}{_LOWER}{_DIGITS}!#$%&()*+,./:;<=>?@[]^_`{{|}}~"'
_FEW: Final = 88
_Z85: Final = str.maketrans(
    f"{_DIGITS}{_LOWER}{_UPPER}.-:+=^!/*?&<>()[]{{}}@%$#",
    f"{_DIGITS}{_UPPER}{_LOWER}!#$%&()*+-;<=>?@^_`{{|}}~",
)


def named_bases(text: str) -> Iterator[str]:
    """Whatever the text holds in the encodings that it names."""
    text = ends(text)
    for name, read in _READERS:
        if name.search(text):
            yield from read(text)


def _runs(pattern: re.Pattern[str], text: str) -> Iterator[str]:
    return (found.group() for found in outer(pattern.finditer(text), MAX_RUNS))


def _texts(found: Iterator[bytes]) -> Iterator[str]:
    return filter(None, (as_text(data) for data in found))


def _bytes(text: str) -> Iterator[bytes]:
    """Bytes in hexadecimal digits, whatever parts them, and in base64."""
    for run in _runs(_HEX, text):
        yield bytes.fromhex("".join(_BYTE.findall(run)))
    for run in _runs(_RUN, text):
        yield base64_bytes(run)


def _ebcdic(text: str) -> Iterator[str]:
    decoded = (data.decode("cp037") for data in _bytes(text))
    return _texts(spelled.encode() for spelled in decoded)


def _nibbles(text: str) -> Iterator[str]:
    turned = (bytes((byte >> 4) | (byte & 15) << 4 for byte in data) for data in _bytes(text))
    return _texts(turned)


def _combined(text: str) -> Iterator[str]:
    """Bytes that were combined with a key, as often as it fits."""
    for found in outer(_KEY.finditer(text), MAX_KEYS):
        key = _key(found)
        mixed = (bytes(one ^ two for one, two in zip(data, cycle(key))) for data in _bytes(text))
        yield from _texts(mixed)


def _key(found: re.Match[str]) -> bytes:
    if found[1]:
        return bytes.fromhex(found[1])
    if found[2]:
        return bytes((int(found[2]) & 255,))
    return (found[3] or found[4]).encode("utf-8", "replace")


def _base32hex(text: str) -> Iterator[str]:
    return _texts(_b32hex(run.upper()) for run in _runs(_RUN, text))


def _b32hex(run: str) -> bytes:
    try:
        return codec.b32hexdecode(run + "=" * (-len(run) % 8))
    except ValueError:
        return b""


def _base36(text: str) -> Iterator[str]:
    """Each number as the word that its digits are, and each run as one number."""
    yield _NUMBER.sub(lambda found: _digits36(int(found.group())), text)
    yield from _texts(_number(run.lower(), _DIGITS + _LOWER) for run in _runs(_RUN, text))


def _digits36(number: int) -> str:
    digits = ""
    while number:
        number, digit = divmod(number, 36)
        digits = (_DIGITS + _LOWER)[digit] + digits
    return digits or "0"


def _base62(text: str) -> Iterator[str]:
    for alphabet in _ALPHABETS62:
        yield from _texts(_number(run, alphabet) for run in _runs(_RUN, text))


def _number(run: str, alphabet: str) -> bytes:
    """One large number of which the run has the digits, as bytes."""
    number = 0
    for digit in run[:MAX_DIGITS]:
        number = number * len(alphabet) + alphabet.index(digit)
    return number.to_bytes((number.bit_length() + 7) // 8, "big")


def _base45(text: str) -> Iterator[str]:
    for run in _runs(_LINE45, text):
        # What stands before the encoded text may be written in the same signs.
        for start in range(3):
            yield from _texts(iter((_b45(run[start:]),)))


def _b45(run: str) -> bytes:
    data = bytearray()
    for at in range(0, len(run), 3):
        values = [_ALPHABET45.index(sign) for sign in run[at : at + 3]]
        number = sum(value * 45**place for place, value in enumerate(values))
        size = len(values) - 1
        data += (number & 0xFFFF).to_bytes(2, "big")[2 - size :] if size else b""
    return bytes(data)


def _base91(text: str) -> Iterator[str]:
    return _texts(_b91(run[:MAX_DIGITS]) for run in _runs(_SIGNS, text))


def _b91(run: str) -> bytes:
    """Thirteen bits in two signs, or fourteen where thirteen would be few."""
    values = [_ALPHABET91.find(sign) for sign in run]
    stream = ""
    for first, second in zip(values[::2], values[1::2], strict=False):
        pair = first + second * 91
        size = 13 if pair % 2**13 > _FEW else 14
        stream = f"{pair % 2**size:0{size}b}" + stream
    # The last bits stand first.
    whole = len(stream) // 8 * 8
    return int(stream[-whole:] or "0", 2).to_bytes(whole // 8, "little")


def _z85(text: str) -> Iterator[str]:
    return _texts(_b85(run[: len(run) // 5 * 5].translate(_Z85)) for run in _runs(_SIGNS, text))


def _b85(signs: str) -> bytes:
    try:
        return codec.b85decode(signs)
    except ValueError:
        return b""


def _grouped(text: str) -> Iterator[str]:
    """Base64 in groups of a few letters, which otherwise are words."""
    return _texts(base64_bytes(_GAPS.sub("", run)) for run in _runs(_GROUPS, text))


_READERS: Final[tuple[tuple[re.Pattern[str], Callable[[str], Iterator[str]]], ...]] = tuple(
    (re.compile(name, re.IGNORECASE), read)
    for name, read in (
        (r"ebcdic|cp-?(?:037|500)\b", _ebcdic),
        (r"nibble", _nibbles),
        (r"\bxor", _combined),
        (r"base ?-?32 ?-?hex", _base32hex),
        (r"base ?-?36\b", _base36),
        (r"base ?-?45\b", _base45),
        (r"base ?-?62\b", _base62),
        (r"base ?-?64\b", _grouped),
        (r"base ?-?91\b", _base91),
        (r"\bz85\b", _z85),
    )
)
