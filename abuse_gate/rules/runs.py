"""Runs of letters without a space, tried as base64, base32, base85 or hexadecimal digits.

Sharp before it is thorough: plain text in base64 has certain letters in certain places, because
the top bits of its characters are always the same; an address or an identifier has not.
"""

import base64 as codec
import re
from itertools import chain
from typing import Final

from abuse_gate.rules.budget import Budget, Layer
from abuse_gate.rules.pace import matches, occurs
from abuse_gate.rules.readable import base64_bytes, is_dense, is_media

# A prefix glued to a run shifts its frame; trying every frame is for short runs only.
MAX_SHIFTED: Final = 1024

_HEX: Final = re.compile(r"(?:[0-9A-Fa-f]{2}){10,}+")
# The same under rot13.
_HEX13: Final = re.compile(r"(?:[0-9N-Sn-s]{2}){10,}+")
_DECIMAL: Final = re.compile(r"(?<![0-9])(?:0[3-9][0-9]|1[0-2][0-9]){8,}+(?![0-9])")
_TWICE: Final = r"[C-HS-Xi-nyz0-3][ABEFIJMNQRUVYZcdghklopstwx014589]"
# Four characters of plain text, one after the other; the same backwards.
_TEXT64: Final = re.compile(rf"(?:[I-Za-f]{_TWICE}[A-Za-z0-9+/]){{4}}")
# Text of two-byte and three-byte scripts.
_SCRIPTS64: Final = (
    r"(?:(?:[0-3][A-Za-z]|N[A-Z]|[LY][A-Za-z0-9])[A-Za-z0-9+/]{2}){6}"
    r"|(?:[56][A-Za-z0-9+/][ijklmnopqrstuvwxyzSTUVWX0-9+/C-F][A-Za-z0-9+/]){5}"
)
_LETTERS64: Final = re.compile(f"{_TEXT64.pattern}|{_SCRIPTS64}")
# The same, packed data, and text in two bytes a letter.
_DATA64: Final = re.compile(
    r"H4sI|^eJ|^eN|^QlpoO|^/Td6WF|^XQAAg|(?:[A-Za-z0-9+/]{3}A){5}|(?:A[A-Za-z0-9+/]{2}A){3}|"
    + _SCRIPTS64
)
# Longer than any name or digest: worth a look whatever the letters are.
LONG: Final = 44
# Plain text; text of other scripts, whose letters are many.
_TEXT32: Final = re.compile(r"(?:[E-Pe-p][A-Za-z2-7]{7}){3,}+[A-Za-z2-7]*+|[A-Z2-7]{48,}+")
_ADOBE85: Final = re.compile(r"<~([!-uz]{10,}+)~>")
_TEXT85: Final = re.compile(r"(?:[+-I][!-u]{4}){5,}+[!-u]{0,4}")
_TEXT_B85: Final = re.compile(
    r"(?:[A-Za-e][0-9A-Za-z!#$%&()*+;<=>?@^_`{|}~-]{4}){6,}+[0-9A-Za-z!#$%&()*+;<=>?@^_`{|}~-]{0,4}"
)
_LETTERS58: Final = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
_DIGITS58: Final = {letter: value for value, letter in enumerate(_LETTERS58)}
_TEXT58: Final = re.compile(rf"[{_LETTERS58}]{{22,}}+")
# A number is read in time that grows with the square of its length.
MAX_BASE58: Final = 512
# How many lines are left out at either end of a run of lines.
_ENDS: Final = ((0, 1), (1, 0), (1, 1), (0, 2), (2, 0), (1, 2), (2, 1), (2, 2))
_HALVES: Final = "abcdefghijklmnopqrstuvwxyzabcdefghijklm"
_ROT13: Final = str.maketrans(
    _HALVES[:26] + _HALVES[:26].upper(), _HALVES[13:] + _HALVES[13:].upper()
)
URLSAFE: Final = str.maketrans("-_", "+/", "\r\n\t >=")


def hexadecimal(run: str, layer: Layer, budget: Budget) -> None:
    """Two digits a byte, in either of the two frames, or under rot13."""
    plain = (found.group() for found in matches(_HEX, run, whole=True))
    turned = (found.group().translate(_ROT13) for found in matches(_HEX13, run, whole=True))
    for digits in chain(plain, turned):
        if not budget.take_new(digits):
            continue
        if not layer.add(budget.text(bytes.fromhex(digits)), "hexadecimal", disguise=True):
            short = digits if len(digits) <= MAX_SHIFTED else ""
            for other in (short[1:-1], short[::-1]):
                layer.add(budget.text(bytes.fromhex(other)), "hexadecimal", disguise=True)


