"""Two tricks at a time, and encodings without what gives them away: one function each."""

import base64
import binascii
import codecs
import re
import zlib
from collections.abc import Callable, Mapping
from typing import Final

_LOOKS: Final = str.maketrans("aceijopsxydhlqwgtkmnr", "асеіјорѕхуԁһӏԛԝԍткмпг")
_LEET: Final = str.maketrans("aeiost", "431057")
_GREEK: Final = str.maketrans("aAbBdeEHiIkKMnNoOpPstTuvwyYzZ", "αΑβΒδεΕΗιΙκΚΜηΝοΟρΡςτΤυνωγΥζΖ")
_WORD: Final = re.compile(r"\S+")
_LETTERS: Final = re.compile("[a-z]+", re.IGNORECASE)


def _groups(text: str, size: int, gap: str = " ") -> str:
    return gap.join(text[at : at + size] for at in range(0, len(text), size))


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode()


def _deflated(text: str) -> str:
    return _base64(zlib.compress(text.encode(), wbits=-15))


def _uu(text: str) -> str:
    data = text.encode()
    lines = (binascii.b2a_uu(data[at : at + 45]) for at in range(0, len(data), 45))
    return b"".join(lines).decode().rstrip("\n")


def _utf7_words(text: str) -> str:
    return _WORD.sub(
        lambda word: f"+{_base64(word.group().encode('utf-16-be')).rstrip('=')}-", text
    )


def _entities_of_percent(text: str) -> str:
    percent = "".join(f"%{byte:02X}" for byte in text.encode())
    return _base64("".join(f"&#{ord(sign)};" for sign in percent).encode())


def _camel(text: str) -> str:
    return "".join(word.capitalize() for word in _LETTERS.findall(text))


def _cut(text: str) -> str:
    return _LETTERS.sub(
        lambda word: (
            f"{word.group()[:3]} {word.group()[3:]}".strip()
            if len(word.group()) > 4
            else word.group()
        ),
        text,
    )


def _spread_tags(text: str) -> str:
    pieces = _groups("".join(chr(0xE0000 + ord(sign)) for sign in text if sign.isascii()), 17, "|")
    return "".join(f"word{piece} " for piece in pieces.split("|"))


COMPOSED: Final[Mapping[str, Callable[[str], str]]] = {
    "base64 in groups of ten": lambda text: _groups(_base64(text.encode()), 10),
    "base32 in groups of eight": lambda text: _groups(base64.b32encode(text.encode()).decode(), 8),
    "rot13 of base64": lambda text: codecs.encode(_base64(text.encode()), "rot13"),
    "base64 with its cases swapped": lambda text: _base64(text.encode()).swapcase(),
    "deflated without a head": _deflated,
    "uuencode without a head": _uu,
    "UTF-7 word by word": _utf7_words,
    "percent in entities in base64": _entities_of_percent,
    "digits amid look-alikes": lambda text: text.lower().translate(_LEET).translate(_LOOKS),
    "look-alikes without spaces": lambda text: _camel(text).translate(_LOOKS),
    "Greek look-alikes": lambda text: text.translate(_GREEK),
    "digits without spaces": lambda text: _camel(text).translate(_LEET),
    "words on hyphens": lambda text: "-".join(_LETTERS.findall(text)).lower(),
    "blocks of three": lambda text: _groups("".join(_LETTERS.findall(text)), 3),
    "words cut in two": _cut,
    "rot13 backwards": lambda text: codecs.encode(text, "rot13")[::-1],
    "tags spread over words": _spread_tags,
}
