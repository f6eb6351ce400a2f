"""HTTP clients that cannot surprise: bounded, unproxied, one for each event loop and process.

Knows no provider: what is kept for a loop is whatever the maker makes.
"""

import asyncio
import os
import ssl
import threading
from collections.abc import Callable
from typing import Final, Generic, TypeVar

import httpx2

from abuse_gate.verify.kit.doorway import Doorway

# No connection is kept: see the door, by which each serves one question.
LIMITS: Final = httpx2.Limits(max_connections=256, max_keepalive_connections=0)
# Waiting for a free connection is our own fault and must be told apart from a slow provider
# before the deadline hides the difference.
POOL_SHARE: Final = 0.25

Kept = TypeVar("Kept")


# The trust store, read from disk once, by an import at start-up and never by a request.
TLS: Final[ssl.SSLContext] = httpx2.create_ssl_context()


def timeouts(budget_seconds: float) -> httpx2.Timeout:
    """No single wait is longer than the budget; the deadline over all of them is the guard's."""
    return httpx2.Timeout(budget_seconds, pool=budget_seconds * POOL_SHARE)


def open_client(
    budget_seconds: float, inner: httpx2.AsyncBaseTransport | None = None
) -> httpx2.AsyncClient:
    """A client that follows no redirect, asks no proxy of the environment and goes by the door."""
    network = inner or httpx2.AsyncHTTPTransport(verify=TLS, trust_env=False, limits=LIMITS)
    return httpx2.AsyncClient(
        transport=Doorway(network),
        follow_redirects=False,
        trust_env=False,
        timeout=timeouts(budget_seconds),
    )


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
