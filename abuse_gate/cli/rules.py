"""`abuse-gate rules`: which rules there are, what they weigh here, and whether a pack is right."""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final

from abuse_gate.cli.paper import plain, table
from abuse_gate.contract import ConfigError
from abuse_gate.rules.book import build_book, check_alone
from abuse_gate.rules.examples import example_faults
from abuse_gate.rules.packs import PLACES, PackError, Rule, parse_pack
from abuse_gate.rules.structure import STRUCTURAL
from abuse_gate.settings import RoutePolicy, Routing, settings_from_env
from abuse_gate.wiring import scanner_of
from abuse_gate.work.scanner import read_packs, shipped_packs

FINE, FAULTY = 0, 1
COLUMNS: Final = ("RULE", "SEVERITY", "HERE", "PLACES")
OFF: Final = "off"
EVERYWHERE: Final = "everywhere"
STRUCTURE: Final = f"{'found':>14}  by how a document is built"


def register(parser: argparse.ArgumentParser) -> None:
    """What may be given, and what to run."""
    parser.add_argument("action", nargs="?", choices=("list", "show"), default="list")
    parser.add_argument("id", nargs="?", help="the rule to show")
    parser.add_argument("--family", help="the rules of one family alone")
    parser.add_argument("--path", default="/", help="the route whose settings count")
    parser.add_argument(
        "--pack", type=Path, action="append", help="check a pack of your own, its examples included"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    parser.set_defaults(run=_run)


def _run(given: argparse.Namespace) -> int:
    if given.pack:
        return _check(given.pack)
    settings = settings_from_env()
    rules = (*scanner_of(settings).book.rules, *STRUCTURAL)
    policy = Routing(settings).policy(given.path)
    if given.action == "show":
        return _show(_named(rules, given.id), policy, as_json=given.json)
    return _list(_of_family(rules, given.family), policy, as_json=given.json)


def here(rule: Rule, policy: RoutePolicy) -> int | None:
    """What a rule weighs on a route; None where it is switched off."""
    if rule.id in policy.disabled_rules:
        return None
    return policy.severity_overrides.get(rule.id, rule.severity)


def _of_family(rules: Sequence[Rule], family: str | None) -> list[Rule]:
    chosen = [rule for rule in rules if family in (None, rule.family)]
    if not chosen:
        known = ", ".join(sorted({rule.family for rule in rules}))
        raise ConfigError(f"there is no family {family!r}; there are {known}")
    return chosen


def _named(rules: Sequence[Rule], wanted: str | None) -> Rule:
    known = {rule.id: rule for rule in rules}
    if wanted is None:
        raise ConfigError("which rule? give its id: `abuse-gate rules` lists them")
    if wanted in known:
        return known[wanted]
    near = get_close_matches(wanted, known, n=1)
    hint = f"did you mean {near[0]}?" if near else "`abuse-gate rules` lists them"
    raise ConfigError(f"no rule is called {wanted!r}; {hint}")


def _list(rules: Sequence[Rule], policy: RoutePolicy, *, as_json: bool) -> int:
    if as_json:
        print(*(json.dumps(_told(rule, policy)) for rule in rules), sep="\n")
        return FINE
    table(COLUMNS, [_row(rule, policy) for rule in rules])
    return FINE


def _row(rule: Rule, policy: RoutePolicy) -> tuple[str, ...]:
    weight = here(rule, policy)
    return rule.id, str(rule.severity), OFF if weight is None else str(weight), _places(rule)


def _places(rule: Rule) -> str:
    if len(rule.places) == len(PLACES):
        return EVERYWHERE
    return ", ".join(place for place in PLACES if place in rule.places)


def _told(rule: Rule, policy: RoutePolicy) -> dict[str, Any]:
    return {
        "rule": rule.id,
        "family": rule.family,
        "severity": rule.severity,
        "here": here(rule, policy),
        "places": [place for place in PLACES if place in rule.places],
    }


def _show(rule: Rule, policy: RoutePolicy, *, as_json: bool) -> int:
    if as_json:
        more = {"pattern": rule.pattern, "hits": rule.hits, "misses": rule.misses}
        print(json.dumps({**_told(rule, policy), **more}))
        return FINE
    weight = here(rule, policy)
    print(f"{rule.id}  family {rule.family}, places: {_places(rule)}")
    print(f"severity {rule.severity}, here {OFF if weight is None else weight}")
    for title, examples in (("finds", rule.hits), ("leaves alone", rule.misses)):
        for example in examples:
            print(plain(f"{title:>14}  {example}"))
    found_by = (
        ("pattern", rule.pattern) if rule.pattern else ("found", "by how a document is built")
    )
    print(plain("{:>14}  {}".format(*found_by)))
    return FINE


def _check(paths: Sequence[Path]) -> int:
    """Each pack by itself and all of them beside the shipped ones; every fault on a line."""
    faults = list(_faults(paths))
    for fault in faults:
        print(plain(f"abuse-gate: {fault}"), file=sys.stderr)
    return FAULTY if faults else FINE


def _faults(paths: Sequence[Path]) -> Iterator[str]:
    taken = frozenset(rule.id for pack in shipped_packs() for rule in parse_pack(*pack))
    for path, pack in zip(paths, read_packs([str(path) for path in paths]), strict=True):
        try:
            own = check_alone([pack])
            book = build_book([pack])
        except PackError as error:
            yield str(error)
            continue
        twice = sorted(own & taken)
        yield from (f"{path}: rule {rule}: the id is taken; rename it" for rule in twice)
        wrong = [f"{path}: {fault}" for fault in example_faults(book, own)]
        yield from wrong
        taken |= own
        if not (wrong or twice):
            examples = sum(len(rule.hits) + len(rule.misses) for rule in book.rules)
            print(f"{plain(str(path))}: {len(own)} rules, {examples} examples, all hold")
