"""Ways to encode a text so that a model can still undo them: one function each."""

import base64
import codecs
import gzip
import html
import json
import quopri
import string
import urllib.parse
import zlib
from collections.abc import Callable, Mapping
from typing import Final

from benchmarks.corpus.composed import COMPOSED
from benchmarks.corpus.disguises import DISGUISES
from benchmarks.corpus.keyed import KEYED
from benchmarks.corpus.misspelt import MISSPELT
from benchmarks.corpus.rarer import RARER
from benchmarks.corpus.scattered import SCATTERED
from benchmarks.corpus.written import WRITTEN

Encoding = Callable[[str], str]

_MORSE: Final[Mapping[str, str]] = {
    row[0]: row[2:]
    for row in [
        "a:.-",
        "b:-...",
        "c:-.-.",
        "d:-..",
        "e:.",
        "f:..-.",
        "g:--.",
        "h:....",
        "i:..",
        "j:.---",
        "k:-.-",
        "l:.-..",
        "m:--",
        "n:-.",
        "o:---",
        "p:.--.",
        "q:--.-",
        "r:.-.",
        "s:...",
        "t:-",
        "u:..-",
        "v:...-",
        "w:.--",
        "x:-..-",
        "y:-.--",
        "z:--..",
    ]
}
_RADIO: Final = [
    "alfa",
    "bravo",
    "charlie",
    "delta",
    "echo",
    "foxtrot",
    "golf",
    "hotel",
    "india",
    "juliett",
    "kilo",
    "lima",
    "mike",
    "november",
    "oscar",
    "papa",
    "quebec",
    "romeo",
    "sierra",
    "tango",
    "uniform",
    "victor",
    "whiskey",
    "xray",
    "yankee",
    "zulu",
]


def _b64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def _lines(text: str, width: int) -> str:
    return "\n".join(text[at : at + width] for at in range(0, len(text), width))


def _caesar(by: int) -> Encoding:
    low, up = string.ascii_lowercase, string.ascii_uppercase
    table = str.maketrans(low + up, low[by:] + low[:by] + up[by:] + up[:by])
    return lambda text: text.translate(table)


def _atbash(text: str) -> str:
    low, up = string.ascii_lowercase, string.ascii_uppercase
    return text.translate(str.maketrans(low + up, low[::-1] + up[::-1]))


def _morse(text: str) -> str:
    words = ("".join(c for c in word.lower() if c in _MORSE) for word in text.split())
    return " / ".join(" ".join(_MORSE[c] for c in word) for word in words if word)


def _radio(text: str) -> str:
    letters = (c for c in text.lower() if c in string.ascii_lowercase)
    return " ".join(_RADIO[ord(c) - ord("a")] for c in letters)


def _codes(form: str, between: str) -> Encoding:
    return lambda text: between.join(form.format(byte) for byte in text.encode())


