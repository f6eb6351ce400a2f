"""What telemetry costs: `make bench`, or python -m benchmarks.telemetry [--rounds N].

Ratios to the bare app, measured in turns: the gate with nobody watching, with an SDK that samples
everything out, with one that records every span and counts, and with the audit trail on disk. Then
how many records a second the trail takes when nothing else is to be done.
"""

import argparse
import logging
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Final

from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter, SpanExportResult
from opentelemetry.sdk.trace.sampling import ALWAYS_OFF, ALWAYS_ON, Sampler
from starlette.types import ASGIApp

from abuse_gate import AbuseGateMiddleware, Decision, Settings
from abuse_gate.model.events import Reviewed
from abuse_gate.model.verdict import Assessment
from abuse_gate.model.visit import Visit
from abuse_gate.telemetry.audit.build import audit_trail
from benchmarks.measure import Caller, compare
from benchmarks.subjects import Wrap, chat_body, fastapi_app, gated, same

ROUNDS: Final = 40
RECORDS: Final = 20_000
_NOWHERE: Final = Resource({})


class Drop(SpanExporter):
    """Takes spans and forgets them: the network is not what is measured."""

    def export(self, spans: Sequence[object]) -> SpanExportResult:  # noqa: ARG002 - forgotten
        """Forgets them."""
        return SpanExportResult.SUCCESS


def traced(app: ASGIApp, sampler: Sampler, *, counted: bool) -> ASGIApp:
    """The gate with an SDK behind it."""
    tracer = TracerProvider(sampler=sampler, resource=_NOWHERE)
    tracer.add_span_processor(BatchSpanProcessor(Drop()))
    readers = [InMemoryMetricReader()] if counted else []
    meter = MeterProvider(readers, resource=_NOWHERE) if counted else None
    return AbuseGateMiddleware(
        app, settings=Settings(), tracer_provider=tracer, meter_provider=meter
    )


def subjects(folder: str) -> Mapping[str, Wrap]:
    """Everybody who is measured against the bare app."""
    path = str(Path(folder, "audit.jsonl"))
    return {
        "bare again (control)": same,
        "gated, nobody watching": gated,
        "SDK, sampled out": lambda app: traced(app, ALWAYS_OFF, counted=False),
        "SDK, every span recorded": lambda app: traced(app, ALWAYS_ON, counted=False),
        "SDK, spans and metrics": lambda app: traced(app, ALWAYS_ON, counted=True),
        "audit trail on disk": lambda app: AbuseGateMiddleware(
            app, settings=Settings(audit_path=path)
        ),
    }


def ratios(rounds: int) -> tuple[list[str], float]:
    """The table, a line for each subject, and the bare app's time in microseconds."""
    with tempfile.TemporaryDirectory() as folder:
        built = {name: wrap(fastapi_app()) for name, wrap in subjects(folder).items()}
        outcome = compare(fastapi_app(), built, Caller(chat_body(1_000), "everything"), rounds)
    lines = [
        f"    {name:<28}{ratio.middle:>8.3f}   ({ratio.low:.3f} to {ratio.high:.3f})"
        for name, ratio in outcome.ratios.items()
    ]
    return lines, outcome.micros


def throughput(records: int, bare_micros: float) -> str:
    """How many records the trail writes in a second, and what a request waits for one."""
    with tempfile.TemporaryDirectory() as folder:
        trail = audit_trail(Settings(audit_path=str(Path(folder, "audit.jsonl"))))
        if trail is None:
            return "no trail"
        started, waits = time.perf_counter(), list[float]()
        for number in range(records):
            decision = Decision("allow", None, "normal", f"{number:032x}", _CLEAN)
            event = Reviewed(decision, 1000, 0.2, visit=Visit(decision.incident_id, 0.0))
            before = time.perf_counter()
            trail.record(event)
            waits.append(time.perf_counter() - before)
            if number % 5000 == 4999:
                # The queue is bounded; here nobody is in a hurry to answer a request.
                trail.close(60)
        trail.close(60)
        seconds = time.perf_counter() - started
        waited = median(waits) * 1_000_000 / bare_micros
        return (
            f"audit trail: {records / seconds:,.0f} records a second, {trail.lost} lost; "
            f"a request waits {waited:.3f} of a bare request's time for its record"
        )


_CLEAN: Final = Assessment("safe", "rules_clean")


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.telemetry", description=__doc__)
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="turns of every subject")
    parser.add_argument("--records", type=int, default=RECORDS, help="records for the trail alone")
    given = parser.parse_args(arguments)
    print(f"telemetry, chat of 1 KB: processor time against the bare app, {given.rounds} rounds\n")
    log = logging.getLogger("abuse_gate")
    before = log.level
    log.setLevel(logging.ERROR)
    try:
        lines, micros = ratios(max(1, given.rounds))
        print(*lines, sep="\n")
        print(f"\n    {throughput(given.records, micros)}")
    finally:
        log.setLevel(before)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
