"""One value for a whole process, made at the first call.

functools.cache does not lock: two first callers at once would make two breakers.
"""

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

Value = TypeVar("Value")


class Once(Generic[Value]):
    """Calls its function once, whoever calls first; `cache_clear` forgets the value."""

    def __init__(self, make: Callable[[], Value]) -> None:
        self._make = make
        self._lock = threading.Lock()
        self._made: list[Value] = []
        self.__doc__ = make.__doc__
        self.__name__ = make.__name__
        self.__module__ = make.__module__

    @property
    def ready(self) -> bool:
        """Whether the value has been made, so that a call costs nothing."""
        return bool(self._made)

    def __call__(self) -> Value:
        """The value; whatever making it raises is raised, and the next call tries again."""
        with self._lock:
            if not self._made:
                self._made.append(self._make())
            return self._made[0]

    def cache_clear(self) -> None:
        """Forget the value."""
        with self._lock:
            self._made.clear()


def once(make: Callable[[], Value]) -> Once[Value]:
    """Turns a function without arguments into one value for the process."""
    return Once(make)
