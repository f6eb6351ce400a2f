"""Threads of our own for sync adapters: bounded, daemonic, and freed by the thread itself.

Written by hand because both ready-made pools are unfit here: concurrent.futures joins its threads
at interpreter exit, so one hung adapter hangs the shutdown; anyio's limiter gives its token back
when the caller leaves, so one hung adapter leaks a thread per request.
"""

import asyncio
import contextlib
import contextvars
import os
import threading
from collections.abc import Callable
from typing import TypeVar

from abuse_gate.contract import ProviderSaturated

Result = TypeVar("Result")


class Bulkhead:
    """At most `limit` calls at once, each in its own thread; the rest are shed, never queued."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._pid = os.getpid()
        self._slots = threading.BoundedSemaphore(limit)

    async def call(self, function: Callable[[], Result]) -> Result:
        """The function's result, out of a thread; raises ProviderSaturated when all are taken.

        A caller that stops waiting leaves the slot with the thread, which frees it when it ends.
        """
        slots = self.own_slots()
        if not slots.acquire(blocking=False):
            raise ProviderSaturated
        loop = asyncio.get_running_loop()
        waiter: asyncio.Future[Result] = loop.create_future()
        context = contextvars.copy_context()

        def work() -> None:
            try:
                settle = _settling(waiter, context, function)
            finally:
                slots.release()
            # A loop that is closed has nobody left who waits.
            with contextlib.suppress(RuntimeError):
                loop.call_soon_threadsafe(settle)

        self._start(work, slots)
        return await waiter

    def own_slots(self) -> threading.BoundedSemaphore:
        """The slots of this process: no thread of a parent is left to free its own after a fork."""
        if self._pid != os.getpid():
            self._pid, self._slots = os.getpid(), threading.BoundedSemaphore(self._limit)
        return self._slots

    def _start(self, work: Callable[[], None], slots: threading.BoundedSemaphore) -> None:
        try:
            threading.Thread(target=work, name="abuse-gate-adapter", daemon=True).start()
        except RuntimeError:
            # The operating system has no thread left for us: that is our side being full.
            slots.release()
            raise ProviderSaturated from None


def _settling(
    waiter: asyncio.Future[Result], context: contextvars.Context, function: Callable[[], Result]
) -> Callable[[], None]:
    """Runs the function here and returns what is to be done on the loop."""
    try:
        result = context.run(function)
    except BaseException as error:  # noqa: BLE001 - nothing may reach the thread's excepthook
        # StopIteration cannot be set on a future, and what is no Exception is not the waiter's.
        fit = isinstance(error, Exception) and not isinstance(error, StopIteration)
        failure = error if fit else RuntimeError()
        return lambda: None if waiter.done() else waiter.set_exception(failure)
    return lambda: None if waiter.done() else waiter.set_result(result)
