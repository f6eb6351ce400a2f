"""Letters of other scripts that look like a Latin one, from the Unicode confusables data.

Derived from confusables.txt (UTS #39): only what a casefolded, composed text can hold and what
stands for a single Latin letter. Letters of Latin itself are folded elsewhere, whatever surrounds
them; these are letters in their own right and mean another one only inside a Latin word.
"""

import re
from collections.abc import Mapping
from typing import Final

from abuse_gate.rules.pace import translated

UNICODE_VERSION: Final = "13.0.0"

LOOK_ALIKES: Final[Mapping[str, str]] = {
    "a": "\u0251\u03b1\u0430\u13aa\u15c5\ua4ee\U000102a0\U00016f40",
    "b": (
        "\u0185\u03b2\u0431\u0432\u044c\u0463\u048d\u13cf\u13f4\u1472\u1473\u15af"
        "\u15f7\ua4d0\ua7b5\U00010282\U000102a1\U00010301"
    ),
    "c": "\u0441\u04ab\u13df\u2ca5\ua4da\U000102a2\U00010302\U0001043d\U0001051c",
    "d": "\u00f0\u0501\u13a0\u13e7\u146f\u15de\u15ea\ua4d2\ua4d3",
    "e": ("\u03b5\u0435\u04bd\u04bf\u13ac\u2d39\ua4f0\uab32\U00010286\U000118c6\U000118ce"),
    "f": "\u03dd\u0584\u15b4\ua4dd\uab35\U00010287\U000102a5\U00010525\U000118c2",
    "g": "\u018d\u050d\u0581\u13c0\u13f3\ua4d6",
    "h": (
        "\u043d\u045b\u04a3\u04bb\u04c8\u04ca\u0570\u13bb\u13c2\u13f2\u157c\u2c8f"
        "\ua4e7\ua695\U000102cf"
    ),
    "i": "\u0269\u03b9\u0456\u04cf\u13a5\u1d7b\u1d7c\ua647\U000118c3",
    "j": "\u03f3\u0458\u13ab\u148d\ua4d9",
    "k": "\u03ba\u043a\u049b\u049f\u13e6\u16d5\u2c95\ua4d7\U00010518",
    "l": (
        "\u01c0\u13de\u14aa\u16c1\u2c93\u2cd1\u2d4f\ua4e1\ua4f2\U0001028a\U00010309"
        "\U00010443\U00010526\U000118d2\U00016f16\U00016f28"
    ),
    "m": "\u03bc\u03fb\u043c\u04ce\u13b7\u15f0\u16d6\u2c99\ua4df\U000102b0\U00010311",
    "n": "\u03b7\u0578\u057c\u2c9b\ua4e0\U00010513",
    "o": (
        "\u0275\u03b8\u03bf\u03c3\u043e\u0473\u04e9\u0585\u0b20\u0d20\u101d\u10ff"
        "\u12d0\u13a4\u13be\u13eb\u1d11\u2c9f\u2d31\u2d41\u2d54\ua4f3\uab3d\uab3e"
        "\U00010292\U000102ab\U0001042c\U000104ea\U00010516\U000118c8\U000118d5"
        "\U000118d7"
    ),
    "p": "\u03c1\u0440\u13e2\u146d\u2ca3\ua4d1\U00010295",
    "q": "\u051b\u0563\u0566\u2d55",
    "r": ("\u0433\u0493\u13a1\u13b1\u13d2\u1587\u1d26\u2c85\ua4e3\uab47\uab48\U000104dc\U00016f35"),
    "s": "\u01bd\u0455\u057f\u13d5\u13da\ua4e2\U00010296\U00010448\U000118c1\U00016f3a",
    "t": "\u03c4\u0442\u04ad\u13a2\u2ca7\ua4d4\U00010297\U000102b1\U00010315\U00016f0a",
    "u": ("\u0289\u03c5\u057d\u1200\u13cc\u144c\u1d7e\ua4f4\ua79f\U000104f6\U000118d8\U00016f42"),
    "v": ("\u03bd\u0475\u13d9\u142f\u2d38\ua4e6\ua6df\U0001051d\U00011706\U000118c0\U00016f08"),
    "w": (
        "\u026f\u0461\u047d\u051d\u0561\u13b3\u13d4\ua4ea\ua761\U000114c5\U0001170a"
        "\U0001170e\U0001170f"
    ),
    "x": (
        "\u03c7\u0445\u04b3\u1541\u157d\u16b7\u2cad\u2d5d\ua4eb\uab53\U00010290"
        "\U000102b4\U00010317\U00010527"
    ),
    "y": (
        "\u0263\u03b3\u0443\u04af\u04b1\u10e7\u13a9\u13bd\u2ca9\ua4ec\U000102b2\U000118dc\U00016f43"
    ),
    "z": "\u03b6\u13c3\ua4dc\U000118c4\U000118c9",
}

