"""The observer behind the audit trail: takes events on the loop, writes them in a thread.

The queue is bounded; what does not fit is counted and said in the chain. No failure of the thread
or its sink is ever seen by a request.
"""

import atexit
import logging
import os
import queue
import threading
import time
from collections.abc import Callable
from typing import Final
from weakref import WeakMethod

from abuse_gate.model.events import Event, Reviewed, Verified
from abuse_gate.telemetry.audit.scribe import Dated, Scribe

_log = logging.getLogger("abuse_gate.audit")

MOST_WAITING: Final = 10_000
MOST_AT_ONCE: Final = 500
_IDLE_SECONDS: Final = 0.5
_CLOSE_SECONDS: Final = 5.0


class AuditTrail:
    """Keeps every decision of this process; after a fork the child begins a chain of its own."""

    keeps_digests = True

    def __init__(self, make: Callable[[], Scribe], most_waiting: int = MOST_WAITING) -> None:
        self._make = make
        self._most = most_waiting
        self._lock = threading.Lock()
        self._start()
        close = WeakMethod(self.close)
        atexit.register(lambda: (found := close()) and found())

    def record(self, event: Event, /) -> None:
        """Puts an event into the queue, or counts it as lost."""
        if isinstance(event, Verified):
            return
        if isinstance(event, Reviewed) and event.visit is not None:
            # Looked up now, while the scope is as the gate saw it; nor does any text wait here.
            _ = event.visit.route, event.visit.evidence
        if self._pid != os.getpid():
            self._start()
        if self._queue.qsize() >= self._most:
            with self._lock:
                self._dropped += 1
            return
        self._queue.put((time.time(), event))
        if not self._running:
            self._run_again()

    @property
    def lost(self) -> int:
        """How many records could not be kept since the start."""
        return self._scribe.lost + self._dropped

    def close(self, seconds: float = _CLOSE_SECONDS) -> None:
        """Writes what waits, seals it, and ends the thread; the next event starts another."""
        if self._pid != os.getpid() or (not self._running and self._queue.empty()):
            return
        if not self._running:
            self._run_again()
        self._queue.put(None)
        self._ended.wait(seconds)

    def _start(self) -> None:
        """A queue, a chain and a thread for this process."""
        self._pid = os.getpid()
        self._queue: queue.SimpleQueue[Dated | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._dropped = 0
        self._running = False
        self._scribe = self._make()
        self._run_again()

    def _run_again(self) -> None:
        with self._lock:
            if self._running:
                # Somebody else was faster: a chain has one writer.
                return
            self._running = True
            self._ended = threading.Event()
            thread = threading.Thread(
                target=self._write_all, args=(self._ended,), name="abuse-gate-audit", daemon=True
            )
            thread.start()

    def _write_all(self, ended: threading.Event) -> None:
        stopped = False
        try:
            while not stopped:
                batch, stopped = self._take()
                self._write(batch)
            self._scribe.close()
        except Exception as error:  # noqa: BLE001 - said once; a later event starts another thread
            _log.error("audit: the writer failed with %s", type(error).__name__)
        finally:
            self._running = False
            ended.set()

    def _write(self, batch: list[Dated]) -> None:
        with self._lock:
            dropped, self._dropped = self._dropped, 0
        self._scribe.write(batch, dropped)
        self._scribe.tick()

    def _take(self) -> tuple[list[Dated], bool]:
        """What waits, up to a bound, and whether it is the end."""
        batch: list[Dated] = []
        try:
            item = self._queue.get(timeout=_IDLE_SECONDS)
            while True:
                if item is None:
                    return batch, True
                batch.append(item)
                if len(batch) >= MOST_AT_ONCE:
                    return batch, False
                item = self._queue.get_nowait()
        except queue.Empty:
            return batch, False
