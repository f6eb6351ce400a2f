"""`abuse-gate check`: what the rules say of one text, and by which way they came to it.

Asks nobody but the rules, with the settings of the gate; never prints the text.
"""

import argparse
import json
import os
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from abuse_gate.cli.findings import Checked, as_json, show
from abuse_gate.contract import ConfigError
from abuse_gate.deciding.account import account
from abuse_gate.deciding.score import Thresholds, judged
from abuse_gate.inspection import weighed_hits
from abuse_gate.model.extract import Extract, Flag, Origin, Segment, ToolCall
from abuse_gate.model.hit import Hit
from abuse_gate.model.verdict import Verdict
from abuse_gate.reading.charset import detected, salvaged
from abuse_gate.reading.sniff import has_control
from abuse_gate.rules.book import RuleBook
from abuse_gate.rules.spots import Spot, spots
from abuse_gate.rules.ways import Way, ways
from abuse_gate.settings import Routing, Settings, settings_from_env
from abuse_gate.wiring import scanner_of

# 2 is a wrong question, as everywhere.
EXIT: Final[Mapping[Verdict, int]] = {"safe": 0, "unsafe": 1, "unclear": 3}
# Whose words a text is said to be, and where the gate would have read it.
AS: Final[Mapping[str, Origin]] = {
    "user": "user",
    "assistant": "assistant",
    "tool": "tool",
    "document": "document",
    "header": "header",
}
CALL: Final = "call"
MALFORMED: Final[frozenset[Flag]] = frozenset({"malformed"})
EMPTY_CURE: Final = "give a text, name a file with --file, or pipe a text in"


def register(parser: argparse.ArgumentParser) -> None:
    """What may be given, and what to run."""
    parser.add_argument("text", nargs="?", help="the text; left out or - is standard input")
    parser.add_argument("--file", type=Path, help="a file that holds the text")
    parser.add_argument("--as", dest="origin", choices=(*AS, CALL), default="user")
    parser.add_argument("--path", default="/", help="the route whose settings count")
    parser.add_argument("--json", action="store_true", help="one JSON object")
    parser.set_defaults(run=_run)


def _run(given: argparse.Namespace) -> int:
    settings = settings_from_env()
    text, flags = _text(given)
    checked = check(text, given.origin, settings, given.path, flags)
    if given.json:
        print(json.dumps(as_json(checked)))
    else:
        show(checked)
    return EXIT[checked.verdict]


def check(
    text: str,
    origin: str,
    settings: Settings,
    path: str = "/",
    noted: frozenset[Flag] = frozenset(),
) -> Checked:
    """What tier 1 makes of a text that stands in one place, as a route weighs it."""
    scanner = scanner_of(settings)
    extract = _extract(text, origin)
    findings = scanner.scan(extract)
    hits = weighed_hits(extract, findings, Routing(settings).policy(path))
    thresholds = Thresholds(settings.block_threshold, settings.notice_threshold)
    verdict = judged(hits, thresholds)
    flags = findings.flags | noted
    # What was left unread is never safe.
    verdict = "unclear" if flags and verdict == "safe" else verdict
    return Checked(
        verdict,
        thresholds,
        account(hits, thresholds),
        hits,
        _spots(text, hits, scanner.book),
        _ways(text, hits, scanner.book),
        tuple(sorted(flags)),
        findings.encoded,
    )


def _spots(text: str, hits: Iterable[Hit], book: RuleBook) -> Mapping[str, tuple[Spot, ...]]:
    """Where the rules fire that fire in the text as it is written."""
    plain = {hit.rule for hit in hits if not hit.decoded}
    return spots(text, book, book.new_scratch(), plain) if plain else {}


def _ways(text: str, hits: Iterable[Hit], book: RuleBook) -> Mapping[str, Way]:
    """By which reading the rules fire that fire in a disguise."""
    disguised = {hit.rule for hit in hits if hit.decoded}
    return ways(text, book, book.new_scratch(), disguised) if disguised else {}


def _text(given: argparse.Namespace) -> tuple[str, frozenset[Flag]]:
    """The text, and the flag of bytes that are none; no text at all is a wrong question."""
    if given.file is not None and given.text is not None:
        raise ConfigError("give a text or --file, not both")
    if given.file is not None:
        where, data = str(given.file), given.file.read_bytes()
    elif given.text not in (None, "-"):
        _refuse_a_name(given.text)
        where, data = "the text", os.fsencode(given.text)
    else:
        where, data = "standard input", sys.stdin.buffer.read()
    if not data.strip():
        raise ConfigError(f"{where} is empty, and nothing was checked; {EMPTY_CURE}")
    return _decoded(data)


def _refuse_a_name(text: str) -> None:
    """A file's name is seldom the text that somebody means, and safe whatever the file says."""
    try:
        named = Path(text).is_file()
    except (OSError, ValueError):
        return
    if named:
        raise ConfigError(
            f"{text} is a file, and only its name would be checked; "
            "write --file before it, or pipe the name in if you mean that"
        )


def _decoded(data: bytes) -> tuple[str, frozenset[Flag]]:
    """Bytes as the gate reads them where nobody says what they are."""
    text = detected(data)
    if text is None:
        return salvaged(data), MALFORMED
    return text, MALFORMED if has_control(text.encode("utf-8", "replace")) else frozenset()


def _extract(text: str, origin: str) -> Extract:
    if origin == CALL:
        return Extract(calls=(ToolCall("", (text,)),))
    return Extract((Segment(text, AS[origin], "untrusted"),))
