"""A first step taken at once changes nothing for what is awaited: values, errors, cancellation."""

import asyncio

import pytest
from starlette.types import Message

from abuse_gate.asgi.body import MOST_AT_ONCE, Body
from abuse_gate.asgi.promptly import start


async def ready(value: int) -> int:
    return value


async def later(value: int, seen: list[str]) -> int:
    try:
        await asyncio.sleep(0)
        await asyncio.sleep(0.001)
    except asyncio.CancelledError:
        seen.append("cancelled")
        raise
    return value


class Thing:
    """An awaitable that is no coroutine."""

    def __await__(self):  # type: ignore[no-untyped-def]
        yield from asyncio.sleep(0).__await__()
        return "thing"


async def test_what_is_ready_is_there_at_once() -> None:
    assert start(ready(3)) == (3, None)


async def test_what_is_not_ready_is_awaited_to_its_end() -> None:
    value, pending = start(later(4, []))
    assert value is None
    assert pending is not None
    assert await pending == 4


async def test_any_awaitable_will_do() -> None:
    _, pending = start(Thing())
    assert pending is not None
    assert await pending == "thing"


async def test_an_error_of_the_first_step_is_raised_at_once() -> None:
    async def broken() -> int:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        start(broken())


async def test_a_later_error_reaches_who_awaits() -> None:
    async def broken() -> int:
        await asyncio.sleep(0)
        raise ZeroDivisionError

    _, pending = start(broken())
    assert pending is not None
    with pytest.raises(ZeroDivisionError):
        await pending


async def test_a_deadline_reaches_what_is_awaited() -> None:
    seen: list[str] = []

    async def endless() -> int:
        try:
            await asyncio.Event().wait()
        finally:
            seen.append("left")
        return 1

    _, pending = start(endless())
    assert pending is not None
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.01):
            await pending
    assert seen == ["left"]


async def test_an_error_may_be_swallowed_and_the_waiting_go_on() -> None:
    async def stubborn() -> str:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            await asyncio.sleep(0)
        return "done"

    _, pending = start(stubborn())
    assert pending is not None
    task = asyncio.ensure_future(_awaited(pending))
    await asyncio.sleep(0)
    task.cancel()
    assert await task == "done"


async def _awaited(pending: object) -> object:
    return await pending  # type: ignore[misc]


async def test_a_servers_own_timeout_while_the_body_comes_is_not_our_deadline() -> None:
    async def receive() -> Message:
        await asyncio.sleep(0)
        raise TimeoutError

    body = Body(receive)
    assert body.read_at_once(10) is None
    with pytest.raises(TimeoutError):
        await body.read(10, 5.0, lossless=False)


def messages(*bodies: bytes) -> list[Message]:
    last = len(bodies) - 1
    return [
        {"type": "http.request", "body": body, "more_body": at < last}
        for at, body in enumerate(bodies)
    ]


# Messages that are there already, the limit, what comes of them, and how many were taken.
SEVERAL: list[tuple[list[Message], int, str | None, int]] = [
    (messages(b"abc", b""), 10, "complete", 2),
    (messages(b"a", b"b", b"c"), 10, "complete", 3),
    (messages(b"abc", b"d" * 8, b"e"), 10, "over", 2),
    ([*messages(b"abc", b"")[:1], {"type": "http.disconnect"}], 10, "gone", 2),
    (messages(*[b"a"] * (MOST_AT_ONCE + 1)), 99, "complete", MOST_AT_ONCE + 1),
    (messages(*[b"a"] * (MOST_AT_ONCE + 2)), 99, None, MOST_AT_ONCE + 1),
]


@pytest.mark.parametrize(("sent", "limit", "outcome", "taken"), SEVERAL)
async def test_a_few_messages_that_are_there_are_read_at_once(
    sent: list[Message], limit: int, outcome: str | None, taken: int
) -> None:
    left = [*sent]

    async def receive() -> Message:
        return left.pop(0)

    body = Body(receive)
    assert body.read_at_once(limit) == outcome
    assert len(sent) - len(left) == taken
    if outcome is None:
        outcome = await body.read(limit, 5.0, lossless=False)
    whole = b"".join(message.get("body", b"") for message in sent[: len(sent) - len(left)])
    assert body.data == whole
    first = await body.receive()
    assert first["body"] == whole
    assert first["more_body"] is (outcome != "complete")


async def test_what_is_not_there_yet_is_waited_for_after_what_is() -> None:
    left = messages(b"a", b"b", b"c")

    async def receive() -> Message:
        if len(left) == 1:
            await asyncio.sleep(0.001)
        return left.pop(0)

    body = Body(receive)
    assert body.read_at_once(10) is None
    assert await body.read(10, 5.0, lossless=False) == "complete"
    assert await body.receive() == {"type": "http.request", "body": b"abc", "more_body": False}
