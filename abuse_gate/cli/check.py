"""`abuse-gate check`: what the rules say of one text, and by which way they came to it.

Asks nobody but the rules, with the settings of the gate; never prints the text.
"""

import argparse
import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from abuse_gate.cli.paper import plain, table
from abuse_gate.contract import ConfigError
from abuse_gate.deciding.score import Thresholds, judged, score
from abuse_gate.inspection import weighed_hits
from abuse_gate.model.extract import Extract, Flag, Origin, Segment, ToolCall
from abuse_gate.model.hit import Hit
from abuse_gate.model.verdict import Verdict
from abuse_gate.reading.charset import detected, salvaged
from abuse_gate.reading.sniff import has_control
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
COLUMNS: Final = ("RULE", "FAMILY", "SEVERITY", "PLACE", "READ AS")


class Checked(NamedTuple):
    """What was found: a verdict, its score, the hits and the way to each, and the flags."""

    verdict: Verdict
    points: float
    hits: tuple[Hit, ...]
    ways: Mapping[str, Way]
    flags: tuple[str, ...]
    encoded: bool


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
    thresholds = _thresholds(settings)
    if given.json:
        print(json.dumps(as_json(checked, thresholds)))
        return EXIT[checked.verdict]
    print(f"verdict  {checked.verdict}")
    bounds = f"unclear above {thresholds.notice:g}, unsafe from {thresholds.block:g}"
    print(f"score    {checked.points:g} ({bounds})")
    if checked.flags:
        print(f"flags    {', '.join(checked.flags)}")
    if checked.encoded:
        print("encoded  something in it is encoded")
    if checked.hits:
        table(COLUMNS, [_row(hit, checked.ways) for hit in checked.hits])
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
    disguised = {hit.rule for hit in hits if hit.decoded}
    found = ways(text, scanner.book, scanner.book.new_scratch(), disguised) if disguised else {}
    points = score(hits)
    verdict = judged(hits, _thresholds(settings))
    flags = findings.flags | noted
    # What was left unread is never safe.
    verdict = "unclear" if flags and verdict == "safe" else verdict
    return Checked(verdict, points, hits, found, tuple(sorted(flags)), findings.encoded)


def as_json(checked: Checked, thresholds: Thresholds) -> dict[str, Any]:
    """The same for a program; rule ids, names and numbers only."""
    return {
        "verdict": checked.verdict,
        "score": checked.points,
        "thresholds": {"notice": thresholds.notice, "block": thresholds.block},
        "hits": [
            {
                "rule": hit.rule,
                "family": hit.family,
                "severity": hit.severity,
                "place": hit.place,
                "decoded": hit.decoded,
                "excuses": list(hit.excuses),
                "read_as": list(_way(hit, checked.ways)),
            }
            for hit in checked.hits
        ],
        "flags": list(checked.flags),
        "encoded": checked.encoded,
    }


def _text(given: argparse.Namespace) -> tuple[str, frozenset[Flag]]:
    """The text, and the flag of bytes that are none."""
    if given.file is not None and given.text is not None:
        raise ConfigError("give a text or --file, not both")
    if given.file is not None:
        return _decoded(given.file.read_bytes())
    if given.text not in (None, "-"):
        return _decoded(os.fsencode(given.text))
    return _decoded(sys.stdin.buffer.read())


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


def _thresholds(settings: Settings) -> Thresholds:
    return Thresholds(settings.block_threshold, settings.notice_threshold)


def _way(hit: Hit, known: Mapping[str, Way]) -> Way:
    """How a hit was read; one that no single way explains came of several together."""
    if not hit.decoded:
        return ("plain",)
    return known.get(hit.rule, ("several readings",))


def _row(hit: Hit, known: Mapping[str, Way]) -> tuple[str, ...]:
    read_as = " > ".join(_way(hit, known))
    return plain(hit.rule), hit.family, str(hit.severity), hit.place, read_as
