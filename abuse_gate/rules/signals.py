"""Text in two signs, or in small numbers that are places: bits, dots and dashes, squares, keys.

Whatever the two signs are, they are read as bits and as Morse, either way round. Each reader
answers with the texts that it could spell; linear in the text, never raises.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from abuse_gate.rules.codes import MORSE, in_morse, is_prose
from abuse_gate.rules.pace import AGAIN, matches, replaced, texts
from abuse_gate.rules.readable import as_text

# Signs that are taken for the two values of a bit, or for a dot and a dash.
PAIRS: Final[tuple[tuple[str, str], ...]] = (
    ("0", "1"),
    ("a", "b"),
    ("o", "i"),
    ("zero", "one"),
    (" ", "\t"),
)
# Fewer signs spell no sentence.
MIN_SIGNS: Final = 30
# What dots and dashes are called.
_SAID: Final = re.compile(r"\b(?:(dit?|dot|bip|short)|(dah|dash|beep|long))\b[-.]?", re.IGNORECASE)
_SAID_RUN: Final = re.compile(r"(?:[.-]{1,8}[ ,/|\n]{0,6}+){8,}+")
# Runs of signs that are neither letters nor spaces.
_PICTURED: Final = re.compile(r"(?:[^\x00-\x7f][ /|\n]{0,3}+){24,}+")
_SIGN: Final = re.compile(r"[^ /|\n]")
_GAPS: Final = re.compile("[^01]+")
_FLIP: Final = str.maketrans("01", "10")
_BYTE: Final = 8
_SEVEN: Final = 7
_FIVE: Final = 5
# Signs of a stop, of a question mark and their like.
_LONGEST: Final = 6
_STOPS: Final = re.compile("[,.]")
_MORSE: Final = {sign.replace(".", "0").replace("-", "1"): char for sign, char in MORSE.items()}
_ALPHABETS: Final = ("abcdefghijklmnopqrstuvwxyz", "abcdefghiklmnopqrstuwxyz")
# Squares of five by five letters: J is written I, or K is written C.
_SQUARES: Final = ("abcdefghiklmnopqrstuvwxyz", "abcdefghijlmnopqrstuvwxyz")
_PLACES: Final = re.compile(
    r"(?<![0-9])[1-5][., ]?[1-5](?![0-9])(?:[^0-9a-zA-Z]{1,3}[1-5][., ]?[1-5](?![0-9])){9,}+"
)
_TAPS: Final = re.compile(r"\.{1,5} \.{1,5}(?:[ /|]{1,4}\.{1,5} \.{1,5}){7,}+")
_KEYS: Final = re.compile(
    r"(?<![0-9])([2-9])\1{0,3}(?![0-9])(?:[^0-9a-zA-Z]{1,3}(?:0[^0-9a-zA-Z]{1,3})?([2-9])\2{0,3}(?![0-9])){7,}+"
)
_ON_KEYS: Final = ("", "", "abc", "def", "ghi", "jkl", "mno", "pqrs", "tuv", "wxyz")
# What parts words, and not the places of letters.
_SPACES: Final = re.compile(r" {2,}|\s*[/|\n]\s*")
_BARS: Final = re.compile(r"\s*[/|]\s*")
_NUMBERS: Final = re.compile(r"[0-9]+")
_DOTS: Final = re.compile(r"\.+")


def _run(zero: str, one: str) -> re.Pattern[str]:
    signs = "|".join(map(re.escape, sorted((zero, one), key=len, reverse=True)))
    gap = "" if zero == " " else r"[ /|,.\n]{0,5}+" if zero.isalnum() else r"[ /|\n]{0,5}+"
    return re.compile(rf"(?:(?:{signs}){gap}){{{MIN_SIGNS},}}+", re.IGNORECASE)


_RUNS: Final = tuple((_run(zero, one), zero, one) for zero, one in PAIRS)


def two_signs(text: str) -> Iterator[str]:
    """Runs of two signs as the text that their bits, or their dots and dashes, spell."""
    lowered = text.lower()
    for run, zero, one in _RUNS:
        if zero not in lowered or one not in lowered:
            continue
        for found in texts(run, lowered):
            bits = _as_bits(found, zero, one)
            yield from _spelled(bits)
            yield from _spelled(bits.translate(_FLIP))


def said(text: str) -> Iterator[str]:
    """Dots and dashes by their names, those of a letter joined by hyphens."""
    for run in texts(_SAID_RUN, replaced(_SAID, text, lambda sign: "." if sign[1] else "-")):
        yield from in_morse(run.replace(",", " "), MORSE)


def pictured(text: str) -> Iterator[str]:
    """Two pictures in turn, as bits or as dots and dashes."""
    for found in matches(_PICTURED, text, again=AGAIN):
        signs = dict.fromkeys(_SIGN.findall(found.group()))
        if len(signs) == len("01"):
            bits = found.group().translate(str.maketrans("".join(signs), "01"))
            yield from _spelled(bits)
            yield from _spelled(bits.translate(_FLIP))


def places(text: str) -> Iterator[str]:
    """Pairs of places in a square of letters, as numbers or as knocks; keys of a telephone."""
    for run in texts(_PLACES, text):
        yield from _in_squares(["".join(_NUMBERS.findall(word)) for word in _SPACES.split(run)])
    for run in texts(_TAPS, text):
        words = [_DOTS.findall(word) for word in _BARS.split(run)]
        yield from _in_squares(["".join(str(len(dots)) for dots in word) for word in words])
    for found in texts(_KEYS, text):
        yield _on_keys(found)


def _as_bits(run: str, zero: str, one: str) -> str:
    first, second = (one, zero) if len(one) >= len(zero) else (zero, one)
    value = {one: "\x01", zero: "\x00"}
    marked = run.replace(first, value[first]).replace(second, value[second])
    return marked.replace("\x00", "0").replace("\x01", "1")


def _spelled(bits: str) -> Iterator[str]:
    groups = [group for group in _GAPS.split(bits) if group]
    for data in _as_bytes(groups):
        spelled = as_text(data)
        if spelled is not None and is_prose(spelled):
            yield spelled
    if all(len(group) == _FIVE for group in groups):
        yield from _in_fives(groups)
    if max(map(len, groups)) <= _LONGEST:
        yield from in_morse(_STOPS.sub(" ", bits).strip(" /|\n"), _MORSE)


def _as_bytes(groups: Sequence[str]) -> Iterator[bytes]:
    """The bits in bytes of eight and of seven, and each group as a number, from either end."""
    stream = "".join(groups)
    for width in (_BYTE, _SEVEN):
        whole = len(stream) // width * width
        yield bytes(int(stream[at : at + width], 2) for at in range(0, whole, width))
    if all(_FIVE < len(group) <= _BYTE for group in groups):
        yield bytes(int(group, 2) for group in groups)
        yield bytes(int(group[::-1], 2) for group in groups)


def _in_fives(groups: Sequence[str]) -> Iterator[str]:
    values = [int(group, 2) for group in groups]
    for alphabet in _ALPHABETS:
        if max(values) < len(alphabet):
            yield "".join(alphabet[value] for value in values)


def _in_squares(words: Sequence[str]) -> Iterator[str]:
    """The letters at these places, word by word and in one."""
    for square in _SQUARES:
        letters = [_in_square(word, square) for word in words]
        yield "".join(letters)
        yield " ".join(letters)


def _in_square(digits: str, square: str) -> str:
    pairs = range(0, len(digits) // 2 * 2, 2)
    return "".join(square[(int(digits[at]) - 1) * 5 + int(digits[at + 1]) - 1] for at in pairs)


def _on_keys(run: str) -> str:
    """What so many strokes of each key write; no key has more strokes than letters."""
    strokes = (" 0 " if number == "0" else number for number in _NUMBERS.findall(run))
    return "".join(
        " " if stroke == " 0 " else _ON_KEYS[int(stroke[0])][(len(stroke) - 1) % 4 :][:1]
        for stroke in strokes
    )
