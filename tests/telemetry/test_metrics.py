"""What is counted and timed, under which names and labels, and how Prometheus shows it."""

import re
from typing import Any, cast

import pytest
from opentelemetry.exporter.prometheus import PrometheusMetricReader
from opentelemetry.sdk.metrics import MeterProvider
from prometheus_client import CollectorRegistry, generate_latest

from abuse_gate import AbuseGateMiddleware, Settings, build_gate
from abuse_gate.contract import ProviderUnavailable
from abuse_gate.model.decision import Decision
from abuse_gate.model.events import (
    BreakerMoved,
    CacheUsed,
    Event,
    ModeChanged,
    Reviewed,
    StoreFailed,
    StoreMoved,
    Struck,
    Verified,
)
from abuse_gate.model.verdict import Assessment, Step, Usage
from abuse_gate.telemetry.otel.instruments import OTHER, Bounded, instruments_of
from abuse_gate.telemetry.otel.metrics import MetricObserver
from abuse_gate.telemetry.otel.names import INSTRUMENTS
from abuse_gate.testing import ScriptedAdapter
from abuse_gate.wiring import Telemetry
from tests.telemetry.watching import (
    ATTACK,
    BENIGN,
    NOWHERE,
    Numbers,
    Spans,
    ask,
    none,
    starlette_app,
)

CONTRACT = ("verifier.requests_total", "verifier.latency_ms", "verifier.errors_total")


def gated(numbers: Numbers, **more: Any) -> Any:
    return none(Spans(), meter_provider=numbers.provider, **more)


async def test_the_rules_alone_count_as_the_local_provider() -> None:
    numbers = Numbers()
    app = gated(numbers)
    for text in (BENIGN, ATTACK, ATTACK):
        await ask(app, text)
    assert numbers.values("verifier.requests_total") == {
        ("local", "safe"): 1,
        ("local", "unsafe"): 2,
    }
    assert numbers.values("verifier.latency_ms") == {("local",): 3}
    assert numbers.values("verifier.errors_total") == {}


async def test_a_provider_counts_under_its_name_and_its_failures_are_errors() -> None:
    numbers = Numbers()
    app = gated(numbers, adapter=ScriptedAdapter(["safe", "unsafe", ProviderUnavailable()]))
    for _ in range(3):
        await ask(app, BENIGN)
    assert numbers.values("verifier.requests_total") == {
        ("scripted", "safe"): 1,
        ("scripted", "unsafe"): 1,
        ("scripted", "unclear"): 1,
    }
    assert numbers.values("verifier.errors_total") == {("scripted", "provider_error"): 1}
    assert numbers.values("abuse_gate.unverified") == {("provider_error", "allow"): 1}
    assert numbers.values("abuse_gate.tier_decisions") == {
        ("triage", "safe"): 1,
        ("triage", "unsafe"): 1,
        ("triage", "unclear"): 1,
    }
    assert numbers.values("gen_ai.client.operation.duration") == {("scripted", "assess"): 3}


async def test_decisions_are_counted_by_route_template() -> None:
    numbers = Numbers()
    app = gated(numbers)
    for path in ("/chat/a", "/chat/b", "/careful/chat", "/trial/chat", "/nowhere/at/all"):
        await ask(app, ATTACK, path=path)
    assert numbers.values("abuse_gate.decisions") == {
        ("block", "unsafe", "normal", "/chat/{room}"): 2,
        ("block", "unsafe", "normal", "/{kind}/chat"): 1,
        ("block", "unsafe", "monitor", "/{kind}/chat"): 1,
        ("block", "unsafe", "normal", OTHER): 1,
    }
    assert numbers.values("abuse_gate.added_ms") == {("block",): 5}
    assert numbers.values("abuse_gate.scan_ms") == {(): 5}
    assert numbers.values("abuse_gate.loop_held_ms") == {(): 5}
    assert sum(numbers.values("abuse_gate.rule_hits").values()) >= 5


def test_circuits_and_modes_are_counted() -> None:
    numbers = Numbers()
    observer = MetricObserver(numbers.provider)
    moves = [("closed", "open"), ("open", "half_open"), ("half_open", "open"), ("open", "closed")]
    for tenant in range(2):
        for before, after in moves[: 4 - tenant]:
            observer.record(BreakerMoved("azure", before, after))
    observer.record(ModeChanged("digest", "normal", "full_quarantine"))
    assert numbers.values("abuse_gate.circuits_open") == {("azure",): 1}
    assert numbers.values("abuse_gate.breaker_moves") == {
        ("azure", "open"): 4,
        ("azure", "half_open"): 2,
        ("azure", "closed"): 1,
    }
    assert numbers.values("abuse_gate.mode_changes") == {("normal", "full_quarantine"): 1}


