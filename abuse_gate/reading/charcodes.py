"""Numbers that spell a text: the codes of its characters in a list, or a buffer written as JSON.

Knows numbers and letters; what the text says is for the rules.
"""

from typing import Final, cast

from abuse_gate.reading.jsontext import Json

# Fewer spell no sentence.
MIN_CODES: Final = 12
# Letters of alphabets lie below; tokens of a model and measurements mostly do not.
_BEYOND: Final = 0x2000
# What is looked at to tell a text from figures, and how much of that must be letters and spaces.
_LOOK: Final = 1024
_MIN_SHARE: Final = 0.75


def spelled(value: dict[str, Json] | list[Json]) -> str:
    """The text that the numbers of a list or an object spell; empty when they are but numbers."""
    if len(value) < MIN_CODES:
        return ""
    codes = value if isinstance(value, list) else [*value.values()]
    if not all(type(code) is int and 0 < code < _BEYOND for code in codes[:_LOOK]):
        return ""
    text = _decoded(cast("list[int]", codes))
    look = text[:_LOOK]
    said = sum(char.isalpha() or char == " " for char in look)
    return text if said >= _MIN_SHARE * len(look) > 0 else ""


def _decoded(codes: list[int]) -> str:
    try:
        return bytes(codes).decode()
    except (TypeError, ValueError):
        pass
    try:
        return "".join(map(chr, codes))
    except (TypeError, ValueError, OverflowError):
        return ""
