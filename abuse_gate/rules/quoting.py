"""Whether an attack is quoted and nothing else: quotation marks are cheap, and explain little.

A quotation excuses what stands inside its marks, as long as the words around it are about it and
nobody is told to act on it: entirely where words lead up to it, otherwise in part.
"""

import re
from collections.abc import Sequence
from itertools import islice
from typing import Final

from abuse_gate.model.hit import ABOUT, MENTION, QUOTATION, Place
from abuse_gate.rules.book import RuleBook, Scratches
from abuse_gate.rules.harmless import MAX_EXPLAINED
from abuse_gate.rules.sift import sift
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
_KEYED: Final = re.compile(
    r"^[\s-]{0,16}\w{1,24}:[ \t]{0,4}[\"']|\]\([^()\s]{1,200}\s{1,4}[\"']", re.MULTILINE
)
# Words of somebody who speaks about a text.
_TALK: Final = re.compile(
    r"[?\u061f\uff1f]|\b(?:sa(?:y|ys|id|ying)|writ(?:e|es|ing|ten)|wrote|typ(?:e|es|ed|ing)"
    r"|phrases?|sentences?|means?|meaning|explain\w{0,3}|quot\w{1,6}|translat\w{1,4}|examples?"
    r"|lesson|class|teach\w{0,3}|students?|pupils?|kids?|stor(?:y|ies)|scene|novel|chapter"
    r"|dialogue|articles?|reports?|review\w{0,3}|rewrite|proofread|summar\w{2,5}|logs?|tickets?)\b"
    r"|erklar|ubersetz|satz|schreib|expli[cq]|frase|spieg|tradu|объясн|перевед|фраз|напис"
    r"|说明|解释|翻译|句|説明|授業|翻訳|설명|번역|문장|اشرح|ترجم|عبار|समझा|अनुवाद|वाक्य|acikla|cevir|cumle"
    r"|вопрос|пример|тест|例|예시|مثال|उदाहरण"
    r"|\b(?:frage|beispiel|question|pregunta|domanda|vraag|ornek|soru)"
    # Why, and what does it mean.
    r"|\b(?:warum|wieso|bedeute|pourquoi|signifi|por ?que|perche|waarom|beteken|neden|nicin)"
    r"|ne demek|почему|зачем|означа|значит|为什么|什么意思|意味|なぜ|という"
    r"|어떤 뜻|라는|무슨|왜 |لماذا|معنى|क्यों|मतलब",
    re.IGNORECASE,
)
_ACTED_ON: Final = re.compile(
    r"\b(?i:do|obey|follow|execute|perform|run|start|carry out|act on|comply with|apply|fulfill?)"
    r" (?i:it|this|that|so|them|exactly|what|as (?:he|she|it|they) says?|accordingly|the)\b"
    r"|\b(?i:hono(?:u?)r|heed|satisfy|enact) (?i:it|this|that|the)\b"
    r"|\b(?i:go ahead|its (?:result|output)|(?:output|result|answer) (?:that )?(?:it|the \w{4,10}) "
    r"(?:produces|asks|demands|wants))\b"
    r"|\b(?i:comply)\b|\b(?i:treat|take|use|adopt|accept) (?i:it|this|that|them) as\b"
    r"|\b(?i:new (?:system|rules?|orders?))\b|\b(?i:right now)\b|\bNOW\b"
    r"|\b(?i:your (?:shell|terminal|tools?|new|task|job|goal|mission|orders?))\b"
    r"|\b(?i:i want (?:you|from you)|want from you|(?:implement|proceed with) (?:it|that))\b"
    r"|\b(?i:behave) (?i:accordingly|so|like that)\b|\b(?i:proceed)[.!]"
    r"|\b(?i:system|developers?|admins?|operators?|openai|anthropic) "
    r"(?i:says?|said|wrote|writes|tells?|told|instruct)"
    r"|\b(?i:sent|said|written) (?i:by|from) (?i:the|your) "
    r"(?i:developers?|system|admins?|operators?|owner)\b"
    # The same in other languages.
    r"|执行|照做|照办|遵从|実行|従っ|従い|그대로 해|실행|따라|выполн|исполн|نفذ|نفّذ|पालन कर"
    r"|\b(?i:fuhr\w{0,2} .{0,24}aus|befolg|execut(?:ez|er|ar|a)\b|ejecut|obedec|esegui|obbedi)"
    r"|\b(?i:voer .{0,24}uit|uygula)"
)
# How a short sentence begins that tells or thanks; any other behind a quotation may be an order.
_TOLD: Final = re.compile(
    r"(?i:i|we|he|she|it|they|you|my|our|his|her|its|their|this|that|these|those|the|an?|there|in|on"
    r"|at|for|from|with|when|if|because|but|not|no|yes|ok|thanks?|thx|cheers|hi|hello|hey|dear|sorry"
    r"|best|kind|regards|ich|wir|er|sie|es|das|die|der|danke|je|nous|il|elle|c.est|merci|yo|es|el|la"
    r"|gracias|eu|obrigad[oa]|grazie|bedankt|спасибо|я|это)\b|谢|謝|ありがと|감사|شكر|धन्यवाद|tesekkur"
)
# A sentence, and the mark at its end if it has one.
_SENTENCE: Final = re.compile(
    r"([^.!?;\n\u061f\u3002\uff01\uff1f]*)(?:([.!?;\u061f\u3002\uff01\uff1f])|\n|$)"
)
# A question by which something is to be done.
_REQUEST: Final = re.compile(
    r"(?i:(?:so |and |now |then |please )?(?:can|could|will|would|won.?t) you)\b"
)
# What says how a text is meant, and not that attacks are its matter.
_ASIDE: Final = frozenset({MENTION, "about.in_code", "about.reported", "about.among_people"})
_ASKING: Final = frozenset("?\u061f\uff1f")
# A longer sentence is more than an order to do so.
MAX_ORDER: Final = 8


