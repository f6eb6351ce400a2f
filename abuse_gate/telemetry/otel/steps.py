"""A tier or an attempt as a span: what it is called, what it says, and when it is an error."""

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from typing import Final

from opentelemetry import context, trace
from opentelemetry.trace import Span, SpanKind, StatusCode, Tracer

from abuse_gate.contract import Fact
from abuse_gate.model.verdict import UNASKED_REASONS
from abuse_gate.telemetry.otel.names import GUARDRAIL, KIND, PREFIX, gen_ai_provider, tier_of

# Facts of a step -> the names that the conventions have for them; the rest is ours.
_CONVENTIONS: Final[Mapping[str, str]] = {
    "provider": "gen_ai.provider.name",
    "model": "gen_ai.request.model",
    "operation": "gen_ai.operation.name",
    "input_tokens": "gen_ai.usage.input_tokens",
    "output_tokens": "gen_ai.usage.output_tokens",
}

CANCELLED: Final = "cancelled"


def step_attributes(facts: Mapping[str, Fact]) -> dict[str, Fact]:
    """What is said of a step, by the names that back ends know."""
    told: dict[str, Fact] = {KIND: GUARDRAIL}
    told |= {_CONVENTIONS.get(name, PREFIX + name): value for name, value in facts.items()}
    if "provider" in facts:
        guard = str(facts["provider"])
        told[_CONVENTIONS["provider"]] = gen_ai_provider(guard)
        if tier_of(guard):
            told.setdefault(f"{PREFIX}tier", tier_of(guard))
    return told


def span_name(name: str, facts: Mapping[str, Fact]) -> str:
    """A step's name: which tier, or what is asked of which model."""
    if name != "attempt":
        return f"{name} {facts.get('tier', '')}".strip()
    return f"{facts.get('operation', 'assess')} {facts.get('model') or facts.get('provider', '')}"


class SpanNotes:
    """What becomes known of a step, as attributes; a step that was not answered is an error."""

    __slots__ = ("_span",)

    def __init__(self, span: Span) -> None:
        self._span = span

    def note(self, **facts: Fact) -> None:
        """Codes and numbers."""
        self._span.set_attributes(step_attributes(facts))
        reason = facts.get("reason")
        if isinstance(reason, str) and reason in UNASKED_REASONS:
            _fail(self._span, reason)


UNSEEN: Final = SpanNotes(trace.INVALID_SPAN)


@contextmanager
def step_span(tracer: Tracer, name: str, facts: Mapping[str, Fact]) -> Generator[SpanNotes]:
    """The span of a step, current while it lasts; what the step raises goes on, named by type."""
    kind = SpanKind.CLIENT if name == "attempt" else SpanKind.INTERNAL
    span = tracer.start_span(span_name(name, facts), kind=kind, attributes=step_attributes(facts))
    token = context.attach(trace.set_span_in_context(span))
    failed = CANCELLED
    try:
        yield SpanNotes(span)
        failed = ""
    except Exception as error:
        failed = type(error).__name__
        raise
    finally:
        if failed == CANCELLED and name != "attempt":
            # The client has left: nothing of ours has failed.
            span.set_attribute(f"{PREFIX}abandoned", True)
        elif failed:
            _fail(span, failed)
        context.detach(token)
        span.end()


def _fail(span: Span, error_type: str) -> None:
    span.set_attribute("error.type", error_type)
    span.set_status(StatusCode.ERROR)
