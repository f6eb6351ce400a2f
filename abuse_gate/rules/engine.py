"""The matching engine behind three functions: compile, scratch, scan.

Only this file knows hyperscan. It reads no file, keeps no clock and owns no thread: a scratch
serves one thread at a time and is handed in by whoever owns the thread.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from importlib.metadata import version
from typing import Any, Final, NamedTuple, TypeAlias

import hyperscan

Database: TypeAlias = hyperscan.Database
Scratch: TypeAlias = hyperscan.Scratch


class Job(NamedTuple):
    """Patterns that become one database; of phrases it is told where each match stands."""

    patterns: tuple[str, ...]
    phrases: bool = False


Compiler: TypeAlias = Callable[[Sequence[Job]], list[Database]]

VERSION: Final = version("hyperscan")

# Byte mode on purpose: with the UTF-8 flag two bounded gaps in one pattern are "too large".
_FLAGS: Final = (
    hyperscan.HS_FLAG_CASELESS | hyperscan.HS_FLAG_DOTALL | hyperscan.HS_FLAG_SINGLEMATCH
)
_SPAN_FLAGS: Final = hyperscan.HS_FLAG_SOM_LEFTMOST
_PHRASE_FLAGS: Final = (
    hyperscan.HS_FLAG_CASELESS | hyperscan.HS_FLAG_DOTALL | hyperscan.HS_FLAG_SOM_LEFTMOST
)
# The engine refuses an empty set, so a set of no patterns is one pattern that never reports.
_NOTHING: Final = (b"nothing",)


class PatternError(ValueError):
    """A pattern that the engine cannot take; `index` is its place, -1 for the set as a whole."""

    def __init__(self, index: int, why: str) -> None:
        super().__init__(f"pattern {index}: {why}" if index >= 0 else f"all patterns: {why}")
        self.index = index
        self.why = why


def compile_patterns(patterns: Sequence[str]) -> Database:
    """One database for all patterns: caseless, crossing lines, one report per pattern and scan."""
    return _checked(patterns, _FLAGS)


def compile_phrases(patterns: Sequence[str]) -> Database:
    """A database that tells where each match starts and ends; caseless and crossing lines."""
    return _checked(patterns, _PHRASE_FLAGS)


@lru_cache(maxsize=8)
def compile_job(job: Job) -> Database:
    """The database of one job; the last few are remembered, for some are in every book."""
    return (compile_phrases if job.phrases else compile_patterns)(job.patterns)


def compile_each(jobs: Sequence[Job]) -> list[Database]:
    """The databases of some jobs, one after the other."""
    return [compile_job(job) for job in jobs]


def compile_spans(patterns: Sequence[str]) -> Database:
    """A database that tells where each match starts and ends, in the case that is written."""
    return _checked(patterns, _SPAN_FLAGS)


def _checked(patterns: Sequence[str], flags: int) -> Database:
    if not patterns:
        return _compile(_NOTHING, _FLAGS | hyperscan.HS_FLAG_QUIET)
    encoded = [pattern.encode("utf-8", "replace") for pattern in patterns]
    _refuse_nul(encoded)
    try:
        return _compile(encoded, flags)
    except hyperscan.error as error:
        raise blame(encoded, str(error), flags) from None


def find_spans(database: Database, scratch: Scratch, data: bytes) -> list[tuple[int, int, int]]:
    """Start, end and pattern of the matches from left to right, the longest from each start."""
    longest: dict[tuple[int, int], int] = {}

    def note(index: int, start: int, end: int, _flags: int, _context: object) -> None:
        longest[start, index] = max(end, longest.get((start, index), end))

    database.scan(data, match_event_handler=note, scratch=scratch)
    return sorted((start, end, index) for (start, index), end in longest.items())


def new_scratch(database: Database) -> Scratch:
    """Working memory for scans with this database, for one thread at a time."""
    return hyperscan.Scratch(database)


def dump(database: Database) -> bytes:
    """A database as bytes that `load` takes back on the same kind of machine."""
    return hyperscan.dumpb(database)


def load(data: bytes) -> Database | None:
    """The database that was dumped; None when the bytes are of another version or machine."""
    try:
        return hyperscan.loadb(data, hyperscan.HS_MODE_BLOCK)
    except hyperscan.error:
        return None


def scan(database: Database, scratch: Scratch, data: bytes) -> list[int]:
    """The indexes of the patterns that occur in the data, sorted, each once."""
    found: list[int] = []
    database.scan(data, note, 0, found, scratch)
    return sorted(set(found)) if found else found


def note(index: int, _start: int, _end: int, _flags: int, found: Any) -> None:
    """What a scan calls for each match: takes down the pattern's index."""
    found.append(index)


def _compile(expressions: Sequence[bytes], flags: int) -> Database:
    database = hyperscan.Database(mode=hyperscan.HS_MODE_BLOCK)
    count = len(expressions)
    database.compile(expressions=expressions, ids=range(count), elements=count, flags=flags)
    return database


def _refuse_nul(expressions: Sequence[bytes]) -> None:
    # The engine takes C strings: what follows a NUL would silently not be part of the pattern.
    for index, expression in enumerate(expressions):
        if b"\x00" in expression:
            raise PatternError(index, "a NUL byte ends the pattern early; write \\x00 instead")


def blame(expressions: Sequence[bytes], why: str, flags: int = _FLAGS) -> PatternError:
    """The engine does not say which pattern it refused, so each one is tried alone."""
    for index, expression in enumerate(expressions):
        try:
            _compile([expression], flags)
        except hyperscan.error as error:
            return PatternError(index, str(error).rstrip("."))
    return PatternError(-1, why.rstrip("."))
