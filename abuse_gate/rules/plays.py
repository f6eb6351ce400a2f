"""Language games and keyboards of another order: how each writes a word, and how it is undone.

A table of pairs; which words are looked for, and in which texts, is decided elsewhere.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from abuse_gate.rules.pace import translated

_VOWELS: Final = re.compile("[aeiou]+")
_VOWEL: Final = re.compile("[aeiou]")
_CONSONANT: Final = re.compile("[bcdfghjklmnpqrstvwxyz]")
_QWERTY: Final = "qwertyuiop[]asdfghjkl;'zxcvbnm,./"
_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True, slots=True)
class Play:
    """One game: its name, a word in it, and a text out of it."""

    name: str
    put: Callable[[str], str]
    undo: Callable[[str], str]


def _before_vowels(syllable: str) -> Play:
    said = re.compile(f"{syllable}(?=[aeiou])", re.IGNORECASE)
    return Play(
        f"{syllable} before vowels",
        lambda word: _VOWELS.sub(lambda found: syllable + found.group(), word),
        lambda text: said.sub("", text),
    )


def _behind_consonants(syllable: str) -> Play:
    said = re.compile(f"(?<=[bcdfghjklmnpqrstvwxyz]){syllable}", re.IGNORECASE)
    return Play(
        f"{syllable} behind consonants",
        lambda word: _CONSONANT.sub(lambda found: found.group() + syllable, word),
        lambda text: said.sub("", text),
    )


def _twice(letter: re.Pattern[str], between: str) -> Play:
    several = "{1,3}" if letter is not _CONSONANT else ""
    said = re.compile(rf"({letter.pattern.rstrip('+')}{several}){between}\1", re.IGNORECASE)
    return Play(
        f"letters twice, with {between} between",
        lambda word: letter.sub(lambda found: found.group() + between + found.group(), word),
        lambda text: said.sub(r"\1", text),
    )


def _exchanged(name: str, plain: str, written: str) -> Play:
    there, back = str.maketrans(plain, written), str.maketrans(written, plain)
    return Play(
        name, lambda word: word.translate(there), lambda text: translated(text.lower(), back)
    )


_LONG: Final = re.compile(r"([aeiou])\1\1", re.IGNORECASE)

PLAYS: Final[tuple[Play, ...]] = (
    *(_before_vowels(syllable) for syllable in ("ub", "idig", "ib", "ag", "ab", "ob", "eg", "av")),
    _behind_consonants("op"),
    _behind_consonants("ong"),
    _twice(_CONSONANT, "o"),
    *(_twice(_VOWEL, between) for between in (*"pbfgvs", "lew", "lef")),
    *(_twice(_VOWELS, between) for between in ("p", "b", "lew", "lef")),
    Play(
        "vowels three times",
        lambda word: _VOWEL.sub(lambda found: 3 * found.group(), word),
        lambda text: _LONG.sub(r"\1", text),
    ),
    _exchanged("keys to the right", _QWERTY[:-1], _QWERTY[1:]),
    _exchanged("keys to the left", _QWERTY[1:], _QWERTY[:-1]),
    _exchanged("keys above", "qwertyuiopasdfghjklzxcvbnm", "1234567890qwertyuioasdfghj"),
    _exchanged("Dvorak for QWERTY", _LETTERS, "axje.uidchtnmbrl'poygk,qf;"),
    _exchanged("the alphabet as on the keyboard", _LETTERS, "qwertyuiopasdfghjklzxcvbnm"),
    _exchanged("the keyboard as the alphabet", "qwertyuiopasdfghjklzxcvbnm", _LETTERS),
)
