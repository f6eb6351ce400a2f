"""Responses on the wire: our three headers on every one of them, and refusals sent whole."""

from typing import Final, Literal

from starlette.types import Message, Scope, Send

from abuse_gate.asgi.refusals import Refusal, render
from abuse_gate.asgi.scopes import decision_in
from abuse_gate.model.decision import Decision

PREFIX: Final = b"x-guardrail-"
Headers = list[tuple[bytes, bytes]]
HeaderStyle = Literal["full", "minimal"]


def guardrail_headers(decision: Decision, style: HeaderStyle) -> Headers:
    """The headers of a gated response; minimal ones tell an attacker nothing."""
    incident = (b"x-guardrail-incident-id", decision.incident_id.encode())
    if style == "minimal":
        return [incident]
    return [
        (b"x-guardrail-decision", decision.decision.encode()),
        (b"x-guardrail-mode", decision.mode.encode()),
        incident,
    ]


def without_client_headers(scope: Scope) -> Scope:
    """The scope with every `X-Guardrail-*` header that a client sent taken out."""
    headers = scope["headers"]
    if not any(name.lower().startswith(PREFIX) for name, _ in headers):
        return scope
    kept = [pair for pair in headers if not pair[0].lower().startswith(PREFIX)]
    return {**scope, "headers": kept}


class HeaderSend:
    """A `send` that puts our headers on the response and lets every other message through."""

    __slots__ = ("_decision", "_scope", "_send", "_style")

    def __init__(self, send: Send, scope: Scope, decision: Decision, style: HeaderStyle) -> None:
        self._send = send
        self._scope = scope
        self._decision = decision
        self._style: HeaderStyle = style

    async def __call__(self, message: Message) -> None:
        """Pass a message on, with our headers if it starts the response."""
        if message["type"] == "http.response.start":
            message = {**message, "headers": self._headers(message)}
        elif message["type"] == "http.response.trailers":
            message = {**message, "headers": _without_ours(message)}
        await self._send(message)

    def _headers(self, message: Message) -> Headers:
        # Read when the response starts: a gate further in has decided after this one.
        decision = decision_in(self._scope) or self._decision
        return _without_ours(message) + guardrail_headers(decision, self._style)


def _without_ours(message: Message) -> Headers:
    theirs = message.get("headers", ())
    return [(name, value) for name, value in theirs if not name.lower().startswith(PREFIX)]


async def send_refusal(refusal: Refusal, send: Send) -> None:
    """A refusal, whole; `x-should-retry` keeps SDK clients from asking again."""
    content_type, body = render(refusal)
    headers: Headers = [
        (b"content-type", content_type),
        (b"content-length", str(len(body)).encode()),
        (b"cache-control", b"no-store"),
        (b"x-should-retry", b"false"),
    ]
    if refusal.retry_after is not None:
        headers.append((b"retry-after", str(refusal.retry_after).encode()))
    await send({"type": "http.response.start", "status": refusal.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
