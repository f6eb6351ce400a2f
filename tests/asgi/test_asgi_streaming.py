"""Responses: untouched but for the headers on their start, and never held back."""

import asyncio
import itertools
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
from starlette.background import BackgroundTask
from starlette.responses import FileResponse, StreamingResponse
from starlette.types import Message, Receive, Scope, Send

from abuse_gate.asgi.doorman import Doorman
from abuse_gate.testing import ScriptedAdapter
from abuse_gate.testing.asgi import chunks, converse, http_scope

Gated = Callable[..., Doorman]

SPECS = ("2.0", "2.3", "2.4")
EVENTS = [f"data: {number}\n\n".encode() for number in range(5)]

# Whatever an app may send beside or instead of a plain body.
EXTENSIONS: list[Message] = [
    {"type": "http.response.pathsend", "path": "/tmp/file"},  # noqa: S108 - never opened
    {"type": "http.response.zerocopysend", "file": 3, "count": 10},
    {"type": "http.response.push", "path": "/style.css", "headers": [(b"x-guardrail-a", b"b")]},
    {"type": "http.response.early_hint", "links": [b"</style.css>; rel=preload"]},
    {"type": "http.response.debug", "info": {"template": "a.html"}},
    {"type": "x.unknown.message", "headers": [(b"X-Guardrail-Mode", b"theirs")]},
]


class Wire:
    """A server that keeps what it is sent; its client says nothing more unless it leaves."""

    def __init__(self, body: bytes = b"hello") -> None:
        self.waiting = chunks(body)
        self.sent: list[Message] = []
        self.left = asyncio.Event()

    async def receive(self) -> Message:
        if self.waiting:
            return self.waiting.pop(0)
        await self.left.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Message) -> None:
        self.sent.append(message)

    @property
    def bodies(self) -> list[bytes]:
        return [m["body"] for m in self.sent if m["type"] == "http.response.body" and m["body"]]


@pytest.mark.parametrize("slow", [False, True])
@pytest.mark.parametrize("spec", SPECS)
async def test_each_event_is_on_the_wire_before_the_next_is_made(
    gated: Gated, spec: str, slow: bool
) -> None:
    wire, finished = Wire(), list[str]()

    async def events() -> AsyncIterator[bytes]:
        for number, event in enumerate(EVENTS):
            assert wire.bodies == EVENTS[:number]
            yield event

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        after = BackgroundTask(finished.append, "background")
        answer = StreamingResponse(events(), media_type="text/event-stream", background=after)
        await answer(scope, receive, send)

    adapter = ScriptedAdapter(delay=0.01) if slow else None
    scope = http_scope(spec_version=spec)
    await gated(app, adapter=adapter)(scope, wire.receive, wire.send)
    assert wire.bodies == EVENTS
    assert finished == ["background"]
    assert wire.sent[-1] == {"type": "http.response.body", "body": b"", "more_body": False}
    assert (b"content-type", b"text/event-stream; charset=utf-8") in wire.sent[0]["headers"]


@pytest.mark.parametrize("slow", [False, True])
async def test_a_stream_ends_when_the_client_leaves(gated: Gated, slow: bool) -> None:
    """Before 2.4 the response listens for the disconnect itself, through our `receive`."""
    wire = Wire()

    async def endless() -> AsyncIterator[bytes]:
        for number in itertools.count():
            if number == 3:
                wire.left.set()
            yield b"%d" % number
            await asyncio.sleep(0.001)

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await StreamingResponse(endless())(scope, receive, send)

    adapter = ScriptedAdapter(delay=0.01) if slow else None
    gate = gated(app, adapter=adapter)
    async with asyncio.timeout(20):
        await gate(http_scope(spec_version="2.3"), wire.receive, wire.send)
    assert wire.bodies[:4] == [b"0", b"1", b"2", b"3"]


async def test_a_stream_hears_of_a_broken_connection_from_send(gated: Gated) -> None:
    """From 2.4 on a client that left is an OSError of `send`; it reaches the app unchanged."""
    broken, caught = OSError(), list[BaseException]()

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await send({"type": "http.response.start", "status": 200, "headers": []})
        except OSError as error:
            caught.append(error)

    async def send(message: Message) -> None:
        raise broken

    await gated(app)(http_scope(spec_version="2.4"), Wire().receive, send)
    assert caught == [broken]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "answer.txt"
    path.write_bytes(b"contents")
    return path


async def test_a_file_is_sent_by_path(gated: Gated, file: Path) -> None:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await FileResponse(file, media_type="text/plain")(scope, receive, send)

    scope = http_scope(method="GET", extensions={"http.response.pathsend": {}})
    talk = await converse(gated(app), scope, chunks(b""))
    plain = await converse(gated(app), http_scope(method="GET"), chunks(b""))
    assert talk.sent[1:] == [{"type": "http.response.pathsend", "path": str(file)}]
    assert plain.body == b"contents"
    assert b"x-guardrail-incident-id" in talk.headers


@pytest.mark.parametrize("message", EXTENSIONS, ids=lambda message: message["type"])
async def test_other_messages_pass_as_they_are(gated: Gated, message: Message) -> None:
    before = repr(message)

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await send(message)

    talk = await converse(gated(app), http_scope(), chunks(b""))
    assert len(talk.sent) == 1
    assert talk.sent[0] is message
    assert repr(message) == before


async def test_a_trailer_cannot_say_what_only_the_gate_says(gated: Gated) -> None:
    trailers: Message = {
        "type": "http.response.trailers",
        "headers": [(b"X-Guardrail-Decision", b"spoof"), (b"digest", b"1")],
        "more_trailers": False,
    }

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await send(trailers)

    talk = await converse(gated(app), http_scope(), chunks(b""))
    assert talk.sent == [{**trailers, "headers": [(b"digest", b"1")]}]
    assert len(trailers["headers"]) == 2


async def test_the_start_of_a_response_keeps_its_other_keys(gated: Gated) -> None:
    start: Message = {"type": "http.response.start", "status": 201, "trailers": True, "x": 1}

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await send(start)

    talk = await converse(gated(app), http_scope(), chunks(b""))
    sent = {key: value for key, value in talk.sent[0].items() if key != "headers"}
    assert sent == start
    assert len(talk.sent[0]["headers"]) == 3
    assert "headers" not in start


@pytest.mark.parametrize("started", [False, True])
@pytest.mark.parametrize("slow", [False, True])
async def test_what_the_app_raises_is_raised(gated: Gated, started: bool, slow: bool) -> None:
    error, wire = ZeroDivisionError(), Wire()

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        if started:
            await send({"type": "http.response.start", "status": 200, "headers": []})
        raise error

    gate = gated(app, adapter=ScriptedAdapter(delay=0.01) if slow else None)
    with pytest.raises(ZeroDivisionError) as caught:
        await gate(http_scope(), wire.receive, wire.send)
    assert caught.value is error
    assert len(wire.sent) == int(started)
