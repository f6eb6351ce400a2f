"""What is left of a text, and of a pattern, when the letters and the spaces are taken away.

Where a pattern matches, its outline matches what is left of the text. Most text leaves a few signs
behind, so that to look there first costs next to nothing. Knows no candidates and no engine.
"""

import re
from functools import lru_cache
from typing import Final

_GONE: Final = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz "
_EVERY: Final = bytes(range(256))
# From here on a bound is not worth what it costs: the fewer, the smaller is what the engine makes.
_MANY: Final = 12
# What stands for one byte, a group's ends or a choice, and how often it may stand.
_ATOM: Final = re.compile(
    r"(\\x[0-9a-f]{2}|\\.|\[(?:\\.|[^\]])+\]|\(\?:|[^\\\[])(?:\{(?:[0-9]+,)?([0-9]+)\}|(\?))?",
    re.DOTALL,
)


def signs(data: bytes) -> bytes:
    """What is left of a text: digits, signs, line ends, letters beyond ASCII."""
    return data.translate(None, _GONE)


def outline(pattern: str) -> str:
    """What is left of a pattern: may match more than is left of its matches, and never less."""
    return "".join(_left(*found.group(0, 1, 2)) for found in _ATOM.finditer(pattern))


def _left(written: str, atom: str, most: str | None) -> str:
    if atom in {"(?:", ")", "|"}:
        return written
    gone, stays = _fate(atom)
    if not stays:
        return ""
    if not gone:
        return written
    bound = int(most or 1)
    return atom + ("*" if bound >= _MANY else f"{{0,{bound}}}")


@lru_cache(maxsize=256)
def _fate(atom: str) -> tuple[bool, bool]:
    """Whether some of the bytes that it stands for are gone, and whether some stay.

    What stands for none, a word's boundary, is not left: it may have been between two letters.
    """
    one = re.compile(atom.encode(), re.IGNORECASE | re.DOTALL)
    stands_for = {*b"".join(one.findall(_EVERY))}
    return not stands_for.isdisjoint(_GONE), not stands_for.issubset(_GONE)
