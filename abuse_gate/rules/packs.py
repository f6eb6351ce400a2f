"""A rule pack's text in, checked rules out: every fault is one line with pack, rule and cure.

Reads TOML as data; it never opens a file and never compiles a pattern.
"""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeGuard, get_args

from abuse_gate.model.hit import Place
from abuse_gate.rules.patterns import UnfitPatternError, fold_pattern, unbounded_gap, widen_spaces

PLACES: Final[tuple[Place, ...]] = get_args(Place)
MAX_SEVERITY: Final = 1000
_ID: Final = re.compile(r"[a-z][a-z0-9_]{0,31}\.[a-z0-9][a-z0-9_]{0,63}")
# A long pattern may be laid out on several lines; breaks, indents and line ends are no part of it.
_LAYOUT: Final = re.compile(r"\s*\n\s*")
# Phrases of this family are no suspicion: they are taken out of a text before it is weighed.
HARMLESS: Final = "harmless"
_REQUIRED: Final = ("id", "severity", "pattern")
_KNOWN: Final = frozenset({*_REQUIRED, "beside", "endings", "family", "places", "hits", "misses"})


class PackError(ValueError):
    """A rule pack is wrong: one line that names the pack, the rule, the fault and the cure."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One pattern with its weight, the places it speaks for, and the examples that prove it.

    `beside` names a rule without weight that has to fire in the same text, or this one does not.
    """

    id: str
    family: str
    severity: int
    pattern: str
    places: frozenset[Place] = frozenset(PLACES)
    hits: tuple[str, ...] = ()
    misses: tuple[str, ...] = ()
    beside: str = ""


def parse_pack(name: str, text: str) -> tuple[Rule, ...]:
    """The rules of one pack in their order, or the first fault as a PackError."""
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise PackError(f"pack {name}: not TOML ({error}); correct the syntax") from None
    if set(document) - {"rule"}:
        raise PackError(f"pack {name}: unknown table; a pack holds [[rule]] tables only")
    tables: object = document.get("rule", [])
    if not _is_tables(tables):
        raise PackError(f"pack {name}: 'rule' is no list of tables; write [[rule]]")
    rules = tuple(_rule(name, number, table) for number, table in enumerate(tables, start=1))
    refuse_duplicates(f"pack {name}", rules)
    return rules


def refuse_duplicates(where: str, rules: tuple[Rule, ...]) -> None:
    """Raise for the first id that occurs twice: hits are told apart by it."""
    seen: set[str] = set()
    for rule in rules:
        if rule.id in seen:
            raise PackError(f"{where}, rule {rule.id}: the id occurs twice; rename one of them")
        seen.add(rule.id)


def _rule(pack: str, number: int, table: Mapping[str, Any]) -> Rule:
    rule_id = table.get("id")
    if not isinstance(rule_id, str) or not _ID.fullmatch(rule_id):
        raise PackError(f"pack {pack}, rule {number}: bad id; write id = 'family.name', lower-case")
    where = f"pack {pack}, rule {rule_id}"
    _check_keys(where, table)
    family = _family(where, rule_id, table)
    if family == HARMLESS and table["severity"] != 0:
        raise PackError(f"{where}: what is harmless weighs nothing; write severity = 0")
    return Rule(
        id=rule_id,
        family=family,
        severity=_severity(where, table["severity"]),
        pattern=_patterns(where, table["pattern"], table.get("endings", [])),
        places=_places(where, table.get("places", list(PLACES))),
        hits=_strings(where, "hits", table.get("hits", [])),
        misses=_strings(where, "misses", table.get("misses", [])),
        beside=_beside(where, table.get("beside", "")),
    )


def _check_keys(where: str, table: Mapping[str, Any]) -> None:
    unknown = sorted(set(table) - _KNOWN)
    if unknown:
        known = ", ".join(sorted(_KNOWN))
        raise PackError(f"{where}: unknown key {unknown[0]!r}; known keys are {known}")
    missing = [key for key in _REQUIRED if key not in table]
    if missing:
        raise PackError(f"{where}: no {missing[0]}; add the line {missing[0]} = …")


def _family(where: str, rule_id: str, table: Mapping[str, Any]) -> str:
    own = rule_id.partition(".")[0]
    if table.get("family", own) != own:
        raise PackError(f"{where}: the family is not the first part of the id; write {own!r}")
    return own


def _severity(where: str, value: object) -> int:
    # bool is an int to Python, never a severity to us.
    if type(value) is not int or not 0 <= value <= MAX_SEVERITY:
        raise PackError(f"{where}: bad severity; write a whole number from 0 to {MAX_SEVERITY}")
    return value


def _beside(where: str, value: object) -> str:
    if isinstance(value, str) and (not value or _ID.fullmatch(value)):
        return value
    raise PackError(f"{where}: bad beside; write the id of a rule of severity 0")


def _patterns(where: str, value: object, endings: object) -> str:
    """The pattern, once for each of its endings: the engine then starts from the rare word."""
    tails = _strings(where, "endings", endings)
    pattern = _pattern(where, value)
    if not tails:
        return pattern
    return "|".join(f"(?:{pattern}){_pattern(where, tail)}" for tail in tails)


def _pattern(where: str, value: object) -> str:
    if not isinstance(value, str) or not value.strip():
        raise PackError(f"{where}: bad pattern; write a non-empty string")
    pattern = _LAYOUT.sub("", value.strip())
    gap = unbounded_gap(pattern)
    if gap is not None:
        raise PackError(f"{where}: unbounded gap {gap}; bound it, as in {{0,80}}")
    try:
        return fold_pattern(widen_spaces(pattern))
    except UnfitPatternError as error:
        raise PackError(f"{where}: {error}") from None


def _places(where: str, value: object) -> frozenset[Place]:
    named = _strings(where, "places", value)
    chosen: frozenset[Place] = frozenset(place for place in PLACES if place in named)
    if not chosen or len(chosen) != len(named):
        raise PackError(f"{where}: bad places; choose from {', '.join(PLACES)}")
    return chosen


def _strings(where: str, key: str, value: object) -> tuple[str, ...]:
    if not _is_list(value):
        raise PackError(f"{where}: {key} is no list; write {key} = [ … ]")
    strings = tuple(item for item in value if isinstance(item, str))
    if len(strings) != len(value):
        raise PackError(f"{where}: {key} holds something other than strings; quote it")
    return strings


def _is_list(value: object) -> TypeGuard[list[object]]:
    return isinstance(value, list)


def _is_tables(value: object) -> TypeGuard[list[dict[str, Any]]]:
    return _is_list(value) and all(isinstance(item, dict) for item in value)
