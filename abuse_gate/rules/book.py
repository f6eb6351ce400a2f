"""All rules of a deployment, compiled: a sieve for every text, and shelves of rules behind it.

Built once at start-up; looked up afterwards. Knows no text of a request.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from abuse_gate.model.hit import Place
from abuse_gate.rules.anchors import Words, anchors
from abuse_gate.rules.candidates import CANDIDATES, Kind
from abuse_gate.rules.engine import (
    Compiler,
    Database,
    PatternError,
    Scratch,
    compile_patterns,
    new_scratch,
)
from abuse_gate.rules.lures import TRIGGERS
from abuse_gate.rules.packs import PLACES, PackError, Rule, parse_pack, refuse_duplicates
from abuse_gate.rules.patterns import UnfitPatternError, fold_pattern


@dataclass(frozen=True, slots=True)
class Mark:
    """One pattern of the sieve: a decoder candidate, a rule, or a word that helps to open some."""

    pattern: str
    kind: Kind | None = None
    rule: int | None = None
    # A bit for each set of words that this word is in.
    opens: int = 0


# What a deployment adds to the defaults flags a text; it does not block it by itself.
CUSTOM_SEVERITY: Final = 60


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Shelf:
    """The rules of one family that the sieve stands before, compiled together."""

    rules: tuple[int, ...]
    database: Database
    # Rules without weight only say how the others are meant: alone they are not worth a pass.
    weightless: bool


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class RuleBook:
    """All rules, behind a sieve: one pass over a text says which shelves are worth a pass at all.

    The sieve holds decoder candidates, the rules that no word gives away, and the words that the
    others cannot do without. `lures` is matched against the bare letters of a text.
    """

    rules: tuple[Rule, ...]
    sieve: Database
    marks: tuple[Mark, ...]
    # For each place and each mark with a rule's rarest words: which bits open which shelf.
    gates: Mapping[Place, Mapping[int, tuple[tuple[int, int], ...]]]
    shelves: tuple[Shelf, ...]
    lures: Database

    def new_scratch(self) -> "Scratches":
        """Working memory for scans with this book, for one thread at a time."""
        return Scratches(self)

    def __repr__(self) -> str:
        return f"RuleBook({len(self.rules)} rules)"


class Scratches:
    """One scratch for each database of a book, made when it is first needed."""

    __slots__ = ("_shelves", "book", "lures", "sieve")

    def __init__(self, book: RuleBook) -> None:
        self.book = book
        self.sieve: Scratch = new_scratch(book.sieve)
        self.lures: Scratch = new_scratch(book.lures)
        self._shelves: dict[int, Scratch] = {}

    def shelf(self, number: int) -> Scratch:
        """The scratch of one shelf."""
        scratch = self._shelves.get(number)
        if scratch is None:
            scratch = self._shelves[number] = new_scratch(self.book.shelves[number].database)
        return scratch


def build_book(
    packs: Sequence[tuple[str, str]],
    additional_patterns: Sequence[str] = (),
    compiler: Compiler = compile_patterns,
) -> RuleBook:
    """Parse, check and compile once; every fault is a PackError of one line."""
    parsed = [rule for name, text in packs for rule in parse_pack(name, text)]
    custom = [_custom(number, text) for number, text in enumerate(additional_patterns)]
    # Alone first: compiling the whole book, to learn that the last line of it is wrong, takes long.
    refused = _blamed(custom)
    if refused.index >= 0:
        raise PackError(teaching_line(refused, custom, 0))
    rules = (*parsed, *custom)
    refuse_duplicates("packs", rules)
    try:
        return _compiled(rules, compiler)
    except PatternError:
        # The engine refused a part of the book; only the rules one by one tell whose fault it is.
        raise PackError(teaching_line(_blamed(rules), rules, len(parsed))) from None


def _compiled(rules: tuple[Rule, ...], compiler: Compiler) -> RuleBook:
    needed = [anchors(rule.pattern) for rule in rules]
    bits = _bits(needed)
    marks = (*_candidates(), *_rules_without(needed, rules), *_words(bits))
    shelves = tuple(_shelves(rules, needed, compiler))
    return RuleBook(
        rules,
        compiler([mark.pattern for mark in marks]),
        marks,
        {place: _gates(place, rules, _Gate(needed, bits, marks), shelves) for place in PLACES},
        shelves,
        compiler([pattern for pattern, _, _ in TRIGGERS]),
    )


def _bits(needed: Sequence[tuple[Words, ...]]) -> dict[Words, int]:
    distinct = dict.fromkeys(words for sets in needed for words in sets)
    return {words: 1 << number for number, words in enumerate(distinct)}


class _Gate:
    """What opens a rule: the marks of its rarest set of words, and the bits of all its sets."""

    def __init__(
        self, needed: Sequence[tuple[Words, ...]], bits: Mapping[Words, int], marks: Sequence[Mark]
    ) -> None:
        numbers = {mark.pattern: number for number, mark in enumerate(marks) if mark.opens}
        self.masks = [sum(bits[words] for words in sets) for sets in needed]
        self.marks = [
            [numbers[re.escape(word)] for word in sets[0]] if sets else [] for sets in needed
        ]


def _gates(
    place: Place, rules: Sequence[Rule], gate: _Gate, shelves: Sequence[Shelf]
) -> dict[int, tuple[tuple[int, int], ...]]:
    gates: dict[int, set[tuple[int, int]]] = {}
    for number, shelf in enumerate(shelves):
        for rule in shelf.rules:
            if place in rules[rule].places:
                for mark in gate.marks[rule]:
                    gates.setdefault(mark, set()).add((gate.masks[rule], number))
    return {mark: tuple(opened) for mark, opened in gates.items()}


def _shelves(
    rules: Sequence[Rule], needed: Sequence[tuple[Words, ...]], compiler: Compiler
) -> Iterator[Shelf]:
    families: dict[str, list[int]] = {}
    for index, rule in enumerate(rules):
        if needed[index]:
            families.setdefault(rule.family, []).append(index)
    for indexes in families.values():
        weightless = all(rules[index].severity == 0 for index in indexes)
        database = compiler([rules[index].pattern for index in indexes])
        yield Shelf(tuple(indexes), database, weightless)


def _candidates() -> Iterator[Mark]:
    return (Mark(pattern, kind=kind) for kind, pattern in CANDIDATES.items())


def _rules_without(needed: Sequence[tuple[Words, ...]], rules: Sequence[Rule]) -> Iterator[Mark]:
    """The rules that no word gives away: they are part of the sieve themselves."""
    pairs = enumerate(zip(rules, needed, strict=True))
    return (Mark(rule.pattern, rule=index) for index, (rule, words) in pairs if not words)


def _words(bits: Mapping[Words, int]) -> Iterator[Mark]:
    opens: dict[str, int] = {}
    for words, bit in bits.items():
        for word in words:
            opens[word] = opens.get(word, 0) | bit
    return (Mark(re.escape(word), opens=mask) for word, mask in opens.items())


def _blamed(rules: Sequence[Rule]) -> PatternError:
    for index, rule in enumerate(rules):
        try:
            compile_patterns([rule.pattern])
        except PatternError as error:
            return PatternError(index, error.why)
    return PatternError(-1, "the engine cannot take them together")


def _custom(number: int, text: str) -> Rule:
    try:
        pattern = fold_pattern(text)
    except UnfitPatternError as error:
        raise PackError(f"{_where(number)}: {error}") from None
    return Rule(f"custom.{number + 1}", "custom", CUSTOM_SEVERITY, pattern)


def _where(number: int) -> str:
    return f"additional_patterns[{number}] (custom.{number + 1})"


def teaching_line(error: PatternError, rules: Sequence[Rule], parsed: int) -> str:
    """What the engine refused, under the name by which its author knows it, and the cure."""
    if error.index < 0:
        return f"packs: {error.why}; use fewer or shorter patterns"
    custom = error.index - parsed
    where = _where(custom) if custom >= 0 else f"rule {rules[error.index].id}"
    cure = "use plain PCRE without look-around, back-references or an empty match"
    return f"{where}: {error.why}; {cure}"
