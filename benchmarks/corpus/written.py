"""Texts in the wrappings of pages, programs and keyboards: unshown letters, other keys and strokes."""

import base64
import codecs
from collections.abc import Callable, Iterator, Mapping
from typing import Final

_MORSE: Final = dict(
    zip(
        "abcdefghijklmnopqrstuvwxyz",
        [
            ".-",
            "-...",
            "-.-.",
            "-..",
            ".",
            "..-.",
            "--.",
            "....",
            "..",
            ".---",
            "-.-",
            ".-..",
            "--",
            "-.",
            "---",
            ".--.",
            "--.-",
            ".-.",
            "...",
            "-",
            "..-",
            "...-",
            ".--",
            "-..-",
            "-.--",
            "--..",
        ],
        strict=True,
    )
)
_STROKES: Final = str.maketrans(
    "ABCDEFGHIJKLMNOPRSTUVWXYZ", "卂乃匚刀乇千厶卄丨フ长ㄥ爪几ㄖ卩尺丂ㄒㄩV山乂ㄚ乙"
)
_SYLLABICS: Final = str.maketrans("ABCDFHJLMNPRSUVW", "ᗩᗷᑕᗪᖴᕼᒍᒪᗰᑎᑭᖇᔕᑌᐯᗯ")
_SIGNS: Final = {
    "n": "|\\|",
    "u": "|_|",
    "d": "|)",
    "k": "|<",
    "v": "\\/",
    "m": "|\\/|",
    "w": "\\/\\/",
    **dict(zip("aeiogst", "4310957", strict=True)),
}
_RIGHT_OF: Final = {
    key: row[at + 1]
    for row in ("qwertyuiop", "asdfghjkl", "zxcvbnm")
    for at, key in enumerate(row[:-1])
}
_SELECTOR: Final = 0xE0100 - 16


def _words(put: Callable[[str], str], between: str = " ") -> Callable[[str], str]:
    return lambda text: between.join(map(put, text.split(" ")))


def _unshown(word: str) -> str:
    half = len(word) // 2
    return f'{word[:half]}<i style="display:none">x</i>{word[half:]}' if half else word


def _in_sections(text: str) -> str:
    parts = (text[at : at + 6] for at in range(0, len(text), 6))
    return f"<p>{''.join(f'<![CDATA[{part}]]>' for part in parts)}</p>"


def _tapped(text: str) -> str:
    letters = (
        " ".join(_MORSE[char] for char in word if char in _MORSE) for word in text.lower().split()
    )
    return " / ".join(letters).replace(".", "*")


def _one_key_aside(word: str) -> str:
    at = len(word) // 2
    key = word[at : at + 1].lower()
    return word[:at] + _RIGHT_OF[key] + word[at + 1 :] if key in _RIGHT_OF else word


def _under(text: str) -> Iterator[str]:
    """Each byte below a letter of another sentence, a few at a time."""
    data = text.encode()
    cover = "The weather is fine today, and so is the coffee in the kitchen. "
    for at in range(0, len(data), 3):
        yield cover[at // 3 % len(cover)]
        yield "".join(chr(_SELECTOR + byte) for byte in data[at : at + 3])


def _half(text: str) -> str:
    words = text.split(" ")
    plain, rest = words[: len(words) // 2], " ".join(words[len(words) // 2 :])
    return f"{' '.join(plain)} {base64.b64encode(rest.encode()).decode()}"


def _further_in(text: str) -> str:
    letters = base64.b64encode(text.encode()).decode()
    return "\r\n".join(f"   {letters[at : at + 24]}" for at in range(0, len(letters), 24))


def _every_second_turned(text: str) -> str:
    return " ".join(
        word[::-1] if at % 2 else word for at, word in enumerate(text.rstrip(".").split(" "))
    )


WRITTEN: Final[Mapping[str, Callable[[str], str]]] = {
    "letters that a page does not show": _words(_unshown),
    "sections of a page": _in_sections,
    "written line ends": lambda text: text.replace(" ", "\\n"),
    "bits with their sign": lambda text: " ".join(f"0b{byte:08b}" for byte in text.encode()),
    "asterisks for dots": _tapped,
    "digits under rot13": lambda text: codecs.encode(text.encode().hex(), "rot13"),
    "bytes under letters": lambda text: "".join(_under(text)),
    "the key beside": _words(_one_key_aside),
    "brush strokes": lambda text: text.upper().translate(_STROKES),
    "syllabics": lambda text: text.upper().translate(_SYLLABICS),
    "schwas": lambda text: text.replace("e", "\u0259"),
    "letters of several signs": lambda text: "".join(_SIGNS.get(c, c) for c in text.lower()),
    "half of it encoded": _half,
    "lines further in": _further_in,
    "every second word turned": _every_second_turned,
    "lines turned": lambda text: "\n".join(
        " ".join(text.split(" ")[at : at + 4])[::-1] for at in range(0, len(text.split(" ")), 4)
    ),
    "many spaces": lambda text: text.replace(" ", " " * 12),
    "bars between words": lambda text: text.replace(" ", " | "),
    "broken anywhere": lambda text: "\n".join(text[at : at + 11] for at in range(0, len(text), 11)),
}
