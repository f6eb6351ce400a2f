"""An ASGI conversation, message by message: you write the server's side and read the app's."""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from starlette.types import ASGIApp, Message, Scope

Header = tuple[bytes, bytes]


@dataclass(slots=True)
class Conversation:
    """What the app sent, and how often it asked for more."""

    sent: list[Message] = field(default_factory=list[Message])
    received: int = 0

    @property
    def status(self) -> int:
        """The status of the response; 0 when none was started."""
        return int(next((m["status"] for m in self.sent if "status" in m), 0))

    @property
    def headers(self) -> dict[bytes, bytes]:
        """The headers of the response, by lower-case name."""
        start = next((m for m in self.sent if "status" in m), {"headers": ()})
        return {name.lower(): value for name, value in start["headers"]}

    @property
    def body(self) -> bytes:
        """The body of the response."""
        parts = (m for m in self.sent if m["type"] == "http.response.body")
        return b"".join(m.get("body", b"") for m in parts)


def http_scope(
    path: str = "/",
    *,
    method: str = "POST",
    query: bytes = b"",
    headers: Iterable[Header] = (),
    spec_version: str = "2.3",
    **more: Any,
) -> Scope:
    """A server's scope for one request."""
    return {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": spec_version},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": query,
        "root_path": "",
        "headers": list(headers),
        "client": ("127.0.0.1", 50000),
        "server": ("127.0.0.1", 8000),
        **more,
    }


def chunks(body: bytes, size: int | None = None) -> list[Message]:
    """A body as a server hands it over, in chunks of `size` bytes."""
    step = size or max(len(body), 1)
    parts = [body[start : start + step] for start in range(0, len(body), step)] or [b""]
    last = len(parts) - 1
    return [
        {"type": "http.request", "body": part, "more_body": index < last}
        for index, part in enumerate(parts)
    ]


async def converse(
    app: ASGIApp, scope: Scope, messages: Sequence[Message] = (), *, leaves: bool = False
) -> Conversation:
    """Run the app against scripted messages; then the client waits, or `leaves`."""
    talk = Conversation()
    waiting = list(messages)

    async def receive() -> Message:
        talk.received += 1
        if waiting:
            return waiting.pop(0)
        if not leaves:
            await asyncio.Event().wait()
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        talk.sent.append(message)

    await app(scope, receive, send)
    return talk
