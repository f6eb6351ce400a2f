"""All rules of a deployment in one compiled database, decoder candidates included.

Built once at start-up; looked up afterwards. Knows no text of a request.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from abuse_gate.rules.decode import CANDIDATES, Kind
from abuse_gate.rules.engine import Database, PatternError, compile_patterns
from abuse_gate.rules.packs import PackError, Rule, parse_pack, refuse_duplicates
from abuse_gate.rules.patterns import UnfitPatternError, fold_pattern

# What a deployment adds to the defaults flags a text; it does not block it by itself.
CUSTOM_SEVERITY: Final = 60


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class RuleBook:
    """What each engine index stands for: a rule's position, or behind those a decoder's work."""

    rules: tuple[Rule, ...]
    owners: tuple[int, ...]
    kinds: tuple[Kind, ...]
    database: Database

    def __repr__(self) -> str:
        return f"RuleBook({len(self.rules)} rules)"


def build_book(
    packs: Sequence[tuple[str, str]], additional_patterns: Sequence[str] = ()
) -> RuleBook:
    """Parse, check and compile once; every fault is a PackError of one line."""
    parsed = [rule for name, text in packs for rule in parse_pack(name, text)]
    custom = [_custom(number, text) for number, text in enumerate(additional_patterns)]
    rules = (*parsed, *custom)
    refuse_duplicates("packs", rules)
    owners = tuple(owner for owner, rule in enumerate(rules) for _ in rule.expressions)
    expressions = [expression for rule in rules for expression in rule.expressions]
    try:
        database = compile_patterns([*expressions, *CANDIDATES.values()])
    except PatternError as error:
        raise PackError(_blame(error, rules, owners)) from None
    return RuleBook(rules, owners, tuple(CANDIDATES), database)


def _custom(number: int, text: str) -> Rule:
    try:
        pattern = fold_pattern(text)
    except UnfitPatternError as error:
        raise PackError(f"{_where(number)}: {error}") from None
    return Rule(f"custom.{number + 1}", "custom", CUSTOM_SEVERITY, pattern)


def _where(number: int) -> str:
    return f"additional_patterns[{number}] (custom.{number + 1})"


def _blame(error: PatternError, rules: Sequence[Rule], owners: Sequence[int]) -> str:
    if error.index < 0:
        return f"packs: {error.why}; use fewer or shorter patterns"
    rule = rules[owners[error.index]]
    where = f"rule {rule.id}"
    if rule.family == "custom":
        where = _where(int(rule.id.partition(".")[2]) - 1)
    cure = "use plain PCRE without look-around, back-references or an empty match"
    return f"{where}: {error.why}; {cure}"
