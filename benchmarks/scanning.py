"""What a scan costs beside the bare engine: python -m benchmarks.scanning.

For ordinary ASCII texts of 1 KB: one pass with all rules in a single database, one pass with the
main shelf of the book, and the whole scan; the last as a ratio to each of the others.
"""

from collections.abc import Callable
from functools import partial
from statistics import median
from timeit import repeat
from typing import Final

from abuse_gate.rules.candidates import CANDIDATES
from abuse_gate.rules.engine import new_scratch, scan
from abuse_gate.work.rulecache import RuleCache, default_directory
from abuse_gate.work.scanner import Scanner, build_scanner
from benchmarks.corpus.ordinary import ORDINARY

SIZE: Final = 1024
CALLS: Final = 50
MAX_RATIO: Final = 3.0


def ordinary_texts() -> list[str]:
    """Prose, a letter, code and a recipe, each 1 KB long."""
    return [(text * (SIZE // len(text) + 1))[:SIZE] for text in ORDINARY]


def _seconds(call: Callable[[], object]) -> float:
    return min(repeat(call, number=CALLS, repeat=5)) / CALLS


def ratios(scanner: Scanner, texts: list[str]) -> list[tuple[float, float, float]]:
    """For each text: one database's pass, the main shelf's, and the whole scan, in seconds."""
    patterns = [*(rule.pattern for rule in scanner.book.rules), *CANDIDATES.values()]
    together = RuleCache(default_directory()).compile(patterns)
    main = scanner.book.main.database
    scratch, own = new_scratch(together), new_scratch(main)
    rows: list[tuple[float, float, float]] = []
    for text in texts:
        passes: tuple[Callable[[], object], ...] = (
            partial(scan, together, scratch, text.encode()),
            partial(scan, main, own, text.encode()),
            partial(scanner.scan_text, text),
        )
        all_rules, shelf, whole = map(_seconds, passes)
        rows.append((all_rules, shelf, whole))
    return rows


def main() -> int:
    """Print medians in microseconds and both ratios; 1 when a scan costs more than it may."""
    rows = ratios(build_scanner(), ordinary_texts())
    names = ("all rules in one database", "the main shelf alone", "the whole scan")
    for name, column in zip(names, zip(*rows, strict=True), strict=True):
        print(f"{name:28} {median(column) * 1e6:8.1f} us")
    for at, name in enumerate(names[:2]):
        found = sorted(row[2] / row[at] for row in rows)
        print(f"scan / {name:28} median {median(found):.2f}, worst {found[-1]:.2f}")
    return 0 if median(row[2] / row[0] for row in rows) <= MAX_RATIO else 1


if __name__ == "__main__":
    raise SystemExit(main())
