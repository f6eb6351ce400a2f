"""How long a coroutine keeps the event loop: the longest stretch between two of its waits."""

import time
from collections.abc import Callable, Coroutine, Generator
from typing import Any, TypeVar

Result = TypeVar("Result")


class Stretches(Generator[Any, Any, Result]):
    """Awaited in the place of some work, it gives the work's result and times each stretch."""

    def __init__(
        self, work: Coroutine[Any, Any, Result], clock: Callable[[], float] = time.perf_counter
    ) -> None:
        self.longest_ms = 0.0
        self._steps = work.__await__()
        self._clock = clock

    def __await__(self) -> Generator[Any, Any, Result]:
        return self

    def send(self, value: Any, /) -> Any:
        """One stretch of the work; what it waits for next."""
        started = self._clock()
        try:
            return self._steps.send(value)
        finally:
            self._measure(started)

    def throw(self, error: Any, /, *rest: Any) -> Any:
        """The same when what it waited for has failed, or it is cancelled."""
        started = self._clock()
        try:
            return self._steps.throw(error, *rest)
        finally:
            self._measure(started)

    def _measure(self, started: float) -> None:
        self.longest_ms = max(self.longest_ms, (self._clock() - started) * 1000)
