"""Phrases that sound like an attack and mostly are none: which hits they explain, and no others.

A phrase explains a hit that it makes by itself and that is gone without it; whatever else stands
in the text keeps its weight, and nothing is ever taken off the record. Looked for where something
has fired; ordinary texts never come here.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from abuse_gate.model.hit import Place
from abuse_gate.rules.book import RuleBook, Scratches
from abuse_gate.rules.lures import squeeze
from abuse_gate.rules.mending import mend
from abuse_gate.rules.packs import Rule
from abuse_gate.rules.views import encode, fold

# What people say of one another as well as to a model. A command for a shell, a secret sent away,
# a tool's name or an encoded text is nobody's figure of speech.
EXPLAINABLE: Final = frozenset(
    {"override", "extraction", "roleplay", "policy", "coaxing", "custom"}
)
EXPLAINABLE_RULES: Final = frozenset(
    {"seed.ignore_previous_instruction", "seed.forget_previous", "seed.credential_word"}
)
# Only the caller's own words: in a document or a tool's result such a phrase is nobody's slip.
EXPLAINED_PLACE: Final[Place] = "caller"
# More phrases, or a longer text, and none of them explains anything.
MAX_PHRASES: Final = 16
MAX_EXPLAINED: Final = 65_536

# What speaks to a model, or of one and what it was told, is not harmless whatever its grammar.
_ADDRESSED: Final = re.compile(
    rb"\b(?:you|your|yourself|ai|a\.i|assistants?|models?|\w{0,12}bots?|llms?|\w{0,12}gpt|agents?"
    rb"|copilot|claude|gemini|systems?|developers?|operators?|openai|anthropic|prompts?"
    rb"|conversation|chat|session|safety|secrets?|respon[ds]\w{0,8}|answer\w{0,4}|how|what|this"
    rb"|rules|guidelines|instructions|restrictions|polic(?:y|ies)|ethic\w{0,3}|moral\w{0,3})\b",
    re.IGNORECASE,
)
# Beside these a phrase is a part that somebody is to play, or an order after all.
_LEADING: Final = re.compile(
    rb"\b(?:you are|you.re|operators?|system:|instruction:|act|pretend|role.?play"
    rb"|be an?|yours|above|verbatim|opposite|filters?|limits?|restrictions?|obey|do as|from now on"
    rb"|output|hacked)\b",
    re.IGNORECASE,
)
_NEAR: Final = 80
# One line of words with a single space between them: any other gap is the seam of two texts.
_ONE_PIECE: Final = re.compile(rb"[^\s\x00-\x1f\x85]+(?: [^\s\x00-\x1f\x85]+)*")
# What stands on both sides of a phrase is read on as if there had been none; letters stay apart.
_GAP: Final = b" "

# Of a hit's rule, the phrases that explain it.
Excuses = Mapping[int, tuple[str, ...]]
NO_EXCUSES: Final[Excuses] = {}
Reading = Callable[[bytes], bytes]
_Span = tuple[int, int, str]


def as_written(data: bytes) -> bytes:
    """The text as it is."""
    return data


def as_mended(data: bytes) -> bytes:
    """The text as it reads once its words are put together again."""
    return mend(squeeze(data).decode()).encode()


def phrases(
    book: RuleBook, scratches: Scratches, data: bytes, place: Place
) -> Iterator[tuple[int, int, Rule]]:
    """Start, end and rule of every harmless phrase, from left to right."""
    for start, end, index in book.harmless.find_spans(scratches.harmless, data):
        rule = book.rules[index]
        if place not in rule.places or _speaks_to_a_model(data[start:end], book.spelled[index]):
            continue
        around = data[max(0, start - _NEAR) : start] + b"." + data[end : end + _NEAR]
        if not _LEADING.search(around):
            yield start, end, rule


def explained(
    book: RuleBook,
    scratches: Scratches,
    text: str,
    rules: Sequence[int],
    reading: Reading = as_written,
) -> Excuses:
    """Of the rules that fired in a reading of a caller's text, those that phrases in it explain."""
    wanted = {index for index in rules if _is_explainable(book.rules[index])}
    if not wanted or len(text) > MAX_EXPLAINED:
        return NO_EXCUSES
    data = encode(fold(text))
    found = [
        (start, end, rule.id)
        for start, end, rule in phrases(book, scratches, data, EXPLAINED_PLACE)
    ]
    if not 0 < len(found) <= MAX_PHRASES:
        return NO_EXCUSES

    def fires(part: bytes) -> frozenset[int]:
        """Which of the wanted rules fire in a part of the text."""
        return frozenset(book.main.find(scratches.main, reading(part))) & wanted

    makers: dict[int, tuple[_Span, ...]] = {}
    for span in found:
        for index in fires(data[span[0] : span[1]]):
            makers[index] = (*makers.get(index, ()), span)
    rest = {spans: fires(_without(data, spans)) for spans in {*makers.values()}}
    return {
        index: tuple(sorted({name for _, _, name in spans}))
        for index, spans in makers.items()
        if index not in rest[spans]
    }


def _is_explainable(rule: Rule) -> bool:
    return rule.family in EXPLAINABLE or rule.id in EXPLAINABLE_RULES


def _without(data: bytes, spans: Sequence[_Span]) -> bytes:
    parts: list[bytes] = []
    done = 0
    for start, end, _ in spans:
        parts.append(data[done:start])
        done = max(done, end)
    return _GAP.join([*parts, data[done:]])


def _speaks_to_a_model(phrase: bytes, spelled: frozenset[bytes]) -> bool:
    """Whether a phrase has such a word in it that its own pattern does not spell out.

    Where one text ends and the next begins there is a line's end: no grammar reaches across it.
    """
    if not _ONE_PIECE.fullmatch(phrase):
        return True
    return not {match.group().lower() for match in _ADDRESSED.finditer(phrase)} <= spelled
