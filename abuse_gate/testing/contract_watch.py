"""Bystanders of a test: how late the loop itself was, and what was said in any log meanwhile."""

import asyncio
import logging
import time
import traceback
from collections.abc import Callable, Generator
from contextlib import contextmanager
from types import TracebackType
from typing import Final, Self

_TICK_SECONDS: Final = 0.005
_PATIENCE_SECONDS: Final = 30.0


async def within(seconds: float, holds: Callable[[], bool]) -> bool:
    """Whether something that nobody announces comes true in time."""
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            return False
        await asyncio.sleep(_TICK_SECONDS)
    return True


async def until(holds: Callable[[], bool], patience: float = _PATIENCE_SECONDS) -> None:
    """Waits for it; a test that waits in vain fails and does not hang."""
    if not await within(patience, holds):
        raise AssertionError("what the test waited for never came true")


class LoopNoise:
    """A control timer in the same loop: whatever delays it would delay any code there.

    A deadline is judged against what was measured, never against a machine's speed.
    """

    def __init__(self) -> None:
        self.lags: list[float] = []
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self._task = asyncio.get_running_loop().create_task(self._watch())
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def mark(self) -> int:
        """A moment to measure from."""
        return len(self.lags)

    async def since(self, mark: int) -> float:
        """All the delay, in seconds, that the timer has suffered since a moment."""
        # The tick under way may hold the largest delay of all.
        seen = len(self.lags)
        await until(lambda: len(self.lags) > seen)
        return sum(self.lags[mark:])

    def percentile(self, share: float) -> float:
        """The lag, in seconds, that this share of the ticks stayed below."""
        ranked = sorted(self.lags) or [0.0]
        return ranked[min(int(share * len(ranked)), len(ranked) - 1)]

    async def _watch(self) -> None:
        while True:
            before = time.monotonic()
            await asyncio.sleep(_TICK_SECONDS)
            self.lags.append(max(0.0, time.monotonic() - before - _TICK_SECONDS))


class LogText(logging.Handler):
    """Keeps all that a log record holds, as text: message, arguments, traceback, extras."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep one record; what cannot even be formatted is kept by its fields."""
        told = "".join(traceback.format_exception(*record.exc_info)) if record.exc_info else ""
        self.lines.append(f"{record.getMessage()} {record.__dict__!r} {told}")


@contextmanager
def everything_logged() -> Generator[LogText]:
    """Every logger of the process at DEBUG, those of the SDKs included, into one place."""
    root = logging.getLogger()
    named = [one for one in root.manager.loggerDict.values() if isinstance(one, logging.Logger)]
    levels = [(logger, logger.level, logger.disabled) for logger in (root, *named)]
    heard = LogText()
    for logger, _, _ in levels:
        logger.setLevel(logging.DEBUG)
        logger.disabled = False
    root.addHandler(heard)
    try:
        yield heard
    finally:
        root.removeHandler(heard)
        for logger, level, disabled in levels:
            logger.setLevel(level)
            logger.disabled = disabled


def chain_text(error: BaseException) -> str:
    """All that an exception can tell: itself and everything it was raised from or during."""
    told: list[str] = []
    left: list[BaseException | None] = [error]
    seen: set[int] = set()
    while left:
        one = left.pop()
        if one is None or id(one) in seen:
            continue
        seen.add(id(one))
        told.append(f"{one!r} {one} {one.args!r} {getattr(one, '__notes__', '')}")
        told.append(repr(getattr(one, "__dict__", {})))
        left += [one.__cause__, one.__context__]
    return "\n".join(told)
