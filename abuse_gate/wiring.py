"""The one place where the parts are put together: settings in, a gate or a guarded adapter out."""

import os
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, Final, TypeVar

from abuse_gate.contract import (
    ConfigError,
    Judge,
    JudgeFunction,
    Observer,
    SecretProvider,
    VerifierAdapter,
)
from abuse_gate.deciding.planner import Tier
from abuse_gate.gate import Gate
from abuse_gate.remembering import NOTHING_KEPT, Kept, strikes_of, verdict_cache
from abuse_gate.rules.custom import CustomPatternError, compile_custom
from abuse_gate.rules.placeholders import Redaction
from abuse_gate.rules.rulesets import RULESETS
from abuse_gate.rules.structure import SEVERITIES
from abuse_gate.settings import PiiRuleset, Settings, settings_from_env
from abuse_gate.telemetry.audit.build import audit_trail
from abuse_gate.telemetry.audit.files import AuditSink
from abuse_gate.telemetry.instrumentation import otel_observers
from abuse_gate.telemetry.logs import LogObserver
from abuse_gate.telemetry.observers import Observers
from abuse_gate.telemetry.pauses import OnPause, PauseHook
from abuse_gate.verify.guard import Guard
from abuse_gate.verify.judges import judge_by_hand, resolve_judge
from abuse_gate.verify.resolve import BUILT_IN, adapter_name, guarded, resolve
from abuse_gate.verify.secrets import CachedSecrets
from abuse_gate.verify.tenants import Guards
from abuse_gate.verify.tiered import Tiered
from abuse_gate.work.documents import DocumentPool, PoolLimits
from abuse_gate.work.once import once
from abuse_gate.work.scanner import Scanner, build_scanner

if TYPE_CHECKING:
    from opentelemetry.metrics import MeterProvider
    from opentelemetry.trace import TracerProvider

AnyGate = TypeVar("AnyGate", bound=Gate)


@dataclass(frozen=True, slots=True)
class Judges:
    """Judges that the app brings itself, and whom it wants told when they stop something."""

    triage: Judge | JudgeFunction | None = None
    supervisor: Judge | JudgeFunction | None = None
    on_pause: OnPause | None = None


@dataclass(frozen=True, slots=True)
class Telemetry:
    """Where the app wants its telemetry, when not where OpenTelemetry's global providers lead."""

    tracer_provider: "TracerProvider | None" = None
    meter_provider: "MeterProvider | None" = None
    audit: AuditSink | None = None


IN_FLIGHT: Final = "abuse_gate.verifier_in_flight"
OPEN: Final = "abuse_gate.circuits_open"
NO_TELEMETRY: Final = Telemetry()
NO_JUDGES: Final = Judges()
NOBODY_NAMED: Final = {
    "verifier_adapter": BUILT_IN,
    "triage_model": None,
    "supervisor_model": None,
}


def build_gate(
    settings: Settings,
    adapter: VerifierAdapter | Guard | None = None,
    observer: Observer | None = None,
    secrets: SecretProvider | None = None,
    judges: Judges = NO_JUDGES,
    *,
    telemetry: Telemetry = NO_TELEMETRY,
    kept: Kept = NOTHING_KEPT,
) -> Gate:
    """A gate out of settings; an adapter given by hand wins over the one that they name."""
    return gate_of(Gate, settings, adapter, observer, secrets, judges, telemetry, kept=kept)


def gate_of(
    kind: type[AnyGate],
    settings: Settings,
    adapter: VerifierAdapter | Guard | None = None,
    observer: Observer | None = None,
    secrets: SecretProvider | None = None,
    judges: Judges = NO_JUDGES,
    telemetry: Telemetry = NO_TELEMETRY,
    *,
    kept: Kept = NOTHING_KEPT,
) -> AnyGate:
    """A gate of any kind; beside an adapter given by hand only judges given by hand are asked."""
    secrets = None if secrets is None else CachedSecrets(secrets)
    observers = _observers(settings, observer, judges, telemetry)
    scanner = scanner_of(settings)
    # Beside an adapter given by hand, what the settings name is nobody to be asked.
    named = settings if adapter is None else settings.model_copy(update=NOBODY_NAMED)
    guards = (
        _verifier(settings, adapter, scanner, observers, secrets),
        _judge("triage", judges, named, observers, secrets),
        _judge("supervisor", judges, named, observers, secrets),
    )
    verifier = Tiered(*guards, observer=observers)
    for each in filter(None, guards):
        guard = each.common
        observers.show(IN_FLIGHT, guard, lambda found: found.in_flight, provider=guard.name)
        observers.show(OPEN, each, lambda found: found.open_circuits, provider=guard.name)
    documents = DocumentPool(PoolLimits(seconds=settings.document_timeout_ms / 1000))
    key, redactions = digest_key(settings), redactions_of(settings)
    return kind(
        settings,
        scanner,
        verifier,
        observers,
        key,
        documents=documents,
        redactions=redactions,
        strikes=strikes_of(settings, observers, kept),
        cache=verdict_cache(settings, key, observers),
    )


