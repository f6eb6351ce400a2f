"""A sampler that never drops an incident: everything else follows the sampler that it wraps.

For apps that set up the SDK themselves; nothing of the gate imports this file.
"""

from collections.abc import Sequence

from opentelemetry.context import Context
from opentelemetry.sdk.trace.sampling import Decision, Sampler, SamplingResult
from opentelemetry.trace import Link, SpanKind, TraceState, get_current_span
from opentelemetry.util.types import Attributes

from abuse_gate.telemetry.otel.names import PREFIX


class IncidentSampler(Sampler):
    """`TracerProvider(sampler=IncidentSampler(ParentBased(TraceIdRatioBased(0.01))))`."""

    def __init__(self, otherwise: Sampler) -> None:
        self._otherwise = otherwise

    def should_sample(
        self,
        parent_context: Context | None,
        trace_id: int,
        name: str,
        kind: SpanKind | None = None,
        attributes: Attributes = None,
        links: Sequence[Link] | None = None,
        trace_state: TraceState | None = None,
    ) -> SamplingResult:
        """Record an incident's span whatever its parent was told; leave the rest to the other."""
        if attributes and attributes.get(f"{PREFIX}incident") is True:
            state = get_current_span(parent_context).get_span_context().trace_state
            return SamplingResult(Decision.RECORD_AND_SAMPLE, attributes, state)
        return self._otherwise.should_sample(
            parent_context, trace_id, name, kind, attributes, links, trace_state
        )

    def get_description(self) -> str:
        """How it is called in a provider's repr."""
        return f"IncidentSampler({self._otherwise.get_description()})"
