"""Whether an attack is quoted and nothing else: quotation marks are cheap, and explain little.

A quotation excuses what stands inside its marks, and a report what its sentence says, as long as
the words around are about it and nobody is told to act on it: entirely where words lead up to it,
otherwise in part; in a document only where they do, and where nobody is spoken to.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from abuse_gate.model.hit import ABOUT, MENTION, QUOTATION, Place
from abuse_gate.rules.acting import asks, has_an_order, is_doubted, is_taken_up, is_talk
from abuse_gate.rules.book import RuleBook, Scratches
from abuse_gate.rules.harmless import EXPLAINED_PLACE, MAX_EXPLAINED, is_explainable
from abuse_gate.rules.packs import Rule
from abuse_gate.rules.reporting import (
    MARK,
    addresses_a_reader,
    governed,
    has_words,
    is_about_others,
    sentences,
)
from abuse_gate.rules.retracting import retractions, without
from abuse_gate.rules.views import encode, fold

# A rule that weighs less says little by itself.
LOUD: Final = 40
# A rule that weighs less says nothing.
SIGN: Final = 20
# More quotations than these are not looked into.
MAX_QUOTED: Final = 16
# Fewer words than these around a quotation say nothing about it, in a document or elsewhere.
MIN_AROUND: Final = 3
MIN_AROUND_RETOLD: Final = 4
# Whose words may quote.
QUOTING: Final = frozenset[Place]({"caller", "third_party", "document"})
# What wheedles; whoever quotes somebody that asks for a password speaks of passwords as well.
COAXING: Final = "coaxing"
# Commands that people copy, and may ask about before they run them.
COMMANDS: Final = frozenset(
    {"seed.pipe_to_shell", "shell.download_to_shell", "shell.fetched_and_run"}
)
# Rules that find that attacks are the subject of a text.
SUBJECTS: Final = frozenset({"about.subject", "about.glossary"})
# Who has a text made up has it do what he tells of.
_MADE_UP: Final = re.compile(
    r"\b(?:write|compose|continue|imagine|pretend|story|tale|poem|novel|schreib|erzahl|stell dir"
    r"|geschichte|ecri[st]|raconte|imagine[zs]|histoire|escrib[ea]|cuenta|imagina|historia"
    r"|escrev[ae]|conte|scriv[ie]|racconta|immagina|storia|schrijf|vertel|verhaal|yaz|hikaye)\b"
    r"|напиши|представь|рассказ|истори|写一|编|想象|故事|書いて|物語|想像|써 ?줘|이야기|상상|اكتب"
    r"|قصه|تخيل|लिखो|कहानी|कल्पना"
)

# From mark to mark: a tidied text has no other ones. Not an apostrophe, not inches, not the marks
# of an attribute, of a member of an object, or of a value behind its key.
_INSIDE: Final = re.compile(
    r"(?:(?<![A-Za-z0-9_=])|(?<=\br))(?<!\"[:])(?<!\"[:] )\"([^\"\n]{1,400})\"|`([^`\n]{1,400})`"
    r"|(?<!\w)'([^'\n.!?]{1,160})'(?!\w)"
)
# In an object or a list, whose values stand between such marks themselves.
_IN_VALUES: Final = re.compile(r"`([^`\n]{1,400})`|(?<!\w)'([^'\n.!?]{1,160})'(?!\w)")
_KEYED: Final = re.compile(
    r"^[\s-]{0,16}(?!(?i:pattern|regex|sample|payload|phrase|match|blocklist|sperrliste)s?:)\w{1,24}:"
    r"[ \t]{0,4}[\"']|\]\([^)\s]{1,400} [\"']",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class _Parted:
    """A text by what is quoted and what is reported in it, and the rest: what is said."""

    # A mark for each quotation; what is outside of those and of the reports; what is behind them.
    marked: str
    outside: str
    behind: str
    quoted: tuple[str, ...]
    reported: tuple[str, ...]
    # What somebody takes back, or sets aside, that is nobody's rules.
    retracted: tuple[str, ...]


def rules_as_quoted(
    book: RuleBook,
    scratches: Scratches,
    text: str,
    rules: tuple[int, ...],
    place: Place = EXPLAINED_PLACE,
) -> tuple[tuple[int, ...], Sequence[str]]:
    """The rules that fired in a text, and with them what its quotation marks are worth.

    Where they are worth anything, also what is to be read apart from what they excuse: what stands
    outside of them, and the quotations in which nothing fires.
    """
    least = _least(book, rules)
    if not least or place not in QUOTING:
        return rules, ()
    mine = place == EXPLAINED_PLACE
    ids = {book.rules[index].id: index for index in rules}
    unled = tuple(index for index in rules if index != ids.get(QUOTATION))
    if len(text) > MAX_EXPLAINED:
        return unled, ()
    counted = {at for at in rules if book.rules[at].severity >= least and _is_said(book.rules[at])}
    if mine and _is_of_commands(book, counted) and is_doubted(text):
        added = (index for index, rule in enumerate(book.rules) if rule.id == QUOTATION)
        return (*unled, *added), ()

    def fires(part: str) -> bool:
        return not counted.isdisjoint(book.main.find(scratches.main, encode(fold(part))))

    # Signs are in too many sentences for one of them to be a report of an attack.
    parted = _parted(text, fires if least == LOUD else _never, mine=mine)
    loud = _loud(parted, fires)
    if not (loud or MENTION in ids or QUOTATION in ids):
        return rules, ()
    if not loud or not loud.issubset(parted.retracted):
        if is_taken_up(parted.marked):
            return tuple(index for index in unled if not mine or index != ids.get(MENTION)), ()
        if _KEYED.search(text):
            return unled, ()
    told = loud and (_told if mine else _retold)(book, rules, parted, loud)
    if not told:
        return unled, ()
    added = (index for index, rule in enumerate(book.rules) if rule.id in told - ids.keys())
    silent = (part for part in parted.quoted if part not in loud)
    return (*(rules if QUOTATION in told else unled), *added), (parted.outside, *silent)


def _is_of_commands(book: RuleBook, counted: set[int]) -> bool:
    """Whether all that fired is a command that people copy from manuals."""
    return bool(counted) and all(book.rules[at].id in COMMANDS for at in counted)


def _is_said(rule: Rule) -> bool:
    """Whether a rule is more than talk of passwords, which is never unsafe by itself."""
    return rule.family != COAXING


def _never(_: str) -> bool:
    return False


def _parted(text: str, fires: Callable[[str], bool], *, mine: bool) -> _Parted:
    """A text in parts; only sentences that fire are looked into, for that takes long."""
    said, retracted = _apart(text.replace(MARK, " "), fires, mine=mine)
    marks = _IN_VALUES if said.lstrip().startswith(("{", "[")) else _INSIDE
    quoted = tuple("".join(filter(None, found.groups())) for found in marks.finditer(said))
    marked = marks.sub(MARK, said)

    def looks(part: str) -> bool:
        return MARK in part or fires(part)

    parts = [(part, looks(part) and is_about_others(fold(part))) for part in sentences(marked)]
    told = "".join(MARK + part[-1] if reported else part for part, reported in parts)
    reported = tuple(part.replace(MARK, " ") for part, reported in parts if reported)
    behind = told.rpartition(MARK)[2]
    return _Parted(marked, told.replace(MARK, " "), behind, quoted, reported, tuple(retracted))


def _apart(text: str, fires: Callable[[str], bool], *, mine: bool) -> tuple[str, list[str]]:
    """A text without the clauses that set something aside, and those."""
    parts: list[str] = []
    retracted: list[str] = []
    for part in sentences(text):
        spans = retractions(fold(part), len(part), mine=mine) if fires(part) else ()
        retracted += (part[start:end] for start, end in spans)
        parts.append(without(part, spans))
    return "".join(parts), retracted


def _loud(parted: _Parted, fires: Callable[[str], bool]) -> set[str]:
    """Where all that fired is quoted or reported, by what; otherwise nothing."""
    passages = (parted.quoted, parted.reported, parted.retracted)
    loud = {part for some in passages for part in some[:MAX_QUOTED] if fires(part)}
    return loud if loud and not fires(parted.outside) else set()


def _told(book: RuleBook, rules: Sequence[int], parted: _Parted, loud: set[str]) -> set[str]:
    """What a caller's quotation is worth by what is said of it: all where it is asked about."""
    if loud.issubset(parted.retracted):
        return {MENTION, QUOTATION}
    abouts = _abouts(book, rules)
    spoken_of = QUOTATION in abouts or parted.reported or is_talk(parted.outside)
    if not (spoken_of or any(governed(fold(parted.marked)))):
        return set()
    if has_an_order(parted.behind) or _is_left_open(parted):
        return {MENTION}
    if not has_words(parted.marked, MIN_AROUND):
        return {MENTION}
    asked = QUOTATION in abouts or (abouts - {MENTION} and asks(parted.outside))
    plain = asked or _is_plain(book, rules, parted, loud)
    return {MENTION, QUOTATION} if plain else {MENTION}


