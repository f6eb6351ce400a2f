"""One `guardrail abuse_gate` span for each gated request, and a child for each tier and attempt.

The span ends before the app is called: what the app does is beside it, under the same parent. A
request that nobody is asked about gets its span when it is decided, so that a sampler knows what
became of it. Exceptions are named by their type: their messages may quote a prompt.
"""

import time
from collections.abc import Callable, Generator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any, Final

from opentelemetry import context, propagate, trace
from opentelemetry.propagators.textmap import CarrierValT, DefaultGetter
from opentelemetry.trace import (
    Link,
    NonRecordingSpan,
    Span,
    SpanContext,
    Tracer,
    TracerProvider,
)

from abuse_gate.contract import Fact
from abuse_gate.model.events import Event, Reviewed
from abuse_gate.model.visit import ACTION, Visit
from abuse_gate.telemetry.facts import facts_of, is_incident, times_of
from abuse_gate.telemetry.otel.names import (
    GUARDRAIL,
    GUARDRAIL_SPAN,
    KIND,
    PREFIX,
    PRIORITY,
    SCAN_TIER,
    SCOPE,
)
from abuse_gate.telemetry.otel.providers import is_dormant
from abuse_gate.telemetry.otel.steps import UNSEEN, SpanNotes, step_span
from abuse_gate.telemetry.version import PACKAGE_VERSION

_NANOS: Final = 1_000_000
# Said by the span itself, or as a hint when it began.
_UNSAID: Final = ("trace_id", "span_id", "incident_id", "decision")


class TraceObserver:
    """Writes spans once there is somebody to take them; until then it looks, and does nothing."""

    def __init__(
        self,
        provider: TracerProvider | None = None,
        now_ns: Callable[[], int] = time.time_ns,
    ) -> None:
        self._given = provider
        self._tracer: Tracer | None = None
        self._now_ns = now_ns

    def record(self, event: Event, /) -> None:
        """Writes the span of a request that was decided."""
        if isinstance(event, Reviewed) and event.visit is not None:
            tracer = self.tracer()
            if tracer is not None:
                self._reviewed(tracer, event, event.visit)

    def tracer(self) -> Tracer | None:
        """The app's tracer; None while the app has set none up."""
        if self._tracer is None:
            provider = self._given or trace.get_tracer_provider()
            if not is_dormant(provider):
                self._tracer = provider.get_tracer(SCOPE, PACKAGE_VERSION)
        return self._tracer

    @property
    def keeps_digests(self) -> bool:
        """Whether this request's span may carry digests: not when its parent is sampled out."""
        if self.tracer() is None:
            return False
        parent = trace.get_current_span()
        return parent.is_recording() or not parent.get_span_context().is_valid

    @contextmanager
    def story(self, visit: Visit, /) -> Generator[None]:
        """The request's span, current while somebody is asked about it."""
        tracer = self.tracer()
        if tracer is None:
            yield
            return
        attributes = {KIND: GUARDRAIL, f"{PREFIX}incident_id": visit.incident_id}
        around = context.get_current()
        span = self._start(tracer, visit, attributes, around)
        visit.span = _Story(span, around)
        _name_trace(visit, span)
        token = context.attach(trace.set_span_in_context(span))
        try:
            yield
        finally:
            context.detach(token)
            if visit.span is not None:
                # Nobody was told of a decision: the client has left, or we were cancelled.
                span.set_attribute(f"{PREFIX}abandoned", True)
                span.end()
                visit.span = None

    def step(self, name: str, /, **facts: Fact) -> AbstractContextManager[SpanNotes]:
        """A child span, current while a tier or a provider is asked."""
        tracer = self.tracer()
        return nullcontext(UNSEEN) if tracer is None else step_span(tracer, name, facts)

    def _reviewed(self, tracer: Tracer, event: Reviewed, visit: Visit) -> None:
        story: _Story | None = visit.span
        visit.span = None
        span, around = (story.span, story.around) if story else (None, context.get_current())
        if span is not None and not span.is_recording() and is_incident(event):
            # Sampled out before anybody knew: a sampler that keeps incidents is asked again.
            span.end()
            span = None
        if span is None:
            span = self._start(tracer, visit, hints(event), around, incident=is_incident(event))
            _name_trace(visit, span)
        elif span.is_recording():
            span.set_attributes(hints(event))
        if span.is_recording():
            span.set_attributes(attributes_of(event))
            self._scan_span(tracer, span, event, visit)
        span.end()

    def _start(
        self,
        tracer: Tracer,
        visit: Visit,
        attributes: Mapping[str, Any],
        around: context.Context,
        *,
        incident: bool = False,
    ) -> Span:
        taken = sum(visit.times.values())
        parent, links = _remote_parent(visit, around) or around, list[Link]()
        if incident and parent is not around:
            parent, links = _own_trace(parent)
        return tracer.start_span(
            GUARDRAIL_SPAN,
            context=parent,
            attributes=attributes,
            links=links,
            start_time=self._now_ns() - int(taken * _NANOS),
        )

    def _scan_span(self, tracer: Tracer, parent: Span, event: Reviewed, visit: Visit) -> None:
        """Tier 1 as a child: it asks nobody, so that it can be written when it is over."""
        if "inspect" not in visit.times:
            return
        rules = [hit.rule for hit in event.decision.assessment.hits]
        after = sum(ms for step, ms in visit.times.items() if step not in ("read", "inspect"))
        end = self._now_ns() - int(after * _NANOS)
        child = tracer.start_span(
            f"tier {SCAN_TIER}",
            context=trace.set_span_in_context(parent),
            attributes={KIND: GUARDRAIL, f"{PREFIX}tier": SCAN_TIER, f"{PREFIX}hits": len(rules)},
            start_time=end - int(visit.times["inspect"] * _NANOS),
        )
        child.end(end)


