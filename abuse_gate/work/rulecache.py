"""Compiled rules on disk, so that a second start need not compile them again.

A serialized database is native code to the engine, so it is read only where nobody else could
have put it: a regular file, 0600, not a link, in a 0700 directory, both of this very user. Whatever
is not so is ignored with a warning. Written by rename; a cache that cannot be written is no fault.
What nobody has read for a month is taken away. Of workers that start together one compiles, and the
others wait for it.
"""

import hashlib
import logging
import os
import platform
import stat
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Final, cast

from abuse_gate.rules.engine import (
    VERSION,
    Database,
    Job,
    compile_patterns,
    compile_phrases,
    dump,
    load,
)
from abuse_gate.work.alone import alone

_log = logging.getLogger("abuse_gate")

# A database of a thousand rules is a few megabytes; what is larger is not ours.
MAX_BYTES: Final = 64 * 1024 * 1024
# Every change of a rule leaves a database of some megabytes behind, that nobody will read again.
KEPT_SECONDS: Final = 30 * 24 * 3600
# So many patterns take long enough for somebody to wonder.
MANY: Final = 100
# So many seconds a worker waits for another one to compile.
PATIENCE: Final = 60.0
_SUFFIX: Final = ".rules"
# Of a file that is being written.
_PREFIX: Final = "writing-"
_DIRECTORY_MODE: Final = 0o700
_FILE_MODE: Final = 0o600


def default_directory(
    home: Callable[[], Path] = Path.home, *, has_owners: bool = hasattr(os, "getuid")
) -> Path | None:
    """This user's own cache directory; None where the system cannot tell whose a file is."""
    try:
        return home() / ".cache" / "abuse-gate" if has_owners else None
    except RuntimeError:
        return None


class RuleCache:
    """A compiler that remembers; `seconds` is what compiling and loading have taken so far."""

    def __init__(
        self,
        directory: Path | None,
        clock: Callable[[], float] = time.perf_counter,
        patience: float = PATIENCE,
    ) -> None:
        self._directory = directory if directory and _is_own_directory(directory) else None
        self._clock = clock
        self._patience = patience
        self.seconds = 0.0
        self.compiled = 0

    def compile(self, patterns: Sequence[str]) -> Database:
        """The database of some patterns, off the disk when it is there."""
        return self.compile_all([Job(tuple(patterns))])[0]

    def compile_all(self, jobs: Sequence[Job]) -> list[Database]:
        """The databases of some jobs; those that are not on the disk at the same time."""
        started = self._clock()
        try:
            if self._directory is None:
                return self._compiled(jobs)
            found = {job: _known(self._path(self._directory, job)) for job in jobs}
            missing = [job for job, database in found.items() if database is None]
            if missing:
                found |= self._made(self._directory, missing)
            return [cast("Database", found[job]) for job in jobs]
        finally:
            self.seconds += self._clock() - started

    def _made(self, directory: Path, missing: Sequence[Job]) -> dict[Job, Database]:
        with alone(directory, self._patience) as waited:
            paths = {job: self._path(directory, job) for job in missing}
            known = {job: _known(path) for job, path in paths.items()} if waited else {}
            made = {job: database for job, database in known.items() if database is not None}
            rest = [job for job in missing if job not in made]
            if rest and waited:
                # Whoever waited for nothing, on a disk that nobody can write to, does not again.
                self._patience = 0.0
            for job, database in zip(rest, self._compiled(rest), strict=True):
                write(paths[job], dump(database))
                made[job] = database
        return made

    def _compiled(self, jobs: Sequence[Job]) -> list[Database]:
        """The engine computes outside of the interpreter's lock: as many at a time as there are."""
        most = max((len(job.patterns) for job in jobs), default=0)
        if most >= MANY:
            _log.warning("abuse-gate: compiling %d rules and more, which may take a minute", most)
        self.compiled += len(jobs)
        if len(jobs) <= 1:
            return [_compile(job) for job in jobs]
        with ThreadPoolExecutor(max_workers=len(jobs)) as pool:
            return list(pool.map(_compile, jobs))

    def _path(self, directory: Path, job: Job) -> Path:
        # What the same patterns were compiled for is a part of their name.
        patterns = ("phrases", *job.patterns) if job.phrases else job.patterns
        return directory / f"{key_of(patterns)}{_SUFFIX}"