# In these places marks are worth something: a tool's result is all marks, and means none of them.
PLACES: Final[frozenset[Place]] = frozenset({"caller", "document"})


def rules_as_quoted(
    book: RuleBook, scratches: Scratches, text: str, rules: tuple[int, ...], place: Place
) -> tuple[tuple[int, ...], Sequence[str]]:
    """The rules that fired in a text, and with them what its quotation marks are worth.

    A document's are never worth more than that an attack is spoken of.

    Where they are worth anything, also what is to be read apart from what they excuse: what stands
    outside of them, and the quotations in which nothing fires.
    """
    if place not in PLACES or not _any_loud(book, rules, place):
        return rules, ()
    ids = {book.rules[index].id: index for index in rules}
    outside = _INSIDE.sub(" ", text[:MAX_EXPLAINED])
    if outside == text and ids.keys().isdisjoint({QUOTATION, MENTION}):
        return rules, ()
    if _ACTED_ON.search(outside):
        said = {ids.get(QUOTATION), ids.get(MENTION)}
        return tuple(index for index in rules if index not in said), ()
    unled = tuple(index for index in rules if index != ids.get(QUOTATION))
    silent = _silent(book, scratches, text, outside, place, led_up_to=QUOTATION in ids)
    if silent is None:
        return unled, ()
    ordered = place != "caller" or _has_an_order_behind(text)
    told = {MENTION} if ordered else _excuses(book, rules, outside)
    added = (index for index, rule in enumerate(book.rules) if rule.id in told - ids.keys())
    return (*(rules if QUOTATION in told else unled), *added), (outside, *silent)


def _excuses(book: RuleBook, rules: Sequence[int], outside: str) -> set[str]:
    """What a quotation is worth by what is said of it: all where attacks are asked about."""
    abouts = {book.rules[index].id for index in rules if book.rules[index].family == ABOUT}
    asked = QUOTATION in abouts or (abouts - _ASIDE and not _ASKING.isdisjoint(outside))
    return {MENTION, QUOTATION} if asked else {MENTION}


def _has_an_order_behind(text: str) -> bool:
    """Whether a quotation is followed by a short sentence that may say what is to be done."""
    *_, last = _INSIDE.finditer(text)
    # The first piece belongs to the sentence with the quotation in it.
    behind = islice(_SENTENCE.finditer(text, last.end()), 1, None)
    return any(_may_be_an_order(found[1].split(), found[2]) for found in behind)


def _may_be_an_order(words: list[str], mark: str) -> bool:
    # A word on a line of its own is the name of something beside the text.
    if not (1 if mark else 2) <= len(words) <= MAX_ORDER:
        return False
    if mark in _ASKING:
        return _REQUEST.match(" ".join(words)) is not None
    return not _TALK.search(" ".join(words)) and not _TOLD.match(words[0])


def _silent(
    book: RuleBook,
    scratches: Scratches,
    text: str,
    outside: str,
    place: Place,
    *,
    led_up_to: bool,
) -> list[str] | None:
    """Where all that fired is quoted, amid words that are about it, the other quotations."""
    if outside == text or len(text) > MAX_EXPLAINED or _KEYED.search(text):
        return None
    if not (led_up_to or _TALK.search(outside)):
        return None

    def fires(part: str) -> bool:
        return _any_loud(book, sift(book, scratches, encode(fold(part))).rules, place)

    quoted = ["".join(filter(None, found.groups())) for found in _INSIDE.finditer(text)]
    loud = {part for part in quoted[:MAX_QUOTED] if fires(part)}
    if not loud or fires(outside):
        return None
    return [part for part in quoted if part not in loud]


def _any_loud(book: RuleBook, rules: Sequence[int], place: Place) -> bool:
    found = (book.rules[index] for index in rules)
    return any(rule.severity >= LOUD and place in rule.places for rule in found)
