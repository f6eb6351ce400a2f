"""A request's body: buffered within a bound, then replayed byte for byte.

After the buffered part the app gets the server's own `receive`: never an invented disconnect,
never an invented empty body. A `receive` that is already pending is handed to the app, not dropped.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable
from functools import partial
from typing import Any, Final, Literal, TypeVar

from starlette.types import Message, Receive

from abuse_gate.asgi.promptly import start

Outcome = Literal["complete", "over", "late", "gone"]
Result = TypeVar("Result")

REQUEST: Final = "http.request"
# Messages kept for the app while a verifier is asked; a client that sends more is not heard.
MOST_KEPT: Final = 16
# Messages after the first that are taken without a pause; who sends more lets others have turns.
MOST_AT_ONCE: Final = 8


class _Late(Exception):
    """The deadline has passed and the message has not come."""


class Body:
    """One request's body; lives as long as the request."""

    # What most bodies never need stands here, so that it need not be set for each.
    _first: Message | None = None
    _buffer: bytearray | None = None
    _started: Awaitable[Message] | None = None
    _at_once: Outcome | Literal["untried"] | None = "untried"
    _more = True
    _kept: "deque[asyncio.Future[Message]] | None" = None
    _listener: "asyncio.Future[Message] | None" = None
    data = b""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive

    def read_at_once(self, limit: int) -> Outcome | None:
        """The whole body if it is there without waiting; None when there is more to `read`.

        It is there more often than not, and then there is no clock to set. Tried once.
        """
        if self._at_once != "untried":
            return self._at_once
        message, self._started = start(self._receive())
        if message is None:
            self._at_once = None
        elif message["type"] != REQUEST or message.get("more_body", False):
            self._at_once = self._heard(message, limit) or self._heard_more(limit)
        else:
            # The whole of it in one message, as most bodies come.
            self._first, self._more = message, False
            self.data = message.get("body", b"")
            self._at_once = "over" if len(self.data) > limit else "complete"
        return self._at_once

    def _heard_more(self, limit: int) -> Outcome | None:
        """The rest of a body that comes in a few messages, all of them there already."""
        for _ in range(MOST_AT_ONCE):
            message, self._started = start(self._receive())
            if message is None:
                break
            outcome = self._heard(message, limit)
            if outcome is not None:
                self._put_together()
                return outcome
        return None

    async def read(self, limit: int, seconds: float, *, lossless: bool) -> Outcome:
        """Buffer up to `limit` bytes (and the chunk that crosses it), for at most `seconds`.

        `lossless` keeps the message that is on its way at the deadline, for an app that is to have
        the request all the same; it costs a task a message.
        """
        outcome = await (self._patient if lossless else self._strict)(limit, seconds)
        self._put_together()
        return outcome

    def _put_together(self) -> None:
        """One message for many: a body of one-byte chunks must not cost a dict a byte."""
        if self._buffer is not None:
            self.data = bytes(self._buffer)
            self._first = {"type": REQUEST, "body": self.data, "more_body": self._more}
            self._buffer = None

    async def receive(self) -> Message:
        """What the app calls: the buffered body first, then whatever the server says."""
        message = self._first
        if message is None:
            return await self._next()
        self._first = None
        return message

    async def watched(self, work: Awaitable[Result]) -> Result | None:
        """The work's result, or None when the client leaves first; the work is cancelled then."""
        task: asyncio.Future[Result] = asyncio.ensure_future(work)
        try:
            for _ in range(MOST_KEPT):
                listener = self._listen()
                both: set[asyncio.Future[Any]] = {task, listener}
                await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
                if task.done() or _broken(listener):
                    break
                if _farewell(listener):
                    return None
            await asyncio.wait({task})
            return task.result()
        finally:
            task.cancel()

    def _listen(self) -> "asyncio.Future[Message]":
        """The next message, which is the app's whenever it comes; never two at a time."""
        if self._listener is not None and not _was_more(self._listener):
            return self._listener
        listener = self._listener = asyncio.ensure_future(self._receive())
        if self._kept is None:
            self._kept = deque()
        self._kept.append(listener)
        return listener

    def close(self) -> None:
        """Stop listening; the request is over."""
        if self._listener is not None:
            self._listener.cancel()

    async def _strict(self, limit: int, seconds: float) -> Outcome:
        first, self._started = self._started, None
        clock = asyncio.timeout(seconds)
        try:
            async with clock:
                return await self._fill(limit, self._receive, first)
        except TimeoutError:
            if not clock.expired():
                raise
            return "late"

    async def _patient(self, limit: int, seconds: float) -> Outcome:
        deadline = asyncio.get_running_loop().time() + seconds
        try:
            return await self._fill(limit, partial(self._in_time, deadline))
        except _Late:
            return "late"

    async def _in_time(self, deadline: float) -> Message:
        """The next message; one that is late stays pending, for the app."""
        coming = self._listen()
        await asyncio.wait({coming}, timeout=deadline - asyncio.get_running_loop().time())
        if not coming.done():
            raise _Late
        self._kept = self._listener = None
        return coming.result()

    async def _fill(
        self, limit: int, receive: Receive, first: Awaitable[Message] | None = None
    ) -> Outcome:
        while self._more:
            outcome = self._heard(await (first or receive()), limit)
            if outcome is not None:
                return outcome
            first = None
        # All of it was there before anybody asked for so much of it.
        return "over" if self._size() > limit else "complete"

    def _heard(self, message: Message, limit: int) -> Outcome | None:
        """Keep one message; None while there is more to come."""
        if message["type"] != REQUEST:
            return "gone"
        self._more = bool(message.get("more_body", False))
        self._take(message)
        if self._size() > limit:
            return "over"
        return None if self._more else "complete"

    def _take(self, message: Message) -> None:
        chunk: bytes = message.get("body", b"")
        if self._first is None:
            self._first, self.data = message, chunk
            return
        if self._buffer is None:
            self._buffer = bytearray(self.data)
        self._buffer += chunk

    def _size(self) -> int:
        return len(self.data) if self._buffer is None else len(self._buffer)

    async def _next(self) -> Message:
        kept = self._kept
        if not kept:
            return await self._receive()
        pending = kept.popleft()
        try:
            return await asyncio.shield(pending)
        except asyncio.CancelledError:
            # An app that stops waiting must not take the message with it.
            kept.appendleft(pending)
            raise


def _farewell(listener: "asyncio.Future[Message]") -> bool:
    """Whether the client is gone; more of the body is not a farewell and waits for the app."""
    return listener.cancelled() or bool(listener.result()["type"] != REQUEST)


def _was_more(listener: "asyncio.Future[Message]") -> bool:
    """Whether a message has come, and others may follow it."""
    return listener.done() and not _broken(listener) and not _farewell(listener)


def _broken(listener: "asyncio.Future[Message]") -> bool:
    """Whether `receive` raised: that is the app's to hear, as it would be without us."""
    return not listener.cancelled() and listener.exception() is not None
