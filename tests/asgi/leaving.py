"""A server whose clients leave when a test says so, and an app that must not hear of it."""

import asyncio
from collections.abc import Callable

from starlette.types import Message, Receive, Scope, Send

from abuse_gate.asgi.doorman import Doorman

Gated = Callable[..., Doorman]

GONE: Message = {"type": "http.disconnect"}
PATIENT = {"verifier_timeout_ms": 60_000}


class Server:
    """A server whose messages are put in by hand; counts how often it was asked."""

    def __init__(self, *messages: Message) -> None:
        self.incoming: asyncio.Queue[Message] = asyncio.Queue()
        self.sent: list[Message] = []
        self.asked = 0
        self.dropped = 0
        for message in messages:
            self.incoming.put_nowait(message)

    async def receive(self) -> Message:
        self.asked += 1
        try:
            return await self.incoming.get()
        except asyncio.CancelledError:
            self.dropped += 1
            raise

    async def send(self, message: Message) -> None:
        self.sent.append(message)


async def never(scope: Scope, receive: Receive, send: Send) -> None:
    raise AssertionError("the app was called")


async def settled() -> None:
    for _ in range(10):
        await asyncio.sleep(0)
