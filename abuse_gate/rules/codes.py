"""Characters written one by one as numbers, as dots and dashes, or as the words of an alphabet.

Each reader answers with the texts that it could spell; linear in the text, never raises.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from typing import Final

from abuse_gate.rules.candidates import ANNOUNCED, LAID, LAYOUTS, ROT47, TURNED, Kind
from abuse_gate.rules.pace import occurs, texts, translated
from abuse_gate.rules.readable import as_text

_SIGNED: Final = re.compile(r"(?<![01])0b(?=[01]{8})")
_BINARY: Final = re.compile(r"(?:(?:0b)?[01]{8}[^01]{0,3}){5,}+")
# A longer number ends a run and fails none of it: else each start would walk the run again.
_DECIMAL: Final = re.compile(
    r"(?<![0-9])[0-9]{2,3}+(?![0-9])(?:[^0-9]{1,20}+[0-9]{2,3}+(?![0-9])){7,}+"
)
_HEXES: Final = re.compile(
    r"(?:0x|\\x|&h|u\+00|x)?[0-9a-f]{2}(?:[^0-9a-z]{1,3}(?:0x|\\x|&h|u\+00|x)?[0-9a-f]{2}){7,}+",
    re.IGNORECASE,
)
_OCTAL: Final = re.compile(r"(?:0o)?[0-3]?[0-7]{2}(?:[^0-9]{1,3}(?:0o)?[0-3]?[0-7]{2}){7,}+")
_OCTAL_DIGITS: Final = re.compile(r"(?<![1-9])[0-3]?[0-7]{2}")
# Characters of one script by their numbers, and spaces and signs between them.
_POINTS: Final = re.compile(r"(?<![0-9])[0-9]{2,5}+(?:[^0-9A-Za-z]{1,3}[0-9]{2,5}+){7,}+")
_SCRIPTS: Final = (
    *((0x410, 0x44F), (0x4E00, 0x9FFF), (0x3041, 0x30FF), (0xAC00, 0xD7A3), (0x621, 0x64A)),
    *((0x5D0, 0x5EA), (0x900, 0x97F), (0xE01, 0xE4F)),
)
_BINARY7: Final = re.compile(r"[01]{7}(?:[^01]{1,3}[01]{7}){5,}+")
# Places in the alphabet; what parts them is one sign, and another one between words.
_ORDINALS: Final = re.compile(
    r"(?<![0-9])[0-9]{1,2}+(?![0-9])(?:[^0-9A-Za-z]{1,7}+[0-9]{1,2}+(?![0-9])){7,}+"
)
_ORDINAL: Final = re.compile(r"([0-9]+)([^0-9]*)")
_LAST_LETTER: Final = 26
_DIGITS: Final = re.compile(r"[0-9]+")
_PAIR: Final = re.compile(r"(?:0x|\\x|&h|u\+00|x)?([0-9a-f]{2})", re.IGNORECASE)
_MORSE: Final = re.compile(r"[.*\-_]{1,8}(?:[ /|\n]{1,6}[.*\-_]{1,8}){6,}+")
_TAPPED: Final = str.maketrans("*_", ".-")
_WORD_BREAK: Final = re.compile(r"\s*[/|\n]{1,4}\s*| {2,}")
_LETTERS: Final = (
    "a.- b-... c-.-. d-.. e. f..-. g--. h.... i.. j.--- k-.- l.-.. m-- n-. o--- p.--. q--.- r.-. "
    "s... t- u..- v...- w.-- x-..- y-.-- z--.. 0----- 1.---- 2..--- 3...-- 4....- 5..... 6-.... "
    "7--... 8---.. 9----. ..-.-.- ,--..-- ?..--.. !-.-.-- :---... ;-.-.-. '.----. \".-..-. /-..-. "
    "(-.--. )-.--.- =-...- +.-.-. --....- _..--.- @.--.-. &.-... $...-..-"
)
# Signs that nobody has agreed upon are left out, as long as they are few.
MAX_UNKNOWN: Final = 0.1
MORSE: Final[Mapping[str, str]] = {row[1:]: row[0] for row in _LETTERS.split()}
_SPELLED: Final = (
    "alfa|alpha|bravo|charlie|delta|echo|foxtrot|golf|hotel|india|juliett?|kilo|lima|mike|november|"
    "oscar|papa|quebec|romeo|sierra|tango|uniform|victor|whiskey|x-?ray|yankee|zulu"
)
_ALPHABET: Final = re.compile(
    rf"\b(?:{_SPELLED})\b(?:\W{{1,3}}(?:{_SPELLED})\b){{3,}}+", re.IGNORECASE
)
_SPELLED_WORD: Final = re.compile(_SPELLED, re.IGNORECASE)
_ANNOUNCED: Final = re.compile(ANNOUNCED, re.IGNORECASE)
_INITIAL: Final = re.compile(r"\b\w")
_LATIN_KEYS: Final = tuple(
    ({to: at for at, to in table.items()}, tuple(word.translate(table) for word in LAID))
    for table in LAYOUTS
)
_LAST_BYTE: Final = 255
MIN_PROSE: Final = 0.7


def numbers(text: str) -> Iterator[str]:
    """Character codes in a row: binary, decimal, hexadecimal or octal, whatever parts them."""
    yield from _spelled(_binary(run) for run in texts(_BINARY, text))
    yield from _spelled(_valued(_DIGITS.findall(run), 10) for run in texts(_DECIMAL, text))
    yield from _spelled(_valued(_PAIR.findall(run), 16) for run in texts(_HEXES, text))
    yield from _spelled(_valued(_OCTAL_DIGITS.findall(run), 8) for run in texts(_OCTAL, text))
    yield from filter(None, (_points(_DIGITS.findall(run)) for run in texts(_POINTS, text)))
    yield from _spelled(_valued(_DIGITS.findall(run), 2) for run in texts(_BINARY7, text))
    for run in texts(_ORDINALS, text):
        letters = _ordinal(_ORDINAL.findall(run))
        yield from _spelled(iter((letters, letters.replace(b" ", b""))))


def morse(text: str) -> Iterator[str]:
    """Dots and dashes; a run of many signs that are no letters is a rule or a border."""
    for run in texts(_MORSE, text):
        yield from in_morse(run.translate(_TAPPED), MORSE)


def in_morse(run: str, signs: Mapping[str, str]) -> Iterator[str]:
    """What a run of signs spells, words parted by more than letters are."""
    words = [word.split() for word in _WORD_BREAK.split(run.strip())]
    letters = [[signs.get(sign, "") for sign in word] for word in words]
    count = sum(map(len, letters))
    if sum(map(bool, chain.from_iterable(letters))) >= count * (1 - MAX_UNKNOWN):
        yield " ".join("".join(word) for word in letters)


def spelling(text: str) -> Iterator[str]:
    """The words of the radio alphabet, each for its first letter."""
    for run in texts(_ALPHABET, text):
        yield "".join(word[0].lower() for word in _SPELLED_WORD.findall(run))


def rot47(text: str) -> Iterator[str]:
    """Every sign moved by half of their alphabet."""
    turned = text.translate(ROT47)
    if any(word in turned for word in TURNED):
        yield turned


def initials(text: str) -> Iterator[str]:
    """The first letters of words, and of lines, where a text says that they matter."""
    if not occurs(_ANNOUNCED, text):
        return
    yield "".join(texts(_INITIAL, text))
    yield "".join(line.strip()[:1] for line in text.split("\n"))


def layout(text: str) -> Iterator[str]:
    """Letters of another keyboard as those that stand on the same keys in Latin."""
    for table, words in _LATIN_KEYS:
        lowered = text.lower()
        if any(word in lowered for word in words):
            yield translated(lowered, table)


CODES: Final[Mapping[Kind, Callable[[str], Iterator[str]]]] = {
    "numbers": numbers,
    "morse": morse,
    "spelling": spelling,
    "rot47": rot47,
    "initials": initials,
}


def _spelled(runs: Iterator[bytes]) -> Iterator[str]:
    texts = (as_text(run) for run in runs)
    return (text for text in texts if text is not None and is_prose(text))


def is_prose(text: str) -> bool:
    """Whether most of it is letters and spaces: any list of numbers spells something."""
    return sum(char.isalpha() or char.isspace() for char in text) >= len(text) * MIN_PROSE


def _binary(run: str) -> bytes:
    bits = "".join(char for char in _SIGNED.sub("", run) if char in "01")
    whole = len(bits) // 8
    return int(bits[: whole * 8], 2).to_bytes(whole, "big")


def _valued(digits: list[str], base: int) -> bytes:
    values = [int(number, base) for number in digits]
    return bytes(values) if max(values) <= _LAST_BYTE else b""


def _points(digits: list[str]) -> str:
    """Numbers as characters, if most are letters of one script."""
    codes = [*map(int, digits)]
    for first, last in _SCRIPTS:
        inside = sum(first <= code <= last for code in codes)
        if inside >= len(codes) * MIN_PROSE:
            return "".join(map(chr, codes))
    return ""


def _ordinal(found: list[tuple[str, str]]) -> bytes:
    """Letters by their places; what seldom stands between them parts words."""
    values = [int(number) for number, _ in found]
    if max(values) > _LAST_LETTER - (0 in values):
        return b""
    before = 97 if 0 in values else 96
    common = Counter(gap for _, gap in found).most_common(1)[0][0]
    return b"".join(
        bytes((value + before,)) + (b"" if gap in (common, "") else b" ")
        for value, (_, gap) in zip(values, found, strict=True)
    )
