"""Audit trails for tests: events, a sink that fails on demand, and files written by a scribe."""

from pathlib import Path
from typing import Any

from abuse_gate.model.decision import Decision
from abuse_gate.model.events import Reviewed
from abuse_gate.model.hit import Hit
from abuse_gate.model.verdict import Assessment, Step, Usage
from abuse_gate.model.visit import Evidence, Visit
from abuse_gate.telemetry.audit.chain import Head
from abuse_gate.telemetry.audit.files import FileSink
from abuse_gate.telemetry.audit.keys import new_key, signer_of
from abuse_gate.telemetry.audit.scribe import Rhythm, Scribe

PRIVATE, PUBLIC = new_key()
AT = 1_800_000_000.0


def decided(number: int = 0, **more: Any) -> Reviewed:
    """The event of one request."""
    visit = Visit(f"{number:032x}", 0.0)
    visit.evidence = Evidence("ab" * 16, (("cd" * 16, "ef" * 16, True),))
    visit.lap("inspect", 0.001)
    hits = (Hit("a.rule", "a", 60, "caller"),)
    usage = Usage("openai", "m", 120, 8)
    trail = (
        Step("static", "unclear", "rules_notice"),
        Step("verifier", "unsafe", "model_unsafe", 321.0, usage),
    )
    assessment = Assessment("unsafe", "model_unsafe", "openai", hits, trail)
    decision = Decision("block", 403, "normal", visit.incident_id, assessment)
    return Reviewed(decision, 10, 1.5, visit=visit, policy_version="f" * 16, **more)


class ShakySink:
    """Keeps what it is given, unless it is told to fail."""

    def __init__(self) -> None:
        self.data = b""
        self.failing: Exception | None = None
        self.segments: list[int] = []
        self.full = False

    def _perhaps(self) -> None:
        if self.failing is not None:
            raise self.failing

    def begin(self, chain: str, segment: int) -> None:
        self._perhaps()
        self.segments.append(segment)
        self.full = False

    def append(self, data: bytes) -> None:
        self._perhaps()
        self.data += data

    def sync(self) -> None:
        self._perhaps()

    def is_full(self) -> bool:
        return self.full

    def close(self) -> None:
        return None

    @property
    def lines(self) -> list[bytes]:
        return self.data.splitlines()


def written(
    folder: Path, count: int = 20, *, seal_every: int = 5, signed: bool = True, **more: Any
) -> tuple[list[Path], Head]:
    """The files of a closed trail with so many decisions, and its head."""
    sink = FileSink(str(folder / "audit.jsonl"), more.pop("max_bytes", 1_000_000), **more)
    signer = signer_of(PRIVATE) if signed else None
    scribe = Scribe(sink, signer, Rhythm(seal_records=seal_every), mirror=lambda head: None)
    for number in range(count):
        scribe.write([(AT + number, decided(number))])
        scribe.tick()
    scribe.close()
    return sorted(folder.glob("audit-*")), scribe.chain.head
