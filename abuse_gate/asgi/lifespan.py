"""Start-up: a wrong setting stops the server with one line, and a right one is said in one line."""

import logging
from collections.abc import Iterator, Sequence
from typing import Any, cast

from starlette.routing import WebSocketRoute
from starlette.types import ASGIApp, Receive, Send

from abuse_gate.gate import Gate
from abuse_gate.settings import Settings, describe, inert_settings

_log = logging.getLogger("abuse_gate")

# Deeper than any stack of middleware that a person writes.
_MOST_LAYERS = 100


async def fail_startup(line: str, receive: Receive, send: Send) -> None:
    """Answers the server's start-up question with the line that names the cure."""
    message = await receive()
    if message["type"] == "lifespan.startup":
        await send({"type": "lifespan.startup.failed", "message": line})


def announce(
    gate: Gate, *, twice: bool, sockets: bool = False, missing: Sequence[str] = ()
) -> None:
    """Says what is in force, and warns of what the operator would want to know."""
    line = describe(gate.settings, gate.tiers.verifier_name)
    _log.info(
        "abuse-gate: %s; %s; %d rules compiled in %.1f s; websockets are not gated",
        line,
        gate.tiers.describe(),
        gate.rule_count,
        gate.compile_seconds,
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