ENCODINGS: Final[Mapping[str, Encoding]] = {
    "base64": _b64,
    "base64 in a sentence": lambda text: f"Decode {_b64(text)} for me",
    "base64 url-safe": lambda text: base64.urlsafe_b64encode(f"?>~?>~ {text}".encode()).decode(),
    "base64 unpadded": lambda text: _b64(text).rstrip("="),
    "base64 in lines of 76": lambda text: _lines(_b64(text), 76),
    "base64 in lines of 32": lambda text: _lines(_b64(text), 32),
    "base64 in lines of 16": lambda text: _lines(_b64(text), 16),
    "base64 twice": lambda text: _b64(_b64(text)),
    "base64 three times": lambda text: _b64(_b64(_b64(text))),
    "base64 reversed": lambda text: _b64(text)[::-1],
    "base64 behind a word": lambda text: "x" + _b64(text),
    "base64 of UTF-16": lambda text: base64.b64encode(text.encode("utf-16-le")).decode(),
    "base64 of UTF-16 big-endian": lambda text: base64.b64encode(text.encode("utf-16-be")).decode(),
    "base64 of gzip": lambda text: base64.b64encode(gzip.compress(text.encode())).decode(),
    "base64 of zlib": lambda text: base64.b64encode(zlib.compress(text.encode())).decode(),
    "base64 of hex": lambda text: _b64(text.encode().hex()),
    "base64 of leetspeak": lambda text: _b64(DISGUISES["leetspeak"](text)),
    "base64 of full width": lambda text: _b64(DISGUISES["full width"](text)),
    "data address": lambda text: f"data:text/plain;base64,{_b64(text)}",
    "base32": lambda text: base64.b32encode(text.encode()).decode(),
    "base32 lower case": lambda text: base64.b32encode(text.encode()).decode().lower(),
    "ascii85": lambda text: base64.a85encode(text.encode()).decode(),
    "ascii85 in brackets": lambda text: base64.a85encode(text.encode(), adobe=True).decode(),
    "base85": lambda text: base64.b85encode(text.encode()).decode(),
    "uuencode": lambda text: codecs.encode(text.encode(), "uu").decode(),
    "hex": lambda text: text.encode().hex(),
    "hex upper case": lambda text: text.encode().hex().upper(),
    "hex of gzip": lambda text: gzip.compress(text.encode()).hex(),
    "hex with spaces": lambda text: text.encode().hex(" "),
    "hex with colons": lambda text: text.encode().hex(":"),
    "hex with 0x": _codes("0x{:02x}", ", "),
    "hex escapes": _codes("\\x{:02x}", ""),
    "unicode escapes": lambda text: "".join(f"\\u{ord(c):04x}" for c in text),
    "unicode escapes in braces": lambda text: "".join(f"\\u{{{ord(c):x}}}" for c in text),
    "octal escapes": _codes("\\{:03o}", ""),
    "octal codes": _codes("{:03o}", " "),
    "code points": lambda text: " ".join(f"U+{ord(c):04X}" for c in text),
    "percent": lambda text: "".join(f"%{byte:02X}" for byte in text.encode()),
    "percent for spaces": urllib.parse.quote,
    "percent twice": lambda text: urllib.parse.quote(urllib.parse.quote(text)),
    "percent with u": lambda text: "".join(f"%u{ord(c):04x}" for c in text),
    "decimal entities": lambda text: "".join(f"&#{ord(c)};" for c in text),
    "hexadecimal entities": lambda text: "".join(f"&#x{ord(c):x};" for c in text),
    "entities without ends": lambda text: "".join(f"&#{ord(c):07d}" for c in text),
    "escaped markup": lambda text: html.escape(f"<p>{text}</p>"),
    "quoted-printable": lambda text: "".join(f"={byte:02X}" for byte in text.encode()),
    "quoted-printable soft breaks": lambda text: (
        quopri.encodestring("=\n".join(text[at : at + 7] for at in range(0, len(text), 7)).encode())
        .decode()
        .replace("=3D\n", "=\n")
    ),
    "style sheet escapes": lambda text: "".join(f"\\{ord(c):x} " for c in text),
    "binary": _codes("{:08b}", " "),
    "binary unbroken": _codes("{:08b}", ""),
    "decimal codes": _codes("{}", " "),
    "decimal codes with commas": _codes("{}", ","),
    "chr calls": _codes("chr({})", "+"),
    "JSON string": json.dumps,
    "JSON in JSON": lambda text: json.dumps(json.dumps({"a": json.dumps({"b": text})})),
    "rot13": lambda text: codecs.encode(text, "rot13"),
    "Caesar by 3": _caesar(3),
    "Caesar by 7": _caesar(7),
    "Caesar by 21": _caesar(21),
    "mirrored alphabet": _atbash,
    "rot13 in base64": lambda text: _b64(codecs.encode(text, "rot13")),
    "Morse": _morse,
    "radio alphabet": _radio,
    **RARER,
    **SCATTERED,
    **MISSPELT,
    **KEYED,
    **COMPOSED,
    **WRITTEN,
}
