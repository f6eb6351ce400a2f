"""How values and names are worded in one-line messages: short, printable, on one line.

Alone decides what of a value may be seen; knows nothing of settings or where they come from.
"""

import difflib
from collections.abc import Iterable, Mapping
from typing import Final

SHOWN_CHARS: Final = 40
NAME_CHARS: Final = 60

# Decimal digits of a huge integer cannot even be printed, so size decides before repr does.
_PRINTABLE_BITS: Final = 100


def short(value: object) -> str:
    """At most forty characters for any value; of tables and lists only that they are one."""
    if isinstance(value, str):
        return _cut(repr(value[: SHOWN_CHARS + 1]))
    if isinstance(value, int) and value.bit_length() > _PRINTABLE_BITS:
        return "a very large number"
    if value is None or isinstance(value, int | float):
        return _cut(repr(value))
    if isinstance(value, Mapping):
        return "a table"
    if isinstance(value, list | tuple | set | frozenset):
        return "a list"
    return _cut(f"a value of type {type(value).__name__}")


def plain(name: str) -> str:
    """A name as the person wrote it when it is printable and short, else its shortened repr."""
    return name if name.isprintable() and 0 < len(name) <= NAME_CHARS else short(name)


def findable(path: str) -> str:
    """A path in full, because a shortened one cannot be looked up, unless it cannot be printed."""
    return path if path.isprintable() else short(path)


def nearest(word: str, known: Iterable[str], cutoff: float = 0.6) -> str | None:
    """The known word that a person probably meant, if one is near enough."""
    folded = {name.casefold(): name for name in known}
    # A very long word is no typing error, and comparing it would only cost time.
    matches = difflib.get_close_matches(word.casefold()[:100], folded, n=1, cutoff=cutoff)
    return folded[matches[0]] if matches else None


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """The end of a sentence that offers the nearest known word, or nothing."""
    found = nearest(word, known)
    return f"; did you mean {found!r}?" if found else ""


def _cut(text: str) -> str:
    return text if len(text) <= SHOWN_CHARS else f"{text[: SHOWN_CHARS - 1]}…"
