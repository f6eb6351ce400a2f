"""What is measured: apps with and without the gate, and the bodies that are sent to them.

The floor is the least that any middleware of this kind must do: buffer, replay, three headers.
"""

import json
from collections.abc import Callable
from typing import Any, Final

from fastapi import FastAPI
from pydantic import BaseModel
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from abuse_gate import AbuseGateMiddleware, Settings

PATH: Final = "/v1/chat/completions"
_SENTENCES: Final = (
    "Could you explain how a sourdough starter keeps its strength over the winter? ",
    "My kitchen is cold and the dough rises slowly, so I let it rest until the next day. ",
    "Which flour would you choose for a loaf that two people finish in three days? ",
)
_HEADERS: Final = (
    (b"x-guardrail-decision", b"allow"),
    (b"x-guardrail-mode", b"normal"),
    (b"x-guardrail-incident-id", b"0" * 32),
)


class Turn(BaseModel):
    """One message of a chat."""

    role: str
    content: str


class Chat(BaseModel):
    """A chat request."""

    model: str
    messages: list[Turn]


async def _fastapi_chat(chat: Chat) -> dict[str, Any]:
    return {"turns": len(chat.messages), "reply": "Keep it warm."}


async def _starlette_chat(request: Request) -> JSONResponse:
    chat = await request.json()
    return JSONResponse({"turns": len(chat["messages"]), "reply": "Keep it warm."})


class Floor:
    """Buffers the body, replays it, adds three headers, and does nothing else."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request, unread."""
        message = await receive()
        body = message["body"]
        while message.get("more_body", False):
            message = await receive()
            body += message["body"]
        waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

        async def replay() -> Message:
            return waiting.pop() if waiting else await receive()

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *_HEADERS]
            await send(message)

        await self.app(scope, replay, with_headers)


def fastapi_app() -> ASGIApp:
    """A FastAPI endpoint that validates a chat and answers with JSON."""
    app = FastAPI()
    app.post(PATH)(_fastapi_chat)
    return app


def starlette_app() -> ASGIApp:
    """The same in plain Starlette, with no validation."""
    return Starlette(routes=[Route(PATH, _starlette_chat, methods=["POST"])])


def gated(app: ASGIApp) -> ASGIApp:
    """The app behind a gate with its default settings, whatever the environment says."""
    return AbuseGateMiddleware(app, settings=Settings())


def same(app: ASGIApp) -> ASGIApp:
    """The app as it is: the control, whose ratio ought to be one."""
    return app


def chat_body(size: int, last: str = "") -> bytes:
    """An ordinary chat of about `size` bytes, of turns as people write them."""
    turns: list[dict[str, str]] = []
    written = 0
    while written < size - len(last):
        role = "user" if len(turns) % 2 == 0 else "assistant"
        text = "".join(_SENTENCES[(len(turns) + step) % len(_SENTENCES)] for step in range(3))
        turns.append({"role": role, "content": text[: size - len(last) - written]})
        written += len(json.dumps(turns[-1])) + 2
    if last:
        turns.append({"role": "user", "content": last})
    return json.dumps({"model": "stand-in", "messages": turns}).encode()


Wrap = Callable[[ASGIApp], ASGIApp]
