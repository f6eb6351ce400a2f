"""Single flight: what is being asked already is not asked again, and nobody's leaving harms others.

By hand: a call must end when the last who waits for it has gone, and only then.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from abuse_gate.work.loops import PerLoop

Answer = TypeVar("Answer")


@dataclass(slots=True, eq=False)
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
            flight = _started(flights, key, call)
        flight.waiting += 1
        try:
            return await asyncio.shield(flight.task), shared
        finally:
            flight.waiting -= 1
            if not flight.waiting:
                # First out of sight, then ended: whoever comes while it ends makes a new call.
                _forget(flights, key, flight)
                flight.task.cancel()


def _started(
    flights: dict[str, _Flight[Answer]], key: str, call: Callable[[], Awaitable[Answer]]
) -> _Flight[Answer]:
    flight = flights[key] = _Flight(asyncio.ensure_future(call()))
    flight.task.add_done_callback(lambda _: _forget(flights, key, flight))
    return flight


def _forget(flights: dict[str, _Flight[Answer]], key: str, flight: _Flight[Answer]) -> None:
    """Takes a flight away, and never the one that has taken its place."""
    if flights.get(key) is flight:
        del flights[key]