# Letter by letter against the data: whoever writes small capitals takes this one for an F; a bare
# stroke in a script of capitals is an I; the others are drawn like a letter to anybody who reads a
# whole word of them.
_OWN: Final = {
    0x0493: "f",
    # Whoever means an I has a letter of Ukrainian for it.
    0x04CF: "l",
    **dict.fromkeys((0x2C93, 0x2D4F, 0xA4F2, 0x1028A, 0x10309), "i"),
    0x0259: "e",
    0x03C9: "w",
    0x03B4: "d",
    0x03C2: "s",
    0x043F: "n",
    0x0457: "i",
    0x0454: "e",
    0x04FF: "x",
    **dict(
        zip(
            map(ord, "\u20b3\u0e3f\u20b5\u20a3\u20b2\u20ad\u20a5\u20a6\u20b1\u20b4\u20ae\u20a9"),
            "abcfgkmnpstw",
            strict=True,
        )
    ),
}
# Capitals that are only worn for their looks: mirrored, or a letter with something added. Where
# there are some, one more is read by its looks as a capital.
_WORN: Final = dict(
    zip(
        map(
            ord,
            "\u0438\u044f\u0444\u0434\u0446\u0447\u0448\u0449\u0436\u044d\u0439\u03bb\u03c8\u03be\u03c0",
        ),
        "nroauywwkenayen",
        strict=True,
    )
)
_WORN_TOO: Final = {0x0433: "t"}
_TABLE: Final = (
    {ord(char): latin for latin, chars in LOOK_ALIKES.items() for char in chars} | _WORN | _OWN
)
# Scripts that nobody writes to an assistant but for their looks: there a word need not be mixed.
_RARE: Final = (
    *((0x13A0, 0x13FF), (0x1400, 0x167F), (0x16A0, 0x16FF), (0x2C80, 0x2CFF), (0x2D30, 0x2D7F)),
    *((0xA4D0, 0xA4FF), (0x10280, 0x10FFF), (0x11700, 0x118FF), (0x16F00, 0x16F9F)),
)
# Runes by their sounds, and what else the data has no letter for; the dots between them part words.
_SOUNDS: Final = str.maketrans(
    "\u16a8\u16d2\u16b2\u16de\u16d6\u16a0\u16b7\u16ba\u16c1\u16c3\u16b4\u16da\u16d7\u16be\u16df\u16c8"
    "\u16e9\u16b1\u16ca\u16cf\u16a2\u16a1\u16b9\u16ea\u16e6\u16c9\u2c81\u2c83\u2c89\u15e9\u166d\u13f4\u13b6\u13e6\u13c6"
    "\u16a9\u16aa\u16ab\u16a3\u16b3\u16bb\u16c4\u16b8\u16cb\u16e3\u16df\u16e5\u16eb\u16ec\u16ed"
    "\u1455\u15f4\u161c\u144e\u15dd\u146b\u1515\u15ef\u16ed\u1614\u1491\u144a\u1550",
    "abcdefghijklmnopqrstuvwxyzabeaxbgkioaaychjnskox   cegnoqswxzgyy",
)
_ALWAYS: Final = {
    code: char
    for code, char in _TABLE.items()
    if any(first <= code <= last for first, last in _RARE)
} | _SOUNDS
_DRAWN: Final = re.compile(
    "[" + "".join(f"{chr(first)}-{chr(last)}" for first, last in _RARE) + "]{2}"
)
# Where this share of the words with look-alikes is mixed, the others were meant to be Latin too.
_MOSTLY: Final = 0.3
_MIN_MIXED: Final = 3


