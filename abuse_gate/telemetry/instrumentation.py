"""The door to OpenTelemetry: its observers where the API is installed, nobody where it is not."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any
from weakref import ref

from abuse_gate.contract import Observer

if TYPE_CHECKING:
    from collections.abc import Mapping

    from opentelemetry.metrics import MeterProvider
    from opentelemetry.trace import TracerProvider


def otel_observers(
    tracer_provider: "TracerProvider | None" = None, meter_provider: "MeterProvider | None" = None
) -> list[Observer]:
    """Traces and metrics, on the app's global providers unless others are given."""
    try:
        # Here, not above: the API is an extra, and takes a while to import.
        from abuse_gate.telemetry.otel.metrics import MetricObserver  # noqa: PLC0415
        from abuse_gate.telemetry.otel.traces import TraceObserver  # noqa: PLC0415
    except ImportError:
        return []
    return [TraceObserver(tracer_provider), MetricObserver(meter_provider)]


def show(
    observers: list[Observer],
    gauge: str,
    owner: object,
    read: Callable[[Any], float],
    **labels: str,
) -> None:
    """Have a gauge show a number of an object for as long as the object lives."""
    alive = ref(owner)

    def reading() -> "tuple[Mapping[str, str], float] | None":
        found = alive()
        return None if found is None else (labels, read(found))

    for observer in observers:
        register = getattr(observer, "show", None)
        if callable(register):
            register(gauge, reading)
