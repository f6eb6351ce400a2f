"""The public fakes do what their docstrings say, so that users' own tests can rely on them."""

import asyncio
from typing import Any

import pytest
from starlette.types import Message, Receive, Scope, Send

from abuse_gate import testing
from abuse_gate.model.events import BreakerMoved, Verified
from abuse_gate.model.verdict import Assessment
from abuse_gate.testing import Conversation, FakeClock, RecordingObserver, ScriptedAdapter, converse
from abuse_gate.testing.asgi import chunks, http_scope


def test_the_room_exports_what_it_says() -> None:
    # Constants first, as the linter sorts them.
    ranked = sorted(testing.__all__, key=lambda name: (not name.isupper(), name))
    assert testing.__all__ == ranked
    assert all(hasattr(testing, name) for name in testing.__all__)


def test_a_clock_moves_when_it_is_told_to() -> None:
    clock = FakeClock(5.0)
    assert (clock(), clock()) == (5.0, 5.0)
    clock.advance(2.5)
    assert clock() == 7.5
    assert FakeClock()() > 0


async def test_a_script_is_played_in_order_and_its_last_answer_for_ever() -> None:
    rich = Assessment("unclear", "own")
    adapter = ScriptedAdapter(["safe", rich, "unsafe"])
    assert [await adapter.assess({"n": n}) for n in range(4)] == ["safe", rich, "unsafe", "unsafe"]
    assert adapter.payloads == [{"n": 0}, {"n": 1}, {"n": 2}, {"n": 3}]


async def test_a_single_answer_needs_no_list() -> None:
    rich = Assessment("unclear", "own")
    assert await ScriptedAdapter().assess({}) == "safe"
    assert await ScriptedAdapter("unsafe").assess({}) == "unsafe"
    assert await ScriptedAdapter(rich).assess({}) == rich


async def test_an_exception_in_the_script_is_raised() -> None:
    adapter = ScriptedAdapter([ValueError("x"), "safe"])
    with pytest.raises(ValueError, match="x"):
        await adapter.assess({})
    assert await adapter.assess({}) == "safe"
    with pytest.raises(KeyError):
        await ScriptedAdapter(KeyError("y")).assess({})


async def test_a_question_that_was_given_up_on_is_counted() -> None:
    adapter = ScriptedAdapter("safe", delay=30)
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(adapter.assess({}), 0.01)
    assert adapter.cancelled == 1


def test_an_observer_keeps_events_by_kind() -> None:
    observer = RecordingObserver()
    moved, asked = BreakerMoved("a", "b", "c"), Verified("a", "safe", "x", 0.0, 1)
    for event in (moved, asked, moved):
        observer.record(event)
    assert observer.events == [moved, asked, moved]
    assert observer.of(BreakerMoved) == [moved, moved]


@pytest.mark.parametrize(
    ("body", "size", "parts"),
    [
        (b"", None, [b""]),
        (b"abc", None, [b"abc"]),
        (b"abc", 1, [b"a", b"b", b"c"]),
        (b"abc", 2, [b"ab", b"c"]),
        (b"abc", 9, [b"abc"]),
    ],
)
def test_a_body_in_chunks(body: bytes, size: int | None, parts: list[bytes]) -> None:
    messages = chunks(body, size)
    assert [message["body"] for message in messages] == parts
    assert [message["more_body"] for message in messages] == [True] * (len(parts) - 1) + [False]


def test_a_scope_is_a_servers() -> None:
    scope = http_scope("/a", method="PUT", query=b"q=1", headers=[(b"h", b"v")], state={})
    assert (scope["type"], scope["path"], scope["raw_path"]) == ("http", "/a", b"/a")
    assert (scope["method"], scope["query_string"], scope["state"]) == ("PUT", b"q=1", {})
    assert scope["headers"] == [(b"h", b"v")]
    assert http_scope(spec_version="2.4")["asgi"]["spec_version"] == "2.4"


async def echo(scope: Scope, receive: Receive, send: Send) -> None:
    body, more = b"", True
    while more:
        message: Message = await receive()
        body += message["body"]
        more = message["more_body"]
    headers: list[Any] = [(b"X-Kind", b"echo")]
    await send({"type": "http.response.start", "status": 201, "headers": headers})
    await send({"type": "http.response.body", "body": body[:2], "more_body": True})
    await send({"type": "http.response.body", "body": body[2:]})


async def test_a_conversation_is_kept_message_by_message() -> None:
    talk = await converse(echo, http_scope(), chunks(b"hello", 2))
    assert (talk.status, talk.body, talk.received) == (201, b"hello", 3)
    assert talk.headers == {b"x-kind": b"echo"}
    assert [message["type"] for message in talk.sent] == [
        "http.response.start",
        "http.response.body",
        "http.response.body",
    ]


def test_a_conversation_without_an_answer_has_no_status() -> None:
    silent = Conversation()
    assert (silent.status, silent.headers, silent.body) == (0, {}, b"")


async def listens(scope: Scope, receive: Receive, send: Send) -> None:
    message = await receive()
    await send({"type": message["type"]})


async def test_a_client_that_leaves_is_a_disconnect_and_one_that_stays_is_silence() -> None:
    left = await converse(listens, http_scope(), leaves=True)
    assert left.sent == [{"type": "http.disconnect"}]
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(converse(listens, http_scope()), 0.02)
