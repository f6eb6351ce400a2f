"""The view of Western text in one step: what the rules see of it, character by character.

Most text beyond ASCII is ASCII but for accents, quotation marks and dashes: nothing in it composes,
hides or stands for a letter of another script. Says exactly what `views` says, or nothing.
"""

import re
from typing import Final

from abuse_gate.rules.bends import is_turned
from abuse_gate.rules.confusables import latin
from abuse_gate.rules.hidden import hidden
from abuse_gate.rules.views import encode, spread, view

# All letters and marks of Western languages, each one byte.
_CODEC: Final = "cp1252"
_EVERY: Final = {code: bytes([code]).decode(_CODEC, "ignore") for code in range(256)}


def _is_odd(char: str) -> bool:
    """Whether there is more to a character than its view, or that depends on its neighbours."""
    if not char or spread(char) or hidden(char) or is_turned(char):
        return True
    return latin(char) != char or latin(view(char)) != view(char)


_ODD: Final = bytes(code for code, char in _EVERY.items() if _is_odd(char))
_SEEN: Final = {code: encode(view(char)) for code, char in _EVERY.items() if code not in _ODD}
_TABLE: Final = bytes(
    seen[0] if len(seen := _SEEN.get(code, b"")) == 1 else code for code in _EVERY
)
_LONGER: Final = re.compile(rb"[\x80-\xff]")


def western(text: str) -> bytes | None:
    """The bytes of `view(text)`; None when they cannot be told character by character."""
    try:
        data = text.encode(_CODEC)
    except UnicodeEncodeError:
        return None
    if len(data.translate(None, _ODD)) < len(data):
        return None
    data = data.translate(_TABLE)
    return data if data.isascii() else _LONGER.sub(_spelled, data)


def _spelled(char: re.Match[bytes]) -> bytes:
    return _SEEN[char.group()[0]]
