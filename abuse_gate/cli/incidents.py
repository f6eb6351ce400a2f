"""`abuse-gate incidents`: what was decided, as a table, from audit files or OTLP exports."""

import argparse
import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from abuse_gate.cli.files import files_of
from abuse_gate.cli.paper import table
from abuse_gate.cli.records import Told, told_in

COLUMNS: Final = ("at", "incident_id", "decision", "verdict", "reason", "mode", "route", "rules")
DEFAULT_LIMIT: Final = 50

# Option -> what must hold of a request. The same names as in spans and records.
FILTERS: Final[Mapping[str, Callable[[Told, str], bool]]] = {
    "decision": lambda told, value: told.fact("decision") == value,
    "verdict": lambda told, value: told.fact("verdict") == value,
    "reason": lambda told, value: told.fact("reason") == value,
    "mode": lambda told, value: told.fact("mode") == value,
    "route": lambda told, value: told.fact("route") == value,
    "rule": lambda told, value: value in told.facts.get("rules", ()),
    "family": lambda told, value: value in told.facts.get("families", ()),
    "flag": lambda told, value: value in told.facts.get("flags", ()),
    "subject": lambda told, value: told.fact("subject").startswith(value),
    "tenant": lambda told, value: told.fact("tenant") == value,
    "prompt": lambda told, value: told.fact("prompt_digest").startswith(value),
    "policy": lambda told, value: told.fact("policy_version") == value,
    "since": lambda told, value: told.at >= value,
    "until": lambda told, value: told.at < value,
}


def register(commands: Any) -> None:
    """Adds the command."""
    parser = commands.add_parser("incidents", help="list what was decided, incidents first")
    parser.add_argument("files", nargs="*", type=Path, help="audit files or OTLP JSON exports")
    for name in FILTERS:
        parser.add_argument(f"--{name}", metavar="VALUE", help=f"only this {name}")
    parser.add_argument("--unverified", action="store_true", help="only what nobody could verify")
    parser.add_argument("--all", action="store_true", help="clean passes too")
    parser.add_argument("--limit", type=int, default=DEFAULT_LIMIT, help="the last so many")
    parser.add_argument("--json", action="store_true", help="one JSON object for each line")
    parser.set_defaults(run=_run)


def _run(given: argparse.Namespace) -> int:
    found = sorted(chosen(told_in(files_of(given.files)), given), key=lambda told: told.at)
    last = found[-given.limit :] if given.limit > 0 else found
    if given.json:
        for told in last:
            print(json.dumps({**told.facts, "at": told.at}))
    else:
        table(COLUMNS, [[_cell(told, column) for column in COLUMNS] for told in last])
        print(f"{len(last)} of {len(found)}; explain one: abuse-gate explain INCIDENT_ID FILE")
    return 0


def chosen(everything: Iterable[Told], given: argparse.Namespace) -> list[Told]:
    """The requests that pass every filter that was given."""
    wanted = [(FILTERS[name], vars(given)[name]) for name in FILTERS if vars(given)[name]]
    return [
        told
        for told in everything
        if (given.all or wanted or is_noteworthy(told))
        and (not given.unverified or told.fact("unverified"))
        and all(holds(told, value) for holds, value in wanted)
    ]


def is_noteworthy(told: Told) -> bool:
    """Anything but an allow that was clean and verified."""
    return bool(told.fact("decision") != "allow" or told.fact("rules") or told.fact("unverified"))


def _cell(told: Told, column: str) -> str:
    return told.at if column == "at" else told.fact(column)
