"""Start-up and end: a wrong setting stops the server with one line, a right one is said in one.

At the end the gate closes before the server hears of it: afterwards a server waits for nobody.
"""

import asyncio
import logging
from collections.abc import Iterator, Sequence
from typing import Any, Final, cast

from starlette.routing import WebSocketRoute
from starlette.types import ASGIApp, Message, Receive, Send

from abuse_gate.gate import Gate
from abuse_gate.settings import Settings, describe, inert_settings

_log = logging.getLogger("abuse_gate")

# Deeper than any stack of middleware that a person writes.
_MOST_LAYERS = 100

# Below what servers and orchestrators wait for before they kill.
_CLOSE_SECONDS: Final = 12.0
_LAST_WORDS: Final = frozenset(
    {"lifespan.startup.failed", "lifespan.shutdown.complete", "lifespan.shutdown.failed"}
)


async def fail_startup(line: str, receive: Receive, send: Send) -> None:
    """Answers the server's start-up question with the line that names the cure."""
    message = await receive()
    if message["type"] == "lifespan.startup":
        # Servers log it under their own name.
        await send({"type": "lifespan.startup.failed", "message": f"abuse-gate: {line}"})


class Ending:
    """The server's `send`, before whose last word the gate writes and closes what it holds."""

    def __init__(self, gate: Gate, send: Send, seconds: float = _CLOSE_SECONDS) -> None:
        self._gate = gate
        self._send = send
        self._seconds = seconds
        self._closed = False

    async def __call__(self, message: Message) -> None:
        """Hands a message on; the last one when the gate is closed."""
        if message["type"] in _LAST_WORDS:
            await self.close()
        await self._send(message)

    async def close(self) -> None:
        """Closes the gate once, or says that it took too long: a server's end waits no longer."""
        if self._closed:
            return
        self._closed = True
        try:
            async with asyncio.timeout(self._seconds):
                await self._gate.aclose()
        except TimeoutError:
            _log.warning("abuse-gate: closing took over %.0f s and was given up", self._seconds)


def announce(
    gate: Gate, *, twice: bool, sockets: bool = False, missing: Sequence[str] = ()
) -> None:
    """Says what is in force, and warns of what the operator would want to know."""
    line = describe(gate.settings, gate.tiers.verifier_name)
    _log.info(
        "abuse-gate: %s; %s; %d rules compiled in %.1f s; websockets are not gated",
        line,
        gate.tiers.describe(),
        gate.scanner.rule_count,
        gate.scanner.compile_seconds,
    )
    for name in inert_settings(gate.settings):
        _log.warning("abuse-gate: %s is set but has no effect in this version", name)
    _say_what_a_random_key_means(gate.settings)
    if missing:
        _log.warning(
            "abuse-gate: %s not installed: uploaded PDFs are opaque to the gate; "
            "pip install 'abuse-gate[documents]'",
            " and ".join(missing),
        )
    if sockets:
        _log.warning("abuse-gate: this app has WebSocket routes, and they are not gated")
    if twice:
        _log.warning(
            "abuse-gate: AbuseGateMiddleware is installed twice around this app: every request is "
            "read and judged twice; remove one add_middleware line"
        )


def _say_what_a_random_key_means(settings: Settings) -> None:
    if settings.strikes == "off" or settings.secret is not None:
        return
    if settings.redis_url is None:
        _log.info(
            "abuse-gate: strikes are counted in each process for itself, under a random key; for "
            "several workers set ABUSE_GATE_REDIS_URL and ABUSE_GATE_SECRET"
        )
        return
    _log.warning(
        "abuse-gate: ABUSE_GATE_REDIS_URL is set and ABUSE_GATE_SECRET is not: every process names "
        "callers by a random key of its own, so that no worker knows another's strikes; give all "
        "of them the same secret, such as `openssl rand -hex 32` prints"
    )


def wraps_another(app: ASGIApp, kind: type) -> bool:
    """Whether a middleware of this kind already stands further in."""
    for inner in _layers(app):
        if isinstance(inner, kind):
            return True
        waiting: Any = getattr(inner, "user_middleware", None)
        if isinstance(waiting, list):
            classes = [getattr(entry, "cls", None) for entry in cast("list[object]", waiting)]
            return any(isinstance(cls, type) and issubclass(cls, kind) for cls in classes)
    return False


def has_websockets(app: ASGIApp) -> bool:
    """Whether the app that is wrapped has WebSocket routes, as far as its routes can be seen."""
    for inner in _layers(app):
        routes: Any = getattr(inner, "routes", None)
        if isinstance(routes, list):
            return any(isinstance(route, WebSocketRoute) for route in cast("list[object]", routes))
    return False


def _layers(app: ASGIApp) -> Iterator[Any]:
    inner: Any = app
    for _ in range(_MOST_LAYERS):
        if inner is None:
            return
        yield inner
        inner = getattr(inner, "app", None)
