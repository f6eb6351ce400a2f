"""A server that is told to stop has every record written and sealed before it goes."""

import asyncio
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import httpx2
import pytest
from starlette.types import Message

from abuse_gate import AbuseGateMiddleware, Settings
from abuse_gate.asgi.lifespan import Ending
from abuse_gate.testing import ScriptedAdapter
from abuse_gate.testing.asgi import converse
from tests.audit.trails import PRIVATE, PUBLIC
from tests.audit.verified import verified
from tests.telemetry.watching import ATTACK, ask, starlette_app

ROOT = Path(__file__).resolve().parents[2]
ASKED = 5


def served(folder: Path) -> int:
    """A real server that is asked a few times and told to stop at once; its exit status."""
    command = [sys.executable, "-m", "uvicorn", "tests.e2e.ending_app:app", "--port", "0"]
    variables = {
        "ABUSE_GATE_AUDIT_PATH": str(folder / "audit.jsonl"),
        "ABUSE_GATE_AUDIT_KEY": PRIVATE,
    }
    with subprocess.Popen(
        command, cwd=ROOT, env=os.environ | variables, stderr=subprocess.PIPE, text=True
    ) as server:
        assert server.stderr is not None
        lines = iter(server.stderr.readline, "")
        found = next(filter(None, (re.search(r"http://127\.0\.0\.1:\d+", line) for line in lines)))
        for number in range(ASKED):
            asked = httpx2.post(found[0], content=b"How do I bake bread %d?" % number)
            assert asked.status_code == 200
        server.send_signal(signal.SIGTERM)
        server.stderr.read()
    return server.returncode


def test_a_graceful_stop_loses_no_record_and_no_seal(tmp_path: Path) -> None:
    assert served(tmp_path) in (0, -signal.SIGTERM)
    report = verified(sorted(tmp_path.glob("audit-*")), key=PUBLIC)
    assert report.findings == []
    assert (report.decisions, report.unsealed) == (ASKED, 0)


class Closing(ScriptedAdapter):
    """Counts how often it is closed, and may never come to an end of it."""

    def __init__(self, *, hangs: bool = False) -> None:
        super().__init__()
        self.hangs = hangs
        self.closed = 0

    async def aclose(self) -> None:
        self.closed += 1
        if self.hangs:
            await asyncio.Event().wait()


@pytest.mark.parametrize("last", ["startup.failed", "shutdown.complete", "shutdown.failed", ""])
async def test_the_gate_closes_once_and_before_the_last_word(last: str) -> None:
    adapter, seen = Closing(), list[int]()

    async def app(scope: object, receive: object, send: Ending) -> None:
        if last:
            await send({"type": f"lifespan.{last}"})
            seen.append(adapter.closed)

    gate = AbuseGateMiddleware(app, settings=Settings(), adapter=adapter)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType] a narrower send
    await converse(gate, {"type": "lifespan"}, [])
    assert seen == ([1] if last else [])
    assert adapter.closed == 1


async def test_what_does_not_close_does_not_keep_the_server(
    caplog: pytest.LogCaptureFixture,
) -> None:
    gate = AbuseGateMiddleware(starlette_app(), settings=Settings(), adapter=Closing(hangs=True))
    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    doorman = vars(gate)["_doorman"]
    await Ending(doorman.gate, send, 0.01)({"type": "lifespan.shutdown.complete"})
    assert [message["type"] for message in sent] == ["lifespan.shutdown.complete"]
    assert "was given up" in caplog.text


def test_a_provider_that_hangs_keeps_no_record_from_being_written(tmp_path: Path) -> None:
    settings = Settings(audit_path=str(tmp_path / "audit.jsonl"))
    gate = AbuseGateMiddleware(starlette_app(), settings=settings, adapter=Closing(hangs=True))

    async def asked() -> int | None:
        talk = await ask(gate, ATTACK)
        await vars(gate)["_doorman"].gate.aclose(0.01)
        return talk.status

    assert asyncio.run(asked()) == 403
    assert verified(sorted(tmp_path.glob("audit-*"))).unsealed == 0
