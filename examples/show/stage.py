"""The servers of the demo: the same app twice, each under a real uvicorn on loopback.

Gated on the port that people try, and bare to compare with. Nothing of the environment is read, so
that the demo shows the same everywhere.
"""

import socket
import sys
import threading
import time
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Final

import uvicorn
from starlette.types import ASGIApp

from abuse_gate import AbuseGateMiddleware, Decision, Observer, Route, Settings
from abuse_gate.model.events import Event, Reviewed
from examples.chat_app import build_app

HOST: Final = "127.0.0.1"
FIRST_PORT: Final = 8000
PORTS_TRIED: Final = 100
# Every request of the script stands for another person, though all come from one address.
SETTINGS: Final = Settings(
    strikes="off",
    routes=(
        Route(path="/careful/*", on_unclear="clarify"),
        Route(path="/trial/*", mode="monitor"),
    ),
)
_START_SECONDS: Final = 300.0
# Somebody who waits longer wonders why.
_PATIENT_SECONDS: Final = 6.0
_STOP_SECONDS: Final = 5.0
REMEMBERED: Final = 1000


class StageError(Exception):
    """A server could not be started; the message is for the person at the terminal."""


class Notebook:
    """Remembers the last decisions by incident id: how an app finds out which rules fired."""

    def __init__(self, remembered: int = REMEMBERED) -> None:
        self._remembered = remembered
        self._decisions: dict[str, Decision] = {}

    def record(self, event: Event, /) -> None:
        """Keeps a decision, and forgets the oldest when there are many."""
        if isinstance(event, Reviewed):
            self._decisions[event.decision.incident_id] = event.decision
        if len(self._decisions) > self._remembered:
            self._decisions.pop(next(iter(self._decisions)), None)

    def decision(self, incident_id: str) -> Decision | None:
        """The decision behind an incident id, while it is remembered."""
        return self._decisions.get(incident_id)


@dataclass(frozen=True, slots=True)
class Stage:
    """Where the two servers listen."""

    gated: int
    bare: int
    taken: tuple[int, ...]
    notebook: Notebook = field(default_factory=Notebook)


def listen(first: int, tried: int = PORTS_TRIED) -> tuple[socket.socket, tuple[int, ...]]:
    """A listening socket on the first free port from `first` on, and the ports that were taken."""
    taken: list[int] = []
    for port in range(first, first + tried):
        listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        if sys.platform != "win32":
            # A demo that was just stopped does not hold its port; on Windows this option steals.
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((HOST, port))
            listener.listen()
        except OSError:
            listener.close()
            taken.append(port)
        else:
            return listener, tuple(taken)
    raise StageError(f"no free port between {first} and {first + tried - 1}")


@contextmanager
def open_stage(first_port: int = FIRST_PORT) -> Generator[Stage]:
    """Both servers, ready; stopped on the way out."""
    notebook = Notebook()
    listener, taken = listen(first_port)
    with ExitStack() as servers:
        gated = servers.enter_context(_serving(_gated(notebook), listener))
        bare = servers.enter_context(_serving(build_app(), _anywhere()))
        yield Stage(gated, bare, taken, notebook)


def _gated(observer: Observer) -> ASGIApp:
    app = build_app()
    app.add_middleware(AbuseGateMiddleware, settings=SETTINGS, observer=observer)
    return app


def _anywhere() -> socket.socket:
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.bind((HOST, 0))
    listener.listen()
    return listener


@contextmanager
def _serving(app: ASGIApp, listener: socket.socket) -> Generator[int]:
    """One server in a thread of its own, for as long as the block lasts; gives its port."""
    port: int = listener.getsockname()[1]
    config = uvicorn.Config(
        app, log_config=None, access_log=False, timeout_graceful_shutdown=1, server_header=False
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, args=([listener],), daemon=True)
    thread.start()
    try:
        _wait_until_started(server, thread)
        yield port
    finally:
        server.should_exit = True
        thread.join(_STOP_SECONDS)
        listener.close()


def _wait_until_started(server: uvicorn.Server, thread: threading.Thread) -> None:
    started = time.monotonic()
    told = False
    while not server.started:
        waited = time.monotonic() - started
        if not thread.is_alive() or waited > _START_SECONDS:
            raise StageError(f"the server did not start in {waited:.0f} s; run the demo again")
        if waited > _PATIENT_SECONDS and not told:
            told = True
            print("The first start compiles the rules: some 20 seconds, once.", flush=True)
        time.sleep(0.02)
