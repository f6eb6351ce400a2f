"""What is measured: apps with and without the gate, and the bodies that are sent to them.

The floor is the least that any middleware of this kind must do: buffer, replay, three headers.
"""

import json
from collections.abc import Callable
from typing import Annotated, Any, Final

from fastapi import Depends, FastAPI, Header
from pydantic import BaseModel
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from abuse_gate import AbuseGateMiddleware, Settings

PATH: Final = "/v1/chat/completions"
# A word of an ordinary chat in whose place another one may stand.
NEW: Final = b"winter"
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


class ChatRequest(BaseModel):
    """A chat request."""

    model: str
    messages: list[Turn]
    temperature: float | None = None
    max_tokens: int | None = None
    stream: bool = False


class ChatResponse(BaseModel):
    """A chat's answer."""

    model: str
    reply: str
    turns: int


async def _modelled(chat: ChatRequest) -> ChatResponse:
    return ChatResponse(model=chat.model, reply="Keep it warm.", turns=len(chat.messages))


async def _bearer(authorization: Annotated[str, Header()]) -> str:
    return authorization.removeprefix("Bearer ")


async def _dependent(chat: ChatRequest, caller: Annotated[str, Depends(_bearer)]) -> ChatResponse:
    return ChatResponse(model=chat.model, reply=f"Hello {caller}.", turns=len(chat.messages))


async def _bare_dict(chat: ChatRequest) -> dict[str, Any]:
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
    """A FastAPI endpoint with a model for its body and a model for its answer."""
    app = FastAPI()
    app.post(PATH)(_modelled)
    return app


def dependent_app() -> ASGIApp:
    """The same, with a dependency that takes the caller's token from a header."""
    app = FastAPI()
    app.post(PATH)(_dependent)
    return app


def least_app() -> ASGIApp:
    """The least that FastAPI can do with a chat: no model for the answer."""
    app = FastAPI()
    app.post(PATH, response_model=None)(_bare_dict)
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
