"""An event loop of our own in a thread, for callers that have none.

One for the process, made at the first call and anew after a fork; its thread is a daemon, so that
it never holds up an exit.
"""

import asyncio
import os
import threading
from collections.abc import Callable, Coroutine
from typing import Any, Final, TypeVar

Result = TypeVar("Result")


class Background:
    """Runs coroutines for callers that block while they wait."""

    def __init__(self, start: Callable[[Callable[[], None]], None] | None = None) -> None:
        self._start = start or _start_thread
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        os.register_at_fork(after_in_child=self.forget)

    def run(self, work: Coroutine[Any, Any, Result]) -> Result:
        """The result of a coroutine; not to be called where an event loop runs, for it blocks."""
        if _on_a_loop():
            work.close()
            raise RuntimeError(
                "this call blocks and an event loop is running in this thread: "
                "await the async form instead, or call it from a worker thread"
            )
        try:
            loop = self._running()
        except Exception:
            work.close()
            raise
        return asyncio.run_coroutine_threadsafe(work, loop).result()

    def _running(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                # Kept only once it runs: a call to a loop without a thread would wait for ever.
                self._loop = _started(self._start)
            return self._loop

    def forget(self) -> None:
        """Drop the loop, so that the next call makes another."""
        # The thread did not survive the fork, and the lock may be held by one that is not there.
        self._lock = threading.Lock()
        self._loop = None


def _start_thread(target: Callable[[], None]) -> None:
    threading.Thread(target=target, name="abuse-gate-background", daemon=True).start()


def _started(start: Callable[[Callable[[], None]], None]) -> asyncio.AbstractEventLoop:
    """A loop that runs in a thread; closed again where no thread is to be had."""
    loop = asyncio.new_event_loop()
    try:
        start(loop.run_forever)
    except Exception:
        loop.close()
        raise
    return loop


def _on_a_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


# One for the process: a fork hook cannot be unregistered.
BACKGROUND: Final = Background()
