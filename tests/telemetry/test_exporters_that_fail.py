"""Exporters that hang or raise: requests are answered as ever, on an event loop that turns."""

import asyncio
import threading
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import (
    MetricExporter,
    MetricExportResult,
    MetricsData,
    PeriodicExportingMetricReader,
)
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter, SpanExportResult

from abuse_gate import AbuseGateMiddleware
from abuse_gate.testing.asgi import Conversation
from tests.telemetry.watching import ATTACK, BENIGN, NOWHERE, SETTINGS, ask, starlette_app

REQUESTS = 60


class Failing(SpanExporter):
    """Hangs until it is let go, then raises."""

    def __init__(self) -> None:
        self.entered, self.go = threading.Event(), threading.Event()

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        self.entered.set()
        self.go.wait(30)
        raise OSError("the back end is gone")


class FailingNumbers(MetricExporter):
    """The same for numbers."""

    def __init__(self) -> None:
        super().__init__()
        self.entered, self.go = threading.Event(), threading.Event()

    def export(
        self, metrics_data: MetricsData, timeout_millis: float = 0, **kwargs: Any
    ) -> MetricExportResult:
        self.entered.set()
        self.go.wait(30)
        raise OSError("the back end is gone")

    def force_flush(self, timeout_millis: float = 0) -> bool:
        return True

    def shutdown(self, timeout_millis: float = 0, **kwargs: Any) -> None:
        return None


@pytest.fixture
def failing() -> Iterator[tuple[Failing, FailingNumbers, AbuseGateMiddleware]]:
    spans, numbers = Failing(), FailingNumbers()
    tracer = TracerProvider(resource=NOWHERE, shutdown_on_exit=False)
    # A queue that is full long before the last request.
    tracer.add_span_processor(
        BatchSpanProcessor(
            spans, max_queue_size=8, max_export_batch_size=4, schedule_delay_millis=1
        )
    )
    reader = PeriodicExportingMetricReader(numbers, export_interval_millis=5)
    meter = MeterProvider([reader], resource=NOWHERE, shutdown_on_exit=False)
    gate = AbuseGateMiddleware(
        starlette_app(),
        settings=SETTINGS.model_copy(update={"strikes": "off"}),
        tracer_provider=tracer,
        meter_provider=meter,
    )
    yield spans, numbers, gate
    spans.go.set()
    numbers.go.set()
    tracer.shutdown()
    meter.shutdown()


async def test_back_ends_that_hang_hold_no_request(
    failing: tuple[Failing, FailingNumbers, AbuseGateMiddleware],
) -> None:
    spans, numbers, gate = failing

    async def one(number: int) -> Conversation:
        return await ask(gate, (BENIGN, ATTACK)[number % 2])

    first = await one(0)
    for exporter in (spans, numbers):
        assert await asyncio.to_thread(exporter.entered.wait, 30)
    # Both hang now, and nobody lets them go before every request has its answer.
    talks = [first, *(await asyncio.gather(*(one(number) for number in range(1, REQUESTS))))]
    assert [talk.status for talk in talks] == [200, 403] * (REQUESTS // 2)
    assert not spans.go.is_set()
    assert all(b"x-guardrail-incident-id" in talk.headers for talk in talks)
