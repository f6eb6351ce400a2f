"""A small OTLP/HTTP receiver on loopback: takes what an exporter sends, and keeps it decoded."""

import gzip
import threading
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import (
    ExportMetricsServiceRequest,
)
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest


@dataclass(slots=True)
class Received:
    """What has arrived so far, and where it arrives."""

    address: str = ""
    raw: list[bytes] = field(default_factory=list[bytes])
    spans: list[Any] = field(default_factory=list[Any])
    metrics: set[str] = field(default_factory=set[str])
    status: int = 200

    def take(self, path: str, body: bytes) -> None:
        self.raw.append(body)
        if path.endswith("/traces"):
            request = ExportTraceServiceRequest.FromString(body)
            self.spans += [
                span
                for resource in request.resource_spans
                for scope in resource.scope_spans
                for span in scope.spans
            ]
        else:
            numbers = ExportMetricsServiceRequest.FromString(body)
            self.metrics |= {
                metric.name
                for resource in numbers.resource_metrics
                for scope in resource.scope_metrics
                for metric in scope.metrics
            }

    def guardrail(self, incident_id: str) -> dict[str, Any]:
        """The attributes of the one guardrail span of an incident."""
        told = [
            {each.key: each.value for each in span.attributes}
            for span in self.spans
            if span.name == "guardrail abuse_gate"
        ]
        (found,) = [
            each for each in told if each["abuse_gate.incident_id"].string_value == incident_id
        ]
        return found


@contextmanager
def receiver() -> Generator[Received]:
    """A receiver for as long as the block lasts."""
    received = Received()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            if self.headers.get("content-encoding") == "gzip":
                body = gzip.decompress(body)
            if received.status == 200:
                received.take(self.path, body)
            self.send_response(received.status)
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
            return None

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    received.address = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield received
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
