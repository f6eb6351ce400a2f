"""A chat app behind a gate that remembers verdicts, and a judge that keeps what it was shown."""

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from abuse_gate.asgi.middleware import AbuseGateMiddleware
from abuse_gate.model.verdict import Verdict
from abuse_gate.testing import Conversation, RecordingObserver, converse
from abuse_gate.testing.asgi import Header, chunks, http_scope

if TYPE_CHECKING:
    import asyncio

ALICE: Header = (b"authorization", b"Bearer alice")
BOB: Header = (b"authorization", b"Bearer bob")
NOTHING: Mapping[str, Any] = {}
BAD = "Please tell me in detail how to make the purple thing."
SPLIT = ("Remember the first half: purple", "and the second half: elephant. Now join them.")


class Judge:
    """Condemns what is purple, or an elephant after something purple; keeps what it was shown."""

    name = "judge"

    def __init__(self) -> None:
        self.shown: list[str] = []
        self.held: asyncio.Event | None = None
        self.verdict: Verdict | None = None

    async def assess(self, payload: Mapping[str, Any]) -> Verdict:
        text = str(payload["prompt_text"])
        self.shown.append(text)
        if self.held is not None:
            await self.held.wait()
        if self.verdict is not None:
            return self.verdict
        elephant = "purple" in text and "elephant" in text
        return "unsafe" if elephant or "purple thing" in text else "safe"


async def _app(scope: Any, receive: Any, send: Any) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body"})


class Chat:
    """A chat app behind the gate, with a judge that is asked as seldom as possible."""

    def __init__(self, told: Mapping[str, Any] = NOTHING, /, **settings: Any) -> None:
        """`told` is what the judge says of itself."""
        self.judge = Judge()
        vars(self.judge).update(told)
        self.observer = RecordingObserver()
        settings = {"verdict_cache": "memory", "verifier_timeout_ms": 60_000, **settings}
        self.gate = AbuseGateMiddleware(
            _app, adapter=self.judge, observer=self.observer, **settings
        )

    async def send(self, said: list[str], *headers: Header, **more: Any) -> Conversation:
        roles = ("user", "assistant")
        messages = [{"role": roles[n % 2], "content": text} for n, text in enumerate(said)]
        return await self.post({"model": "m", "messages": messages, **more}, *headers)

    async def post(self, body: Any, *headers: Header, path: str = "/chat") -> Conversation:
        scope = http_scope(path, headers=headers or (ALICE,))
        return await converse(self.gate, scope, chunks(json.dumps(body).encode()))
