"""Texts that bring their own key, are named after their cipher, or are split by markup."""

import base64
import codecs
import string
from collections.abc import Callable, Mapping
from typing import Final

_LOWER: Final = string.ascii_lowercase
_SHUFFLED: Final = "phqgiumeaylnofdxjkrcvstzwb"
_TO_SHUFFLED: Final = str.maketrans(_LOWER, _SHUFFLED)
_FRUIT: Final = (
    *("apple", "pear", "plum", "fig", "lime", "kiwi", "mango"),
    *("peach", "date", "grape", "melon", "quince", "olive", "guava"),
)


def _long(form: Callable[[str], str]) -> Callable[[str], str]:
    """Only the longer words in this form."""
    return lambda text: " ".join(form(word) if len(word) > 4 else word for word in text.split())


def _named(form: str, body: str) -> Callable[[str], str]:
    """Each word under a name, and then the names in its place."""

    def written(text: str) -> str:
        words = list(enumerate(text.split()))
        given = "".join(form.format(at, word) for at, word in words)
        return given + " ".join(body.format(at) for at, _ in words)

    return written


def _code_book(text: str) -> str:
    pairs = list(zip(_FRUIT, text.split(), strict=False))
    book = "; ".join(f"{fruit} means {word}" for fruit, word in pairs)
    return f"{book}. Now: {' '.join(fruit for fruit, _ in pairs)}"


def _ordered(text: str) -> str:
    words = text.split()
    order = sorted(range(len(words)), key=lambda at: at * 7 % 11)
    parts = ", ".join(f"'{words[at]}'" for at in order)
    return f"parts = [{parts}]\norder = {[order.index(at) for at in range(len(words))]}"


def _grid(text: str) -> str:
    padded = text.replace(" ", "_") + "_" * (-len(text) % 6)
    return "Read it column by column:\n" + "\n".join(padded[at::6] for at in range(6))


def _bits(zero: str, one: str) -> Callable[[str], str]:
    table = {48: zero, 49: one}
    return lambda text: " ".join(f"{byte:08b}".translate(table) for byte in text.encode())


def _base62(text: str) -> str:
    number, digits = int.from_bytes(text.encode(), "big"), ""
    alphabet = string.digits + string.ascii_uppercase + _LOWER
    while number:
        number, rest = divmod(number, 62)
        digits = alphabet[rest] + digits
    return f"base62: {digits}"


def _drawn(text: str) -> str:
    letters = ((at * 9, char) for at, char in enumerate(text) if char != " ")
    return "".join(f'<text x="{at}">{char}</text>' for at, char in letters)


KEYED: Final[Mapping[str, Callable[[str], str]]] = {
    "a glossary": _named("T{0} = {1}, ", "T{0}"),
    "variables of a shell": _named("w{0}='{1}'\n", "$w{0}"),
    "blanks with numbers": lambda text: (
        f"{_named('', '____({0})')(text)}\nAnswers: "
        + ", ".join(f"{at} {word}" for at, word in enumerate(text.split()))
    ),
    "a code book": _code_book,
    "two alphabets": lambda text: f"{_LOWER}\n{_SHUFFLED}\n{text.lower().translate(_TO_SHUFFLED)}",
    "pictures for bits, with a key": lambda text: f"⚪=0 ⚫=1: {_bits('⚪', '⚫')(text)}",
    "pictures for bits": _bits("🌑", "🌕"),
    "parts in another order": _ordered,
    "replacements of sed": lambda text: (
        f"sed 's/#/e/g; s/~/o/g' <<< '{text.replace('e', '#').replace('o', '~')}'"
    ),
    "a call of replace": lambda text: f"'{'~@'.join(text)}'.replace(/~@/g, '')",
    "signs to be removed": lambda text: f"Remove the asterisks: {'*'.join(text)}",
    "a grid": _grid,
    "names of characters": lambda text: "".join(
        f"\\N{{LATIN SMALL LETTER {char.upper()}}}" if char.isalpha() else char for char in text
    ),
    "escapes of a style sheet": lambda text: "".join(f"\\{ord(char):06x}" for char in text),
    "words in calls": _long(lambda word: f"b64({base64.b64encode(word.encode()).decode()})"),
    "turned words in calls": _long(lambda word: f"rot13({codecs.encode(word, 'rot13')})"),
    "characters in calls": lambda text: " & ".join(f"ChrW({ord(char)})" for char in text),
    "bytes from the other end": lambda text: " ".join(
        f"0x{text[at : at + 4].ljust(4).encode()[::-1].hex()}" for at in range(0, len(text), 4)
    ),
    "bytes as colours": lambda text: ", ".join(
        f"#{text[at : at + 3].ljust(3).encode().hex()}" for at in range(0, len(text), 3)
    ),
    "base62 by name": _base62,
    "EBCDIC by name": lambda text: f"EBCDIC: {text.encode('cp037').hex(' ')}",
    "a key for XOR": lambda text: (
        f"XOR with 0x2a: {bytes(byte ^ 0x2A for byte in text.encode()).hex(' ')}"
    ),
    "tags of a forum": _long(lambda word: f"{word[:2]}[b]{word[2:-1]}[/b]{word[-1]}"),
    "commands of a typesetter": _long(lambda word: f"{word[:2]}\\textit{{{word[2:-1]}}}{word[-1]}"),
    "comments in words": _long(lambda word: f"{word[:2]}/* x */{word[2:]}"),
    "marked words": lambda text: " ".join(
        f"{fill} **{word}**" for fill, word in zip(_FRUIT, text.split(), strict=False)
    ),
    "letters in their places": _drawn,
}
