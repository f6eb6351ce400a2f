"""Whether an attack is quoted and nothing else: quotation marks are cheap, and explain little.

A quotation excuses what stands inside its marks, as long as the words around it are about it and
nobody is told to act on it: entirely where words lead up to it, otherwise in part.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from abuse_gate.model.hit import MENTION, QUOTATION
from abuse_gate.rules.book import RuleBook, Scratches
from abuse_gate.rules.engine import scan
from abuse_gate.rules.harmless import MAX_EXPLAINED
from abuse_gate.rules.views import encode, fold

# A rule that weighs less says little by itself.
LOUD: Final = 40
# More quotations than these are not looked into.
MAX_QUOTED: Final = 16

# From mark to mark: a tidied text has no other ones. Not an apostrophe, not inches, not the marks
# of an attribute, of a member of an object, or of a value behind its key.
_INSIDE: Final = re.compile(
    r"(?<![\w=])(?<!\"[:])(?<!\"[:] )\"([^\"\n]{1,400})\"|`([^`\n]{1,400})`"
    r"|(?<!\w)'([^'\n.!?]{1,160})'(?!\w)"
)
_KEYED: Final = re.compile(r"^[\s-]{0,16}\w{1,24}:[ \t]{0,4}[\"']", re.MULTILINE)
# Words of somebody who speaks about a text.
_TALK: Final = re.compile(
    r"[?\u061f\uff1f]|\b(?:sa(?:y|ys|id|ying)|writ(?:e|es|ing|ten)|wrote|typ(?:e|es|ed|ing)"
    r"|phrases?|sentences?|means?|meaning|explain\w{0,3}|quot\w{1,6}|translat\w{1,4}|examples?"
    r"|lesson|class|teach\w{0,3}|students?|pupils?|kids?|stor(?:y|ies)|scene|novel|chapter"
    r"|dialogue|articles?|reports?|review\w{0,3}|rewrite|proofread|summar\w{2,5}|logs?|tickets?)\b"
    r"|erklar|ubersetz|satz|schreib|expli[cq]|frase|spieg|tradu|объясн|перевед|фраз|напис"
    r"|说明|解释|翻译|句|説明|授業|翻訳|설명|번역|문장|اشرح|ترجم|عبار|समझा|अनुवाद|वाक्य|acikla|cevir|cumle",
    re.IGNORECASE,
)
_ACTED_ON: Final = re.compile(
    r"\b(?i:do|obey|follow|execute|perform|run|start|carry out|act on|comply with|apply|fulfill?)"
    r" (?i:it|this|that|so|them|exactly|what|as (?:he|she|it|they) says?|accordingly|the)\b"
    r"|\b(?i:comply)\b|\b(?i:treat|take|use|adopt|accept) (?i:it|this|that|them) as\b"
    r"|\b(?i:new (?:system|rules?|orders?))\b|\b(?i:right now)\b|\bNOW\b"
    r"|\b(?i:your (?:shell|terminal|tools?|new))\b"
)


def rules_as_quoted(
    book: RuleBook, scratches: Scratches, text: str, rules: tuple[int, ...]
) -> tuple[int, ...]:
    """The rules that fired in a caller's text, and with them what its quotation marks are worth."""
    if not _any_loud(book, rules):
        return rules
    ids = {book.rules[index].id: index for index in rules}
    outside = _INSIDE.sub(" ", text[:MAX_EXPLAINED])
    if _ACTED_ON.search(outside):
        return tuple(
            index for index in rules if index not in {ids.get(QUOTATION), ids.get(MENTION)}
        )
    if _is_all(book, scratches, text, outside, led_up_to=QUOTATION in ids):
        return rules if MENTION in ids else (*rules, *_mention(book))
    return tuple(index for index in rules if index != ids.get(QUOTATION))


def _is_all(
    book: RuleBook, scratches: Scratches, text: str, outside: str, *, led_up_to: bool
) -> bool:
    """Whether what fired is quoted, amid words that are about it."""
    if outside == text or len(text) > MAX_EXPLAINED or _KEYED.search(text):
        return False
    if not (led_up_to or _TALK.search(outside)):
        return False

    def fires(part: str) -> bool:
        found = scan(book.main.database, scratches.main, encode(fold(part)))
        return _any_loud(book, book.main.rules_among(found))

    quoted = ("".join(filter(None, found.groups())) for found in _INSIDE.finditer(text))
    return not fires(outside) and any(map(fires, islice(quoted, MAX_QUOTED)))


def _any_loud(book: RuleBook, rules: Sequence[int]) -> bool:
    return any(book.rules[index].severity >= LOUD for index in rules)


def _mention(book: RuleBook) -> Iterator[int]:
    return (index for index, rule in enumerate(book.rules) if rule.id == MENTION)
