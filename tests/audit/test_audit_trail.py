"""The trail as an observer: nothing blocks, nothing raises, nothing is lost in silence."""

import asyncio
import json
import os
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from abuse_gate import AbuseGateMiddleware, Settings, build_gate
from abuse_gate.model.events import BreakerMoved, Verified
from abuse_gate.telemetry.audit.files import FileSink
from abuse_gate.telemetry.audit.scribe import Rhythm, Scribe
from abuse_gate.telemetry.audit.trail import AuditTrail
from abuse_gate.testing.asgi import Conversation, chunks, converse, http_scope
from abuse_gate.wiring import Telemetry
from tests.audit.trails import PRIVATE, ShakySink, decided
from tests.telemetry.watching import ATTACK, BENIGN, Numbers, ask, prompt, starlette_app


def quietly(sink: ShakySink) -> Callable[[], Scribe]:
    return lambda: Scribe(sink, None, Rhythm(), mirror=lambda head: None)


def kinds(sink: ShakySink) -> list[str]:
    return [json.loads(line)["kind"] for line in sink.lines]


def test_what_is_recorded_is_written_when_it_closes() -> None:
    sink = ShakySink()
    trail = AuditTrail(quietly(sink))
    for number in range(3):
        trail.record(decided(number))
    trail.record(Verified("a", "safe", "model_safe", 1.0, 1))
    trail.close()
    assert kinds(sink) == ["open", "decision", "decision", "decision", "seal"]
    assert trail.lost == 0


def test_after_it_was_closed_it_goes_on_in_another_segment() -> None:
    sink = ShakySink()
    trail = AuditTrail(quietly(sink))
    for _ in range(2):
        trail.record(decided())
        trail.close()
        trail.close()
    assert sink.segments == [1, 2]
    assert kinds(sink).count("seal") == 2


class Slow(ShakySink):
    """A sink that takes its time until it is let go."""

    def __init__(self) -> None:
        super().__init__()
        self.go = threading.Event()

    def append(self, data: bytes) -> None:
        self.go.wait(20)
        super().append(data)


def test_what_does_not_fit_the_queue_is_counted_in_the_chain() -> None:
    sink = Slow()
    trail = AuditTrail(quietly(sink), most_waiting=5)
    trail.record(decided())
    time.sleep(0.05)
    for _ in range(20):
        trail.record(decided())
    assert trail.lost == 15
    sink.go.set()
    trail.close()
    (gap,) = [json.loads(line) for line in sink.lines if b'"gap"' in line]
    assert (gap["lost"], gap["why"]) == (15, "queue_full")
    assert kinds(sink).count("decision") == 6


def test_a_writer_that_fails_is_replaced(caplog: pytest.LogCaptureFixture) -> None:
    made: list[int] = []

    class Broken(Scribe):
        def tick(self) -> None:
            made.append(1)
            raise RuntimeError("canary")

    trail = AuditTrail(lambda: Broken(ShakySink()))
    for _ in range(2):
        trail.record(decided())
        trail.close()
    assert len(made) >= 2
    assert "the writer failed with RuntimeError" in caplog.text
    assert "canary" not in caplog.text


def test_a_child_of_a_fork_has_a_chain_of_its_own(tmp_path: Path) -> None:
    trail = AuditTrail(lambda: Scribe(FileSink(str(tmp_path / "audit.jsonl"), 10_000)))
    trail.record(decided(1))
    trail.close()
    child = os.fork()
    if child == 0:
        trail.close()
        trail.record(decided(2))
        trail.close()
        os._exit(0)
    os.waitpid(child, 0)
    chains = {path.name.rsplit("-", 1)[1] for path in tmp_path.glob("audit-*")}
    assert len(chains) == 2


def test_a_process_that_finds_itself_forked_begins_anew() -> None:
    sink = ShakySink()
    trail = AuditTrail(quietly(sink))
    trail.close()
    vars(trail)["_pid"] = 0
    trail.close()
    trail.record(BreakerMoved("azure", "closed", "open"))
    trail.close()
    assert kinds(sink) == ["open", "breaker", "seal"]


def test_what_comes_while_it_closes_is_written_by_the_next_close() -> None:
    sink = ShakySink()
    trail = AuditTrail(quietly(sink))
    trail.close()
    vars(trail)["_queue"].put((0.0, decided()))
    trail.close()
    assert kinds(sink) == ["open", "decision", "seal"]


def test_a_long_queue_is_written_in_several_batches() -> None:
    sink = Slow()
    trail = AuditTrail(quietly(sink))
    for number in range(1200):
        trail.record(decided(number))
    sink.go.set()
    trail.close()
    assert kinds(sink).count("decision") == 1200


@pytest.fixture
def audited(tmp_path: Path) -> AbuseGateMiddleware:
    settings = Settings(audit_path=str(tmp_path / "audit.jsonl"), audit_key=PRIVATE)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType] as written
    return AbuseGateMiddleware(starlette_app(), settings=settings)


async def lifespan(app: AbuseGateMiddleware) -> None:
    """Start and stop, as a server does."""
    messages = [{"type": "lifespan.startup"}, {"type": "lifespan.shutdown"}]
    await converse(app, {"type": "lifespan", "asgi": {"version": "3.0"}}, messages)


async def three_requests(app: AbuseGateMiddleware) -> list[Conversation]:
    talks = [await ask(app, text) for text in (BENIGN, ATTACK)]
    call = json.dumps(
        {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "bash"}}
    )
    talks.append(await converse(app, http_scope("/chat/x"), chunks(call.encode())))
    await lifespan(app)
    return talks


def test_every_decision_is_on_record_passes_included(
    audited: AbuseGateMiddleware, tmp_path: Path
) -> None:
    talks = asyncio.run(three_requests(audited))[:2]
    (path,) = tmp_path.glob("audit-*")
    records = [json.loads(line) for line in path.read_bytes().splitlines()]
    decisions = [record for record in records if record["kind"] == "decision"]
    ids = [talk.headers[b"x-guardrail-incident-id"].decode() for talk in talks]
    assert [record["incident_id"] for record in decisions[:2]] == ids
    assert [record["decision"] for record in decisions[:2]] == ["allow", "block"]
    assert {record["route"] for record in decisions} == {"/chat/{room}"}
    assert all(len(record["prompt_digest"]) == 32 for record in decisions[:2])
    assert len(decisions[2]["calls"][0]["tool"]) == 32
    assert b"bash" not in path.read_bytes()
    assert prompt(BENIGN)[13:20] not in path.read_bytes()
    assert records[-1]["kind"] == "seal"


async def test_a_full_disk_never_reaches_a_request() -> None:
    sink = ShakySink()
    sink.failing = OSError(28, "no space left")
    app = AbuseGateMiddleware(starlette_app(), settings=Settings(), audit=sink)
    assert [(await ask(app, text)).status for text in (BENIGN, ATTACK)] == [200, 403]
    await lifespan(app)
    assert sink.data == b""


def test_what_is_lost_is_a_metric() -> None:
    numbers, sink = Numbers(), ShakySink()
    sink.failing = OSError(28, "no space left")
    gate = build_gate(Settings(), telemetry=Telemetry(meter_provider=numbers.provider, audit=sink))
    vars(gate.recorder)["_observer"].record(decided())
    (shown,) = numbers.points("abuse_gate.audit_lost").values()
    deadline = time.monotonic() + 10
    while not shown.value and time.monotonic() < deadline:
        time.sleep(0.01)
        (shown,) = numbers.points("abuse_gate.audit_lost").values()
    assert shown.value == 1
