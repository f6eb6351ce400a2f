"""One observer out of many: a failing one is counted and said once, and hurts nobody."""

import logging
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from functools import partial
from types import TracebackType
from typing import Any, Self
from weakref import ref

from abuse_gate.contract import Fact, Observer, StepObserver
from abuse_gate.model.events import Event
from abuse_gate.model.visit import Visit
from abuse_gate.work.visits import visiting

_log = logging.getLogger("abuse_gate.telemetry")


def never() -> bool:
    """Says for an observer that what passes in peace is not its business; it is not asked again."""
    return False


class Observers:
    """Passes each event and each step to every observer, whatever the others do."""

    def __init__(self, observers: Sequence[Observer]) -> None:
        self._observers = tuple(observers)
        self._steppers = [each for each in observers if isinstance(each, StepObserver)]
        self._tellers: list[Any] = [each for each in observers if hasattr(each, "story")]
        self._wishful: list[Any] = [each for each in observers if hasattr(each, "keeps_digests")]
        self._timing: list[Any] = [each for each in observers if hasattr(each, "times_the_loop")]
        # Whoever does not say otherwise wants to hear of every request.
        self._curious = not all(hasattr(each, "hears_passes") for each in observers)
        choosy: list[Any] = [] if self._curious else [*observers]
        self._choosy = [each for each in choosy if each.hears_passes is not never]
        self._showing: list[Any] = [each for each in observers if hasattr(each, "show")]
        self._closing: list[Any] = [each for each in observers if hasattr(each, "close")]
        self.failures = 0
        self._said: set[str] = set()

    def record(self, event: Event, /) -> None:
        """Hands an event to each observer in turn."""
        for observer in self._observers:
            try:
                observer.record(event)
            except Exception as error:  # noqa: BLE001 - telemetry never reaches a request
                self.failed(observer, error)

    def step(self, name: str, /, **facts: Fact) -> "Steps":
        """A step that every observer with an eye for steps is told of."""
        return Steps(self, [partial(each.step, name, **facts) for each in self._steppers])

    def story(self, visit: Visit, /) -> "Steps":
        """The part of a request's way in which somebody is asked about it."""
        tellers = [partial(each.story, visit) for each in self._tellers]
        return Steps(self, [partial(visiting, visit), *tellers])

    @property
    def keeps_digests(self) -> bool:
        """Whether anybody keeps digests of every request."""
        for each in self._wishful:  # noqa: SIM110 - asked for every request, and cheaper so
            if each.keeps_digests:
                return True
        return False

    @property
    def times_the_loop(self) -> bool:
        """Whether anybody wants to know how long our work keeps the event loop."""
        for each in self._timing:  # noqa: SIM110 - asked for every request, and cheaper so
            if each.times_the_loop:
                return True
        return False

    def hears_passes(self) -> bool:
        """Whether anybody wants to be told of requests about which there is nothing to say."""
        if self._curious:
            return True
        for each in self._choosy:
            try:
                if each.hears_passes():
                    return True
            except Exception as error:  # noqa: BLE001 - telemetry never reaches a request
                self.failed(each, error)
                return True
        return False

    def show(self, gauge: str, owner: object, read: Callable[[Any], float], **labels: str) -> None:
        """Have a gauge show a number of an object for as long as the object lives."""
        alive = ref(owner)

        def reading() -> tuple[dict[str, str], float] | None:
            found = alive()
            return None if found is None else (labels, read(found))

        for observer in self._showing:
            try:
                observer.show(gauge, reading)
            except Exception as error:  # noqa: BLE001 - nor is the start of an app disturbed
                self.failed(observer, error)

    def close(self) -> None:
        """Has whoever keeps something write the rest of it; waits for that."""
        for observer in self._closing:
            try:
                observer.close()
            except Exception as error:  # noqa: BLE001 - nor is the end of an app disturbed
                self.failed(observer, error)

    def failed(self, observer: object, error: Exception) -> None:
        """Counts a failure; the first one of each observer is said."""
        self.failures += 1
        name = _name(observer)
        if name not in self._said:
            self._said.add(name)
            # The type alone: a message may quote what it failed on.
            _log.warning(
                "observer %s raised %s; further failures are counted in silence",
                name,
                type(error).__name__,
            )


def _name(observer: object) -> str:
    """The type of an observer, or of whatever stands for it."""
    if isinstance(observer, partial):
        # A step that is yet to begin: a method of the observer, with its arguments.
        return type(getattr(observer.func, "__self__", observer.func)).__name__
    return type(observer).__name__


class Steps:
    """One step as several observers see it; whatever they raise stays here."""

    __slots__ = ("_makers", "_notes", "_observers", "_open")

    def __init__(
        self, observers: Observers, makers: Sequence[Callable[[], AbstractContextManager[Any]]]
    ) -> None:
        self._observers = observers
        self._makers = makers
        self._open: list[AbstractContextManager[Any]] = []
        self._notes: list[Any] = []

    def __enter__(self) -> Self:
        for make in self._makers:
            try:
                step = make()
                self._notes.append(step.__enter__())
                self._open.append(step)
            except Exception as error:  # noqa: BLE001 - telemetry never reaches a request
                self._observers.failed(make, error)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for step in reversed(self._open):
            try:
                step.__exit__(kind, error, trace)
            except Exception as failure:  # noqa: BLE001 - nor does its end
                self._observers.failed(step, failure)

    def note(self, **facts: Fact) -> None:
        """Tells each of them."""
        for notes in self._notes:
            try:
                notes.note(**facts)
            except Exception as error:  # noqa: BLE001 - nor what is said of it
                self._observers.failed(notes, error)
