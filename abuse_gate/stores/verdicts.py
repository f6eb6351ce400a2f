"""Verdicts that are remembered for a while: in this process, or in the Redis that all share.

Digests in, one of two words out. A store that fails has forgotten: the verifier is asked then.
"""

import asyncio
import math
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any, Final

from abuse_gate.contract import Observer
from abuse_gate.model.events import StoreFailed
from abuse_gate.work.loops import PerLoop

MOST_VERDICTS: Final = 100_000
PREFIX: Final = "abuse_gate:verdict:"
# How long a store that failed is left alone; longer each time, so that one that is slow for good
# costs next to nothing.
FIRST_PAUSE: Final = 1.0
LONGEST_PAUSE: Final = 30.0


class MemoryVerdicts:
    """Bounded; what was used longest ago is forgotten first."""

    def __init__(
        self,
        seconds: float,
        most: int = MOST_VERDICTS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._seconds = seconds
        self._most = most
        self._clock = clock
        self._kept: OrderedDict[str, tuple[float, str]] = OrderedDict()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._kept)

    async def get(self, keys: Sequence[str], /) -> Sequence[str | None]:
        """What is remembered under each key."""
        now = self._clock()
        with self._lock:
            return [self._get(key, now) for key in keys]

    async def put(self, keys: Sequence[str], verdict: str, /) -> None:
        """Remembers one verdict under all of the keys."""
        until = self._clock() + self._seconds
        with self._lock:
            for key in keys:
                self._kept[key] = (until, verdict)
                self._kept.move_to_end(key)
                if len(self._kept) > self._most:
                    self._kept.popitem(last=False)

    async def aclose(self) -> None:
        """Nothing is held open."""

    def _get(self, key: str, now: float) -> str | None:
        found = self._kept.get(key)
        if found is None:
            return None
        if found[0] <= now:
            del self._kept[key]
            return None
        self._kept.move_to_end(key)
        return found[1]


class RedisVerdicts:
    """Shared, behind this process's own memory: what is known here is not looked for there."""

    def __init__(
        self,
        link: Callable[[], Any],
        near: MemoryVerdicts,
        observer: Observer,
        lifetime: float,
        seconds: float = 0.05,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`lifetime` is a verdict's, `seconds` is what one operation may take."""
        self._links: PerLoop[Any] = PerLoop(link)
        self._near = near
        self._observer = observer
        self._lifetime = round(lifetime * 1000)
        self._seconds = seconds
        self._clock = clock
        self._silent_until = -math.inf
        self._pause = FIRST_PAUSE

    async def get(self, keys: Sequence[str], /) -> Sequence[str | None]:
        """What is remembered under each key, here or there."""
        found = list(await self._near.get(keys))
        missing = [number for number, verdict in enumerate(found) if verdict is None]
        if not missing:
            return found
        answers = await self._pipelined("get", [keys[number] for number in missing])
        for number, verdict in zip(missing, answers, strict=False):
            if isinstance(verdict, str):
                found[number] = verdict
                await self._near.put([keys[number]], verdict)
        return found

    async def put(self, keys: Sequence[str], verdict: str, /) -> None:
        """Remembers one verdict under all of the keys, here and there."""
        await self._near.put(keys, verdict)
        await self._pipelined("put", keys, verdict)

    async def aclose(self) -> None:
        """Closes this loop's connections."""
        link = self._links.pop()
        if link is not None:
            await link.aclose()

    async def _pipelined(self, operation: str, keys: Sequence[str], verdict: str = "") -> list[Any]:
        started = self._clock()
        if started < self._silent_until:
            return []
        told = ("SET", verdict, "PX", self._lifetime) if verdict else ("GET",)
        commands = [(told[0], PREFIX + key, *told[1:]) for key in keys]
        try:
            async with asyncio.timeout(self._seconds):
                answers: list[Any] = await self._links.get().run_all(commands)
        except Exception as error:  # noqa: BLE001 - a cache that fails has forgotten
            now = self._clock()
            self._silent_until = now + self._pause
            self._pause = min(2 * self._pause, LONGEST_PAUSE)
            reason, elapsed = type(error).__name__, (now - started) * 1000
            self._observer.record(StoreFailed(f"verdict_{operation}", reason, elapsed))
            return []
        self._pause = FIRST_PAUSE
        return answers
