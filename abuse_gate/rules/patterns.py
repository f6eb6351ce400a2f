"""What a pattern must be before the engine may see it: folded like the views, bounded, byte-safe.

Reads patterns as text only; it neither compiles nor matches anything.
"""

import re
import unicodedata
from typing import Final

from abuse_gate.rules.views import view


class UnfitPatternError(ValueError):
    """A pattern that cannot mean in byte mode what it says; the message holds the cure."""


# One regular-expression item at a time, or several letters none of which is repeated. A class may
# open with "]" as a literal member.
ITEM: Final = re.compile(
    r"""
    (?P<escape>\\(?:x\{[0-9A-Fa-f]*\}|x[0-9A-Fa-f]{0,2}|[pP]\{[^}]*\}|.|\Z))
    |(?P<set>\[\^?\]?(?:\[:\^?\w+:\]|\\.|[^\]\\])*\]?)
    |(?P<open>\((?:\?[^:)=!]*[:=!]?)?)
    |(?P<repeat>[*+?]|\{\d*(?:,\d*)?\})
    |(?P<letters>[A-Za-z]{2,}(?![*+?{]))
    |(?P<other>.)
    """,
    re.VERBOSE | re.DOTALL,
)
_UNBOUNDED: Final = re.compile(r"[*+]|\{\d*,\}")
_REPEATS: Final = re.compile(r"[*+?]|\{\d*,?\d*\}")
_FOREIGN_RUN: Final = re.compile(r"[^\x00-\x7f]+")

# What a plain space in a pack stands for: words are parted by more than one space character.
_SPACE: Final = r"\s{1,8}"

# Repeats of these cannot swallow a sentence, so they may go unbounded.
_NARROW_ESCAPES: Final = frozenset({r"\s", r"\d", r"\h", r"\t", r"\n", r"\r"})
_UNICODE_ESCAPES: Final = (r"\p", r"\P", r"\X", r"\R", r"\C")


def fold_pattern(pattern: str) -> str:
    """The pattern with its literal text normalized and case-folded as the views are."""
    _refuse_unicode_classes(pattern)
    composed = unicodedata.normalize("NFC", pattern)
    return _FOREIGN_RUN.sub(lambda run: _fold_run(run, composed), composed)


def widen_spaces(pattern: str) -> str:
    """The pattern with each plain space as a short run of white space, line breaks included."""
    return "".join(_widened(item, pattern) for item in ITEM.finditer(pattern))


def unbounded_gap(pattern: str) -> str | None:
    """The first repeat without an upper bound on something wide, as it is written."""
    last = ""
    for item in ITEM.finditer(pattern):
        if item.lastgroup != "repeat":
            last = item.group()
        elif _UNBOUNDED.fullmatch(item.group()) and not _is_narrow(last):
            return last + item.group()
    return None


def _widened(item: re.Match[str], pattern: str) -> str:
    if item.group() != " ":
        return item.group()
    return f"(?:{_SPACE})" if _REPEATS.match(pattern, item.end()) else _SPACE


def _is_narrow(item: str) -> bool:
    if item.startswith("\\"):
        return item in _NARROW_ESCAPES or not item[1:2].isalnum()
    return len(item) == 1 and item not in ".)"


def _refuse_unicode_classes(pattern: str) -> None:
    if pattern.startswith("(*"):
        raise UnfitPatternError("verbs such as (*UTF8) are not supported; leave the verb out")
    for item in ITEM.finditer(pattern):
        text = item.group()
        if item.lastgroup == "escape" and text.startswith(_UNICODE_ESCAPES):
            raise UnfitPatternError(f"{text} needs Unicode mode; list the words as (?:a|b) instead")
        if item.lastgroup == "set" and not text.isascii():
            raise UnfitPatternError(
                "a character class holds non-ASCII letters, which are several bytes each; "
                "write them as alternatives (?:a|b) instead"
            )


def _fold_run(run: re.Match[str], pattern: str) -> str:
    """A run of non-ASCII text, folded; a repeat behind it must hold the whole last character."""
    text = run.group()
    if not _REPEATS.match(pattern, run.end()):
        return _literal(text)
    return _literal(text[:-1]) + "(?:" + _literal(text[-1]) + ")"


def _literal(text: str) -> str:
    # Folding may turn a full-width parenthesis into a real one, which must stay a literal.
    return re.escape(view(text))
