"""`abuse-gate incidents`: what was decided, as a table, from audit files or OTLP exports."""

import argparse
import heapq
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final, get_args

from abuse_gate.cli.files import files_of
from abuse_gate.cli.paper import table
from abuse_gate.cli.records import CHANGE, DECISION, Told, told_in
from abuse_gate.contract import ConfigError
from abuse_gate.model.decision import Action, Mode
from abuse_gate.model.verdict import UNASKED_REASONS, Verdict

COLUMNS: Final = ("at", "incident_id", "decision", "verdict", "reason", "mode", "route", "rules")
CHANGES: Final = ("at", "subject", "before", "after", "cause", "seconds", "actor", "reason")
DEFAULT_LIMIT: Final = 50
# Beyond the life of any trail; what is larger is a typing error.
MOST_UNITS: Final = 100_000
UNITS: Final[Mapping[str, str]] = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
_AGO: Final = re.compile(r"([0-9]{1,6})([mhdw])")

# Option -> what must hold of a request. The same names as in spans and records.
FILTERS: Final[Mapping[str, Callable[[Told, str], bool]]] = {
    "decision": lambda told, value: told.fact("decision") == value,
    "verdict": lambda told, value: told.fact("verdict") == value,
    "reason": lambda told, value: told.fact("reason") == value,
    "mode": lambda told, value: (told.fact("mode") or told.fact("after")) == value,
    "route": lambda told, value: told.fact("route") == value,
    "rule": lambda told, value: value in told.listed("rules"),
    "family": lambda told, value: value in told.listed("families"),
    "flag": lambda told, value: value in told.listed("flags"),
    "subject": lambda told, value: told.fact("subject").startswith(value),
    "tenant": lambda told, value: told.fact("tenant") == value,
    "tool": lambda told, value: told.fact("tool").startswith(value),
    "prompt": lambda told, value: told.fact("prompt_digest").startswith(value),
    "policy": lambda told, value: told.fact("policy_version") == value,
    "trace": lambda told, value: told.fact("trace_id").startswith(value.lower()),
}
# Option -> all its values; what is not among them is a typing error.
WORDS: Final[Mapping[str, tuple[str, ...]]] = {
    "decision": get_args(Action),
    "verdict": get_args(Verdict),
    "mode": get_args(Mode),
}
# What the gate itself says; verifiers' own reasons begin with these words.
REASONS: Final = UNASKED_REASONS | {
    *("rules_clean", "below_threshold", "rules_notice", "rules_block", "flags", "cached"),
    *("no_untrusted", "low_risk", "body_timeout", "execute_locked", "full_quarantine"),
}
JUDGES: Final = ("model_", "triage_", "supervisor_")
# Option -> whether a time passes a bound.
BOUNDS: Final[Mapping[str, Callable[[datetime, datetime], bool]]] = {
    "since": lambda at, bound: at >= bound,
    "until": lambda at, bound: at < bound,
}


def register(parser: argparse.ArgumentParser) -> None:
    """What may be given, and what to run."""
    parser.add_argument("files", nargs="*", type=Path, help="audit files or OTLP JSON exports")
    for name in FILTERS:
        parser.add_argument(
            f"--{name}",
            metavar="VALUE" if name not in WORDS else None,
            choices=WORDS.get(name),
            help=f"only this {name}",
        )
    for name in BOUNDS:
        what = "a date and time in ISO 8601 (UTC unless it says), or 90m, 24h, 7d, 2w ago"
        parser.add_argument(f"--{name}", metavar="TIME", help=what)
    parser.add_argument("--unverified", action="store_true", help="only what nobody could verify")
    parser.add_argument("--all", action="store_true", help="clean passes too")
    parser.add_argument(
        "--changes", action="store_true", help="changes of modes instead, and who made them"
    )
    parser.add_argument("--limit", type=int, default=DEFAULT_LIMIT, help="the last so many; 0: all")
    parser.add_argument("--json", action="store_true", help="one JSON object for each line")
    parser.set_defaults(run=_run)


def _run(given: argparse.Namespace) -> int:
    columns, kind = (CHANGES, CHANGE) if given.changes else (COLUMNS, DECISION)
    everything, seen = told_in(files_of(given.files), kind), set[str]()
    if given.reason and not given.changes:
        everything = _noted(everything, seen)
    last, count = newest(chosen(everything, given), given.limit)
    if not count and given.reason and not given.changes:
        _check_reason(given.reason, seen)
    if given.json:
        for told in last:
            print(json.dumps({**told.facts, "at": told.at}))
        return 0
    table(columns, [[_cell(told, column) for column in columns] for told in last])
    more = "" if given.changes else "; explain one: abuse-gate explain INCIDENT_ID FILE"
    print(f"{len(last)} of {count}{more}")
    return 0


def _noted(everything: Iterable[Told], seen: set[str]) -> Iterator[Told]:
    """The same, with the reasons that occur: a pipe cannot be read again for them."""
    for told in everything:
        seen.add(told.fact("reason"))
        yield told


def _check_reason(reason: str, seen: set[str]) -> None:
    """A reason that no gate gives is a typing error; an adapter of one's own may give any."""
    if reason in REASONS | seen or reason.startswith(JUDGES):
        return
    known = ", ".join(sorted(REASONS | seen))
    raise ConfigError(f"--reason: no gate says {reason[:40]!r}; known are {known}")


def newest(found: Iterable[Told], limit: int) -> tuple[list[Told], int]:
    """The last so many in their order, and how many there were; holds no more than it gives."""
    if limit <= 0:
        everything = sorted(found, key=lambda told: told.at)
        return everything, len(everything)
    # The number keeps what happened at one time in its order.
    last: list[tuple[str, int, Told]] = []
    count = 0
    for count, told in enumerate(found, start=1):
        push = heapq.heappush if len(last) < limit else heapq.heappushpop
        push(last, (told.at, count, told))
    return [told for _, _, told in sorted(last)], count


def chosen(everything: Iterable[Told], given: argparse.Namespace) -> Iterator[Told]:
    """The requests that pass every filter that was given; clean passes only with `--all`."""
    wanted = [(FILTERS[name], vars(given)[name]) for name in FILTERS if vars(given)[name]]
    now = datetime.now(UTC)
    times = [(BOUNDS[name], moment(vars(given)[name], now)) for name in BOUNDS if vars(given)[name]]
    for told in everything:
        if not (given.all or given.changes or is_noteworthy(told)):
            continue
        at = told.moment
        if (
            (not given.unverified or told.fact("unverified"))
            and all(holds(told, value) for holds, value in wanted)
            and all(at is not None and holds(at, bound) for holds, bound in times)
        ):
            yield told


def moment(text: str, now: datetime) -> datetime:
    """A point in time as people write it; anything else is a wrong question."""
    ago = _AGO.fullmatch(text)
    if ago and int(ago[1]) <= MOST_UNITS:
        return now - timedelta(**{UNITS[ago[2]]: int(ago[1])})
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        raise ConfigError(
            f"{text[:40]!r} is no time; write 2026-01-31, 2026-01-31T12:00+02:00, 90m, 24h or 7d"
        ) from None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def is_noteworthy(told: Told) -> bool:
    """Anything but an allow that was safe, clean and verified."""
    clean = told.fact("decision") == "allow" and told.fact("verdict") == "safe"
    return bool(not clean or told.fact("rules") or told.fact("unverified"))


def _cell(told: Told, column: str) -> str:
    return told.at if column == "at" else told.fact(column)
