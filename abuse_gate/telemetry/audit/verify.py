"""Whether an audit trail is as it was written: reads files, believes nothing in them.

Finds every line that was edited, taken out, put in or moved, and says which. What a chain alone
cannot tell (that its end was cut off, whose key it was) is said as well.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from abuse_gate.telemetry.audit.chain import START, BrokenLine, Head, parse
from abuse_gate.telemetry.audit.keys import is_signed

IsSigned = Callable[[str, str, str], bool]
NO_HEAD: Final = (
    "no head was given for this chain, so that a cut-off end could not be noticed (--head)"
)


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
    hashes: dict[int, str] = field(default_factory=dict[int, str], repr=False)

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


class Verifier:
    """Goes over the files of one chain in their order."""

    def __init__(
        self, key: str = "", heads: Sequence[Head] = (), signed: IsSigned = is_signed
    ) -> None:
        self.report = Report()
        self._heads = heads
        self._wanted = {head.number for head in heads}
        self._key = key
        self._signed = signed
        self._expected: Head | None = None
        self._torn: Line | None = None
        self._own_keys: set[str] = set()

    def read(self, lines: Iterable[Line]) -> Report:
        """Checks every line, and sums up."""
        for line in lines:
            if self._torn is not None:
                self._find(self._torn, None, "a line was cut short in the middle of the trail")
                self._torn = None
            if line.whole:
                self._line(line)
            else:
                self._torn = line
        self._sum_up()
        return self.report

    def _line(self, line: Line) -> None:
        try:
            record = parse(line.data)
        except BrokenLine as error:
            expected = self._expected.number + 1 if self._expected else None
            self._find(line, expected, f"the line {error}")
            self._skip()
            return
        self._order(line, record)
        self._note_kind(line, record)
        number: int = record["n"]
        self._expected = Head(self.report.chain, number, record["hash"])
        if number in self._wanted:
            self.report.hashes[number] = record["hash"]
        self.report.last = max(self.report.last, number)

    def _skip(self) -> None:
        """After a broken line the next one cannot be held to its predecessor."""
        if self._expected is not None:
            self._expected = Head(self._expected.chain, self._expected.number + 1, "")

    def _order(self, line: Line, record: dict[str, Any]) -> None:
        number, before = record["n"], self._expected
        if before is None:
            self._first(line, record)
            return
        if number > before.number + 1:
            missing = _span(before.number + 1, number - 1)
            self._find(line, number, f"{missing} missing before this line")
        elif number <= before.number:
            self._find(line, number, f"out of order: record {before.number + 1} was expected here")
        elif before.hash and record["prev"] != before.hash:
            self._find(line, number, "does not continue the record before it, which is another")

    def _first(self, line: Line, record: dict[str, Any]) -> None:
        self.report.first = number = record["n"]
        if record.get("kind") != "open":
            self._find(line, number, "the file does not begin with an opening record")
        if number == 1 and record["prev"] != START:
            self._find(line, number, "a first record that names a predecessor")
        if number > 1:
            self.report.notes.append(
                f"begins with record {number}: the files before it were not given or not kept"
            )

    def _note_kind(self, line: Line, record: dict[str, Any]) -> None:
        kind = record.get("kind")
        self.report.unsealed += 1
        if kind == "open":
            self._opening(line, record)
        elif kind == "seal":
            self._seal(line, record)
        elif kind == "gap":
            lost = record.get("lost")
            self.report.lost += lost if isinstance(lost, int) else 0
            self.report.notes.append(f"record {record['n']}: {lost} lost ({record.get('why')})")
        elif kind == "decision":
            self.report.decisions += 1

    def _opening(self, line: Line, record: dict[str, Any]) -> None:
        chain = str(record.get("chain", ""))
        if self.report.chain and chain != self.report.chain:
            self._find(line, record["n"], "belongs to another chain")
        self.report.chain = self.report.chain or chain

    def _seal(self, line: Line, record: dict[str, Any]) -> None:
        head = Head(self.report.chain, record["n"] - 1, record["prev"])
        signature, own = str(record.get("sig", "")), str(record.get("key", ""))
        if signature:
            self._own_keys.add(own)
            if not self._signed(str(head), signature, self._key or own):
                self._find(line, record["n"], "the seal is not signed with the key")
                return
            self.report.signed += 1
        elif self._key:
            self._find(line, record["n"], "the seal has no signature, and a key was given")
            return
        self.report.sealed = record["n"]
        self.report.unsealed = 0

    def _sum_up(self) -> None:
        notes = self.report.notes
        check_heads(self.report, self._heads)
        if self._torn is not None:
            where = f"{self._torn.file}:{self._torn.number}"
            notes.append(f"{where}: the last line is torn: a crash, or somebody cut it")
        if self.report.unsealed:
            notes.append(f"the last {self.report.unsealed} records are not sealed")
        if not self.report.signed and self.report.last:
            notes.append("not signed: whoever can write the files can write them anew")
        elif self._own_keys and not self._key:
            notes.append("checked against the key in the files themselves; give --key to be sure")

    def _find(self, line: Line, number: int | None, what: str) -> None:
        self.report.findings.append(Finding(line.file, line.number, number, what))


def check_heads(report: Report, heads: Sequence[Head]) -> None:
    """Holds a chain to the heads that were kept elsewhere: its end must be there still."""
    if heads and not report.chain:
        gone = "nothing of the chain is left that a head was given for"
        report.findings.append(Finding(heads[0].chain, 0, heads[0].number, gone))
    ours = [head for head in heads if head.chain == report.chain]
    if not ours:
        report.notes.append(NO_HEAD)
        return
    for head in ours:
        if head.number < report.first:
            continue
        if head.number not in report.hashes:
            cut = f"the end was cut off: record {head.number} is missing, {report.last} is the last"
            report.findings.append(Finding(report.chain, 0, head.number, cut))
        elif report.hashes[head.number] != head.hash:
            what = "another record than the head that was kept"
            report.findings.append(Finding(report.chain, 0, head.number, what))


def lines_of(path: Path) -> Iterator[Line]:
    """The lines of a file; the last one is not whole when nothing ends it."""
    with path.open("rb") as file:
        for number, data in enumerate(file, start=1):
            whole = data.endswith(b"\n")
            yield Line(str(path), number, data.removesuffix(b"\n"), whole)


def _span(first: int, last: int) -> str:
    return f"record {first} is" if first == last else f"records {first} to {last} are"
