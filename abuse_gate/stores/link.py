"""Connections to a Redis or Valkey: one server, a primary behind one address, or a cluster.

redis-py is an extra: only what a shared store is made of imports it. Raises whatever goes wrong;
knows no strikes and no verdicts.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Any, Final

from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.cluster import RedisCluster
from redis.asyncio.connection import RedisSSLContext
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from abuse_gate.contract import ConfigError
from abuse_gate.settings import Settings
from abuse_gate.stores.tls import share_tls

MOST_CONNECTIONS: Final = 32
# Beyond those that take turns: for an operator's search, and for finding out about a cluster.
SPARE: Final = 4
# Few enough that an operator's search keeps no request waiting behind it.
SCAN_STEP: Final = 100
PATIENCE: Final = 5.0
# How long a connection may take to be opened, or an answer to come, after whoever asked has left.
LEFT_ALONE: Final = 1.0
# Which addresses are a cluster's, and what redis-py calls them.
CLUSTERS: Final = {"redis+cluster": "redis", "rediss+cluster": "rediss"}

Command = tuple[str | int, ...]
Links = Callable[[], "Link"]


class Link:
    """A client with a bounded number of connections (in a cluster: to each node).

    Whoever finds them all in use waits for a turn; redis-py's cluster would raise instead. Whoever
    leaves early leaves a connection behind that is open, and not one that was closed half-way:
    else a server whose greeting takes longer than a request may wait would never be reached.
    """

    def __init__(self, client: Any, connections: int) -> None:
        self._client = client
        self._turns = asyncio.Semaphore(connections)
        self._left: set[asyncio.Task[Any]] = set()

    async def run(self, commands: Sequence[Command]) -> list[Any]:
        """The answer to each command, or the exception that it is, in one round trip.

        In a cluster it is one to each node that holds a key of theirs.
        """
        pipe = self._client.pipeline(transaction=False)
        for command in commands:
            pipe.execute_command(*command)
        answers: list[Any] = await self._in_turn(lambda: pipe.execute(raise_on_error=False))
        return answers

    async def run_all(self, commands: Sequence[Command]) -> list[Any]:
        """The answers; the first that is an exception is raised."""
        answers = await self.run(commands)
        for answer in answers:
            if isinstance(answer, Exception):
                raise answer
        return answers

    async def load(self, script: str) -> str:
        """The name under which the server, or every node, knows a script from now on."""
        return str(await self._in_turn(lambda: self._client.script_load(script)))

    async def pages(self, match: str) -> AsyncIterator[list[str]]:
        """Keys of all nodes, some at a time; one may come twice."""
        page: list[str] = []
        async for key in self._client.scan_iter(match=match, count=SCAN_STEP):
            page.append(key)
            if len(page) >= SCAN_STEP:
                yield page
                page = []
        yield page

    async def aclose(self) -> None:
        """Closes every connection."""
        for working in self._left:
            working.cancel()
        await asyncio.gather(*self._left, return_exceptions=True)
        await self._client.aclose()
        if isinstance(self._client, Redis):
            await self._client.connection_pool.disconnect()

    async def _in_turn(self, work: Callable[[], Awaitable[Any]]) -> Any:
        """What the work comes to, which goes on for a while if nobody waits for it any more."""
        await self._turns.acquire()
        working = asyncio.ensure_future(work())
        working.add_done_callback(self._is_done)
        working.add_done_callback(lambda done: done.cancelled() or done.exception())
        try:
            return await asyncio.shield(working)
        except asyncio.CancelledError:
            self._left.add(working)
            asyncio.get_running_loop().call_later(LEFT_ALONE, working.cancel)
            raise

    def _is_done(self, working: "asyncio.Task[Any]") -> None:
        self._turns.release()
        self._left.discard(working)


def connect(
    url: str,
    seconds: float,
    connections: int = MOST_CONNECTIONS,
    tls: RedisSSLContext | None = None,
) -> Link:
    """A link to what an address names; TLS and credentials are the address's to say.

    `tls` is what another link to the same address has made of it already.
    """
    client = _client(url, seconds, connections)
    share_tls(client, tls)
    return Link(client, connections)


def _client(url: str, seconds: float, connections: int) -> Any:
    options: dict[str, Any] = {
        "max_connections": connections + SPARE,
        "socket_timeout": seconds,
        "socket_connect_timeout": seconds,
        "decode_responses": True,
        "protocol": 2,
        # With one, redis-py looks its own version up on the disk for every connection.
        "driver_info": None,
        # A connection that a restarted server has forgotten is replaced at once, and only once.
        "retry": Retry(NoBackoff(), 1),
    }
    scheme, _, rest = url.partition("://")
    if scheme in CLUSTERS:
        return RedisCluster.from_url(f"{CLUSTERS[scheme]}://{rest}", **options)
    pools: Any = BlockingConnectionPool
    return Redis(connection_pool=pools.from_url(url, timeout=seconds, **options))


def link_maker(settings: Settings) -> Links:
    """Makes links to the configured server; an address that nobody can read is a ConfigError.

    A link's own patience is longer than a request's: what is done in the background has time.
    Certificates are read here and now, once: no event loop may wait for a disk.
    """
    url = "" if settings.redis_url is None else settings.redis_url.get_secret_value()
    seconds = max(PATIENCE, settings.store_timeout_ms / 1000)
    try:
        client = _client(url, seconds, MOST_CONNECTIONS)
        if isinstance(client, Redis):
            # Options that the pool does not know are the connection's to refuse.
            pool: Any = client.connection_pool
            pool.make_connection()
        tls: Any = share_tls(client)
    except (ValueError, TypeError, AttributeError, RedisError):
        # Nothing of the address is said: it may hold a password.
        raise ConfigError(
            "ABUSE_GATE_REDIS_URL: the Redis client cannot read this address; "
            "give it as redis://user:password@host:6379/0, without unknown options "
            "(of a cluster redis+cluster://user:password@host:6379)"
        ) from None
    try:
        if tls is not None:
            tls.get()
    except OSError:
        raise ConfigError(
            "ABUSE_GATE_REDIS_URL: the certificates that this address names cannot be read"
        ) from None
    return lambda: connect(url, seconds, tls=tls)
