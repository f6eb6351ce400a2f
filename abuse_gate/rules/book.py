"""All rules of a deployment, compiled: a few shelves that a text is taken past.

Built once at start-up; looked up afterwards. Knows no text of a request.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from abuse_gate.rules.candidates import CANDIDATES
from abuse_gate.rules.engine import (
    Compiler,
    Database,
    Job,
    PatternError,
    Scratch,
    compile_each,
    compile_patterns,
    compile_phrases,
    new_scratch,
)
from abuse_gate.rules.lures import TRIGGERS
from abuse_gate.rules.packs import HARMLESS, PackError, Rule, parse_pack, refuse_duplicates
from abuse_gate.rules.patterns import UnfitPatternError, fold_pattern
from abuse_gate.rules.shelves import Load, Shelf, ShelfScratch, fill

# The words that a pattern spells out.
_WORDS: Final = re.compile(rb"[a-z]+")

# What a deployment adds to the defaults flags a text; it does not block it by itself.
CUSTOM_SEVERITY: Final = 60


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class RuleBook:
    """All rules on the shelves that a text is taken past, one pass each.

    `main` and `codes`, the candidates of decoders, are for every text; `context` holds the rules
    without weight, which only say how others are meant. `lures` is matched against the bare
    letters, `harmless` tells where a phrase stands that means no harm, and `spelled` which words
    each of its patterns spells out. `beside` says which rules count only where another one,
    without weight, matches as well. An operator's own rules stand on the same shelves, in
    databases of their own; `own` is the one of those with weight, if there are any.
    """

    rules: tuple[Rule, ...]
    main: Shelf
    codes: Database
    context: Shelf
    harmless: Shelf
    spelled: Mapping[int, frozenset[bytes]]
    lures: Database
    beside: Mapping[int, int]
    own: Database | None

    def met(self, rules: Sequence[int]) -> list[int]:
        """Of the rules that match a text, those that have beside them what they need."""
        return [at for at in rules if at not in self.beside or self.beside[at] in rules]

    def new_scratch(self) -> "Scratches":
        """Working memory for scans with this book, for one thread at a time."""
        return Scratches(self)

    def __repr__(self) -> str:
        return f"RuleBook({len(self.rules)} rules)"


class Scratches:
    """One scratch for each database of a book; `first` and `own` are those of `main`."""

    __slots__ = ("codes", "context", "first", "harmless", "lures", "main", "own")

    def __init__(self, book: RuleBook) -> None:
        self.main: ShelfScratch = book.main.new_scratch()
        self.first: Scratch = self.main[0]
        self.own: Scratch = self.main[-1]
        self.codes: Scratch = new_scratch(book.codes)
        self.context: ShelfScratch = book.context.new_scratch()
        self.harmless: ShelfScratch = book.harmless.new_scratch()
        self.lures: Scratch = new_scratch(book.lures)


def build_book(
    packs: Sequence[tuple[str, str]],
    additional_patterns: Sequence[str] = (),
    compiler: Compiler = compile_each,
    own: Sequence[tuple[str, str]] = (),
) -> RuleBook:
    """Parse, check and compile once; every fault is a PackError of one line.

    An operator's own packs and patterns are compiled apart from the others.
    """
    shipped = [rule for name, text in packs for rule in parse_pack(name, text)]
    parsed = [*shipped, *(rule for name, text in own for rule in parse_pack(name, text))]
    custom = [_custom(number, text) for number, text in enumerate(additional_patterns)]
    # Alone first: compiling the whole book, to learn that the last line of it is wrong, takes long.
    refused = _blamed(custom)
    if refused.index >= 0:
        raise PackError(teaching_line(refused, custom, 0))
    rules = (*parsed, *custom)
    refuse_duplicates("packs", rules)
    beside = _companions(rules)
    try:
        return _compiled(rules, len(shipped), beside, compiler)
    except PatternError:
        # The engine refused a part of the book; only the rules one by one tell whose fault it is.
        raise PackError(teaching_line(_blamed(rules), rules, len(parsed))) from None


def check_alone(packs: Sequence[tuple[str, str]]) -> frozenset[str]:
    """The ids of an operator's own packs, each pattern tried by itself, which takes no time."""
    known: set[str] = set()
    for name, text in packs:
        rules = parse_pack(name, text)
        refused = _blamed(rules)
        if refused.index >= 0:
            raise PackError(f"{name}: {teaching_line(refused, rules, len(rules))}")
        known |= {rule.id for rule in rules}
    return frozenset(known)


def _companions(rules: Sequence[Rule]) -> dict[int, int]:
    """Of each rule that needs another one beside it, which one that is."""
    light = {rule.id: at for at, rule in enumerate(rules) if not rule.severity}
    for rule in rules:
        if rule.beside and (rule.beside not in light or not rule.severity):
            raise PackError(
                f"rule {rule.id}: beside {rule.beside!r} does not hold; "
                "a rule with weight may name one of severity 0"
            )
    return {at: light[rule.beside] for at, rule in enumerate(rules) if rule.beside}


def _compiled(
    rules: tuple[Rule, ...], shipped: int, beside: Mapping[int, int], compiler: Compiler
) -> RuleBook:
    harmless = [index for index, rule in enumerate(rules) if rule.family == HARMLESS]
    weighty = [index for index, rule in enumerate(rules) if rule.severity]
    weightless = sorted({*range(len(rules))} - {*harmless, *weighty})
    patterns = [rule.pattern for rule in rules]
    for_all = (Job((*CANDIDATES.values(),)), Job(tuple(pattern for pattern, _, _ in TRIGGERS)))
    loads = (Load(weighty), Load(weightless), Load(harmless, phrases=True))
    (main, context, milder), (codes, lures) = fill(loads, patterns, shipped, for_all, compiler)
    return RuleBook(
        rules,
        main,
        codes,
        context,
        milder,
        {index: frozenset(_WORDS.findall(patterns[index].encode())) for index in harmless},
        lures,
        beside,
        None if main.own is None else main.own.database,
    )


def _blamed(rules: Sequence[Rule]) -> PatternError:
    for index, rule in enumerate(rules):
        try:
            (compile_phrases if rule.family == HARMLESS else compile_patterns)([rule.pattern])
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
    cure = "use plain PCRE, brackets closed, without look-around, back-references or an empty match"
    return f"{where}: {error.why}; {cure}"
