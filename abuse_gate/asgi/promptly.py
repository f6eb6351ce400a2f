"""A coroutine's first step taken at once, so that what is ready costs no clock and no task.

Knows generators only; it must not know what is received.
"""

from collections.abc import Awaitable, Generator
from functools import partial
from typing import Any, Generic, TypeVar, cast

Result = TypeVar("Result")


class Pending(Generic[Result]):
    """The rest of an awaitable that was started here and did not end at once.

    It must be awaited in the task that started it: what it has entered belongs to that task.
    """

    __slots__ = ("_steps", "_waits_for")

    def __init__(self, steps: Generator[Any, Any, Result], waits_for: Any) -> None:
        self._steps = steps
        self._waits_for = waits_for

    def __await__(self) -> Generator[Any, Any, Result]:
        """Hand on what it waits for, and let it go on as if nobody had started it."""
        waits_for = self._waits_for
        while True:
            try:
                sent = yield waits_for
            except BaseException as error:  # noqa: BLE001 - a cancellation too is for the awaited
                step = partial(self._steps.throw, error)
            else:
                step = partial(self._steps.send, sent)
            try:
                waits_for = step()
            except StopIteration as done:
                return cast("Result", done.value)


def start(work: Awaitable[Result]) -> tuple[Result, None] | tuple[None, Pending[Result]]:
    """The result if it is there without waiting, else the work to be awaited."""
    steps = work.__await__()
    try:
        waits_for = next(steps)
    except StopIteration as done:
        result: Result = done.value
        return result, None
    return None, Pending(steps, waits_for)
