"""`abuse-gate audit`: is a trail as it was written, and a key to seal one with."""

import argparse
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from abuse_gate.cli.files import files_of
from abuse_gate.contract import ConfigError
from abuse_gate.telemetry.audit.chain import BrokenLine, Head, heads_in, parse
from abuse_gate.telemetry.audit.keys import MISSING, new_key, raw_key
from abuse_gate.telemetry.audit.verify import Report, Verifier, lines_of

INTACT, TAMPERED = 0, 1


def register(commands: Any) -> None:
    """Adds the command."""
    parser = commands.add_parser("audit", help="check an audit trail; make a key to seal one")
    actions = parser.add_subparsers(required=True, metavar="ACTION")
    verify = actions.add_parser(
        "verify", help="find every record that was edited, deleted, added or moved"
    )
    verify.add_argument(
        "files", nargs="*", type=Path, help="files of a trail, or the path that the gate writes to"
    )
    verify.add_argument("--key", default="", help="the public key that the trail must be signed by")
    verify.add_argument(
        "--head",
        action="append",
        default=[],
        help="a head CHAIN:NUMBER:HASH that was kept elsewhere; may be given again",
    )
    verify.add_argument(
        "--heads", type=Path, help="a file, such as the app's log, with any number of heads in it"
    )
    verify.set_defaults(run=_verify)
    keygen = actions.add_parser("keygen", help="make a key for ABUSE_GATE_AUDIT_KEY")
    keygen.set_defaults(run=_keygen)


def _verify(given: argparse.Namespace) -> int:
    if given.key and raw_key(given.key) is None:
        raise ConfigError("--key: not a public key (32 bytes in base64 or hex)")
    heads = _heads(given.head, given.heads)
    reports = [
        Verifier(given.key, heads).read(chain.from_iterable(map(lines_of, files)))
        for files in _by_chain(files_of(given.files)).values()
    ]
    for report in reports:
        print(*_lines(report), sep="\n")
    known = {report.chain for report in reports}
    gone = [head for text in given.head for head in heads_in(text) if head.chain not in known]
    for head in gone:
        print(
            f"chain {head.chain}:",
            f"  ! nothing of it is left; {head.number} was its head",
            sep="\n",
        )
    intact = not gone and all(report.intact for report in reports)
    print("intact" if intact else "NOT intact")
    return INTACT if intact else TAMPERED


def _heads(given: Sequence[str], path: Path | None) -> list[Head]:
    found = [head for text in given for head in heads_in(text)]
    if len(found) != len(given):
        raise ConfigError("--head: not a head; give CHAIN:NUMBER:HASH as the log shows it")
    return found + (heads_in(path.read_text("utf-8", "replace")) if path else [])


def _by_chain(files: Sequence[Path]) -> Mapping[str, list[Path]]:
    """Files of one chain belong together; one whose chain cannot be told stands alone."""
    chains: dict[str, list[Path]] = {}
    for path in files:
        chains.setdefault(_chain_of(path), []).append(path)
    return chains


def _chain_of(path: Path) -> str:
    first = next(lines_of(path), None)
    try:
        return str(parse(first.data)["chain"]) if first else str(path)
    except (BrokenLine, KeyError):
        return str(path)


def _lines(report: Report) -> Iterator[str]:
    about = f"records {report.first} to {report.last}, {report.decisions} decisions"
    seals = f"sealed up to {report.sealed}" if report.sealed else "never sealed"
    yield f"chain {report.chain or '?'}: {about}, {seals}"
    yield from (f"  ! {finding}" for finding in report.findings)
    yield from (f"  - {note}" for note in report.notes)


def _keygen(_given: argparse.Namespace) -> int:
    try:
        private, public = new_key()
    except ImportError:
        raise ConfigError(MISSING) from None
    print(f"ABUSE_GATE_AUDIT_KEY={private}")
    print(f"# keep the public key where the gate cannot write: {public}")
    return INTACT