# Characters of the further planes, which most texts have none of.
ASTRAL: Final = re.compile("[\U00010000-\U0010ffff]")


_DRESSED: Final = re.compile("[a-z][{0}]|[{0}][a-z]".format("".join(map(chr, _WORN))))


# Cyrillic letters that no language of today writes, and everybody who wants a Latin one.
_UNWRITTEN: Final = re.compile("[\u0501\u051b\u051d\u0475\u050d\u0461]")
# A letter that is drawn like a Latin one and yet tells a word of its own script.
_TELLING: Final = "\u043f"
# Digits and signs that stand for letters amid letters.
_SIGN: Final = "[0-9@$!|+]"
_SIGNS: Final = re.compile(_SIGN)


class _Matcher:
    """Words over a set of look-alikes; kept small, because a large class is slow to match."""

    __slots__ = ("_alike", "_border", "_drawn", "_whole", "_word")

    def __init__(self, last: int) -> None:
        alike = "".join(chr(code) for code in sorted(_TABLE) if code <= last)
        self._border = re.compile(f"[a-z][{alike}]|[{alike}][a-z]")
        self._drawn = re.compile(f"[{alike}]{_SIGN}[{alike}]|{_SIGN}[{alike}]{_SIGN}")
        self._alike = re.compile(f"[{alike}]++")
        self._whole = re.compile(rf"(?<!\w)[{alike.replace(_TELLING, '')}]++(?!\w)")
        # Possessive, so that a long word is walked once.
        self._word = re.compile(f"[a-z{alike}]++")

    def unmask(self, folded: str) -> str:
        """The text with the look-alikes of every mixed word in Latin."""
        if len(_SIGNS.findall(folded)) >= _MIN_MIXED and self._is_drawn(folded):
            return self._alike.sub(_in_latin, folded)
        if not self._is_mixed(folded):
            return folded
        if len(_DRESSED.findall(folded)) >= _MIN_MIXED:
            folded = folded.translate(_WORN_TOO)
        spelled = self._word.sub(self._spelled, folded)
        return self._whole.sub(_in_latin, spelled) if self._is_worn(folded) else spelled

    def _is_drawn(self, folded: str) -> bool:
        """Whether so many words are look-alikes amid digits that all of them are."""
        words = [word for word in folded.split() if not word.isascii()]
        if sum(_SIGNS.search(word) is not None for word in words) < _MIN_MIXED:
            return False
        drawn = sum(self._drawn.search(word) is not None for word in words)
        return drawn >= max(_MIN_MIXED, len(words) * _MOSTLY)

    def _is_worn(self, folded: str) -> bool:
        """Whether so many words are mixed that those without a Latin letter mean one too."""
        words = [word for word in self._word.findall(folded) if not word.isascii()]
        mixed = sum(map(self._is_mixed, words))
        return mixed >= max(_MIN_MIXED, len(words) * _MOSTLY)

    def _spelled(self, word: re.Match[str]) -> str:
        text = word.group()
        return text.translate(_TABLE) if self._is_mixed(text) else text

    def _is_mixed(self, text: str) -> bool:
        return self._border.search(text) is not None or _UNWRITTEN.search(text) is not None


def _in_latin(word: re.Match[str]) -> str:
    return word.group().translate(_TABLE)


_COMMON: Final = _Matcher(0xFFFF)
_EVERY: Final = _Matcher(0x10FFFF)


def unmask(folded: str) -> str:
    """The text with look-alikes spelled out in every word that mixes them with Latin letters."""
    if _DRAWN.search(folded):
        folded = folded.translate(_ALWAYS)
    return (_EVERY if ASTRAL.search(folded) else _COMMON).unmask(folded)


def latin(text: str) -> str:
    """The text with every look-alike in Latin, for those who look for letters and not for words."""
    return text if text.isascii() else translated(text, _TABLE)
