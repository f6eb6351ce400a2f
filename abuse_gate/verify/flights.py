"""Single flight: what is being asked already is not asked again, and nobody's leaving harms others.

By hand: a call must end when the last who waits for it has gone, and only then.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from abuse_gate.work.loops import PerLoop

Answer = TypeVar("Answer")


@dataclass(slots=True)
class _Flight(Generic[Answer]):
    task: asyncio.Future[Answer]
    waiting: int = 0


class Flights(Generic[Answer]):
    """One call for each key at a time, on each event loop."""

    def __init__(self) -> None:
        self._flights: PerLoop[dict[str, _Flight[Answer]]] = PerLoop(dict)

    async def fly(self, key: str, call: Callable[[], Awaitable[Answer]]) -> tuple[Answer, bool]:
        """The answer of the call under that key, and whether somebody else had made it."""
        flights = self._flights.get()
        flight = flights.get(key)
        shared = flight is not None
        if flight is None:
            flight = flights[key] = _Flight(asyncio.ensure_future(call()))
            flight.task.add_done_callback(lambda _: flights.pop(key, None))
        flight.waiting += 1
        try:
            return await asyncio.shield(flight.task), shared
        finally:
            flight.waiting -= 1
            if not flight.waiting:
                flight.task.cancel()
