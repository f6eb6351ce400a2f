"""Things of which every event loop needs its own. What is kept is whatever the maker makes."""

import asyncio
import os
import threading
from collections.abc import Callable
from typing import Generic, TypeVar

Kept = TypeVar("Kept")


class PerLoop(Generic[Kept]):
    """One thing for each running event loop of this process, made when it is first asked for.

    After a fork the child makes its own: two processes on one connection would mix their answers.
    """

    def __init__(self, make: Callable[[], Kept]) -> None:
        self._make = make
        self._kept: dict[tuple[int, int], tuple[asyncio.AbstractEventLoop, Kept]] = {}
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._kept)

    def get(self) -> Kept:
        """This loop's thing."""
        loop = asyncio.get_running_loop()
        found = self._kept.get(_key(loop))
        if found is not None and found[0] is loop:
            return found[1]
        made = self._make()
        with self._lock:
            self._forget_the_dead()
            self._kept[_key(loop)] = (loop, made)
        return made

    def pop(self) -> Kept | None:
        """Takes this loop's thing out; None when it has none."""
        with self._lock:
            found = self._kept.pop(_key(asyncio.get_running_loop()), None)
        return None if found is None else found[1]

    def _forget_the_dead(self) -> None:
        """Drops what belongs to closed loops and to the process this one was forked from."""
        pid = os.getpid()
        self._kept = {
            key: kept
            for key, kept in self._kept.items()
            if key[0] == pid and not kept[0].is_closed()
        }


def _key(loop: asyncio.AbstractEventLoop) -> tuple[int, int]:
    return os.getpid(), id(loop)
