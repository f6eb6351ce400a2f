"""Whether an attack is quoted and nothing else: quotation marks are cheap, and explain little.

A quotation excuses what stands inside its marks, as long as there is something else to the text and
nobody is told to act on it: entirely where words lead up to it, otherwise in part.
"""

import re
from collections.abc import Sequence
from typing import Final

from abuse_gate.model.hit import MENTION, QUOTATION
from abuse_gate.rules.book import RuleBook, Scratches
from abuse_gate.rules.engine import scan
from abuse_gate.rules.harmless import MAX_EXPLAINED
from abuse_gate.rules.views import encode, fold

# A rule that weighs less says little by itself.
LOUD: Final = 40

# A tidied text has no other marks; an apostrophe is none.
_INSIDE: Final = re.compile(r"\"[^\"\n]{1,400}\"|`[^`\n]{1,400}`|(?<!\w)'[^'\n]{1,400}'(?!\w)")
# So much must stand around a quotation; letters count in scripts that put no spaces.
MIN_WORDS: Final = 6
MIN_LETTERS: Final = 12
_ACTED_ON: Final = re.compile(
    r"\b(?:do|obey|follow|execute|perform|run|carry out|act on|comply with|apply|answer)"
    r" (?:it|this|that|so|them|exactly|what|as (?:he|she|it|they) says?|accordingly)\b|\bcomply\b",
    re.IGNORECASE,
)


def rules_as_quoted(
    book: RuleBook, scratches: Scratches, text: str, rules: tuple[int, ...]
) -> tuple[int, ...]:
    """The rules that fired in a caller's text, and with them what its quotation marks are worth."""
    if not _any_loud(book, rules):
        return rules
    ids = {book.rules[index].id: index for index in rules}
    if _is_all(book, scratches, text, led_up_to=QUOTATION in ids):
        return rules if MENTION in ids else (*rules, _mention(book))
    return tuple(index for index in rules if index != ids.get(QUOTATION))


def _is_all(book: RuleBook, scratches: Scratches, text: str, *, led_up_to: bool) -> bool:
    """Whether what fired is quoted, amid words that say something else."""
    if len(text) > MAX_EXPLAINED:
        return False
    outside = _INSIDE.sub(" ", text)
    if outside == text or not (led_up_to or _says_something(outside)):
        return False
    if _ACTED_ON.search(outside):
        return False
    found = scan(book.main.database, scratches.main, encode(fold(outside)))
    return not _any_loud(book, book.main.rules_among(found))


def _any_loud(book: RuleBook, rules: Sequence[int]) -> bool:
    return any(book.rules[index].severity >= LOUD for index in rules)


def _says_something(outside: str) -> bool:
    if outside.isascii():
        return len(outside.split()) >= MIN_WORDS
    return sum(map(str.isalpha, outside)) >= MIN_LETTERS


def _mention(book: RuleBook) -> int:
    return next(index for index, rule in enumerate(book.rules) if rule.id == MENTION)
