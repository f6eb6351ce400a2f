"""HTTP clients that cannot surprise: bounded, unproxied, redirected nowhere. Knows no provider."""

import ssl
from typing import Final

import httpx2

from abuse_gate.verify.kit.doorway import Doorway

# No connection is kept: see the door, by which each serves one question.
LIMITS: Final = httpx2.Limits(max_connections=256, max_keepalive_connections=0)
# Waiting for a free connection is our own fault and must be told apart from a slow provider
# before the deadline hides the difference.
POOL_SHARE: Final = 0.25

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
