"""A chat app with tools and uploads, guarded by one line: the last one of this file.

Run it   uvicorn examples.chat_app:app
Try it   curl -i localhost:8000/chat --json '{"message": "How do I bake bread?"}'
See      200 and X-Guardrail-Decision: allow. Ask it to ignore its previous instructions: 403.

The model is a stand-in that gives the same answer to the same words: no key, no network.
"""

from typing import Any, Final

from fastapi import FastAPI, UploadFile
from pydantic import BaseModel

from abuse_gate import AbuseGateMiddleware

ANSWERS: Final[dict[str, str]] = {
    "bread": "Mix flour, water, salt and starter, wait a day, bake it hot.",
    "weather": "Sun in the morning, clouds at noon, an umbrella for the evening.",
    "page": "The page is about bread, and it is in favour of it.",
    "password": "I do not know any passwords; please ask whoever runs the network.",
}
# One chat under three addresses, for operators who want a policy of its own for each.
CHAT_PATHS: Final = ("/chat", "/careful/chat", "/trial/chat")
FALLBACK: Final = "I am a stand-in for a model, and I have nothing to say about that."

METHOD_NOT_FOUND: Final = -32601
INVALID_PARAMS: Final = -32602


class Question(BaseModel):
    """A chat in its shortest form."""

    message: str


class Message(BaseModel):
    """One turn of a conversation."""

    role: str
    content: Any = None


class Completion(BaseModel):
    """As much of an OpenAI chat completion request as a stand-in needs."""

    messages: list[Message]
    model: str = "stand-in"


class Call(BaseModel):
    """A JSON-RPC request as MCP clients send it."""

    jsonrpc: str
    method: str
    id: str | int | None = None
    params: dict[str, Any] = {}


def answer(text: str) -> str:
    """The stand-in's whole mind: the first word that it knows decides."""
    lowered = text.lower()
    return next((known for word, known in ANSWERS.items() if word in lowered), FALLBACK)


async def chat(question: Question) -> dict[str, str]:
    """A question in, an answer out."""
    return {"reply": answer(question.message)}


async def complete(request: Completion) -> dict[str, Any]:
    """The shape that OpenAI's SDK expects."""
    asked = " ".join(str(m.content) for m in request.messages if m.role == "user")
    message = {"role": "assistant", "content": answer(asked)}
    return {
        "id": "chatcmpl-stand-in",
        "object": "chat.completion",
        "created": 0,
        "model": request.model,
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
    }


async def mcp(call: Call) -> dict[str, Any]:
    """An MCP tool server: `tools/call` with the tools below."""
    if call.method != "tools/call":
        return _failed(call, METHOD_NOT_FOUND, "this server knows tools/call only")
    tool = TOOLS.get(str(call.params.get("name")))
    if tool is None:
        return _failed(call, INVALID_PARAMS, f"the tools are {', '.join(TOOLS)}")
    content = [{"type": "text", "text": tool}]
    return {"jsonrpc": "2.0", "id": call.id, "result": {"content": content}}


async def upload(file: UploadFile) -> dict[str, Any]:
    """Says how much arrived."""
    return {"bytes": len(await file.read())}


async def health() -> dict[str, str]:
    """For whoever watches the service."""
    return {"status": "ok"}


TOOLS: Final[dict[str, str]] = {
    "search": "Three pages about bread were found.",
    "bash": "A stand-in for a shell: nothing was run.",
}


def _failed(call: Call, code: int, message: str) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": call.id, "error": {"code": code, "message": message}}


def build_app() -> FastAPI:
    """The app without its guard, for those who want to compare."""
    bare = FastAPI(title="A chat app")
    for path in CHAT_PATHS:
        bare.post(path)(chat)
    bare.post("/v1/chat/completions")(complete)
    bare.post("/mcp")(mcp)
    bare.post("/upload")(upload)
    bare.get("/health")(health)
    return bare


app = build_app()
app.add_middleware(AbuseGateMiddleware)