def test_strikes_and_the_shared_store_are_counted() -> None:
    numbers = Numbers()
    observer = MetricObserver(numbers.provider)
    for event in (
        Struck("digest", "incident", "execute_locked", 3),
        Struck("digest", "incident", "normal", 1, monitor=True),
        StoreMoved("up", "away", "TimeoutError"),
        StoreFailed("look", "TimeoutError", 50.0),
        CacheUsed("shared", "openai"),
    ):
        observer.record(event)
    assert numbers.values("abuse_gate.strikes") == {("execute_locked",): 1, ("monitor",): 1}
    assert numbers.values("abuse_gate.store_moves") == {("away",): 1}
    assert numbers.values("abuse_gate.store_failures") == {("look", "TimeoutError"): 1}
    assert numbers.values("abuse_gate.verdict_cache") == {("shared", "openai"): 1}


def test_questions_under_way_are_shown_for_as_long_as_their_gate_lives() -> None:
    numbers = Numbers()
    gates = [
        build_gate(
            Settings(),
            ScriptedAdapter("safe"),
            telemetry=Telemetry(meter_provider=numbers.provider),
        )
        for _ in range(2)
    ]
    shown = numbers.points("abuse_gate.verifier_in_flight")
    assert {labels: point.value for labels, point in shown.items()} == {("scripted",): 0}
    gates.clear()


def test_tokens_are_counted_by_provider_and_kind() -> None:
    numbers = Numbers()
    trail = (Step("verifier", "safe", "model_safe", 1.0, Usage("azure", "m", 120, 8)),)
    decision = Decision("allow", None, "normal", "0" * 32, Assessment("safe", "x", trail=trail))
    observer = MetricObserver(numbers.provider)
    observer.record(Reviewed(decision, 1, 1.0, alone=True))
    points = numbers.points("gen_ai.client.token.usage")
    assert {labels: point.sum for labels, point in points.items()} == {
        ("azure.ai.openai", "assess", "input"): 120,
        ("azure.ai.openai", "assess", "output"): 8,
    }
    assert numbers.values("verifier.latency_ms") == {("local",): 1}


async def test_an_app_that_only_counts_gets_no_spans_and_no_trouble() -> None:
    numbers = Numbers()
    app = AbuseGateMiddleware(
        starlette_app(),
        settings=Settings(),
        adapter=ScriptedAdapter("safe"),
        meter_provider=numbers.provider,
    )
    assert (await ask(app, BENIGN)).status == 200
    assert numbers.values("verifier.requests_total") == {("scripted", "safe"): 1}


def test_labels_are_bounded() -> None:
    label = Bounded(2)
    assert [label(value) for value in ("a", "b", "c", "a", "", None)] == [
        "a",
        "b",
        OTHER,
        "a",
        OTHER,
        OTHER,
    ]


def test_every_label_of_every_instrument_is_named() -> None:
    numbers = Numbers()
    instruments = instruments_of(numbers.provider)
    assert instruments is instruments_of(numbers.provider)
    for name, law in INSTRUMENTS.items():
        labels = {label.replace(".", "__"): "x" for label in law.labels}
        if law.kind == "gauge":
            instruments.show(name, lambda: ({}, 1.0))
            instruments.show(name, lambda: None)
        else:
            (instruments.time if law.kind == "histogram" else instruments.add)(name, 1, **labels)
        (labels_seen,) = numbers.values(name)
        assert len(labels_seen) == (0 if law.kind == "gauge" else len(law.labels))


def scraped() -> tuple[MeterProvider, CollectorRegistry]:
    registry = CollectorRegistry()
    reader = PrometheusMetricReader(registry=registry)
    return MeterProvider([reader], resource=NOWHERE), registry


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
async def test_prometheus_shows_the_contracts_names() -> None:
    provider, registry = scraped()
    app = none(Spans(), meter_provider=provider, adapter=ScriptedAdapter(ProviderUnavailable()))
    await ask(app, BENIGN)
    text = generate_latest(registry).decode()
    names = set(re.findall(r"^(\w+)\{", text, re.MULTILINE))
    assert {
        "verifier_requests_total",
        "verifier_latency_ms_bucket",
        "verifier_errors_total",
        "abuse_gate_decisions_total",
        "abuse_gate_unverified_total",
    } <= names
    assert re.search(r'verifier_requests_total\{.*provider="scripted".*\} 1.0', text)
    assert "milliseconds" not in text
    assert 'outcome="unclear"' in text


def test_an_event_of_a_later_version_is_let_pass() -> None:
    MetricObserver(Numbers().provider).record(cast("Event", object()))


def test_an_event_before_there_is_a_meter_costs_nothing() -> None:
    observer = MetricObserver()
    observer.show("abuse_gate.audit_lost", lambda: ({}, 0.0))
    observer.record(Verified("a", "safe", "model_safe", 1.0, 1))
    assert observer.instruments() is None
    assert not observer.times_the_loop
