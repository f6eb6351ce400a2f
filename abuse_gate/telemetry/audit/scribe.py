"""Writes events into a sink as a chain: batches, seals, segments, and what was lost in between.

Runs in one thread and starts none. A sink that fails loses a batch, which is said in the chain as
soon as it works again; the chain goes on from the last line that was really written.
"""

import logging
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from abuse_gate.model.events import Event
from abuse_gate.telemetry.audit.chain import FORMAT, Chain, Head
from abuse_gate.telemetry.audit.files import AuditSink
from abuse_gate.telemetry.audit.keys import Signer
from abuse_gate.telemetry.audit.records import record_of
from abuse_gate.telemetry.version import PACKAGE_VERSION

_log = logging.getLogger("abuse_gate.audit")

_CHAIN_BYTES: Final = 8
Dated = tuple[float, Event]


@dataclass(frozen=True, slots=True)
class Rhythm:
    """How often a chain is sealed and its data forced to the disk."""

    seal_seconds: float = 5.0
    seal_records: int = 5000
    sync_seconds: float = 0.5
    # How long a sink that could not even begin a segment is left alone.
    rest_seconds: float = 1.0


def log_head(head: Head) -> None:
    """Mirrors a head into the log: whoever cuts the file cannot cut that."""
    fields = {"event": "audit_head", "chain": head.chain, "number": head.number, "hash": head.hash}
    # With its time: a head older than files are kept is nobody's crime.
    _log.info("audit head %s@%d", head, time.time(), extra={"abuse_gate": fields})


class Scribe:
    """One chain, from the first event on; a new process begins another."""

    def __init__(
        self,
        sink: AuditSink,
        signer: Signer | None = None,
        rhythm: Rhythm | None = None,
        mirror: Callable[[Head], None] = log_head,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.chain = Chain(os.urandom(_CHAIN_BYTES).hex())
        self.lost = 0
        self._sink = sink
        self._signer = signer
        self._rhythm = rhythm or Rhythm()
        self._mirror = mirror
        self._clock = clock
        self._segment = 0
        self._open = False
        self._unsealed = 0
        # The first batch is sealed at once: from then on a chain is known to be ours.
        self._sealed_at = float("-inf")
        self._synced_at = clock()
        self._gaps: dict[str, int] = {}
        self._failing = self._unwritable = False
        self._rests_until = float("-inf")

    def write(self, batch: Sequence[Dated], dropped: int = 0) -> None:
        """Puts a batch on record; `dropped` never came this far."""
        if dropped:
            self._lose("queue_full", dropped)
        if not self._open and self._clock() < self._rests_until:
            self._lose("sink_failed", len(batch))
            return
        try:
            self._append(batch)
        except Exception as error:  # noqa: BLE001 - a sink may be anybody's
            self._lose("sink_failed", len(batch))
            self._say(error)
        else:
            self._failing = False

    def tick(self) -> None:
        """Seals and syncs when it is time."""
        now = self._clock()
        due = now - self._sealed_at >= self._rhythm.seal_seconds
        if self._unsealed and (due or self._unsealed >= self._rhythm.seal_records):
            self.seal()
        elif self._open and now - self._synced_at >= self._rhythm.sync_seconds:
            self._synced_at = now
            self._try(self._sink.sync)

    def seal(self) -> None:
        """Signs what has been written so far, and mirrors the head."""
        if not self._unsealed:
            return
        head, count = self.chain.head, self._unsealed
        fields: dict[str, Any] = {"chain": head.chain, "records": count, "key": "", "sig": ""}
        if self._signer is not None:
            fields |= {"key": self._signer.public, "sig": self._signer.sign(str(head))}
        self._sealed_at = self._synced_at = self._clock()
        if self._try(lambda: self._put([self._line("seal", time.time(), fields)], head)):
            self._unsealed = 0
            self._try(self._sink.sync)
            self._try(lambda: self._mirror(self.chain.head))

    def close(self) -> None:
        """Seals the rest; the next event begins another segment."""
        self.seal()
        self._open = False
        self._try(self._sink.close)

    def _append(self, batch: Sequence[Dated]) -> None:
        if not batch and not self._gaps:
            return
        if self._open and self._sink.is_full():
            self.close()
        if not self._open:
            self._begin()
        before, gaps = self.chain.head, dict(self._gaps)
        lines = [self._gap(why, lost) for why, lost in gaps.items()]
        told = [self._told(at, event) for at, event in batch]
        lines += [line for line, _ in told if line]
        self._put(lines, before)
        self._unsealed += len(lines)
        self._gaps.clear()
        self.lost += sum(lost for _, lost in told)

    def _told(self, at: float, event: Event) -> tuple[bytes, int]:
        """An event's line, and how many were lost on it: one that cannot be written is a gap."""
        try:
            found = record_of(event)
            return (self._line(found[0], at, found[1]) if found else b""), 0
        except Exception as error:  # noqa: BLE001 - an event may hold anybody's values
            if not self._unwritable:
                _log.error("audit: a record could not be written (%s)", type(error).__name__)
            self._unwritable = True
            return self._gap("unwritable", 1), 1

    def _begin(self) -> None:
        segment = self._segment + 1
        fields = {
            "chain": self.chain.head.chain,
            "segment": segment,
            "format": FORMAT,
            "gate": PACKAGE_VERSION,
            "pid": os.getpid(),
            "key": self._signer.public if self._signer else "",
            "keep_days": getattr(self._sink, "keep_days", 0),
        }
        before = self.chain.head
        # Said before it is tried: a disk that is full is not asked for a file by every batch.
        self._rests_until = self._clock() + self._rhythm.rest_seconds
        self._sink.begin(before.chain, segment)
        self._put([self._line("open", time.time(), fields)], before)
        self._segment, self._open, self._rests_until = segment, True, float("-inf")
        self._unsealed += 1

    def _put(self, lines: Sequence[bytes], before: Head) -> None:
        try:
            self._sink.append(b"".join(lines))
        except Exception:
            self.chain.head = before
            raise

    def _gap(self, why: str, lost: int) -> bytes:
        return self._line("gap", time.time(), {"why": why, "lost": lost})

    def _line(self, kind: str, at: float, fields: dict[str, Any]) -> bytes:
        when = datetime.fromtimestamp(at, UTC).isoformat(timespec="milliseconds")
        return self.chain.line(kind, when, fields)

    def _lose(self, why: str, count: int) -> None:
        self.lost += count
        if count:
            self._gaps[why] = self._gaps.get(why, 0) + count

    def _try(self, act: Callable[[], object]) -> bool:
        try:
            act()
        except Exception as error:  # noqa: BLE001 - a sink may be anybody's
            self._say(error)
            return False
        return True

    def _say(self, error: Exception) -> None:
        if not self._failing:
            self._failing = True
            # The kind and the number alone: a message may name paths, or quote what it failed on.
            _log.error(
                "audit: writing failed (%s, errno %s); records are lost and counted meanwhile",
                type(error).__name__,
                getattr(error, "errno", None),
            )