def _retold(book: RuleBook, rules: Sequence[int], parted: _Parted, loud: set[str]) -> set[str]:
    """What one is worth in a document: nothing where anybody is spoken to."""
    if loud.issubset(parted.retracted):
        return set() if addresses_a_reader(fold(parted.marked)) else {MENTION, QUOTATION}
    if not _is_plain(book, rules, parted, loud) or _is_left_open(parted):
        return set()
    if not has_words(parted.marked, MIN_AROUND_RETOLD):
        return set()
    return set() if addresses_a_reader(fold(parted.marked)) else {MENTION, QUOTATION}


def _is_plain(book: RuleBook, rules: Sequence[int], parted: _Parted, loud: set[str]) -> bool:
    """Whether words say of each attack what it is, and it is nothing but words."""
    weighty = [book.rules[at] for at in rules if book.rules[at].severity >= LOUD]
    if not all(map(is_explainable, weighty)) or not has_words(parted.marked, MIN_AROUND):
        return False
    if _abouts(book, rules) & SUBJECTS:
        return True
    marked = fold(parted.marked)
    said = zip(parted.quoted, governed(marked), strict=False)
    if not all(known for part, known in said if part in loud):
        return False
    if loud.isdisjoint(parted.reported):
        return True
    made_up = _MADE_UP.search(marked) and any(map(_tells_secrets, weighty))
    return not (made_up or addresses_a_reader(marked))


def _tells_secrets(rule: Rule) -> bool:
    return rule.family == "extraction"


def _abouts(book: RuleBook, rules: Sequence[int]) -> set[str]:
    return {book.rules[at].id for at in rules if book.rules[at].family == ABOUT}


def _is_left_open(parted: _Parted) -> bool:
    """Whether a text ends where an answer is to begin."""
    ends = (":", "\uff1a")
    return parted.marked.rstrip().endswith(ends) or any(
        part.rstrip().endswith(ends) for part in parted.quoted
    )


def _least(book: RuleBook, rules: Sequence[int]) -> int:
    """The least severity that counts: where nothing is loud, signs do; 0 where nothing is said."""
    most = max((book.rules[index].severity for index in rules), default=0)
    return LOUD if most >= LOUD else SIGN if most >= SIGN else 0
