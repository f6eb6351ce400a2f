"""Bytes as programs show them: digits in groups, and lines of uuencode.

Adds to a layer what they spell; linear in the text, never raises.
"""

import binascii
import re
from typing import Final

from abuse_gate.rules.budget import Budget, Layer
from abuse_gate.rules.codes import is_prose
from abuse_gate.rules.pace import matches, texts

# Bytes in groups of digits, without what a dump writes before and behind them.
_DUMP: Final = re.compile(
    r"(?:^|\n)[0-9A-Fa-f]{4,8}:? {1,2}((?:[0-9A-Fa-f]{2,4} {1,2})*+[0-9A-Fa-f]{2,4})(?=\s|$)"
)
_WIDE: Final = re.compile(
    r"(?:0x)?(?:[0-9A-Fa-f]{4}){1,4}(?:[ ,]{1,2}(?:0x)?(?:[0-9A-Fa-f]{2}){1,8}){4,}+"
)
# Bytes in groups of any size: words, colours, identifiers, addresses.
_GROUPED: Final = re.compile(
    r"(?<![0-9A-Za-z])#?(?:[0-9A-Fa-f]{2}){2,16}"
    r"(?:[-:, \n]{1,2}#?(?:[0-9A-Fa-f]{2}){1,16}(?![0-9A-Za-z])){4,}+"
)
_BYTES: Final = re.compile(r"(?:[0-9A-Fa-f]{2}){2,8}")
_GROUP: Final = re.compile(r"(?:[0-9A-Fa-f]{2})+")
_PREFIX: Final = re.compile(r"0x|[^0-9A-Fa-f]")
_UU: Final = re.compile(r"begin [0-7]{3} [^\n]{1,80}\n((?:[ -`]{1,61}\n){1,400}+)")
# The same without its first line: a length, and as many signs as that takes.
UU_LINES: Final = re.compile(r"(?:^|(?<=\n))(?:M[ -`]{60}\r?\n)*+[!-M][ -`]{4,60}(?=\r?\n|$)")


def dumps(text: str, layer: Layer, budget: Budget) -> None:
    """Digits of bytes in groups, whatever stands before them and behind."""
    dump = "".join(found[1] for found in matches(_DUMP, text))
    for digits in (dump, *texts(_WIDE, text)):
        bare = _PREFIX.sub("", digits)
        if bare and budget.take_new(bare):
            whole = bytes.fromhex(bare[: len(bare) // 2 * 2])
            layer.add(budget.text(whole), "a dump", disguise=True)
            words = b"".join(bytes.fromhex(word)[::-1] for word in _BYTES.findall(digits))
            layer.add(budget.text(words), "a dump, last bytes first", disguise=True)
    for run in texts(_GROUPED, text):
        groups = [bytes.fromhex(group).decode("latin-1") for group in _GROUP.findall(run)]
        for spelled in (" ".join(groups), "".join(groups)):
            if is_prose(spelled) and budget.take_new(spelled):
                layer.add(spelled, "hexadecimal in groups", disguise=True)


def uuencoded(text: str, layer: Layer, budget: Budget) -> None:
    """What stands behind a first line that says so."""
    for found in _UU.finditer(text):
        uu_lines(found[1], layer, budget)


def uu_lines(lines: str, layer: Layer, budget: Budget) -> None:
    """What lines spell that look like it."""
    if budget.take_new(lines):
        data = b"".join(map(_uu_line, lines.splitlines()))
        layer.add(budget.text(data), "uuencode", disguise=True)


def _uu_line(line: str) -> bytes:
    try:
        return binascii.a2b_uu(line)
    except binascii.Error:
        return b""
