"""Zip archives, opened member by member: entries, ratio and total are checked before inflating.

A directory's sizes are a claim, so the reading itself stops at the claimed size too.
"""

import zipfile
import zlib
from collections.abc import Iterator
from io import BytesIO
from typing import Final

from abuse_gate.reading.documents.report import RATIO_FLOOR, Report

_ENCRYPTED: Final = 0x1
_KNOWN: Final = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})
_TROUBLE: Final = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    NotImplementedError,
    OSError,
    RuntimeError,
    ValueError,
)


class Archive:
    """One archive's members by name; what cannot be had is a flag and empty bytes."""

    def __init__(self, report: Report, file: zipfile.ZipFile) -> None:
        self._report = report
        self._file = file
        self._members: dict[str, zipfile.ZipInfo] = {}
        self._read: set[str] = set()
        for info in file.infolist():
            if report.room.entries <= 0:
                report.flags.add("truncated")
                return
            report.room.entries -= 1
            # Two members of one name: which one an app reads is its own affair.
            if info.filename in self._members:
                report.flags.add("malformed")
                self._members[f"{info.filename}\0{len(self._members)}"] = info
            else:
                self._members[info.filename] = info

    def names(self, start: str = "", end: str = "") -> Iterator[str]:
        """The members whose names start and end like this, in their order."""
        for name in self._members:
            if name.partition("\0")[0].endswith(end) and name.startswith(start):
                yield name

    def folders(self) -> frozenset[str]:
        """The names that are folders."""
        return frozenset(name for name, info in self._members.items() if info.is_dir())

    def unread(self) -> list[str]:
        """The files that nobody has asked for yet."""
        return [name for name in self._members if name not in self._read | self.folders()]

    def read(self, name: str) -> bytes:
        """A member's bytes, when its sizes are within the limits and it is not locked."""
        self._read.add(name)
        info = self._members.get(name)
        if info is None or not self._affordable(info):
            return b""
        try:
            return self._inflate(info)
        except _TROUBLE:
            self._report.flags.add("malformed")
            return b""

    def _affordable(self, info: zipfile.ZipInfo) -> bool:
        report, size = self._report, info.file_size
        if info.flag_bits & _ENCRYPTED:
            report.flags.add("encrypted")
        elif info.compress_type not in _KNOWN:
            report.flags.add("unsupported_encoding")
        elif size > report.room.inflated or _is_bomb(info, report.limits.max_ratio):
            report.flags.add("truncated")
            report.fire("zip:bomb")
        else:
            return True
        return False

    def _inflate(self, info: zipfile.ZipInfo) -> bytes:
        with self._file.open(info) as member:
            found = member.read(info.file_size + 1)
        self._report.room.inflated -= len(found)
        return found


def _is_bomb(info: zipfile.ZipInfo, ratio: int) -> bool:
    return info.file_size > RATIO_FLOOR and info.file_size > ratio * max(info.compress_size, 1)


def open_archive(report: Report, data: bytes) -> Archive | None:
    """The archive in these bytes, or None and a flag when there is none to be had."""
    try:
        return Archive(report, zipfile.ZipFile(BytesIO(data)))
    except _TROUBLE:
        report.flags.add("malformed")
        return None
