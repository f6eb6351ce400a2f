"""Responses on the wire: our three headers on every one of them, and refusals sent whole."""

from collections.abc import Awaitable
from typing import Final, Literal, get_args

from starlette.types import Message, Scope, Send

from abuse_gate.asgi.refusals import Refusal, render
from abuse_gate.asgi.scopes import decision_in
from abuse_gate.model.decision import Action, Decision, Mode

PREFIX: Final = b"x-guardrail-"
Headers = list[tuple[bytes, bytes]]
HeaderStyle = Literal["full", "minimal"]

_PERHAPS_OURS: Final = (b"x-", b"X-")
_DECISIONS: Final[dict[Action, tuple[bytes, bytes]]] = {
    action: (b"x-guardrail-decision", action.encode()) for action in get_args(Action)
}
_MODES: Final[dict[Mode, tuple[bytes, bytes]]] = {
    mode: (b"x-guardrail-mode", mode.encode()) for mode in get_args(Mode)
}


def guardrail_headers(decision: Decision, style: HeaderStyle) -> Headers:
    """The headers of a gated response; minimal ones tell an attacker nothing."""
    incident = (b"x-guardrail-incident-id", decision.incident_id.encode())
    if style == "minimal":
        return [incident]
    return [_DECISIONS[decision.decision], _MODES[decision.mode], incident]


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

    def __call__(self, message: Message) -> Awaitable[None]:
        """Pass a message on, with our headers if it starts the response.

        What is awaited is the server's own `send`: a coroutine of ours would only stand between.
        """
        kind = message["type"]
        if kind == "http.response.start":
            # Read when the response starts: a gate further in has decided after this one.
            decision = decision_in(self._scope) or self._decision
            headers = _without_ours(message) + guardrail_headers(decision, self._style)
            message = {**message, "headers": headers}
        elif kind == "http.response.trailers":
            message = {**message, "headers": _without_ours(message)}
        return self._send(message)


def _without_ours(message: Message) -> Headers:
    theirs: Headers = [*message.get("headers", ())]
    for name, _ in theirs:
        if name[:2] in _PERHAPS_OURS:
            return [pair for pair in theirs if not pair[0].lower().startswith(PREFIX)]
    return theirs


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
