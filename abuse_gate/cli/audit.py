"""`abuse-gate audit`: is a trail as it was written, and a key to seal one with."""

import argparse
import time
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Final

from abuse_gate.cli.files import files_of
from abuse_gate.cli.paper import plain
from abuse_gate.contract import ConfigError
from abuse_gate.settings import settings_from_env
from abuse_gate.telemetry.audit.chain import BrokenLine, Head, heads_in, parse
from abuse_gate.telemetry.audit.files import named_in
from abuse_gate.telemetry.audit.heads import chains_gone
from abuse_gate.telemetry.audit.keys import MISSING, new_key, raw_key, signer_of
from abuse_gate.telemetry.audit.report import Report, lines_of
from abuse_gate.telemetry.audit.verify import Verifier

INTACT, TAMPERED = 0, 1
NO_HEADS: Final = (
    "have the app's log keep INFO of the logger abuse_gate.audit, which mirrors a head at each seal"
)


def register(parser: argparse.ArgumentParser) -> None:
    """What may be given, and what to run."""
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
        "--heads",
        type=Path,
        action="append",
        default=[],
        help="a file with any number of heads in it, such as the app's log; may be given again",
    )
    verify.set_defaults(run=_verify)
    keygen = actions.add_parser("keygen", help="make a key for ABUSE_GATE_AUDIT_KEY")
    keygen.add_argument(
        "--public", action="store_true", help="print the public key of ABUSE_GATE_AUDIT_KEY instead"
    )
    keygen.set_defaults(run=_keygen)


def _verify(given: argparse.Namespace) -> int:
    if given.key and raw_key(given.key) is None:
        raise ConfigError("--key: not a public key (32 bytes in base64 or hex)")
    heads = _heads(given.head, given.heads)
    try:
        reports = [
            Verifier(given.key, heads).read(chain.from_iterable(map(lines_of, files)))
            for files in _by_chain(files_of(given.files)).values()
        ]
    except ImportError:
        raise ConfigError(MISSING) from None
    gone = list(chains_gone(reports, heads, time.time()))
    shown = [line for report in reports for line in _lines(report)]
    for head in gone:
        what = f"  ! nothing of it is left; {head.number} was its head"
        shown += [f"chain {head.chain}:", what]
    if not any(report.last for report in reports):
        shown.append("  ! there is no record in these files")
    sound = any(report.last for report in reports) and all(report.intact for report in reports)
    status = INTACT if sound and not gone else TAMPERED
    print(*map(plain, shown), "intact" if status == INTACT else "NOT intact", sep="\n")
    return status


def _heads(given: Sequence[str], paths: Sequence[Path]) -> list[Head]:
    found = [head for text in given for head in heads_in(text)]
    if len(found) != len(given):
        raise ConfigError("--head: not a head; give CHAIN:NUMBER:HASH as the log shows it")
    return found + [head for path in paths for head in _logged(path)]


def _logged(path: Path) -> list[Head]:
    with path.open(encoding="utf-8", errors="replace") as log:
        logged = [head for line in log for head in heads_in(line)]
    if not logged:
        raise ConfigError(f"--heads: {path} names no head; {NO_HEADS}")
    return logged


def _by_chain(files: Sequence[Path]) -> Mapping[str, list[Path]]:
    """Files of one chain by their segments; one whose chain cannot be told stands alone."""
    chains: dict[str, list[tuple[int, Path]]] = {}
    for path in files:
        if not path.is_file():
            raise ConfigError(f"{path}: not a file; a pipe cannot be verified")
        name, segment = _chain_of(path)
        chains.setdefault(name, []).append((segment, path))
    return {name: [path for _, path in sorted(found)] for name, found in chains.items()}


def _chain_of(path: Path) -> tuple[str, int]:
    """The chain of a file and its place in it, by its opening record or else by its name."""
    first = next(lines_of(path), None)
    try:
        record = parse(first.data) if first else {}
    except BrokenLine:
        record = {}
    name, segment = record.get("chain"), record.get("segment")
    if isinstance(name, str) and type(segment) is int:
        return name, segment
    return named_in(path) or (str(path), 0)


def _lines(report: Report) -> Iterator[str]:
    about = f"records {report.first} to {report.last}, {report.decisions} decisions"
    seals = f"sealed up to {report.sealed}" if report.sealed else "never sealed"
    yield f"chain {report.chain or '?'}: {about}, {seals}"
    yield from (f"  ! {finding}" for finding in report.findings)
    yield from (f"  - {note}" for note in report.notes)


def _keygen(given: argparse.Namespace) -> int:
    if given.public:
        secret = settings_from_env().audit_key
        if secret is None:
            raise ConfigError("set ABUSE_GATE_AUDIT_KEY to see its public key")
        print(signer_of(secret.get_secret_value()).public)
        return INTACT
    try:
        private, public = new_key()
    except ImportError:
        raise ConfigError(MISSING) from None
    print(f"ABUSE_GATE_AUDIT_KEY={private}")
    print(f"# keep the public key where the gate cannot write: {public}")
    return INTACT
