"""The door to OpenTelemetry: its observers where the API is installed, nobody where it is not."""

from typing import TYPE_CHECKING

from abuse_gate.contract import Observer

if TYPE_CHECKING:
    from opentelemetry.metrics import MeterProvider
    from opentelemetry.trace import TracerProvider


def otel_observers(
    tracer_provider: "TracerProvider | None" = None, meter_provider: "MeterProvider | None" = None
) -> list[Observer]:
    """Traces and metrics, on the app's global providers unless others are given."""
    try:
        # Here, not above: the API is an extra, and takes a while to import.
        from abuse_gate.telemetry.otel.metrics import MetricObserver  # noqa: PLC0415
        from abuse_gate.telemetry.otel.observer import OtelObserver  # noqa: PLC0415
        from abuse_gate.telemetry.otel.traces import TraceObserver  # noqa: PLC0415
    except ImportError:
        return []
    return [OtelObserver(TraceObserver(tracer_provider), MetricObserver(meter_provider))]
