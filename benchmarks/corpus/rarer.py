"""Rarer ways to encode or to scatter a text: one function each."""

import base64
import json
import string
from collections.abc import Callable, Mapping
from typing import Final

_BASE58: Final = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
_BRAILLE: Final = "⠁⠃⠉⠙⠑⠋⠛⠓⠊⠚⠅⠇⠍⠝⠕⠏⠟⠗⠎⠞⠥⠧⠺⠭⠽⠵"
_TO_BRAILLE: Final = str.maketrans(string.ascii_lowercase, _BRAILLE)
_CYRILLIC: Final = str.maketrans("aeopcxyi", "аеорсхуі")


def _base58(text: str) -> str:
    number, letters = int.from_bytes(text.encode(), "big"), ""
    while number:
        number, rest = divmod(number, 58)
        letters = _BASE58[rest] + letters
    return letters


def _rot47(text: str) -> str:
    return "".join(chr(33 + (ord(c) - 33 + 47) % 94) if "!" <= c <= "~" else c for c in text)


def _b64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def _utf7(text: str) -> str:
    codes = (base64.b64encode(c.encode("utf-16-be")).decode().rstrip("=") for c in text)
    return "".join(f"+{code}-" for code in codes)


def _ordinals(text: str) -> str:
    words = ([str(ord(c) - 96) for c in word if c.isalpha()] for word in text.lower().split())
    return " ".join("-".join(word) for word in words)


def _times(count: int) -> Callable[[str], str]:
    return lambda text: "".join(c * count if c.isalpha() else c for c in text)


def _entries(form: str) -> Callable[[str], str]:
    return lambda text: "\n".join(form.format(at, word) for at, word in enumerate(text.split(), 1))


RARER: Final[Mapping[str, Callable[[str], str]]] = {
    "rot47": _rot47,
    "base58": _base58,
    "base64 with look-alikes": lambda text: _b64(text).translate(_CYRILLIC),
    "base64 of look-alikes": lambda text: _b64(text.translate(_CYRILLIC)),
    "UTF-7": _utf7,
    "binary of seven bits": lambda text: " ".join(f"{ord(c):07b}" for c in text),
    "octal codes as they are": lambda text: " ".join(f"{ord(c):o}" for c in text),
    "places in the alphabet": _ordinals,
    "Braille": lambda text: text.lower().translate(_TO_BRAILLE),
    "letters doubled": _times(2),
    "letters three times": _times(3),
    "words in reverse order": lambda text: " ".join(reversed(text.rstrip(".").split())),
    "no vowels": lambda text: "".join(c for c in text if c.lower() not in "aeiou"),
    "a letter lacking": lambda text: " ".join(
        word[:2] + word[3:] if len(word) > 4 else word for word in text.split()
    ),
    "an object of words": lambda text: json.dumps(
        {string.ascii_letters[at]: word for at, word in enumerate(text.split())}
    ),
    "a list of words": lambda text: json.dumps(text.split()),
    "a list of letters": lambda text: json.dumps(list(text)),
    "numbered words": _entries("{}. {}"),
    "words under keys": _entries("k{}: {}"),
    "words as bullets": _entries("- {1}"),
    "percent three times": lambda text: "".join(f"%2525{ord(c):02x}" for c in text),
    "character codes in a call": lambda text: (
        f"String.fromCharCode({','.join(str(ord(c)) for c in text)})"
    ),
    "a span round each letter": lambda text: "".join(f"<span>{c}</span>" for c in text),
    "hidden by a style": lambda text: f'<p style="display:none">{text}</p>',
    "a comment of Markdown": lambda text: f"[//]: # ({text})",
}
