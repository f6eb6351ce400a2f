"""A gate for every test of this folder at the price of one: the rules are compiled once."""

from collections.abc import Callable
from typing import Any

import pytest
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from abuse_gate.asgi.doorman import Doorman, OnRefuse
from abuse_gate.contract import Observer, VerifierAdapter
from abuse_gate.gate import Gate
from abuse_gate.settings import Settings
from abuse_gate.telemetry.logs import LogObserver
from abuse_gate.telemetry.observers import Observers
from abuse_gate.verify.resolve import adapter_name, guarded
from abuse_gate.verify.tenants import Guards
from abuse_gate.work.scanner import Scanner, build_scanner


@pytest.fixture(scope="session")
def scanner() -> Scanner:
    """The shipped rules, compiled."""
    return build_scanner()


@pytest.fixture(scope="session")
def gated(scanner: Scanner) -> Callable[..., Doorman]:
    """Puts the gate in front of an app, with any settings by keyword."""

    def build(
        app: ASGIApp,
        *,
        adapter: VerifierAdapter | None = None,
        observer: Observer | None = None,
        on_refuse: OnRefuse | None = None,
        **settings: Any,
    ) -> Doorman:
        chosen = Settings(**settings)
        observers = Observers([LogObserver(), *([observer] if observer else [])])
        name = adapter_name(adapter)
        guards = Guards(guarded(adapter, name, chosen, observers)) if adapter else None
        return Doorman(app, Gate(chosen, scanner, guards, observers, b"k" * 32), on_refuse)

    return build


@pytest.fixture(scope="session")
def echo() -> ASGIApp:
    """An app that answers with the body it was given."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        body, more = b"", True
        while more:
            message: Message = await receive()
            body += message.get("body", b"")
            more = message.get("more_body", False)
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": body})

    return app
