"""One HTTP exchange as raw bytes: whatever can be done to a connection, at any stage of it.

No HTTP library stands between: a fault is exactly the bytes that are written here.
"""

import asyncio
import json
import socket
import struct
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, Final

from abuse_gate.model.verdict import Verdict
from abuse_gate.testing.faults_dialects import annotated, dialect_of, is_azure
from abuse_gate.testing.faults_speech import Dialect

Header = tuple[str, str]
JSON_TYPE: Final[Header] = ("content-type", "application/json")
# Closing with a linger of no time makes the kernel send a reset, not a farewell.
_RESET: Final = struct.pack("ii", 1, 0)
# Long enough for the other side to have read what was sent before the connection breaks.
_SETTLE_SECONDS: Final = 0.003
_MOST_HEAD: Final = 65_536


class ClientLeft(Exception):
    """The client closed or reset its connection."""


@dataclass(slots=True)
class RecordedRequest:
    """One request that arrived; its repr shows no header and no text."""

    method: str = ""
    path: str = field(default="", repr=False)
    headers: dict[str, str] = field(default_factory=dict[str, str], repr=False)
    body_size: int = 0
    json: Any = field(default=None, repr=False)
    mode: str = ""
    # The verdict that was said in a whole, right answer; None when nothing of the kind was sent.
    said: Verdict | None = None
    # Whether the client gave up while it was kept waiting.
    abandoned: bool = False


class Exchange:
    """One connection's side of the server, and the request on it that is being answered."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer
        self.request = RecordedRequest()
        self.body = b""
        self.keep = True
        # How many requests of this mode came before this one.
        self.nth = 0

    async def read_head(self) -> None:
        """Read up to the blank line; a client that leaves instead raises ClientLeft."""
        try:
            head = await self.reader.readuntil(b"\r\n\r\n")
        except (asyncio.IncompleteReadError, asyncio.LimitOverrunError, ConnectionError):
            raise ClientLeft from None
        first, *lines = head.decode("latin-1").split("\r\n")
        method, _, rest = first.partition(" ")
        pairs = (line.partition(":") for line in lines if line)
        headers = {name.strip().lower(): value.strip() for name, _, value in pairs}
        self.request = RecordedRequest(method, rest.rpartition(" ")[0], headers)
        self.body = b""

    async def read_body(self) -> None:
        """Read the body that the head announced."""
        size = int(self.request.headers.get("content-length", "0"))
        try:
            self.body = await self.reader.readexactly(size)
        except (asyncio.IncompleteReadError, ConnectionError):
            raise ClientLeft from None
        self.request.body_size = size
        try:
            self.request.json = json.loads(self.body or b"null")
        except ValueError:
            self.request.json = None

    @property
    def dialect(self) -> Dialect:
        """The dialect of the request's path."""
        return dialect_of(self.request.path)

    def answer(self, verdict: Verdict) -> dict[str, Any]:
        """The right answer to this request, as its provider words it."""
        reply = self.dialect.reply(verdict, self.request.json)
        azure = self.dialect.name == "chat" and is_azure(self.request.path)
        return annotated(reply) if azure else reply

    async def send(self, data: bytes) -> None:
        """Write bytes as they are."""
        try:
            self.writer.write(data)
            await self.writer.drain()
        except ConnectionError:
            raise ClientLeft from None

    async def reply(
        self,
        body: object,
        status: int = 200,
        headers: Iterable[Header] = (),
        *,
        kind: str = "application/json",
    ) -> None:
        """A well-framed response: bytes as they are, anything else as JSON."""
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        framing = [("content-type", kind), ("content-length", str(len(data)))]
        await self.send(head(status, [*framing, *headers]) + data)

    async def say(self, verdict: Verdict) -> None:
        """The right answer, whole, and on record as said."""
        self.request.said = verdict
        await self.reply(self.answer(verdict))

    async def drip(self, data: bytes, pause: float) -> None:
        """Write one byte at a time."""
        for index in range(len(data)):
            await asyncio.sleep(pause)
            await self.send(data[index : index + 1])

    async def silence(self) -> None:
        """Say nothing more until the client leaves."""
        with suppress(ConnectionError):
            while await self.reader.read(_MOST_HEAD):
                pass
        self.request.abandoned = True
        self.keep = False

    async def reset(self) -> None:
        """Break the connection: the client reads `connection reset`."""
        self.keep = False
        await asyncio.sleep(_SETTLE_SECONDS)
        # The client may have been quicker.
        with suppress(OSError):
            raw = self.writer.get_extra_info("socket")
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
        self.writer.transport.abort()

    async def half_close(self) -> None:
        """Close our direction alone, and go on listening."""
        self.keep = False
        self.writer.write_eof()
        await self.silence()

    def close(self) -> None:
        """End the connection in good order after this answer."""
        self.keep = False


def head(status: int, headers: Iterable[Header] = ()) -> bytes:
    """A status line and headers, ended by the blank line."""
    lines = [
        f"HTTP/1.1 {status} {_phrase(status)}",
        *(f"{name}: {value}" for name, value in headers),
    ]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")


def _phrase(status: int) -> str:
    return HTTPStatus(status).phrase if status in set(HTTPStatus) else "Unnamed"


def whole_answer(exchange: Exchange) -> bytes:
    """The bytes of a right answer, `safe`: what faults cut, delay and drown."""
    body = json.dumps(exchange.answer("safe")).encode()
    return head(200, [JSON_TYPE, ("content-length", str(len(body)))]) + body
