"""Connections to a provider, each for one question, a few of them opened ahead of the question.

One connection, one question: an answer that is left over on a connection would otherwise be taken
for the answer to the next question, and no look at the socket can rule that out, since it may be
under way still. What keeping connections would save, the handshakes, is saved by opening them
ahead: nobody has asked anything on those, so nothing may arrive, and one on which anything does is
thrown away. Written by hand because pools keep used connections and open none ahead.
"""

import asyncio
import contextlib
import contextvars
import ssl
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final, cast

import httpcore2

from abuse_gate.verify.kit.faults import UnreadableReply
from abuse_gate.verify.kit.replies import MAX_REPLY_BYTES

# What one connection may bring: the largest reply, with more around it than anybody needs.
MAX_LINE_BYTES: Final = MAX_REPLY_BYTES + 64 * 1024
# How much is read at once: thousands of interim answers must not be parsed in one go.
SIP: Final = 4096
MOST_AHEAD: Final = 8
# Shorter than the patience of any provider's front with a silent connection.
AHEAD_SECONDS: Final = 20.0
OPENING_SECONDS: Final = 10.0

Stream = httpcore2.AsyncNetworkStream


class Metered(Stream):
    """A connection that ends in an error when too much has come over it."""

    def __init__(self, stream: Stream, limit: int = MAX_LINE_BYTES) -> None:
        self._stream = stream
        self._left = limit

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ASYNC109 - httpcore's
        """The next few bytes."""
        data = await self._stream.read(min(max_bytes, SIP), timeout)
        self._left -= len(data)
        if self._left < 0:
            raise UnreadableReply
        return data

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ASYNC109 - httpcore's
        """Passes on what is sent."""
        await self._stream.write(buffer, timeout)

    async def aclose(self) -> None:
        """Closes the connection."""
        await self._stream.aclose()

    async def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,  # noqa: ASYNC109 - httpcore's
    ) -> Stream:
        """The same connection, encrypted and metered."""
        return Metered(await self._stream.start_tls(ssl_context, server_hostname, timeout))

    def get_extra_info(self, info: str) -> Any:
        """What the connection knows of itself."""
        return self._stream.get_extra_info(info)


class Ahead(Metered):
    """A connection that was encrypted before it was asked for."""

    async def start_tls(
        self,
        ssl_context: ssl.SSLContext,  # noqa: ARG002 - done already
        server_hostname: str | None = None,  # noqa: ARG002 - done already
        timeout: float | None = None,  # noqa: ARG002, ASYNC109 - done already
    ) -> Stream:
        """Itself: nothing is left to be done."""
        return self


@dataclass(eq=False, slots=True)
class _Spare:
    """One connection opened ahead: nothing until it is open, and nobody's until it is taken."""

    stream: Stream | None = None
    taken: bool = False


class Lines(httpcore2.AsyncNetworkBackend):
    """Opens connections; ahead of time only to one place, and only while questions keep coming."""

    def __init__(
        self,
        place: tuple[str, int] | None = None,
        tls: ssl.SSLContext | None = None,
        seconds: float = AHEAD_SECONDS,
    ) -> None:
        """`place` is the host and port to open connections to ahead, encrypted by `tls`."""
        self._place = place
        self._tls = tls
        self._seconds = seconds
        self._network = cast("httpcore2.AsyncNetworkBackend", httpcore2.AnyIOBackend())
        self._spares: dict[_Spare, asyncio.Task[None]] = {}

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 - httpcore's
        local_address: str | None = None,  # noqa: ARG002 - we have no wish
        socket_options: Iterable[Any] | None = None,  # noqa: ARG002 - we have no wish
    ) -> Stream:
        """A connection that nobody has used; the next one is opened meanwhile."""
        if (host, port) == self._place and self._tls is not None:
            spare = await self._take()
            self._order(host, port, self._tls)
            if spare is not None:
                return Ahead(spare)
        return Metered(await self._network.connect_tcp(host, port, timeout))

    async def sleep(self, seconds: float) -> None:
        """Waits."""
        await asyncio.sleep(seconds)

    @property
    def ahead(self) -> int:
        """How many connections are ready."""
        return sum(spare.stream is not None for spare in self._spares)

    async def aclose(self) -> None:
        """Closes what was opened in vain."""
        tasks = list(self._spares.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _take(self) -> Stream | None:
        """A connection on which nothing has arrived since it was opened."""
        for spare, task in list(self._spares.items()):
            if spare.stream is not None and self._spares.pop(spare, None) is not None:
                spare.taken = True
                return spare.stream if await called_off(task, spare.stream) else None
        return None

    def _order(self, host: str, port: int, tls: ssl.SSLContext) -> None:
        if len(self._spares) >= MOST_AHEAD:
            return
        spare = _Spare()
        # In a context of its own: the key of the question under way is none of its business.
        task = asyncio.create_task(
            self._watch(spare, host, port, tls), context=contextvars.Context()
        )
        self._spares[spare] = task
        task.add_done_callback(lambda _task: self._spares.pop(spare, None))

    async def _watch(self, spare: _Spare, host: str, port: int, tls: ssl.SSLContext) -> None:
        """Opens a connection and waits for somebody to take it."""
        # Why none could be opened, the question will find out for itself.
        with contextlib.suppress(Exception):
            plain = await self._network.connect_tcp(host, port, OPENING_SECONDS)
            await self._hold(spare, plain, host, tls)

    async def _hold(self, spare: _Spare, plain: Stream, host: str, tls: ssl.SSLContext) -> None:
        """Keeps a connection ready, and closes it again unless somebody takes it meanwhile."""
        try:
            spare.stream = await plain.start_tls(tls, host, OPENING_SECONDS)
            # Ends when the other side closes or speaks unasked, and by itself after a while.
            await spare.stream.read(1, self._seconds)
        finally:
            if not spare.taken:
                spare.stream = None
                await plain.aclose()


async def called_off(watch: "asyncio.Task[None]", stream: Stream) -> bool:
    """Whether a connection was still silent when its watch was called off; if not, it is closed."""
    watch.cancel()
    try:
        await asyncio.wait({watch})
    except asyncio.CancelledError:
        # Whoever asked has left.
        await stream.aclose()
        raise
    if watch.cancelled():
        return True
    await stream.aclose()
    return False
