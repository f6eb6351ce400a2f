"""Reading and scanning, done where they hurt nobody: one engine scratch per scan, and a thread
for what is too large for the event loop. The only place that takes rule packs off the disk.
"""

import asyncio
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache, partial
from importlib import resources
from pathlib import Path
from typing import Final, TypeVar

from abuse_gate.contract import ConfigError
from abuse_gate.model.extract import Extract
from abuse_gate.model.hit import Place
from abuse_gate.rules.book import RuleBook, Scratches, build_book, check_alone
from abuse_gate.rules.examples import check_examples
from abuse_gate.rules.findings import Enough, Findings, never
from abuse_gate.rules.packs import PackError
from abuse_gate.rules.scan import scan, scan_briefly, scan_text
from abuse_gate.rules.sift import is_clear
from abuse_gate.work.rulecache import RuleCache, default_directory

Result = TypeVar("Result")
Matter = TypeVar("Matter")

# Below this a look at a text takes no longer than the hop to a thread and back.
INLINE_SIZE: Final = 16_384
# What a character beyond ASCII costs more, in normalizing.
BEYOND_ASCII: Final = 8
# What a character costs more than a look, in redacting.
REDACTING: Final = 16

# What is kept of scratches after a rush; each has most of a megabyte.
MOST_FREE: Final = 8

# The interpreter lets one thread compute at a time: two keep a queue from forming behind one body.
_THREADS: Final = 2


class _ScanThreads:
    """An executor made at its first use, and anew after a fork: threads do not survive one."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._executor: ThreadPoolExecutor | None = None
        os.register_at_fork(after_in_child=self.forget)

    def get(self) -> ThreadPoolExecutor:
        """The executor of this process."""
        if self._executor is None:
            self._executor = ThreadPoolExecutor(_THREADS, thread_name_prefix=self._name)
        return self._executor

    def forget(self) -> None:
        """Drop the executor without waiting for threads that are not there."""
        self._executor = None


# What is small never waits behind what is large: a crafted megabyte takes seconds.
_scan_threads: Final = _ScanThreads("abuse-gate-scan")
_small_threads: Final = _ScanThreads("abuse-gate-small")


class Scanner:
    """A compiled rule book, with a scratch for every scan that is under way.

    A scratch is dear to make and may not be shared, so it is lent for one scan and put back. Not
    one per thread: threads come and go, and with some servers there is one for each request.
    """

    def __init__(self, book: RuleBook, compile_seconds: float = 0.0) -> None:
        self.book = book
        self.compile_seconds = compile_seconds
        # Taking from a list and putting back are atomic.
        self._free: list[Scratches] = []

    @property
    def rule_count(self) -> int:
        """How many rules are in force."""
        return len(self.book.rules)

    def scan(self, extract: Extract, enough: Enough = never) -> Findings:
        """The hits of an extract; where those of a place are enough, none of what lies deeper."""
        return self._lent(partial(scan, enough=enough), extract)

    def scan_text(self, text: str, place: Place = "caller", enough: Enough = never) -> Findings:
        """The hits of a plain text, as if a caller had written it, or where it stands."""
        return self._lent(partial(scan_text, place=place, enough=enough), text)

    def scan_briefly(self, extract: Extract, enough: Enough = never) -> Findings | None:
        """The hits of an extract, or None when finding them takes long."""
        return self._lent(partial(scan_briefly, enough=enough), extract)

    def clears(self, data: bytes, known: int = 0) -> bool:
        """Whether there is nothing at all in a plain text that a rule would look at.

        So much of it, from the beginning, was found to be clear before.
        """
        scratch = self._taken()
        try:
            return is_clear(self.book, scratch, data, known)
        finally:
            self._put_back(scratch)

    def _lent(
        self, work: Callable[[Matter, RuleBook, Scratches], Result], matter: Matter
    ) -> Result:
        scratch = self._taken()
        try:
            return work(matter, self.book, scratch)
        finally:
            self._put_back(scratch)

    def _put_back(self, scratch: Scratches) -> None:
        if len(self._free) < MOST_FREE:
            self._free.append(scratch)

    def _taken(self) -> Scratches:
        try:
            return self._free.pop()
        except IndexError:
            return self.book.new_scratch()


async def beside_the_loop(function: Callable[[], Result], size: int, weight: int = 1) -> Result:
    """Calls a function that only computes: here when its matter is small, in a thread otherwise."""
    return function() if size * weight <= INLINE_SIZE else await in_a_thread(function, size)


async def in_a_thread(function: Callable[[], Result], size: int) -> Result:
    """Calls a function that only computes, and perhaps for long, while the loop goes on."""
    threads = _small_threads if size <= INLINE_SIZE else _scan_threads
    return await asyncio.get_running_loop().run_in_executor(threads.get(), function)


def shipped_packs() -> tuple[tuple[str, str], ...]:
    """The rule packs of this package: name and TOML text, sorted by name."""
    folder = resources.files("abuse_gate.rules") / "packs"
    files = sorted((entry for entry in folder.iterdir()), key=lambda entry: entry.name)
    return tuple(
        (entry.name, entry.read_text("utf-8")) for entry in files if entry.name.endswith(".toml")
    )


def read_packs(paths: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """The operator's own packs off the disk; one that cannot be read is a ConfigError."""
    packs: list[tuple[str, str]] = []
    for number, path in enumerate(paths):
        try:
            packs.append((path, Path(path).read_text("utf-8")))
        except (OSError, ValueError) as error:
            raise ConfigError(
                f"rule_packs[{number}]: {path} cannot be read ({type(error).__name__}); "
                "give the path of a TOML file in UTF-8 that this user may read"
            ) from None
    return tuple(packs)


def build_scanner(
    additional_patterns: Sequence[str] = (),
    rule_packs: Sequence[str] = (),
    cache: Path | None = None,
) -> Scanner:
    """The shipped rules and the operator's own, compiled; one that cannot be is a ConfigError."""
    directory = cache or default_directory()
    try:
        book, seconds = _book(tuple(additional_patterns), read_packs(rule_packs), directory)
    except PackError as error:
        raise ConfigError(str(error)) from None
    return Scanner(book, seconds)


@lru_cache(maxsize=8)
def _book(
    additional_patterns: tuple[str, ...], packs: tuple[tuple[str, str], ...], cache: Path | None
) -> tuple[RuleBook, float]:
    # Compiling takes seconds and its result never changes: gates of a process share it.
    check_alone(packs)
    compiler = RuleCache(cache)
    book = build_book(shipped_packs(), additional_patterns, compiler.compile_all, packs)
    check_examples(book, packs)
    return book, compiler.seconds
