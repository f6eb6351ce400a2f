"""A real uvicorn on a free loopback port, in a thread with an event loop of its own."""

import socket
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal

import uvicorn
from starlette.types import ASGIApp

Http = Literal["h11", "httptools"]
Loop = Literal["asyncio", "uvloop"]

PATIENCE = 20.0


@dataclass(frozen=True, slots=True)
class Served:
    """Where an app is served, and the server that serves it."""

    host: str
    port: int
    server: uvicorn.Server

    @property
    def url(self) -> str:
        return f"http://{self.host}:{self.port}"

    def connect(self) -> socket.socket:
        """A raw connection, for what no HTTP client would send."""
        return socket.create_connection((self.host, self.port), timeout=PATIENCE)

    def idle(self) -> bool:
        """Whether no request is under way."""
        return not self.server.server_state.tasks


def wait_until(happened: Callable[[], bool]) -> bool:
    """Whether something came true while a patient person would still be waiting."""
    give_up = time.monotonic() + PATIENCE
    while not happened():
        if time.monotonic() > give_up:
            return False
        time.sleep(0.005)
    return True


@contextmanager
def serve(app: ASGIApp, *, http: Http = "h11", loop: Loop = "asyncio") -> Generator[Served]:
    """Serve an app for as long as the block lasts."""
    listener = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(
        app, http=http, loop=loop, log_config=None, timeout_graceful_shutdown=2, lifespan="on"
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    try:
        assert wait_until(lambda: server.started or not thread.is_alive())
        assert server.started
        yield Served("127.0.0.1", listener.getsockname()[1], server)
    finally:
        server.should_exit = True
        thread.join(PATIENCE)
        listener.close()
