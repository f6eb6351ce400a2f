"""Which characters are only another way to draw a Latin letter, a space, a quote or nothing at all.

Tables built once from the character database, by name: accents, small capitals, letters in boxes
and circles. Knows no words and no rules.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from typing import Final

# Characters that take no room on the page but break a word for a matcher.
INVISIBLE: Final[tuple[tuple[int, int], ...]] = (
    (0x00AD, 0x00AD),  # soft hyphen
    (0x034F, 0x034F),  # combining grapheme joiner
    (0x061C, 0x061C),  # Arabic letter mark
    (0x115F, 0x1160),  # Hangul fillers
    (0x17B4, 0x17B5),  # Khmer inherent vowels
    (0x180B, 0x180F),  # Mongolian selectors
    (0x200B, 0x200F),  # zero width, direction marks
    (0x202A, 0x202E),  # embeddings and overrides
    (0x2060, 0x206F),  # word joiner, isolates, invisible operators
    (0x3164, 0x3164),  # Hangul filler
    (0xFE00, 0xFE0F),  # variation selectors
    (0xFEFF, 0xFEFF),  # byte order mark
    (0xFFA0, 0xFFA0),  # half-width Hangul filler
    (0xFFF9, 0xFFFB),  # interlinear annotation
    (0x1BCA0, 0x1BCA3),  # shorthand format controls
    (0x1D173, 0x1D17A),  # musical format controls
    (0xE0000, 0xE0FFF),  # tags and supplementary variation selectors
)
# What PDFium hands on for a hyphen and the end of the line behind it.
LINE_HYPHEN: Final = "\ufffe"
# Marks that decorate a letter and never make another word of it. Scripts whose vowels are marks
# (Devanagari, Thai …) are not among them.
MARKS: Final[tuple[tuple[int, int], ...]] = (
    (0x0300, 0x036F),
    (0x0483, 0x0489),
    (0x0591, 0x05BD),
    (0x0640, 0x0640),  # Arabic tatweel, which only stretches
    (0x064B, 0x065F),
    (0x0670, 0x0670),
    (0x1AB0, 0x1AFF),
    (0x1DC0, 0x1DFF),
    (0x20D0, 0x20FF),
    (0xFE20, 0xFE2F),
)
# What separates words without being one of the ASCII spaces that byte-mode \s knows.
SPACES: Final = "\u0085\u1680\u2028\u2029\u2800\u3000"
# One spelling for what typography spells in several ways.
PUNCTUATION: Final[Mapping[str, str]] = {
    "'": "\u2018\u2019\u201a\u201b\u02bc\u2032\u00b4",
    '"': "\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033\u300c\u300d\u300e\u300f",
    "-": "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u30fb",
    ".": "\u3002\u2022\u00b7\u2027\u2219\u22c5",
    "\u0435": "\u0451",  # Russian is read with and without its diaeresis
    "\u0627": "\u0622\u0623\u0625\u0671",  # Arabic alefs
    "\u064a": "\u0649",
    "\u0647": "\u0629",
}
# Where Latin letters live that no normalization turns into plain ones.
_LATIN: Final[tuple[tuple[int, int], ...]] = (
    (0x00C0, 0x02AF),
    (0x1D00, 0x1DBF),
    (0x1E00, 0x1EFF),
    (0x2C60, 0x2C7F),
    (0xA720, 0xA7FF),
    (0xAB30, 0xAB6F),
    (0x1F110, 0x1F189),
    (0x1F1E6, 0x1F1FF),
)
_NAMED: Final = re.compile(
    r"(?:(?:SQUARED |NEGATIVE SQUARED |NEGATIVE CIRCLED |CROSSED NEGATIVE SQUARED |PARENTHESIZED )?"
    r"LATIN (?P<case>SMALL|CAPITAL) LETTER "
    r"(?:DOTLESS |SCRIPT |LONG |OPEN |INSULAR |STIRRUP |SIDEWAYS )?"
    r"|LATIN LETTER SMALL CAPITAL |MODIFIER LETTER SMALL |REGIONAL INDICATOR SYMBOL LETTER )"
    r"(?P<letter>[A-Z])(?: WITH .*)?"
)
_OWN_LETTERS: Final = "\u0439\u0419\u0457\u0407\u045e\u040e"
_IN_BRACKETS: Final[tuple[tuple[int, int], ...]] = ((0x249C, 0x24B5), (0x1F110, 0x1F129))


def codes(spans: tuple[tuple[int, int], ...]) -> Iterator[int]:
    """Every code point of some spans."""
    return (code for first, last in spans for code in range(first, last + 1))


def _plain(code: int) -> str | None:
    """The Latin letter that a character draws, by the name it has; None when it draws none."""
    found = _NAMED.fullmatch(unicodedata.name(chr(code), ""))
    if found is None:
        return None
    return found["letter"] if found["case"] == "CAPITAL" else found["letter"].lower()


def _drawn(spans: tuple[tuple[int, int], ...]) -> dict[int, str]:
    return {code: letter for code in codes(spans) if (letter := _plain(code))}


def _unmarked() -> dict[int, str]:
    """Letters of Cyrillic and Greek without their marks, but for those that are other letters."""
    marked = (
        (code, unicodedata.normalize("NFD", chr(code)))
        for code in codes(((0x0370, 0x03FF), (0x0400, 0x052F), (0x1F00, 0x1FFF)))
        if chr(code) not in _OWN_LETTERS
    )
    return {code: parts[0] for code, parts in marked if len(parts) > 1}


# Composition would write these as "(a)", so they are read before it.
BRACKETED: Final = re.compile("[\u249c-\u24b5\U0001f110-\U0001f129]")
UNBRACKET: Final[Mapping[int, str]] = _drawn(_IN_BRACKETS)

# The dots of Braille, in the order of the alphabet.
_BRAILLE: Final = (
    "\u2801\u2803\u2809\u2819\u2811\u280b\u281b\u2813\u280a\u281a\u2805\u2807\u280d"
    "\u281d\u2815\u280f\u281f\u2817\u280e\u281e\u2825\u2827\u283a\u282d\u283d\u2835"
)
# Its punctuation, and the two signs of a slash, of which the first only announces the second.
_BRAILLE_SIGNS: Final = {
    "\u2802": ",",
    "\u2806": ";",
    "\u2812": ":",
    "\u2832": ".",
    "\u2816": "!",
    "\u2826": "?",
    "\u2824": "-",
    "\u2804": "'",
    "\u280c": "/",
}

# The one table by which a composed text becomes plain.
PLAIN: Final[Mapping[int, str | None]] = {
    **_drawn(_LATIN),
    **_unmarked(),
    0x014B: "n",
    0x014A: "N",
    0x028A: "u",
    0x01B1: "U",
    **{ord(char): plain for plain, chars in PUNCTUATION.items() for char in chars},
    **dict(zip(map(ord, _BRAILLE), "abcdefghijklmnopqrstuvwxyz", strict=True)),
    **{ord(dots): sign for dots, sign in _BRAILLE_SIGNS.items()},
    0x2838: None,
    **dict.fromkeys(codes(MARKS)),
    **dict.fromkeys(codes(INVISIBLE)),
    ord(LINE_HYPHEN): None,
    **dict.fromkeys(map(ord, SPACES), " "),
}
