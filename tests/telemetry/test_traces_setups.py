"""One guardrail span for each gated request, under the right parent in every set-up."""

from typing import Any

import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import ReadableSpan, SpanProcessor
from opentelemetry.trace import SpanContext, SpanKind, StatusCode

from abuse_gate import AdapterConfig, Assessment
from abuse_gate.model.verdict import Usage
from abuse_gate.testing import ScriptedAdapter
from tests.telemetry.watching import (
    ATTACK,
    BENIGN,
    PARENT_ID,
    SETUPS,
    TRACE_ID,
    TRACEPARENT,
    Spans,
    ask,
    attributes,
    fastapi_app,
    none,
)

INSTRUMENTED = [name for name in SETUPS if name != "none"]


@pytest.fixture(params=SETUPS)
def setup(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


@pytest.mark.parametrize("text", [BENIGN, ATTACK])
@pytest.mark.parametrize("asked", [False, True])
async def test_there_is_one_guardrail_span_in_the_callers_trace(
    setup: str, text: str, asked: bool
) -> None:
    spans = Spans()
    app = SETUPS[setup](spans, adapter=ScriptedAdapter("safe") if asked else None)
    talk = await ask(app, text, TRACEPARENT)
    span = spans.guardrail
    assert trace.format_trace_id(identity(span).trace_id) == TRACE_ID
    assert span.status.status_code is StatusCode.UNSET
    told = attributes(span)
    assert told["openinference.span.kind"] == "GUARDRAIL"
    assert told["abuse_gate.incident_id"] == talk.headers[b"x-guardrail-incident-id"].decode()
    assert told["abuse_gate.decision"] == ("block" if text == ATTACK else "allow")
    assert told["abuse_gate.route"] == told["http.route"] == "/chat/{room}"


@pytest.mark.parametrize("name", INSTRUMENTED)
@pytest.mark.parametrize("text", [BENIGN, ATTACK])
async def test_its_parent_is_the_servers_span(name: str, text: str) -> None:
    spans = Spans()
    await ask(SETUPS[name](spans), text, TRACEPARENT)
    (server,) = [span for span in spans.all() if span.kind is SpanKind.SERVER]
    assert spans.guardrail.parent is not None
    assert spans.guardrail.parent.span_id == identity(server).span_id
    assert server.parent is not None
    assert trace.format_span_id(server.parent.span_id) == PARENT_ID


async def test_with_nothing_in_front_its_parent_is_the_callers() -> None:
    spans = Spans()
    await ask(none(spans), BENIGN, TRACEPARENT)
    assert spans.guardrail.parent is not None
    assert spans.guardrail.parent.is_remote
    assert trace.format_span_id(spans.guardrail.parent.span_id) == PARENT_ID


async def test_around_an_app_with_telemetry_its_own_span_is_beside_ours() -> None:
    spans = Spans()
    await ask(none(spans, fastapi_app(spans)), BENIGN, TRACEPARENT)
    (server,) = [span for span in spans.all() if span.kind is SpanKind.SERVER]
    assert server.parent is not None
    assert spans.guardrail.parent is not None
    assert server.parent.span_id == spans.guardrail.parent.span_id


@pytest.mark.parametrize("header", [(b"traceparent", b"rubbish"), (b"x-note", b"none")])
async def test_without_a_trace_it_is_a_root(header: tuple[bytes, bytes]) -> None:
    spans = Spans()
    await ask(none(spans), BENIGN, header)
    assert spans.guardrail.parent is None


@pytest.mark.parametrize("name", ["none", "starlette", "contrib"])
async def test_the_span_is_over_before_the_app_is_called(name: str) -> None:
    """What the app does is beside it, under the same parent."""
    spans, seen = Spans(), list[int]()

    async def inner(scope: Any, receive: Any, send: Any) -> None:
        seen.extend((len(spans.named("guardrail")), current_span()))
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    await ask(SETUPS[name](spans, inner=inner, adapter=ScriptedAdapter("safe")), BENIGN)
    parent = spans.guardrail.parent
    assert seen == [1, parent.span_id if parent else 0]


def identity(span: ReadableSpan) -> SpanContext:
    found = span.get_span_context()
    assert found is not None
    return found


def current_span() -> int:
    return trace.get_current_span().get_span_context().span_id


async def test_a_child_for_each_tier_and_attempt() -> None:
    spans = Spans()
    await ask(none(spans, adapter=ScriptedAdapter("safe")), BENIGN)
    parents = {span.name: span.parent for span in spans.all()}
    assert set(parents) == {
        "guardrail abuse_gate",
        "tier static",
        "tier triage",
        "assess scripted",
    }
    guardrail = identity(spans.guardrail).span_id
    (tier,) = spans.named("tier triage")
    assert [parents[name].span_id for name in ("tier static", "tier triage")] == [guardrail] * 2  # type: ignore[union-attr]
    assert parents["assess scripted"].span_id == identity(tier).span_id  # type: ignore[union-attr]
    (attempt,) = spans.named("assess")
    assert attempt.kind is SpanKind.CLIENT
    assert attributes(attempt)["gen_ai.provider.name"] == "scripted"
    assert attributes(attempt)["abuse_gate.verdict"] == "safe"


async def test_spans_of_the_adapter_nest_under_its_attempt() -> None:
    spans = Spans()

    class Tracing:
        name = "tracing"

        async def assess(self, payload: Any) -> str:
            with spans.provider.get_tracer("sdk").start_as_current_span("sdk call"):
                return "safe"

    await ask(none(spans, adapter=Tracing()), BENIGN)
    (call,) = spans.named("sdk call")
    (attempt,) = spans.named("assess tracing")
    assert call.parent is not None
    assert call.parent.span_id == identity(attempt).span_id


async def test_what_a_question_cost_is_told_of_its_attempt() -> None:
    spans = Spans()
    answer = Assessment("safe", "model_safe", usage=Usage("scripted", "m", 120, 8))
    await ask(none(spans, adapter=ScriptedAdapter(answer)), BENIGN)
    (attempt,) = spans.named("assess")
    assert attributes(attempt)["gen_ai.usage.input_tokens"] == 120
    assert attributes(attempt)["gen_ai.usage.output_tokens"] == 8


class Configured(ScriptedAdapter):
    """An adapter that tells of its model and of what it does."""

    name = "azure"
    operation = "chat"
    config = AdapterConfig("azure", 1500, model="a-deployment")


async def test_an_attempt_is_named_by_what_is_asked_of_which_model() -> None:
    spans = Spans()
    await ask(none(spans, adapter=Configured("safe")), BENIGN)
    (attempt,) = spans.named("chat a-deployment")
    told = attributes(attempt)
    assert told["gen_ai.provider.name"] == "azure.ai.openai"
    assert told["gen_ai.request.model"] == "a-deployment"
    assert told["gen_ai.operation.name"] == "chat"


class Exploding(SpanProcessor):
    """A processor of the app's that cannot take a span."""

    def on_start(self, span: Any, parent_context: Any = None) -> None:
        raise RuntimeError("canary")


@pytest.mark.parametrize("asked", [False, True])
async def test_a_span_processor_that_falls_over_never_reaches_a_request(
    asked: bool, caplog: pytest.LogCaptureFixture
) -> None:
    spans = Spans()
    spans.provider.add_span_processor(Exploding())
    app = none(spans, adapter=ScriptedAdapter("safe") if asked else None)
    assert [(await ask(app, text)).status for text in (BENIGN, ATTACK)] == [200, 403]
    assert "further failures are counted" in caplog.text
    assert "canary" not in caplog.text
