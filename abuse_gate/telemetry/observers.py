"""One observer out of many: a failing one is counted and said once, and hurts nobody."""

import logging
from collections.abc import Sequence

from abuse_gate.contract import Observer
from abuse_gate.model.events import Event

_log = logging.getLogger("abuse_gate.telemetry")


class Observers:
    """Passes each event to every observer, whatever the others do."""

    def __init__(self, observers: Sequence[Observer]) -> None:
        self._observers = tuple(observers)
        self.failures = 0

    def record(self, event: Event, /) -> None:
        """Hands an event to each observer in turn."""
        for observer in self._observers:
            try:
                observer.record(event)
            except Exception as error:  # noqa: BLE001 - telemetry never reaches a request
                self._failed(observer, error)

    def _failed(self, observer: Observer, error: Exception) -> None:
        self.failures += 1
        if self.failures == 1:
            # The type alone: a message may quote what it failed on.
            _log.warning(
                "observer %s raised %s; further failures are counted in silence",
                type(observer).__name__,
                type(error).__name__,
            )
