"""`abuse-gate explain`: one request's way through the gate, step by step."""

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from abuse_gate.cli.files import files_of
from abuse_gate.cli.paper import plain
from abuse_gate.cli.records import Told, told_in
from abuse_gate.contract import ConfigError
from abuse_gate.model.visit import ACTION
from abuse_gate.telemetry.otel.names import SCAN_TIER

UNKNOWN: Final = 1
# Of an id's 32 digits: fewer would find somebody else's incident.
SHORTEST: Final = 6
SHORTEST_WORD: Final = "six"
# Modes in which what is not safe is refused for who asks.
HELD: Final = ("execute_locked", "full_quarantine")
# What is told at the end, under which word.
ABOUT: Final[Mapping[str, str]] = {
    "policy": "policy_version",
    "plan": "plan",
    "subject": "subject",
    "address": "address",
    "tenant": "tenant",
    "prompt": "prompt_digest",
    "trace": "trace_id",
}


def register(parser: argparse.ArgumentParser) -> None:
    """What may be given, and what to run."""
    parser.add_argument("incident_id", help="as the response header, the log or a customer says it")
    parser.add_argument("files", nargs="*", type=Path, help="audit files or OTLP JSON exports")
    parser.add_argument("--json", action="store_true", help="what is on record, as one JSON object")
    parser.set_defaults(run=_run)


def _run(given: argparse.Namespace) -> int:
    wanted: str = given.incident_id.strip().lower()
    if len(wanted) < SHORTEST:
        raise ConfigError(f"give {SHORTEST_WORD} digits or more of an incident id")
    files = files_of(given.files)
    found = _found(wanted, files)
    if not found:
        print(f"abuse-gate: no incident {plain(wanted)} in these files", file=sys.stderr)
        return UNKNOWN
    if len(found) > 1:
        raise ConfigError(f"{wanted} begins several incidents: {', '.join(sorted(found)[:5])}")
    (told,) = found.values()
    if given.json:
        shown = {**told.facts, "at": told.at, "times_ms": told.times_ms, "trail": told.steps}
        print(json.dumps(shown))
        return 0
    print(*map(plain, timeline(told)), *map(plain, _beside(told, files)), sep="\n")
    return 0


def _found(wanted: str, files: Sequence[Path]) -> dict[str, Told]:
    """The incident of this id, or all whose ids begin so."""
    found: dict[str, Told] = {}
    for told in told_in(files):
        incident = told.fact("incident_id")
        if incident == wanted:
            return {incident: told}
        if incident.startswith(wanted):
            found.setdefault(incident, told)
    return found


def _beside(told: Told, files: Sequence[Path]) -> Iterator[str]:
    """What else was decided in the same trace: an agent's request and its actions."""
    trace = told.fact("trace_id")
    for other in told_in(files) if trace else ():
        if other.fact("trace_id") == trace and other.fact("incident_id") != told.fact(
            "incident_id"
        ):
            what = f"{other.fact('incident_id')} {other.fact('decision')} {where(other)}"
            yield f"{'':>13}  {'beside':<10} {what}"


def where(told: Told) -> str:
    """Where it came in: a route, or an agent's action with the digest of its tool."""
    if told.fact("route") != ACTION:
        return f"{told.fact('method')} {told.fact('route')}"
    tool = told.fact("tool")
    return f"action, tool {tool}" if tool else "action"


def timeline(told: Told) -> Iterator[str]:
    """The lines of one request's story."""
    yield f"incident {told.fact('incident_id')}  {told.at}  {where(told)}"
    clock = 0.0
    for name, what, taken in _steps(told):
        yield f"{clock:>10.1f} ms  {name:<10} {what}"
        clock += taken
    decided = f"{told.fact('decision')}{_status(told)}, verdict {told.fact('verdict')}"
    yield f"{clock:>10.1f} ms  {'decision':<10} {decided}, mode {told.fact('mode')}"
    who = told.fact("source") or "local"
    yield f"{'':>13}  {'because':<10} {told.fact('reason')} (said by {who})"
    if is_held(told):
        yield f"{'':>13}  {'':<10} blocked because the caller is {told.fact('mode')}"
    for word, fact in ABOUT.items():
        if told.fact(fact):
            yield f"{'':>13}  {word:<10} {told.fact(fact)}"


def is_held(told: Told) -> bool:
    """Whether it was blocked for its caller's mode: what is unsafe is blocked anyway."""
    blocked = told.fact("decision") == "block" and told.fact("verdict") != "unsafe"
    return blocked and told.fact("mode") in HELD


def _steps(told: Told) -> Iterator[tuple[str, str, float]]:
    read, scan = told.times_ms.get("read", 0.0), told.times_ms.get("inspect", 0.0)
    kinds = told.fact("modalities") or "nothing"
    yield "read", f"{told.fact('body_bytes') or 0} bytes ({kinds}) in {read:.1f} ms", read
    rules = told.fact("rules")
    fired = f"fired: {rules} [{told.fact('families')}]" if rules else "nothing fired"
    flags = f"; flags: {told.fact('flags')}" if told.fact("flags") else ""
    yield "rules", f"{fired}{flags} in {scan:.1f} ms", scan
    for step in (step for step in told.steps if step.get("tier") != SCAN_TIER):
        taken: float = step["elapsed_ms"]
        yield str(step.get("tier", "tier")), _asked(step, taken), taken
    if told.fact("unverified"):
        yield "unverified", f"nobody could be asked: {told.fact('unverified')}", 0.0


def _asked(step: Mapping[str, Any], taken: float) -> str:
    who = " ".join(str(step[name]) for name in ("provider", "model") if step.get(name))
    answer = (
        f"{step.get('verdict', 'no answer')} ({step.get('reason', step.get('error.type', ''))})"
    )
    return f"{who + ': ' if who else ''}{answer} in {taken:.1f} ms"


def _status(told: Told) -> str:
    return f" ({told.fact('status')})" if told.fact("status") else ""
