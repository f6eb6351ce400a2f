"""One TLS context for all connections to an address.

redis-py makes one for every connection, on the event loop, and to read all certificates of a
machine takes tens of milliseconds. Opens no connection, and knows no address.
"""

from typing import Any

from redis.asyncio import Redis, SSLConnection
from redis.asyncio.connection import RedisSSLContext


def share_tls(client: Any, known: RedisSSLContext | None = None) -> RedisSSLContext | None:
    """Gives every connection of a client the same context, and says which; None without TLS.

    Certificates are read when the context is first asked for.
    """
    if isinstance(client, Redis):
        pool: Any = client.connection_pool
        return _shared([pool], pool.connection_kwargs, known)
    options = client.connection_kwargs
    shared = _shared(client.startup_nodes, client.startup_nodes[0].connection_kwargs, known)
    if shared is not None:
        # Of the nodes that are found later.
        options["connection_class"] = client.startup_nodes[0].connection_class
    return shared


def _shared(
    pools: list[Any], options: dict[str, Any], known: RedisSSLContext | None
) -> RedisSSLContext | None:
    if pools[0].connection_class is not SSLConnection:
        return None
    tls = known or SSLConnection(**options).ssl_context
    for pool in pools:
        pool.connection_class = _secured_by(tls)
    return tls


def _secured_by(tls: RedisSSLContext) -> type[SSLConnection]:
    class Secured(SSLConnection):
        def __init__(self, **options: Any) -> None:
            plain: Any = super()
            plain.__init__(**options)
            self.ssl_context = tls

    return Secured
