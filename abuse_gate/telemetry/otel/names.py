"""Every name that leaves this house by OpenTelemetry: spans, attributes and instruments.

Dashboards, alerts, docs and tests are held to these tables.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

SCOPE: Final = "abuse_gate"
PREFIX: Final = "abuse_gate."
GUARDRAIL_SPAN: Final = "guardrail abuse_gate"
KIND: Final = "openinference.span.kind"
GUARDRAIL: Final = "GUARDRAIL"
# Tier 1, as the trail of an assessment calls it.
SCAN_TIER: Final = "static"

# Collectors and back ends that sample late keep what carries this.
PRIORITY: Final = "sampling.priority"

# Our names of providers -> the names that the semantic conventions have for them.
GEN_AI_PROVIDERS: Final[Mapping[str, str]] = {"azure": "azure.ai.openai"}

InstrumentKind = Literal["counter", "histogram", "up_down", "gauge"]

MILLISECONDS: Final = (1, 2, 5, 10, 25, 50, 100, 250, 500, 1000, 1500, 2500, 5000)
FINE_MILLISECONDS: Final = (0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 1000)
SECONDS: Final = (0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24)
TOKENS: Final = (1, 4, 16, 64, 256, 1024, 4096, 16384, 65536)


@dataclass(frozen=True, slots=True)
class Instrument:
    """One instrument: its kind, its meaning and its labels, each from a bounded set."""

    kind: InstrumentKind
    meaning: str
    labels: tuple[str, ...]
    # The contract's names have their unit in them; a second one would be rendered twice.
    unit: str = ""
    buckets: tuple[float, ...] = ()


INSTRUMENTS: Final[Mapping[str, Instrument]] = {
    "verifier.requests_total": Instrument(
        "counter", "Questions put to a verifier.", ("provider", "outcome")
    ),
    "verifier.latency_ms": Instrument(
        "histogram",
        "Time of one question to a verifier, retries included.",
        ("provider",),
        buckets=MILLISECONDS,
    ),
    "verifier.errors_total": Instrument(
        "counter", "Questions that a verifier could not answer.", ("provider", "reason")
    ),
    "abuse_gate.decisions": Instrument(
        "counter", "Requests decided.", ("decision", "verdict", "mode", "route")
    ),
    "abuse_gate.rule_hits": Instrument(
        "counter", "Requests in which a family of rules fired.", ("family", "decision")
    ),
    "abuse_gate.tier_decisions": Instrument(
        "counter", "Requests by the tier that had the last word.", ("tier", "verdict")
    ),
    "abuse_gate.unverified": Instrument(
        "counter",
        "Requests that a verifier should have judged and did not.",
        ("reason", "decision"),
    ),
    "abuse_gate.mode_changes": Instrument(
        "counter", "Subjects that were locked, quarantined or released.", ("before", "after")
    ),
    "abuse_gate.strikes": Instrument(
        "counter", "Unsafe messages that were held against who wrote them.", ("mode",)
    ),
    "abuse_gate.store_moves": Instrument(
        "counter", "Times that the shared store went away or came back.", ("after",)
    ),
    "abuse_gate.store_failures": Instrument(
        "counter",
        "What the shared store did not do in time, and this process did alone.",
        ("operation", "reason"),
    ),
    "abuse_gate.verdict_cache": Instrument(
        "counter", "Verdicts that were known, shared or asked for.", ("outcome", "provider")
    ),
    "abuse_gate.breaker_moves": Instrument(
        "counter", "Changes of a circuit's state.", ("provider", "after")
    ),
    "abuse_gate.circuits_open": Instrument(
        "up_down", "Circuits that are not closed.", ("provider",)
    ),
    "abuse_gate.verifier_in_flight": Instrument(
        "gauge", "Questions under way, those nobody waits for any more included.", ("provider",)
    ),
    "abuse_gate.added_ms": Instrument(
        "histogram",
        "Time that the gate added to a request, without the reading of its body.",
        ("decision",),
        buckets=FINE_MILLISECONDS,
    ),
    "abuse_gate.scan_ms": Instrument(
        "histogram", "Time of reading and scanning.", (), buckets=FINE_MILLISECONDS
    ),
    "abuse_gate.loop_held_ms": Instrument(
        "histogram",
        "The longest stretch for which one request's scan kept the event loop.",
        (),
        buckets=FINE_MILLISECONDS,
    ),
    "abuse_gate.audit_lost": Instrument(
        "gauge", "Audit records that could not be kept since the start.", ()
    ),
    "gen_ai.client.operation.duration": Instrument(
        "histogram",
        "Time of one question to a provider.",
        ("gen_ai.provider.name", "gen_ai.operation.name"),
        "s",
        SECONDS,
    ),
    "gen_ai.client.token.usage": Instrument(
        "histogram",
        "Tokens of one question to a provider.",
        ("gen_ai.provider.name", "gen_ai.operation.name", "gen_ai.token.type"),
        "{token}",
        TOKENS,
    ),
}
