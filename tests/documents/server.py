"""A real server in a process of its own, started by a script without a main guard."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2

# Deliberately unguarded: whoever re-imports this script starts a second server.
SCRIPT = """
import hashlib, sys
import uvicorn
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route
from abuse_gate import AbuseGateMiddleware

async def echo(request):
    body = await request.body()
    seen = request.scope["state"]["guardrail"]
    return JSONResponse({
        "bytes": len(body),
        "sha256": hashlib.sha256(body).hexdigest(),
        "verdict": seen.verdict,
        "reason": seen.assessment.reason,
    })

app = Starlette(routes=[Route("/{path:path}", echo, methods=["POST"])])
app.add_middleware(AbuseGateMiddleware)
uvicorn.run(app, port=int(sys.argv[1]), log_level="warning")
"""


class Server:
    """A running server and what can be seen of it from outside."""

    def __init__(self, process: "subprocess.Popen[bytes]", port: int) -> None:
        self.process = process
        self.client = httpx2.Client(base_url=f"http://127.0.0.1:{port}", timeout=60)

    def post(self, content: bytes, content_type: str) -> httpx2.Response:
        return self.client.post("/up", content=content, headers={"content-type": content_type})

    def upload(self, data: bytes, name: str = "a.bin") -> httpx2.Response:
        return self.client.post("/up", files={"file": (name, data, "application/octet-stream")})

    @property
    def peak(self) -> int:
        """The most memory that the server itself has had, in bytes; workers do not count."""
        status = Path(f"/proc/{self.process.pid}/status").read_text("ascii")
        line = next(line for line in status.splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1]) * 1024

    def workers(self) -> list[int]:
        """The worker processes that the server has started."""
        entries = [entry for entry in Path("/proc").iterdir() if entry.name.isdigit()]
        return [int(entry.name) for entry in entries if _parent(entry) == self.process.pid]


def _parent(entry: Path) -> int:
    try:
        return int((entry / "stat").read_text("ascii").rpartition(")")[2].split()[1])
    except OSError:
        return -1


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def serving(folder: Path, **settings: str) -> Generator[Server]:
    script = folder / "app.py"
    script.write_text(SCRIPT, "utf-8")
    port = _free_port()
    environ: Mapping[str, str] = {**os.environ, **settings}
    with subprocess.Popen([sys.executable, str(script), str(port)], env=environ) as process:
        server = Server(process, port)
        try:
            _wait(server)
            yield server
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(20)
            server.client.close()


def _wait(server: Server) -> None:
    deadline = time.monotonic() + 60
    while True:
        try:
            server.client.get("/")
        except httpx2.TransportError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.05)
        else:
            return


def said(response: httpx2.Response) -> Any:
    return json.loads(response.content)
