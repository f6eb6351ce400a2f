"""Calls that say what they do to a word or a number: b64(…), rot13(…), Chr(105) & "gnore".

Rewrites a text with what each call would answer; linear in the text, never raises, runs nothing.
"""

import re
from collections.abc import Callable, Mapping
from typing import Final

from abuse_gate.rules.pace import occurs, replaced
from abuse_gate.rules.readable import base64_bytes

# A few such calls are what a program is made of.
MIN_LETTERS: Final = 4

_CHARACTER: Final = re.compile(
    r"(?<![A-Za-z])(?:uni|n)?ch(?:a?r)(?:w|b|code)?\$?\(\s?(?:(?:0x|&h)([0-9a-f]{2,5})|([0-9]{2,6}))\s?\)"
    r"|fromc(?:har|ode)(?:code|point)\(\s?(?:0x([0-9a-f]{2,5})|([0-9]{2,6}))\s?\)"
    r"|\[char\]\s?(?:0x([0-9a-f]{2,5})|([0-9]{2,6}))",
    re.IGNORECASE,
)
# What is left to be done before there is a number.
_SUM: Final = re.compile(r"(?<=\()\s?([0-9]{1,4})\s?([-+^])\s?([0-9]{1,4})\s?(?=\))")
# What joins two string literals.
_JOINT: Final = re.compile(r"[\"'][ \t\n_]{0,4}(?:[+.&~]|\|\||<<)?[ \t\n]{0,4}[\"']")
_NAMED: Final = re.compile(
    r"(?<![A-Za-z0-9])(?P<name>b64|base-?64|atob|un_?base64|from_?base64|hex|unhex|fromhex|unhexlify"
    r"|rot-?13|rev|reversed?|strrev|backwards)(?:_?d|_?decode|string)?"
    r"\s?[(\[{:<]\s?[\"'`]?(?P<data>[A-Za-z0-9+/=_-]{2,64})[\"'`]?[)\]}>]?",
    re.IGNORECASE,
)
CANDIDATE: Final = (
    r"\b(?:b64|base-?64|atob|hex|unhex|fromhex|rot-?13|rev|reversed?|strrev|backwards)[a-z_]{0,9} ?"
    r"[(\[{:<] ?[\"'`]?[a-z0-9+/=_-]{3}"
    r"|(?:ch(?:r|ar)[wb$]?\( ?(?:0x|&h)?[0-9a-f]{2,5} ?(?:[-+^] ?[0-9]{1,3} ?)?\)[^\n]{1,16}){3}"
    r"|(?:fromc(?:har|ode)(?:code|point)\( ?(?:0x)?[0-9a-f]{2,5} ?\)[^\n]{1,24}){3}"
    r"|(?:\[char\] ?(?:0x)?[0-9a-f]{2,5}[^\n]{1,8}){3}"
)
_ALPHABET: Final = "abcdefghijklmnopqrstuvwxyz"
_HALF: Final = _ALPHABET[13:] + _ALPHABET[:13]
_ROT13: Final = str.maketrans(_ALPHABET + _ALPHABET.upper(), _HALF + _HALF.upper())
_LAST_CODE: Final = 0x10FFFF


def called(text: str) -> tuple[str, bool]:
    """The text with the answers of such calls, and whether that was a disguise."""
    rewritten = replaced(_NAMED, text, _answer)
    letters = sum(map(str.isalpha, rewritten)) if rewritten != text else 0
    if _SUM.search(rewritten):
        rewritten = replaced(_SUM, rewritten, _sum)
    if occurs(_CHARACTER, rewritten):
        rewritten = replaced(_JOINT, replaced(_CHARACTER, rewritten, _character), lambda _: "")
        letters = len(rewritten)
    return rewritten, letters >= MIN_LETTERS


def _sum(found: re.Match[str]) -> str:
    one, two = int(found[1]), int(found[3])
    return str({"-": abs(one - two), "+": one + two, "^": one ^ two}[found[2]])


def _character(found: re.Match[str]) -> str:
    hexadecimal = found[1] or found[3] or found[5]
    code = int(hexadecimal, 16) if hexadecimal else int(found[2] or found[4] or found[6])
    return f'"{chr(code)}"' if code <= _LAST_CODE else found.group()


def _answer(found: re.Match[str]) -> str:
    decode = next(read for start, read in _ANSWERS.items() if start in found["name"].lower())
    return decode(found["data"]) or found.group()


def _from_base64(data: str) -> str:
    return _printed(base64_bytes(data.rstrip("=")))


def _from_hexadecimal(data: str) -> str:
    try:
        return _printed(bytes.fromhex(data))
    except ValueError:
        return ""


def _printed(data: bytes) -> str:
    text = data.decode("utf-8", "replace")
    return text if text.isprintable() and "\ufffd" not in text else ""


# By what their names have in them.
_ANSWERS: Final[Mapping[str, Callable[[str], str]]] = {
    "64": _from_base64,
    "atob": _from_base64,
    "hex": _from_hexadecimal,
    "rot": lambda data: data.translate(_ROT13),
    "": lambda data: data[::-1],
}
