"""A provider on loopback that answers as told and keeps what it was asked, for the real SDKs."""

import asyncio
import copy
import json
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest

from abuse_gate.contract import AdapterConfig

KEY = "sk-canary-key-0451"


@dataclass
class Asked:
    """One request as it came over the wire."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class Loopback:
    """Answers every request with the same status, headers and body."""

    status: int = 200
    body: bytes = b"{}"
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    asked: list[Asked] = field(default_factory=list[Asked])
    url: str = ""
    writers: list[asyncio.StreamWriter] = field(default_factory=list[asyncio.StreamWriter])

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.writers.append(writer)
        try:
            while request := await _read(reader):
                self.asked.append(request)
                writer.write(self._answer())
                await writer.drain()
                if self.headers.get("connection") == "close":
                    break
        finally:
            writer.close()

    def _answer(self) -> bytes:
        headers = {"content-type": "application/json", "content-length": str(len(self.body))}
        lines = [f"{name}: {value}" for name, value in {**headers, **self.headers}.items()]
        head = "\r\n".join([f"HTTP/1.1 {self.status} X", *lines, "", ""])
        return head.encode() + self.body


async def _read(reader: asyncio.StreamReader) -> Asked | None:
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except (asyncio.IncompleteReadError, ConnectionError):
        return None
    first, *lines = head.decode("latin-1").strip().split("\r\n")
    method, path, _ = first.split(" ")
    headers = {
        name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)
    }
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    return Asked(method, path, headers, body)


Serve = Callable[..., AbstractAsyncContextManager[Loopback]]
Configure = Callable[..., AdapterConfig]


@pytest.fixture
def serve() -> Serve:
    """Starts a provider: `async with serve(status=..., body=...) as provider`."""

    @asynccontextmanager
    async def start(**answer: Any) -> AsyncGenerator[Loopback]:
        body = answer.pop("body", b"{}")
        wire = body if isinstance(body, bytes) else json.dumps(body).encode()
        provider = Loopback(body=wire, **answer)
        server = await asyncio.start_server(provider.handle, "127.0.0.1", 0)
        provider.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        try:
            yield provider
        finally:
            server.close()
            for writer in provider.writers:
                writer.close()
            await asyncio.sleep(0.001)

    return start


@pytest.fixture
def configure() -> Configure:
    """An AdapterConfig with a key that tests look for where it must not be."""

    def make(name: str, *, key: str | None = KEY, **fields: Any) -> AdapterConfig:
        async def secret(variable: str, /) -> str | None:
            return key if variable.endswith("_API_KEY") else None

        return AdapterConfig(name=name, timeout_ms=2000, secret=secret, **fields)

    return make


@pytest.fixture
def payload() -> dict[str, Any]:
    """A payload with text in every place."""
    return {
        "prompt_text": "canary-prompt-2718: hello",
        "modalities": ["text"],
        "policy_context": {"block_mode": "baseline", "override_mode": "allow"},
        "ingress_flags": ["malformed"],
        "debug": {"sources": [{"type": "text", "rule_hits": ["override.ignore"], "meta": {}}]},
        "context": [{"origin": "tool", "trust": "untrusted", "text": "canary-context-3141"}],
        "tool_calls": [
            {"name": "bash", "arguments": "canary-call-1618", "risk": "high", "pending": True}
        ],
    }


@pytest.fixture
def altered() -> Callable[[Any, str, Any], Any]:
    """A copy of a reply with one place changed, dropped, or (a list) its first row doubled."""

    def alter(reply: Any, path: str, value: Any) -> Any:
        if not path:
            return value
        held = whole = copy.deepcopy(reply)
        *steps, last = [int(step) if step.isdigit() else step for step in path.split(".")]
        for step in steps:
            held = held[step]
        if value == "<drop>":
            del held[last]
        elif value == "<twice>":
            held[last].append(copy.deepcopy(held[last][0]))
        else:
            held[last] = value
        return whole

    return alter
