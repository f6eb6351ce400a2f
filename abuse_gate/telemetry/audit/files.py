"""The files of an audit trail: one set for each process, new ones by size and, where old ones are
deleted, by age.

Files are made anew, readable by this user alone, never through a link, and only ever appended to.
What could be written in part only is cut off again, so that a full disk leaves no half a line.
"""

import contextlib
import os
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, Protocol

from abuse_gate.contract import ConfigError

_MODE: Final = 0o600
_FLAGS: Final = os.O_CREAT | os.O_EXCL | os.O_APPEND | os.O_WRONLY | getattr(os, "O_NOFOLLOW", 0)
DAY: Final = 86_400
# What comes after the stem in a file's name: when, which process, which chain, which segment.
_NAME: Final = r"-\d{8}T\d{6}Z-\d{1,10}-(?P<chain>[0-9a-f]{16})\.(?P<segment>\d{4,9})"
_ANY_NAME: Final = re.compile(rf".*{_NAME}(\.[^.]*)?", re.ASCII | re.DOTALL)


class AuditSink(Protocol):
    """Where the lines of a trail go; may raise OSError, and is then given nothing twice."""

    def begin(self, chain: str, segment: int) -> None:
        """A new segment of a chain begins."""
        ...

    def append(self, data: bytes) -> None:
        """Whole lines, all of them or none."""
        ...

    def sync(self) -> None:
        """What was appended is to survive a crash of the machine."""
        ...

    def is_full(self) -> bool:
        """Whether another segment should begin."""
        ...

    def close(self) -> None:
        """No more lines for now."""
        ...


class FileSink:
    """A file for each segment, beside the path that the operator gave."""

    def __init__(self, path: str, max_bytes: int, keep_days: int = 0) -> None:
        self._path = Path(path)
        self._max_bytes = max_bytes
        self.keep_days = keep_days
        self._fd: int | None = None
        self._size = 0
        self._begun = 0.0
        self.current: Path | None = None

    def check(self, may: Callable[[Path, int], bool] = os.access) -> None:
        """A ConfigError when no file could be made there."""
        folder = self._path.parent
        if self._path.is_dir():
            raise ConfigError(
                f"ABUSE_GATE_AUDIT_PATH: {str(self._path)!r} is a directory; "
                f"name a file in it: {str(self._path / 'audit.jsonl')!r}"
            )
        if folder.is_dir() and may(folder, os.W_OK | os.X_OK):
            return
        why = "may not be written to" if folder.is_dir() else "is no directory"
        raise ConfigError(
            f"ABUSE_GATE_AUDIT_PATH: {str(folder)!r} {why}; "
            "make it, or give a path in a directory of this user"
        )

    def begin(self, chain: str, segment: int) -> None:
        """Opens the file of a new segment, and deletes what is older than is to be kept."""
        self.close()
        stamp = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
        name = f"{self._path.stem}-{stamp}-{os.getpid()}-{chain}.{segment:04d}{self._path.suffix}"
        self.current = self._path.with_name(name)
        self._fd = os.open(self.current, _FLAGS, _MODE)
        self._size = 0
        self._begun = time.monotonic()
        self._delete_old()

    def append(self, data: bytes) -> None:
        """Writes whole lines, or cuts off what it could write of them and raises."""
        fd = self._open_fd()
        rest = memoryview(data)
        try:
            while rest:
                rest = rest[os.write(fd, rest) :]
        except OSError:
            self._cut(fd)
            self._drop_empty()
            raise
        self._size += len(data)

    def sync(self) -> None:
        """Has the system write to the disk."""
        os.fsync(self._open_fd())

    def is_full(self) -> bool:
        """Whether the file is large or, where old ones go, old enough, or somebody deleted it."""
        if self._size >= self._max_bytes or os.fstat(self._open_fd()).st_nlink == 0:
            return True
        # Files are deleted as wholes: one that grew for months would keep its first record.
        return bool(self.keep_days) and time.monotonic() - self._begun >= DAY

    def close(self) -> None:
        """Closes the file."""
        if self._fd is not None:
            with contextlib.suppress(OSError):
                os.close(self._fd)
            self._fd = None

    def _cut(self, fd: int) -> None:
        try:
            os.ftruncate(fd, self._size)
        except OSError:
            # Half a line stays: what comes after it goes into another file.
            self._size = self._max_bytes

    def _drop_empty(self) -> None:
        """A disk without room for the first line is left without an empty file for each try."""
        if self._size or self.current is None:
            return
        self.close()
        with contextlib.suppress(OSError):
            self.current.unlink()

    def _open_fd(self) -> int:
        if self._fd is None:
            raise OSError("no segment has begun")
        return self._fd

    def _delete_old(self) -> None:
        if not self.keep_days:
            return
        before = time.time() - self.keep_days * DAY
        for path in trail_files(self._path):
            with contextlib.suppress(OSError):
                if path != self.current and path.stat().st_mtime < before:
                    path.unlink()


def trail_files(path: Path) -> Iterator[Path]:
    """The files of every process that writes to a path, oldest name first; nobody else's."""
    ours = re.compile(f"{re.escape(path.stem)}{_NAME}{re.escape(path.suffix)}", re.ASCII)
    with contextlib.suppress(OSError):
        yield from sorted(
            each for each in path.parent.iterdir() if ours.fullmatch(each.name) and each.is_file()
        )


def named_in(path: Path) -> tuple[str, int] | None:
    """The chain and the segment that a file's name tells of."""
    found = _ANY_NAME.fullmatch(path.name)
    return (found["chain"], int(found["segment"])) if found else None
