"""Incident ids: 128 bits of the operating system's randomness, drawn in blocks.

A block is dropped after a fork, so that no two workers ever hand out the same id.
"""

import os
from typing import Final

_BLOCK: Final = 128
_ID_BYTES: Final = 16


class IncidentIds:
    """Hands out 32 lower-case hex digits at a time, never the same twice."""

    __slots__ = ("__weakref__", "_ready")

    def __init__(self) -> None:
        self._ready: list[str] = []
        os.register_at_fork(after_in_child=self.drop)

    def draw(self) -> str:
        """The next id. Popping a list is atomic, so threads never share one."""
        try:
            return self._ready.pop()
        except IndexError:
            block = os.urandom(_BLOCK * _ID_BYTES).hex()
            width = _ID_BYTES * 2
            fresh = [block[start : start + width] for start in range(0, len(block), width)]
            mine = fresh.pop()
            self._ready.extend(fresh)
            return mine

    def drop(self) -> None:
        """Forget the ids drawn ahead."""
        self._ready = []


# One per process: a fork hook cannot be unregistered, so gates share it.
INCIDENT_IDS: Final = IncidentIds()
