"""Numbers that spell a text: the codes of its characters in a list, or a buffer written as JSON.

Knows numbers and letters; what the text says is for the rules.
"""

from typing import Final

from abuse_gate.reading.jsontext import Json

# Fewer spell no sentence.
MIN_CODES: Final = 12
# Letters of alphabets lie below; tokens of a model and measurements mostly do not.
_BEYOND: Final = "\u2000"
_LAST: Final = 0x10FFFF
# What is looked at to tell a text from figures, and how much of that must be letters and spaces.
_LOOK: Final = 1024
_MIN_SHARE: Final = 0.75


def spelled(value: dict[str, Json] | list[Json]) -> str:
    """The text that the numbers of a list or an object spell; empty when they are but numbers."""
    if len(value) < MIN_CODES:
        return ""
    values = value if isinstance(value, list) else [*value.values()]
    # Zeros part the letters of wide characters, and end a string; a stray value hides nothing.
    codes = [code for code in values if type(code) is int and 0 < code <= _LAST]
    if len(codes) < MIN_CODES:
        return ""
    text = _decoded(codes)
    look = text[:_LOOK]
    said = sum((char.isalpha() and char < _BEYOND) or char == " " for char in look)
    return text if said >= _MIN_SHARE * len(look) else ""


def _decoded(codes: list[int]) -> str:
    try:
        return bytes(codes).decode()
    except ValueError:
        return "".join(map(chr, codes))
