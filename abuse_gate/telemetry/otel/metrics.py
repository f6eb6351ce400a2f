"""Events as numbers, under the contract's names and ours.

Tenants, subjects and paths are never labels: callers choose them, and every value costs a series.
"""

from typing import Final

from opentelemetry import metrics
from opentelemetry.metrics import MeterProvider

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
from abuse_gate.model.verdict import UNASKED_REASONS, Usage, Verdict
from abuse_gate.telemetry.otel.instruments import Instruments, Reading, instruments_of
from abuse_gate.telemetry.otel.names import GEN_AI_PROVIDERS, SCAN_TIER
from abuse_gate.telemetry.otel.providers import is_dormant

LOCAL: Final = "local"
CLOSED: Final = "closed"


class MetricObserver:
    """Counts once there is a meter; until then it looks, and does nothing."""

    def __init__(self, provider: MeterProvider | None = None) -> None:
        self._given = provider
        self._instruments: Instruments | None = None
        self._waiting: list[tuple[str, Reading]] = []

    def record(self, event: Event, /) -> None:
        """Counts and times an event."""
        instruments = self.instruments()
        if instruments is None:
            return
        match event:
            case Reviewed():
                _reviewed(instruments, event)
            case Verified():
                _asked(instruments, event.provider, event.verdict, event.reason, event.elapsed_ms)
                _conventions(instruments, event)
            case BreakerMoved():
                _breaker(instruments, event)
            case ModeChanged():
                instruments.add("abuse_gate.mode_changes", before=event.before, after=event.after)
            case _:
                _remembering(instruments, event)

    @property
    def times_the_loop(self) -> bool:
        """Whether anybody reads how long our work keeps the event loop."""
        return self.instruments() is not None

    def show(self, name: str, reading: Reading) -> None:
        """Have a gauge ask this, as soon as there is one."""
        self._waiting.append((name, reading))

    def instruments(self) -> Instruments | None:
        """The instruments on the app's meter; None while the app has set none up."""
        if self._instruments is None:
            provider = self._given or metrics.get_meter_provider()
            if is_dormant(provider):
                return None
            self._instruments = instruments_of(provider)
        while self._waiting:
            self._instruments.show(*self._waiting.pop())
        return self._instruments


def _remembering(to: Instruments, event: Struck | StoreMoved | StoreFailed | CacheUsed) -> None:
    """What becomes of strikes, verdicts and the store that all share."""
    match event:
        case Struck():
            to.add("abuse_gate.strikes", mode="monitor" if event.monitor else event.mode)
        case StoreMoved():
            to.add("abuse_gate.store_moves", after=event.after)
        case StoreFailed():
            to.add("abuse_gate.store_failures", operation=event.operation, reason=event.reason)
        case CacheUsed():
            to.add("abuse_gate.verdict_cache", outcome=event.outcome, provider=event.provider)


def _reviewed(to: Instruments, event: Reviewed) -> None:
    decision, visit = event.decision, event.visit
    to.add(
        "abuse_gate.decisions",
        decision=decision.decision,
        verdict=decision.verdict,
        mode=decision.mode,
        route=visit.route if visit else None,
    )
    trail = decision.assessment.trail
    tier = trail[-1].tier if trail else SCAN_TIER
    to.add("abuse_gate.tier_decisions", tier=tier, verdict=decision.verdict)
    to.time("abuse_gate.added_ms", event.elapsed_ms, decision=decision.decision)
    for family in {hit.family for hit in decision.assessment.hits}:
        to.add("abuse_gate.rule_hits", family=family, decision=decision.decision)
    if event.unverified:
        to.add("abuse_gate.unverified", reason=event.unverified, decision=decision.decision)
    for step in trail:
        if step.usage is not None:
            _tokens(to, step.usage)
    scan = visit.times.get("inspect") if visit else None
    if scan is not None:
        to.time("abuse_gate.scan_ms", scan)
    if visit is not None and visit.held_ms is not None:
        to.time("abuse_gate.loop_held_ms", visit.held_ms)
    if event.alone:
        # With no provider the rules are the contract's local adapter.
        taken = event.elapsed_ms if scan is None else scan
        _asked(to, LOCAL, decision.verdict, decision.assessment.reason, taken)


def _asked(to: Instruments, provider: str, verdict: Verdict, reason: str, taken_ms: float) -> None:
    """The contract's three: outcome is the verdict, and what failed is an error besides."""
    to.add("verifier.requests_total", provider=provider, outcome=verdict)
    to.time("verifier.latency_ms", taken_ms, provider=provider)
    if reason in UNASKED_REASONS:
        to.add("verifier.errors_total", provider=provider, reason=reason)


def _conventions(to: Instruments, event: Verified) -> None:
    name = GEN_AI_PROVIDERS.get(event.provider, event.provider)
    to.time(
        "gen_ai.client.operation.duration",
        event.elapsed_ms / 1000,
        gen_ai__provider__name=name,
        gen_ai__operation__name="assess",
    )


def _tokens(to: Instruments, usage: Usage) -> None:
    name = GEN_AI_PROVIDERS.get(usage.provider, usage.provider)
    for kind, count in (("input", usage.input_tokens), ("output", usage.output_tokens)):
        to.time(
            "gen_ai.client.token.usage",
            count,
            gen_ai__provider__name=name,
            gen_ai__operation__name="assess",
            gen_ai__token__type=kind,
        )


def _breaker(to: Instruments, event: BreakerMoved) -> None:
    to.add("abuse_gate.breaker_moves", provider=event.provider, after=event.after)
    moved = (event.after != CLOSED) - (event.before != CLOSED)
    if moved:
        to.add("abuse_gate.circuits_open", moved, provider=event.provider)
