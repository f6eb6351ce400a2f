"""What a scan costs beside the bare engine: python -m benchmarks.scanning [--all].

For ordinary ASCII texts of 1 KB: one pass with the rules (the main shelf of the book), with `--all`
one with all rules and candidates in a single database, and the whole scan as a ratio to each.
"""

import argparse
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from statistics import median
from timeit import repeat
from typing import Final

from abuse_gate.rules.candidates import CANDIDATES
from abuse_gate.rules.engine import Database, new_scratch, scan
from abuse_gate.work.rulecache import RuleCache, default_directory
from abuse_gate.work.scanner import Scanner, build_scanner
from benchmarks.corpus.ordinary import ORDINARY

SIZE: Final = 1024
CALLS: Final = 50
MAX_RATIO: Final = 3.0
SHELF: Final = "one pass with the rules"
ALL: Final = "all rules in one database"
WHOLE: Final = "the whole scan"

Pass = Callable[[], object]


def ordinary_texts() -> list[str]:
    """Prose, a letter, code and a recipe, each 1 KB long."""
    return [(text * (SIZE // len(text) + 1))[:SIZE] for text in ORDINARY]


def _seconds(call: Callable[[], object]) -> float:
    return min(repeat(call, number=CALLS, repeat=5)) / CALLS


def passes(scanner: Scanner, text: str, together: Database | None) -> Mapping[str, Pass]:
    """The bare passes that a scan is measured against, and the whole scan as the last."""
    bare = {SHELF: scanner.book.main.database, **({} if together is None else {ALL: together})}
    data = text.encode()
    return {
        **{name: partial(scan, one, new_scratch(one), data) for name, one in bare.items()},
        WHOLE: partial(scanner.scan_text, text),
    }


def everything(scanner: Scanner) -> Database:
    """All rules and candidates in a single database, which takes long to compile."""
    patterns = [*(rule.pattern for rule in scanner.book.rules), *CANDIDATES.values()]
    return RuleCache(default_directory()).compile(patterns)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print medians in microseconds and the ratios; 1 when a scan costs more than it may."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.scanning", description=__doc__)
    parser.add_argument("--all", action="store_true", help="also all rules in one database")
    scanner = build_scanner()
    together = everything(scanner) if parser.parse_args(arguments).all else None
    rows = [
        {name: _seconds(call) for name, call in passes(scanner, text, together).items()}
        for text in ordinary_texts()
    ]
    for name in rows[0]:
        print(f"{name:28} {median(row[name] for row in rows) * 1e6:8.1f} us")
    for name in [name for name in rows[0] if name != WHOLE]:
        found = sorted(row[WHOLE] / row[name] for row in rows)
        print(f"scan / {name:28} median {median(found):.2f}, worst {found[-1]:.2f}")
    return 0 if median(row[WHOLE] / row[SHELF] for row in rows) <= MAX_RATIO else 1


if __name__ == "__main__":
    raise SystemExit(main())
