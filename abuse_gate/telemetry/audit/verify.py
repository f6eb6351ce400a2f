"""Whether an audit trail is as it was written: reads files, believes nothing in them.

Finds every line that was edited, taken out, put in or moved, and says which. What a chain alone
cannot tell (that its end was cut off, whose key it was) is said as well.
"""

import time
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import Any, Final

from abuse_gate.telemetry.audit.chain import START, BrokenLine, Head, parse
from abuse_gate.telemetry.audit.heads import check_heads
from abuse_gate.telemetry.audit.keys import is_signed
from abuse_gate.telemetry.audit.report import Line, Report

IsSigned = Callable[[str, str, str], bool]
# A gate seals every 5,000 records or 5 s, and looks after each batch. What is far beyond was
# never its tail. Twelve times: a disk may hang for a while.
LONGEST_TAIL: Final = 6_000
LONGEST_TAIL_SECONDS: Final = 60.0
NO_SEAL: Final = (
    "no seal of this chain is signed with the key: somebody else wrote it, or its process was "
    "killed before its first seal"
)


class Verifier:
    """Goes over the files of one chain in their order."""

    def __init__(
        self,
        key: str = "",
        heads: Sequence[Head] = (),
        signed: IsSigned = is_signed,
        now: Callable[[], float] = time.time,
    ) -> None:
        self.report = Report()
        self._now = now
        self._heads = heads
        self._wanted = {head.number for head in heads}
        self._key = key
        self._signed = signed
        self._expected: Head | None = None
        self._torn: Line | None = None
        self._own_keys: set[str] = set()
        self._last_line = Line("", 0, b"")
        # When the records after the last seal were written.
        self._tail: list[str] = []

    def read(self, lines: Iterable[Line]) -> Report:
        """Checks every line, and sums up."""
        for line in lines:
            self._last_line = line
            if self._torn is not None:
                self.report.find(
                    self._torn, None, "a line was cut short in the middle of the trail"
                )
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
            self.report.find(line, expected, f"the line {error}")
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
            self.report.missing.append(range(before.number + 1, number))
            self.report.find(line, number, f"{missing} missing before this line")
        elif number <= before.number:
            self.report.find(
                line, number, f"out of order: record {before.number + 1} was expected here"
            )
        elif before.hash and record["prev"] != before.hash:
            self.report.find(
                line, number, "does not continue the record before it, which is another"
            )

    def _first(self, line: Line, record: dict[str, Any]) -> None:
        self.report.first = number = record["n"]
        if record.get("kind") != "open":
            self.report.find(line, number, "the file does not begin with an opening record")
        if number == 1 and record["prev"] != START:
            self.report.find(line, number, "a first record that names a predecessor")
        if number > 1:
            self.report.notes.append(
                f"begins with record {number}: the files before it were not given or not kept"
            )

    def _note_kind(self, line: Line, record: dict[str, Any]) -> None:
        kind = record.get("kind")
        self.report.unsealed += 1
        # The first and the last are enough.
        self._tail[1:] = [str(record.get("at", ""))]
        if kind == "open":
            self._opening(line, record)
        elif kind == "seal":
            self._seal(line, record)
        elif kind == "gap":
            lost = record.get("lost")
            self.report.lost += lost if type(lost) is int and lost > 0 else 0
            self.report.notes.append(f"record {record['n']}: {lost} lost ({record.get('why')})")
        elif kind == "decision":
            self.report.decisions += 1

    def _opening(self, line: Line, record: dict[str, Any]) -> None:
        chain = str(record.get("chain", ""))
        if self.report.chain and chain != self.report.chain:
            self.report.find(line, record["n"], "belongs to another chain")
        self.report.chain = self.report.chain or chain
        keep_days = record.get("keep_days")
        self.report.keep_days = keep_days if type(keep_days) is int else 0

    def _seal(self, line: Line, record: dict[str, Any]) -> None:
        head = Head(self.report.chain, record["n"] - 1, record["prev"])
        signature, own = str(record.get("sig", "")), str(record.get("key", ""))
        wrong = self._wrong_seal(str(head), signature, own)
        if wrong:
            self.report.find(line, record["n"], wrong)
            return
        self.report.signed += bool(signature)
        self.report.sealed = record["n"]
        self.report.unsealed = 0
        self._tail = []

    def _wrong_seal(self, head: str, signature: str, own: str) -> str:
        """What is wrong with a seal; empty when nothing is."""
        if not signature:
            return "the seal has no signature, and a key was given" if self._key else ""
        self._own_keys.add(own)
        if not self._signed(head, signature, self._key or own):
            return "the seal is not signed with the key"
        if len(self._own_keys) > 1 and not self._key:
            return "the seal is signed with another key than the seals before it"
        return ""

    def _check_tail(self) -> None:
        """With a key, all but a short tail must be sealed: the rest could be anybody's."""
        report = self.report
        if not self._key or not report.last or report.findings:
            return
        if not report.signed:
            report.find(self._last_line, report.last, NO_SEAL)
        elif report.unsealed > LONGEST_TAIL or _seconds(self._tail) > LONGEST_TAIL_SECONDS:
            what = f"{_tail(report.unsealed)} not sealed, and should long have been"
            report.find(self._last_line, report.last, what)

    def _sum_up(self) -> None:
        notes = self.report.notes
        check_heads(self.report, self._heads, self._now())
        self._check_tail()
        if self._torn is not None:
            where = f"{self._torn.file}:{self._torn.number}"
            notes.append(f"{where}: the last line is torn: a crash, or somebody cut it")
        if self.report.unsealed:
            notes.append(f"{_tail(self.report.unsealed)} not sealed")
        if not self.report.signed and self.report.last:
            notes.append("not signed: whoever can write the files can write them anew")
        elif self._own_keys and not self._key:
            notes.append("checked against the key in the files themselves; give --key to be sure")


def _tail(count: int) -> str:
    return "the last record is" if count == 1 else f"the last {count} records are"


def _span(first: int, last: int) -> str:
    return f"record {first} is" if first == last else f"records {first} to {last} are"


def _seconds(tail: Sequence[str]) -> float:
    """How long a tail took to write by its own word; for ever where it does not say."""
    try:
        times = [datetime.fromisoformat(at).timestamp() for at in tail]
    except (ValueError, OverflowError):
        return float("inf")
    return max(times, default=0.0) - min(times, default=0.0)
