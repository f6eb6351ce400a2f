"""All rules of a deployment in one compiled database, decoder candidates included.

Built once at start-up; looked up afterwards. Knows no text of a request.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

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
from abuse_gate.rules.packs import PackError, Rule, parse_pack, refuse_duplicates
from abuse_gate.rules.patterns import UnfitPatternError, fold_pattern

# One for the rules and one for the lures: a scratch is cut to its database.
Scratches: TypeAlias = tuple[Scratch, Scratch]

# What a deployment adds to the defaults flags a text; it does not block it by itself.
CUSTOM_SEVERITY: Final = 60


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class RuleBook:
    """The rules by engine index; the indexes behind the last rule are decoder candidates.

    `lures` is a database of its own: it is matched against the bare letters of a text.
    """

    rules: tuple[Rule, ...]
    kinds: tuple[Kind, ...]
    database: Database
    lures: Database

    def new_scratch(self) -> Scratches:
        """Working memory for scans with this book, for one thread at a time."""
        return new_scratch(self.database), new_scratch(self.lures)

    def __repr__(self) -> str:
        return f"RuleBook({len(self.rules)} rules)"


def build_book(
    packs: Sequence[tuple[str, str]],
    additional_patterns: Sequence[str] = (),
    compiler: Compiler = compile_patterns,
) -> RuleBook:
    """Parse, check and compile once; every fault is a PackError of one line."""
    parsed = [rule for name, text in packs for rule in parse_pack(name, text)]
    custom = [_custom(number, text) for number, text in enumerate(additional_patterns)]
    rules = (*parsed, *custom)
    refuse_duplicates("packs", rules)
    patterns = [*(rule.pattern for rule in rules), *CANDIDATES.values()]
    try:
        database = compiler(patterns)
    except PatternError as error:
        raise PackError(teaching_line(error, rules, len(parsed))) from None
    lures = compiler([pattern for pattern, _, _ in TRIGGERS])
    return RuleBook(rules, tuple(CANDIDATES), database, lures)


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
