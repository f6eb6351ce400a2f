"""Whole-text rewriting of escapes that stand among plain text: %41, \\x41, \\u0041, &#65;.

Each function answers with the rewritten text and whether it was a disguise: an escape that spells
a plain ASCII letter had no other reason to be there. Linear in the text, never raises.
"""

import html
import re
from collections.abc import Callable, Mapping
from typing import Final, Literal

# An editor that escapes a letter or two by accident is no disguise.
MIN_LETTERS: Final = 4

_PERCENT: Final = re.compile(r"(?:%[0-9A-Fa-f]{2})+")
# Bounded backslashes: an endless run of them must not be walked from each of its members.
_BACKSLASH: Final = re.compile(
    r"\\{1,4}(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|[ux]\{([0-9A-Fa-f]{1,6})\}|U([0-9A-Fa-f]{8}))"
)
# Bounded digits: the standard library turns any number of them into an int, and that can raise.
_ENTITY: Final = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});?")
_CONTROL: Final = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]+")
_LAST_CODE: Final = 0x10FFFF

_Spell = Callable[[re.Match[str]], str]


class _LetterCount:
    """Spells escapes and counts the plain letters that they turned out to be."""

    __slots__ = ("_spell", "letters")

    def __init__(self, spell: _Spell) -> None:
        self._spell = spell
        self.letters = 0

    def __call__(self, found: re.Match[str]) -> str:
        spelled = self._spell(found)
        if spelled.isascii():
            self.letters += sum(map(str.isalpha, spelled))
        return spelled


def percent(text: str) -> tuple[str, bool]:
    """Percent-encoded bytes as the text they spell."""
    return _rewrite(_PERCENT, text, _percent_run)


def backslash(text: str) -> tuple[str, bool]:
    """Backslash escapes of programming languages as the characters they name."""
    return _rewrite(_BACKSLASH, text, _backslash_one)


def entity(text: str) -> tuple[str, bool]:
    """HTML character references as the characters they name."""
    return _rewrite(_ENTITY, text, lambda found: html.unescape(found.group()))


def control(text: str) -> tuple[str, bool]:
    """The text without control characters, which split words for a matcher and for nobody else."""
    return _CONTROL.sub("", text), False


# In this order: what one kind uncovers, the next one may undo in the same pass.
ESCAPES: Final[
    Mapping[Literal["control", "entity", "percent", "escape"], Callable[[str], tuple[str, bool]]]
] = {
    "control": control,
    "entity": entity,
    "percent": percent,
    "escape": backslash,
}


def _rewrite(escape: re.Pattern[str], text: str, spell: _Spell) -> tuple[str, bool]:
    count = _LetterCount(spell)
    rewritten = escape.sub(count, text)
    return rewritten, count.letters >= MIN_LETTERS


def _percent_run(found: re.Match[str]) -> str:
    return bytes.fromhex(found.group().replace("%", "")).decode("utf-8", "replace")


def _backslash_one(found: re.Match[str]) -> str:
    code = int(found[1] or found[2] or found[3] or found[4], 16)
    return chr(code) if code <= _LAST_CODE else "\ufffd"
