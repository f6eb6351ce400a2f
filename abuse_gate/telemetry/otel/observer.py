"""Traces and metrics as one observer, asleep until the app has set OpenTelemetry up.

An app without it pays a look at the clock for each request, and a look for providers each second.
"""

import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Final

from abuse_gate.contract import Fact, StepNotes
from abuse_gate.model.events import Event
from abuse_gate.model.visit import Visit
from abuse_gate.telemetry.otel.instruments import Reading
from abuse_gate.telemetry.otel.metrics import MetricObserver
from abuse_gate.telemetry.otel.steps import UNSEEN
from abuse_gate.telemetry.otel.traces import TraceObserver

LOOK_SECONDS: Final = 1.0


class OtelObserver:
    """Hands on to both once there is a provider for either."""

    def __init__(
        self,
        traces: TraceObserver,
        metrics: MetricObserver,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._traces = traces
        self._metrics = metrics
        self._clock = clock
        self._awake = False
        self._look_at = 0.0

    def awake(self) -> bool:
        """Whether there is anybody to write for."""
        return self._awake or (self._clock() >= self._look_at and self._look())

    def record(self, event: Event, /) -> None:
        """Writes and counts an event."""
        if self.awake():
            try:
                self._traces.record(event)
            finally:
                # Whatever a span processor raises, numbers are counted.
                self._metrics.record(event)

    def step(self, name: str, /, **facts: Fact) -> AbstractContextManager[StepNotes]:
        """A child span, current while a tier or a provider is asked."""
        return self._traces.step(name, **facts) if self.awake() else nullcontext(UNSEEN)

    def story(self, visit: Visit, /) -> AbstractContextManager[None]:
        """The request's span, current while somebody is asked about it."""
        return self._traces.story(visit) if self.awake() else nullcontext()

    @property
    def keeps_digests(self) -> bool:
        """Whether this request's span may carry digests."""
        return self.awake() and self._traces.keeps_digests

    @property
    def times_the_loop(self) -> bool:
        """Whether it is counted how long our work keeps the event loop."""
        return self.awake() and self._metrics.times_the_loop

    # Whether there is a span to end or a number to count: asked for every request.
    hears_passes = awake

    def show(self, name: str, reading: Reading) -> None:
        """Have a gauge ask this, as soon as there is one: at once, if the app has set it up."""
        self._metrics.show(name, reading)
        if self.awake():
            self._metrics.instruments()

    def _look(self) -> bool:
        self._look_at = self._clock() + LOOK_SECONDS
        found = self._traces.tracer() is not None, self._metrics.instruments() is not None
        self._awake = any(found)
        return self._awake
