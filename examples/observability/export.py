"""Telemetry set up as an app would: spans and metrics over OTLP/HTTP, incidents always kept.

Run it   OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:6006 python -m examples.observability.export
See      the demo's traffic sent once, and the incident id of every request, to look for in the
         back end that the endpoint belongs to: Phoenix, or any OpenTelemetry collector.

The gate itself needs none of this: it writes to whatever providers the app has set up.
"""

import os
import sys
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from typing import Final

from opentelemetry import metrics, trace
from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.sdk.trace.sampling import ParentBased, TraceIdRatioBased

from abuse_gate.telemetry.sampling import IncidentSampler
from examples.show.scenes import SCENES, Scene
from examples.show.stage import HOST, open_stage

ENDPOINT: Final = "http://127.0.0.1:6006"
# Phoenix takes traces and answers 404 to metrics; a collector takes both.
METRICS: Final = "EXPORT_METRICS"
_RESOURCE: Final = Resource.create({"service.name": "abuse-gate-demo"})


@dataclass(frozen=True, slots=True)
class Sent:
    """A request of the demo, and what the response said of it."""

    title: str
    status: int
    decision: str
    incident_id: str


@contextmanager
def exporting(endpoint: str, *, share: float = 1.0, numbers: bool = False) -> Generator[None]:
    """Global providers that send to an endpoint; everything is sent on the way out."""
    sampler = IncidentSampler(ParentBased(TraceIdRatioBased(share)))
    tracer = TracerProvider(resource=_RESOURCE, sampler=sampler)
    tracer.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(f"{endpoint}/v1/traces")))
    trace.set_tracer_provider(tracer)
    readers: Sequence[PeriodicExportingMetricReader] = ()
    if numbers:
        exporter = OTLPMetricExporter(f"{endpoint}/v1/metrics")
        readers = [PeriodicExportingMetricReader(exporter)]
    meter = MeterProvider(readers, resource=_RESOURCE)
    metrics.set_meter_provider(meter)
    try:
        yield
    finally:
        tracer.shutdown()
        meter.shutdown()


def traffic(port: int, scenes: Sequence[Scene] = SCENES) -> list[Sent]:
    """Every scene of the demo, once."""
    connection = HTTPConnection(HOST, port, timeout=30)
    return [_send(connection, scene) for scene in scenes]


def _send(connection: HTTPConnection, scene: Scene) -> Sent:
    connection.request("POST", scene.path, scene.body, {"content-type": scene.content_type})
    response = connection.getresponse()
    response.read()
    return Sent(
        scene.title,
        response.status,
        response.getheader("x-guardrail-decision", ""),
        response.getheader("x-guardrail-incident-id", ""),
    )


def main(environ: Mapping[str, str]) -> int:
    """Sends the demo's traffic once, with its telemetry."""
    endpoint = environ.get("OTEL_EXPORTER_OTLP_ENDPOINT", ENDPOINT).rstrip("/")
    with exporting(endpoint, numbers=bool(environ.get(METRICS))), open_stage() as stage:
        for sent in traffic(stage.gated):
            print(f"  {sent.status}  {sent.decision:<8} {sent.incident_id}  {sent.title}")
    print(f"\n  sent to {endpoint}; look for abuse_gate.incident_id there")
    return 0


if __name__ == "__main__":
    sys.exit(main(os.environ))
