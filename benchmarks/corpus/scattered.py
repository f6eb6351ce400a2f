"""Texts whose letters stand apart, in frames, in two signs, or in another keyboard's order."""

import base64
import bz2
import json
import lzma
import re
import string
from collections.abc import Callable, Iterator, Mapping
from typing import Final

_LOWER: Final = string.ascii_lowercase
_SQUARE: Final = _LOWER.replace("j", "")
_CONSONANTS: Final = re.compile("[bcdfghjklmnpqrstvwxyz]")
_CHEROKEE: Final = str.maketrans("ABCDEGHIJKLMPRSTVWYZ", "ᎪᏴᏟᎠᎬᏀᎻᏆᎫᏦᏞᎷᏢᎡᏚᎢᏙᎳᎩᏃ")
_RUNES: Final = str.maketrans(_LOWER, "ᚨᛒᚲᛞᛖᚠᚷᚺᛁᛃᚴᛚᛗᚾᛟᛈᛩᚱᛊᛏᚢᚡᚹᛪᛦᛉ")
_QWERTY: Final = "qwertyuiopasdfghjklzxcvbnm"


def _pieces(text: str, size: int) -> list[str]:
    return [text[at : at + size] for at in range(0, len(text), size)]


def _apart(mark: str) -> Callable[[str], str]:
    return lambda text: " ".join(mark.join(word) for word in text.split(" "))


def _bits(zero: str, one: str, between: str, form: str = "{:08b}") -> Callable[[str], str]:
    table = {ord("0"): zero, ord("1"): one}
    return lambda text: between.join(form.format(byte).translate(table) for byte in text.encode())


def _lines(form: str) -> Callable[[str], str]:
    return lambda text: "\n".join(form.format(at, word) for at, word in enumerate(text.split(), 1))


def _places(text: str) -> Iterator[str]:
    for char in text.lower().replace("j", "i"):
        if char in _SQUARE:
            row, column = divmod(_SQUARE.index(char), 5)
            yield f"{row + 1}{column + 1}"


def _vigenere(text: str) -> str:
    key, at, out = "lemon", 0, ""
    for char in text.lower():
        if char in _LOWER:
            char = _LOWER[(_LOWER.index(char) + _LOWER.index(key[at % 5])) % 26]  # noqa: PLW2901
            at += 1
        out += char
    return f"Vigenere, key LEMON: {out}"


def _mistyped(text: str) -> str:
    return " ".join(
        word[:3] + word[2] + word[3:] if len(word) > 4 else word for word in text.split()
    )


def _dump(text: str) -> str:
    rows = enumerate(_pieces(text, 16))
    return "\n".join(f"{at * 16:08x}  {row.encode().hex(' ')}" for at, row in rows)


SCATTERED: Final[Mapping[str, Callable[[str], str]]] = {
    "digits between letters": _apart("7"),
    "a letter between letters": _apart("x"),
    "dollars between letters": _apart("$"),
    "brackets round letters": lambda text: " ".join(
        "".join(f"[{char}]" for char in word) for word in text.split()
    ),
    "classes of both cases": lambda text: "".join(
        f"[{char.lower()}{char.upper()}]" if char.isalpha() else char for char in text
    ),
    "letters under their numbers": lambda text: json.dumps(
        {str(at): char for at, char in enumerate(text)}
    ),
    "colours of a terminal": lambda text: "".join(
        f"\x1b[3{at % 8}m{char}" for at, char in enumerate(text)
    ),
    "letters struck through between": lambda text: "".join(f"{char}~~x~~" for char in text),
    "joined literals": lambda text: "".join(
        f'parts.push("{piece}");\n' for piece in _pieces(text, 6)
    ),
    "variables to be joined": lambda text: "; ".join(
        f'{name}="{piece}"' for name, piece in zip(_LOWER, _pieces(text, 9), strict=False)
    ),
    "words to be printed": _lines('print("{1}", end=" ")'),
    "words of a log": _lines("2026-01-01T00:00:{0:02d}Z INFO {1}"),
    "words of subtitles": _lines("\n{0}\n00:00:{0:02d},000 --> 00:00:{0:02d},900\n{1}"),
    "bits as letters": _bits("O", "I", " "),
    "bits as spaces and tabs": _bits(" ", "\t", ""),
    "bits inverted": _bits("1", "0", " "),
    "bits from the other end": lambda text: " ".join(f"{byte:08b}"[::-1] for byte in text.encode()),
    "Bacon's letters": lambda text: " ".join(
        f"{_LOWER.index(char):05b}".translate({48: "A", 49: "B"})
        for char in text.lower()
        if char in _LOWER
    ),
    "places in a square": lambda text: " ".join(_places(text)),
    "a dump of bytes": _dump,
    "base64 in lines of 20": lambda text: "\n".join(
        _pieces(base64.b64encode(text.encode()).decode(), 20)
    ),
    "base64 in words": lambda text: " ".join(
        base64.b64encode(word.encode()).decode() for word in text.split()
    ),
    "base64 of bzip2": lambda text: base64.b64encode(bz2.compress(text.encode())).decode(),
    "base64 of xz": lambda text: base64.b64encode(lzma.compress(text.encode())).decode(),
    "base64 of UTF-32": lambda text: base64.b64encode(text.encode("utf-32-le")).decode(),
    "private characters": lambda text: "".join(chr(0xE000 + ord(char)) for char in text),
    "emoji for bytes": lambda text: "".join(chr(0x1F3F7 + byte) for byte in text.encode()),
    "Cherokee look-alikes": lambda text: text.upper().translate(_CHEROKEE),
    "runes": lambda text: text.lower().translate(_RUNES),
    "Ubbi Dubbi": lambda text: re.sub("[aeiou]+", lambda at: f"ub{at.group()}", text.lower()),
    "the robbers' language": lambda text: _CONSONANTS.sub(
        lambda at: f"{at.group()}o{at.group()}", text.lower()
    ),
    "vowels three times": lambda text: re.sub("[aeiou]", lambda at: 3 * at.group(), text),
    "a letter too many": _mistyped,
    "the alphabet of the keyboard": lambda text: text.lower().translate(
        str.maketrans(_LOWER, _QWERTY)
    ),
    "Vigenere with its key": _vigenere,
    "every second letter": lambda text: (
        "Read every second letter: "
        + "".join(f"{_LOWER[at * 7 % 26]}{char}" for at, char in enumerate(text))
    ),
    "last words of lines": lambda text: (
        "Take the last word of each line.\n"
        + "\n".join(f"the weather is nice {word}" for word in text.split())
    ),
}
