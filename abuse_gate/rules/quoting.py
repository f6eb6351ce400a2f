"""Whether an attack is quoted and nothing else: quotation marks are cheap, and explain little.

A quotation excuses what stands inside its marks, as long as nobody is told to act on it.
"""

import re
from typing import Final

from abuse_gate.model.hit import QUOTATION
from abuse_gate.rules.book import RuleBook, Scratches
from abuse_gate.rules.engine import scan
from abuse_gate.rules.harmless import MAX_EXPLAINED
from abuse_gate.rules.views import encode, fold

# A rule that weighs less says little by itself.
LOUD: Final = 40

_INSIDE: Final = re.compile(
    r"\"[^\"\n]{1,400}\"|`[^`\n]{1,400}`|(?<!\w)'[^'\n]{1,400}'(?!\w)"
    r"|\u201c[^\u201d\n]{1,400}\u201d|\u2018[^\u2019\n]{1,400}\u2019|\u00ab[^\u00bb\n]{1,400}\u00bb"
)
_ACTED_ON: Final = re.compile(
    r"\b(?:do|obey|follow|execute|perform|run|carry out|act on|comply with|apply|answer)"
    r" (?:it|this|that|so|them|exactly|what|as (?:he|she|it|they) says?|accordingly)\b|\bcomply\b",
    re.IGNORECASE,
)


def rules_as_quoted(
    book: RuleBook, scratches: Scratches, text: str, rules: tuple[int, ...]
) -> tuple[int, ...]:
    """The rules that fired in a text; a quotation is among them only where it is all there is."""
    quoting = [index for index in rules if book.rules[index].id == QUOTATION]
    if not quoting or _is_all(book, scratches, text):
        return rules
    return tuple(index for index in rules if index not in quoting)


def _is_all(book: RuleBook, scratches: Scratches, text: str) -> bool:
    if len(text) > MAX_EXPLAINED:
        return False
    outside = _INSIDE.sub(" ", text)
    if _ACTED_ON.search(outside):
        return False
    found = scan(book.main.database, scratches.main, encode(fold(outside)))
    return all(book.rules[index].severity < LOUD for index in book.main.rules_among(found))
