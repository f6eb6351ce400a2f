"""Phrases that sound like an attack and are none: found by their place in a text, and taken out.

Only the phrase itself is cleared, so that nothing else in the text weighs less for standing beside
one. Looked for where something has fired; ordinary texts never come here.
"""

import re
from collections.abc import Iterator
from typing import Final

from abuse_gate.model.hit import Place
from abuse_gate.rules.book import RuleBook, Scratches
from abuse_gate.rules.engine import find_spans
from abuse_gate.rules.packs import Rule

# What speaks to a model, or of one and what it was told, is not harmless whatever its grammar.
_ADDRESSED: Final = re.compile(
    rb"\b(?:you|your|yourself|ai|a\.i|assistants?|models?|\w{0,12}bots?|llms?|\w{0,12}gpt|agents?"
    rb"|copilot|claude|gemini|systems?|developers?|operators?|openai|anthropic|prompts?"
    rb"|conversation|chat|session|safety|secrets?|respon[ds]\w{0,8}|answer\w{0,4}|how|what|this"
    rb"|rules|guidelines|instructions|restrictions|polic(?:y|ies)|ethic\w{0,3}|moral\w{0,3})\b",
    re.IGNORECASE,
)
_WORDS: Final = re.compile(rb"[a-z]+")
# It ends the sentence, so that no pattern reaches across it.
_GAP: Final = b" . "


def phrases(
    book: RuleBook, scratches: Scratches, data: bytes, place: Place
) -> Iterator[tuple[int, int, Rule]]:
    """Start, end and rule of every harmless phrase, from left to right."""
    for start, end, index in find_spans(book.harmless.database, scratches.harmless, data):
        rule = book.rules[book.harmless.rules[index]]
        if place in rule.places and not _speaks_to_a_model(data[start:end], rule):
            yield start, end, rule


def clear(book: RuleBook, scratches: Scratches, data: bytes, place: Place) -> bytes:
    """The text without its harmless phrases; the very same bytes when there are none."""
    parts: list[bytes] = []
    done = 0
    for start, end, _ in phrases(book, scratches, data, place):
        if start >= done:
            parts.append(data[done:start])
        done = max(done, end)
    return _GAP.join([*parts, data[done:]]) if parts else data


def _speaks_to_a_model(phrase: bytes, rule: Rule) -> bool:
    """Whether a phrase has such a word in it that its own pattern does not spell out.

    Where one text ends and the next begins there is a line's end: no grammar reaches across it.
    """
    if b"\n" in phrase:
        return True
    found = {match.group().lower() for match in _ADDRESSED.finditer(phrase)}
    return bool(found) and not found <= {*_WORDS.findall(rule.pattern.encode())}