def scanner_of(settings: Settings) -> Scanner:
    """The rules that the settings name, compiled; a rule id in them that is none is an error."""
    scanner = build_scanner(settings.additional_patterns, settings.rule_packs)
    check_rule_ids(settings, {*SEVERITIES, *(rule.id for rule in scanner.book.rules)})
    return scanner


def _observers(
    settings: Settings, observer: Observer | None, judges: Judges, telemetry: Telemetry
) -> Observers:
    # Traces come first: they give a request the ids that the others write down.
    watching = [*otel_observers(telemetry.tracer_provider, telemetry.meter_provider), LogObserver()]
    trail = audit_trail(settings, telemetry.audit)
    told = [PauseHook(judges.on_pause)] if judges.on_pause else []
    own = [observer] if observer else []
    observers = Observers([*watching, *([trail] if trail else []), *told, *own])
    observers.show("abuse_gate.observer_failures", observers, lambda found: found.failures)
    if trail is not None:
        observers.show("abuse_gate.audit_lost", trail, lambda found: found.lost)
    return observers


def redactions_of(settings: Settings) -> dict[PiiRuleset, Redaction]:
    """Every ruleset ready for use; the operator's own patterns count under each of them."""
    try:
        custom = compile_custom(settings.pii)
    except CustomPatternError as error:
        raise ConfigError(f"pii in [abuse_gate]: {error}") from None
    return {name: Redaction(detectors, custom) for name, detectors in RULESETS.items()}


def gate_from_env(overrides: Mapping[str, Any] | None = None) -> Gate:
    """A gate whose every setting comes from the environment and the file that it names."""
    return build_gate(settings_from_env(**(overrides or {})))


@once
def resolve_adapter_from_env() -> Guard:
    """The adapter that `VERIFIER_ADAPTER` names, guarded; one for the whole process.

    `resolve_adapter_from_env.cache_clear()` forgets it.
    """
    settings = settings_from_env()
    scanner = build_scanner(settings.additional_patterns, settings.rule_packs)
    return resolve(settings, scanner, Observers([LogObserver()])).common


@once
def process_gate() -> Gate:
    """The gate of callers that ask by hand, without the middleware; one for the whole process."""
    return gate_from_env()


def check_rule_ids(settings: Settings, known: AbstractSet[str]) -> None:
    """A rule that is to be switched off or weighed must exist: a typing error would hide it."""
    named = [*settings.disabled_rules, *settings.severity_overrides]
    for route in settings.routes:
        named += [*(route.disabled_rules or ()), *(route.severity_overrides or {})]
    for rule in named:
        if rule not in known:
            near = get_close_matches(rule, sorted(known), n=1)
            hint = f"did you mean {near[0]}?" if near else "`abuse-gate rules` lists them"
            raise ConfigError(
                f"disabled_rules / severity_overrides: no rule is called {rule[:40]!r}; {hint}"
            )


def _verifier(
    settings: Settings,
    adapter: VerifierAdapter | Guard | None,
    scanner: Scanner,
    observer: Observer,
    secrets: SecretProvider | None,
) -> Guards | None:
    if isinstance(adapter, Guard):
        return Guards(adapter)
    if adapter is not None:
        return Guards(guarded(adapter, adapter_name(adapter), settings, observer))
    # With `none` tier 1 answers alone: asking the rules a second time would tell nothing new.
    if settings.verifier_adapter == BUILT_IN:
        return None
    return resolve(settings, scanner, observer, secrets)


def _judge(
    tier: Tier,
    judges: Judges,
    settings: Settings,
    observer: Observer,
    secrets: SecretProvider | None,
) -> Guards | None:
    given = judges.triage if tier == "triage" else judges.supervisor
    if given is not None:
        return judge_by_hand(tier, given, settings, observer)
    return resolve_judge(tier, settings, observer, secrets)


def digest_key(settings: Settings) -> bytes:
    """The key of all digests; random for this process when none is configured."""
    if settings.secret is None:
        return os.urandom(32)
    return settings.secret.get_secret_value().encode()
