"""HTTP clients that cannot surprise: bounded, unproxied, redirected nowhere. Knows no provider."""

import ssl
from typing import Final
from urllib.parse import urlsplit

import httpcore2
import httpx2

from abuse_gate.verify.kit.doorway import Doorway
from abuse_gate.verify.kit.lines import Lines

# No connection is kept: see the lines, each of which serves one question.
LIMITS: Final = httpx2.Limits(max_connections=256, max_keepalive_connections=0)
# Waiting for a free connection is our own fault and must be told apart from a slow provider
# before the deadline hides the difference.
POOL_SHARE: Final = 0.25
HTTPS_PORT: Final = 443

# The trust store, read from disk once, by an import at start-up and never by a request.
TLS: Final[ssl.SSLContext] = httpx2.create_ssl_context()


class LineTransport(httpx2.AsyncHTTPTransport):
    """The ordinary transport over lines of ours."""

    def __init__(self, lines: Lines, tls: ssl.SSLContext = TLS) -> None:
        super().__init__(verify=tls, trust_env=False, limits=LIMITS)
        tls.set_alpn_protocols(["http/1.1"])
        self._lines = lines
        # The parent offers no other way to say how connections are opened.
        self._pool = httpcore2.AsyncConnectionPool(
            ssl_context=tls,
            max_connections=LIMITS.max_connections,
            max_keepalive_connections=LIMITS.max_keepalive_connections,
            network_backend=lines,
        )

    async def aclose(self) -> None:
        """Closes the connections, those that were opened ahead included."""
        await self._lines.aclose()
        await super().aclose()


def timeouts(budget_seconds: float) -> httpx2.Timeout:
    """No single wait is longer than the budget; the deadline over all of them is the guard's."""
    return httpx2.Timeout(budget_seconds, pool=budget_seconds * POOL_SHARE)


def open_client(
    budget_seconds: float, inner: httpx2.AsyncBaseTransport | None = None, base_url: str = ""
) -> httpx2.AsyncClient:
    """A client that follows no redirect, asks no proxy of the environment and goes by the door."""
    network = inner or LineTransport(Lines(tls_place(base_url), TLS))
    return httpx2.AsyncClient(
        transport=Doorway(network),
        follow_redirects=False,
        trust_env=False,
        timeout=timeouts(budget_seconds),
    )


def tls_place(base_url: str) -> tuple[str, int] | None:
    """Where handshakes are worth doing ahead: the host and port of an https address."""
    parts = urlsplit(base_url)
    if parts.scheme != "https" or parts.hostname is None:
        return None
    return parts.hostname, parts.port or HTTPS_PORT
