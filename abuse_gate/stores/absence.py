"""Whether the shared store is away, who is told of it, and when it is tried again.

Knows no store and starts nothing.
"""

import logging
from collections.abc import Callable
from typing import Final

from abuse_gate.contract import Observer
from abuse_gate.model.events import StoreMoved

_log = logging.getLogger("abuse_gate")

# Between two attempts to reach a store that is away; a store that was back for less than STEADY is
# left alone for longer each time, so that one that comes and goes costs few requests their wait.
FIRST_PAUSE: Final = 0.25
LONGEST_PAUSE: Final = 5.0
STEADY: Final = 10.0
# One absence is said once; a store that comes and goes does not fill a log.
QUIET_FOR: Final = 60.0


class Absence:
    """One for a store; its observer is told every time, the log once in a while."""

    def __init__(self, observer: Observer, clock: Callable[[], float]) -> None:
        self.away = False
        self._observer = observer
        self._clock = clock
        self._pause = FIRST_PAUSE
        self._next_try = 0.0
        self._back_at = -STEADY
        self._said = -QUIET_FOR

    @property
    def is_due(self) -> bool:
        """Whether it is time for another attempt."""
        return self._clock() >= self._next_try

    def begins(self, reason: str) -> None:
        """The store has failed."""
        if self.away:
            return
        now = self._clock()
        if now - self._back_at >= STEADY:
            self._pause = FIRST_PAUSE
        self.away = True
        self.goes_on()
        self._observer.record(StoreMoved("up", "away", reason))
        if now - self._said >= QUIET_FOR:
            self._said = now
            _log.warning(
                "abuse-gate: the shared store is away (%s); strikes are counted in this process "
                "and handed over when it returns",
                reason,
            )

    def goes_on(self) -> None:
        """Waits before the next attempt, and longer before the one after it."""
        self._next_try = self._clock() + self._pause
        self._pause = min(2 * self._pause, LONGEST_PAUSE)

    def ends(self, merged: int) -> None:
        """The store is back, and has been told so many strikes."""
        if not self.away:
            return
        self.away, self._back_at = False, self._clock()
        self._observer.record(StoreMoved("away", "up", merged=merged))
        _log.info("abuse-gate: the shared store is back; %d strikes handed over", merged)