def decimal(run: str, layer: Layer, budget: Budget) -> None:
    """Three digits a character, without anything between them."""
    for found in matches(_DECIMAL, run, whole=True):
        digits = found.group()
        if budget.take_new(f"10:{digits}"):
            data = bytes(int(digits[at : at + 3]) for at in range(0, len(digits), 3))
            layer.add(budget.text(data), "decimal", disguise=True)


def base64(run: str, layer: Layer, budget: Budget, *, disguise: bool) -> None:
    """Standard, url-safe, unpadded, in lines, in any frame, or backwards."""
    if _one_base64(run, layer, budget, disguise=disguise) or "\n" not in run:
        return
    # A word on the line before or behind is no part of the encoded text, so the run is tried
    # without its ends, and at last each line alone.
    lines = run.split("\n")
    for first, last in _ENDS:
        inner = "\n".join(lines[first : len(lines) - last])
        if inner and _one_base64(inner, layer, budget, disguise=disguise):
            return
    for line in lines:
        _one_base64(line, layer, budget, disguise=disguise)


def base32(run: str, layer: Layer, budget: Budget) -> None:
    """Five letters for three bytes and a bit, in either case."""
    for found in matches(_TEXT32, run, whole=True):
        letters = found.group()
        if (letters.isupper() or letters.islower()) and budget.take_new(letters):
            layer.add(budget.text(_b32(letters.upper())), "base32", disguise=True)


def base58(run: str, layer: Layer, budget: Budget) -> None:
    """The digits of one large number, without those that are taken for others."""
    for line in run.split("\n"):
        if len(line) > MAX_BASE58 or not _TEXT58.fullmatch(line) or _is_plain(line):
            continue
        if budget.take_new(f"58:{line}"):
            layer.add(budget.text(_b58(line)), "base58", disguise=True)


def base85(run: str, layer: Layer, budget: Budget) -> None:
    """Five signs for four bytes, as Adobe and as RFC 1924 have it."""
    framed = _ADOBE85.findall(run)
    bare = (found.group() for found in matches(_TEXT85, run, whole=True))
    for signs in (*framed, *bare):
        if budget.take_new(signs):
            layer.add(budget.text(_a85(signs)), "base85", disguise=True)
    for found in matches(_TEXT_B85, run, whole=True):
        if budget.take_new(found.group()):
            layer.add(budget.text(_b85(found.group())), "base85", disguise=True)


def _b32(letters: str) -> bytes:
    try:
        return codec.b32decode(letters + "=" * (-len(letters) % 8))
    except ValueError:
        return codec.b32decode(letters[: len(letters) // 8 * 8])


def _b58(letters: str) -> bytes:
    number = 0
    for letter in letters:
        number = number * 58 + _DIGITS58[letter]
    return number.to_bytes((number.bit_length() + 7) // 8, "big")


def _a85(signs: str) -> bytes:
    try:
        return codec.a85decode(signs)
    except ValueError:
        return b""


def _b85(signs: str) -> bytes:
    try:
        return codec.b85decode(signs)
    except ValueError:
        return b""


def _one_base64(run: str, layer: Layer, budget: Budget, *, disguise: bool) -> bool:
    if _is_plain(run):
        return False
    letters = run.translate(URLSAFE)
    for other in (letters[::-1], letters.translate(_ROT13), letters.swapcase()):
        if occurs(_LETTERS64, other) and budget.take_new(other):
            _framed(other, layer, budget, disguise=disguise)
    if not _is_plausible(letters) or not budget.take_new(letters):
        return False
    if _framed(letters, layer, budget, disguise=disguise):
        return True
    if disguise and is_dense(letters) and not is_media(base64_bytes(letters)):
        layer.encoded = True
    return False


def _framed(letters: str, layer: Layer, budget: Budget, *, disguise: bool) -> bool:
    frames = range(4 if len(letters) <= MAX_SHIFTED else 1)
    return any(
        layer.add(budget.text(base64_bytes(letters[shift:])), "base64", disguise=disguise)
        for shift in frames
    )


def _is_plausible(letters: str) -> bool:
    if len(letters) >= LONG or occurs(_TEXT64, letters):
        return True
    return occurs(_DATA64, letters)


def _is_plain(run: str) -> bool:
    # A word, an identifier, a digest, a UUID: base64 of a sentence has letters of both cases,
    # because the top bits of its letters and spaces select them.
    return run.islower() or run.isupper() or not run.upper().isupper()