@dataclass(frozen=True, slots=True)
class _Story:
    """A request's span while it is under way, and what was current around it."""

    span: Span
    around: context.Context


class _CaseBlind(DefaultGetter):
    """Propagators spell their headers as they like; ours are lower case."""

    def get(self, carrier: Mapping[str, CarrierValT], key: str) -> list[str] | None:
        return super().get(carrier, key.lower())


def attributes_of(event: Reviewed) -> dict[str, Any]:
    """All that a request's span says."""
    facts = facts_of(event)
    told: dict[str, Any] = {
        PREFIX + name: value for name, value in facts.items() if name not in _UNSAID
    }
    told |= {f"{PREFIX}time.{step}_ms": ms for step, ms in times_of(event).items()}
    if "route" in facts and facts["route"] != ACTION:
        told["http.route"] = facts["route"]
    if event.visit is not None and event.visit.held_ms is not None:
        told[f"{PREFIX}loop_held_ms"] = round(event.visit.held_ms, 3)
    return told


def hints(event: Reviewed) -> dict[str, Any]:
    """What a sampler may go by: known before the span is made."""
    decision = event.decision
    told: dict[str, Any] = {
        KIND: GUARDRAIL,
        f"{PREFIX}incident_id": decision.incident_id,
        f"{PREFIX}decision": decision.decision,
        f"{PREFIX}incident": is_incident(event),
    }
    return {**told, PRIORITY: 1} if told[f"{PREFIX}incident"] else told


def _remote_parent(visit: Visit, around: context.Context) -> context.Context | None:
    """The caller's trace, when nothing in front of us has taken it up; None is what is around."""
    if trace.get_current_span(around).get_span_context().is_valid:
        return None
    headers = visit.trace_headers()
    if not headers:
        return None
    # The ids alone: baggage and tracestate are the client's words, and are not taken on.
    found = trace.get_current_span(propagate.extract(headers, getter=_CaseBlind()))
    about = found.get_span_context()
    named = SpanContext(
        about.trace_id, about.span_id, is_remote=True, trace_flags=about.trace_flags
    )
    return trace.set_span_in_context(NonRecordingSpan(named))


def _own_trace(parent: context.Context) -> tuple[context.Context, list[Link]]:
    """A client that opts out of traces does not opt out of incidents: they are then linked."""
    about = trace.get_current_span(parent).get_span_context()
    if about.trace_flags.sampled or not about.is_valid:
        return parent, []
    return context.Context(), [Link(about)]


def _name_trace(visit: Visit, span: Span) -> None:
    about = span.get_span_context()
    visit.trace_id = trace.format_trace_id(about.trace_id)
    visit.span_id = trace.format_span_id(about.span_id)
