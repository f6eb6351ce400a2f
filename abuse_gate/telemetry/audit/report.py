"""What comes out of verifying a trail, and what its lines are on the way there. Judges nothing."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, Final

# Far beyond what a gate writes of one request, and little enough to be held.
MOST_LINE: Final = 16 << 20


@dataclass(frozen=True, slots=True)
class Finding:
    """One line that is not as it was written."""

    file: str
    line: int
    number: int | None
    what: str

    def __str__(self) -> str:
        record = "" if self.number is None else f" (record {self.number})"
        return f"{self.file}:{self.line}{record}: {self.what}"


@dataclass(slots=True)
class Report:
    """What came out for one chain."""

    chain: str = ""
    first: int = 0
    last: int = 0
    decisions: int = 0
    sealed: int = 0
    signed: int = 0
    unsealed: int = 0
    lost: int = 0
    findings: list[Finding] = field(default_factory=list[Finding])
    notes: list[str] = field(default_factory=list[str])
    # Days that the gate keeps files for, as its opening records say; 0 is for ever.
    keep_days: int = 0
    hashes: dict[int, str] = field(default_factory=dict[int, str], repr=False)
    missing: list[range] = field(default_factory=list[range])

    def find(self, line: "Line", number: int | None, what: str) -> None:
        """Puts a finding on record with its place."""
        self.findings.append(Finding(line.file, line.number, number, what))

    @property
    def intact(self) -> bool:
        """Whether nothing was found that cannot be."""
        return not self.findings


@dataclass(slots=True)
class Line:
    """A line on its way through the checks."""

    file: str
    number: int
    data: bytes
    whole: bool = True


def lines_of(path: Path, most: int = MOST_LINE) -> Iterator[Line]:
    """The lines of a file; the last one is not whole when nothing ends it.

    Of a line that is longer than any record only the beginning is held: it is broken anyway.
    """
    with path.open("rb") as file:
        number = 0
        while data := file.readline(most):
            number += 1
            whole = data.endswith(b"\n")
            if not whole and len(data) == most:
                whole = _passed_over(file, most)
            yield Line(str(path), number, data.removesuffix(b"\n"), whole)


def _passed_over(file: BinaryIO, most: int) -> bool:
    """Whether anything ends the line whose beginning was read."""
    rest = b""
    while more := file.readline(most):
        rest = more
        if more.endswith(b"\n"):
            break
    return rest.endswith(b"\n")
