"""Holds chains to the heads that were kept elsewhere: what a chain alone cannot tell.

A head that is older than the trail is kept may have gone with its file; any other must be there.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from abuse_gate.telemetry.audit.chain import Head
from abuse_gate.telemetry.audit.files import DAY
from abuse_gate.telemetry.audit.report import Finding, Report

NO_HEAD: Final = (
    "no head was given for this chain, so that a cut-off end could not be noticed (--head)"
)


def check_heads(report: Report, heads: Sequence[Head], now: float) -> None:
    """Every head of a chain must be there still, unless its file was kept long enough."""
    ours = [head for head in heads if head.chain == report.chain]
    if not ours:
        report.notes.append(NO_HEAD)
    found = (_missed(report, head, now) for head in ours)
    # Many heads say the same of one hole.
    for what, head in {what: (what, head) for what, head in found if what}.values():
        report.findings.append(Finding(report.chain, 0, head.number, what))


def chains_gone(reports: Sequence[Report], heads: Sequence[Head], now: float) -> Iterator[Head]:
    """The last head of each chain of which nothing is left, though it should have been kept."""
    known = {report.chain for report in reports}
    keep_days = max((report.keep_days for report in reports), default=0)
    last: dict[str, Head] = {}
    for head in heads:
        before = last.get(head.chain)
        if head.chain not in known and (before is None or head.number > before.number):
            last[head.chain] = head
    yield from (head for head in last.values() if not _expired(head, keep_days, now))


def _missed(report: Report, head: Head, now: float) -> tuple[str, Head]:
    """What is wrong with a chain by this head; nothing where it agrees or was said already."""
    if head.number < report.first:
        if _expired(head, report.keep_days, now):
            return "", head
        return f"the beginning was taken away: record {report.first} is the first", head
    if head.number > report.last:
        return f"the end was cut off: {report.last} is the last record", head
    if any(head.number in hole for hole in report.missing):
        return "", head
    if report.hashes.get(head.number) != head.hash:
        return "another record than the head that was kept", head
    return "", head


def _expired(head: Head, keep_days: int, now: float) -> bool:
    """Whether retention explains that a head's record is not there; one without a time: never."""
    return bool(keep_days and head.at and head.at < now - keep_days * DAY)