def _compile(job: Job) -> Database:
    return (compile_phrases if job.phrases else compile_patterns)(job.patterns)


def key_of(patterns: Sequence[str]) -> str:
    """A digest of everything that a database depends on."""
    digest = hashlib.sha256()
    for part in (VERSION, platform.system(), platform.machine(), platform.processor(), *patterns):
        data = part.encode("utf-8", "surrogatepass")
        digest.update(len(data).to_bytes(8, "big") + data)
    return digest.hexdigest()


def _is_own_directory(directory: Path) -> bool:
    """Whether the directory is ours alone; it is made when it is missing."""
    try:
        directory.mkdir(mode=_DIRECTORY_MODE, parents=True, exist_ok=True)
        found = directory.lstat()
    except OSError as error:
        _log.warning(
            "abuse-gate: rules are compiled at every start: %s cannot be made (%s)",
            directory,
            type(error).__name__,
        )
        return False
    if not stat.S_ISDIR(found.st_mode) or not _is_private(found, _DIRECTORY_MODE):
        _log.warning(
            "abuse-gate: %s is not a directory of this user with mode 0700; "
            "compiled rules are not cached",
            directory,
        )
        return False
    return True


def _is_private(found: os.stat_result, mode: int) -> bool:
    return found.st_uid == os.getuid() and stat.S_IMODE(found.st_mode) == mode


def _read(path: Path) -> bytes | None:
    """The bytes of a cached database, if the very file that was opened is ours alone."""
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
    except FileNotFoundError:
        return None
    except OSError as error:
        _ignored(path, type(error).__name__)
        return None
    found = os.fstat(descriptor)
    ours = stat.S_ISREG(found.st_mode) and _is_private(found, _FILE_MODE)
    if not ours or found.st_size > MAX_BYTES:
        os.close(descriptor)
        _ignored(path, "too large" if ours else "not a file of this user with mode 0600")
        return None
    with os.fdopen(descriptor, "rb") as file:
        _touch(path)
        return file.read()


def _known(path: Path) -> Database | None:
    data = _read(path)
    database = None if data is None else load(data)
    if data is not None and database is None:
        _ignored(path, "damaged")
    return database


def _touch(path: Path) -> None:
    """What is in use is young."""
    with suppress(OSError):
        os.utime(path, follow_symlinks=False)


def _make_room(directory: Path) -> None:
    """Take away what has not been read for long; another process may be doing the same."""
    oldest = time.time() - KEPT_SECONDS
    with suppress(OSError):
        for entry in os.scandir(directory):
            found = entry.stat(follow_symlinks=False)
            ours = entry.name.endswith(_SUFFIX) or entry.name.startswith(_PREFIX)
            if ours and stat.S_ISREG(found.st_mode) and found.st_mtime < oldest:
                Path(entry.path).unlink(missing_ok=True)


def _ignored(path: Path, why: str) -> None:
    _log.warning("abuse-gate: the compiled rules in %s are ignored: %s", path, why)


def write(path: Path, data: bytes) -> None:
    """Whole or not at all: another process may be reading."""
    try:
        descriptor, name = tempfile.mkstemp(prefix=_PREFIX, dir=path.parent)
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
    except OSError as error:
        _ignored(path, type(error).__name__)
        return
    try:
        Path(name).replace(path)
    except OSError as error:
        Path(name).unlink()
        _ignored(path, type(error).__name__)
        return
    _make_room(path.parent)
