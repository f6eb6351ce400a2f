"""Which verifier is asked: one name in the settings, one guarded adapter for all requests.

An unknown or unusable adapter is a start-up error that names the cure, never a silent fall-back.
"""

from collections.abc import Mapping
from difflib import get_close_matches
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Final, cast

from abuse_gate.contract import (
    AdapterConfig,
    AdapterFactory,
    ConfigError,
    Observer,
    VerifierAdapter,
)
from abuse_gate.deciding.score import Thresholds
from abuse_gate.model.verdict import is_code
from abuse_gate.settings import Settings, environment_secret
from abuse_gate.verify.guard import Guard, GuardLimits
from abuse_gate.verify.local import LocalRuleAdapter
from abuse_gate.work.scanner import Scanner

GROUP: Final = "abuse_gate.adapters"
BUILT_IN: Final = "none"
# The contract's providers, each an extra of this distribution, and where their settings lie.
PROVIDERS: Final[dict[str, dict[str, str]]] = {
    "anthropic": {"model": "anthropic_verifier_model", "endpoint": "anthropic_base_url"},
    "azure": {"model": "azure_openai_deployment", "endpoint": "azure_openai_endpoint"},
    "openai": {"model": "openai_verifier_model", "endpoint": "openai_base_url"},
}


def local_adapter(settings: Settings, scanner: Scanner) -> LocalRuleAdapter:
    """The rules as a verifier, weighed as the operator wants."""
    return LocalRuleAdapter(
        scanner,
        Thresholds(settings.block_threshold, settings.notice_threshold),
        frozenset(settings.disabled_rules),
        settings.severity_overrides,
    )


def resolve(settings: Settings, scanner: Scanner, observer: Observer) -> Guard:
    """The adapter that the settings name, guarded."""
    name = settings.verifier_adapter
    if name == BUILT_IN:
        return guarded(local_adapter(settings, scanner), "local", settings, observer)
    return guarded(_plugged_in(name, settings), name, settings, observer)


def guarded(adapter: VerifierAdapter, name: str, settings: Settings, observer: Observer) -> Guard:
    """An adapter under the limits of these settings."""
    limits = GuardLimits(
        timeout_seconds=settings.verifier_timeout_ms / 1000,
        max_retries=settings.verifier_max_retries,
        circuit_open_seconds=settings.verifier_circuit_open_sec,
        max_in_flight=settings.max_in_flight,
    )
    return Guard(adapter, name, limits, observer)


def adapter_name(adapter: object) -> str:
    """The name an adapter goes by in records: its own `name` if that is a code."""
    name = getattr(adapter, "name", None)
    return name if isinstance(name, str) and is_code(name) else "custom"


def _plugged_in(name: str, settings: Settings) -> VerifierAdapter:
    found = {entry.name: entry for entry in entry_points(group=GROUP)}
    if name not in found:
        raise ConfigError(_unknown(name, found))
    factory = _load(found[name])
    try:
        return factory(_config(name, settings))
    except ConfigError:
        raise
    except Exception as error:  # noqa: BLE001 - any failure of a plug-in is one line
        # The type alone: a provider's message may hold a key.
        raise ConfigError(
            f"VERIFIER_ADAPTER={name}: the adapter could not be built ({type(error).__name__}); "
            "check its settings, or use VERIFIER_ADAPTER=none"
        ) from None


def _load(entry: EntryPoint) -> AdapterFactory:
    try:
        return cast("AdapterFactory", entry.load())
    except ModuleNotFoundError as error:
        raise ConfigError(
            f"VERIFIER_ADAPTER={entry.name}: module {error.name!r} is not installed; "
            f"run: pip install {_distribution(entry)}"
        ) from None
    except Exception as error:  # noqa: BLE001 - any failure of a plug-in is one line
        raise ConfigError(
            f"VERIFIER_ADAPTER={entry.name}: {entry.value} cannot be imported "
            f"({type(error).__name__}); reinstall or fix that adapter"
        ) from None


def _distribution(entry: EntryPoint) -> str:
    if entry.name in PROVIDERS:
        return f'"abuse-gate[{entry.name}]"'
    return entry.dist.name if entry.dist else "the adapter's requirements"


def _unknown(name: str, found: Mapping[str, EntryPoint]) -> str:
    known = sorted({BUILT_IN, *found})
    near = get_close_matches(name.lower(), {*known, *PROVIDERS}, n=1)
    hint = f"did you mean {near[0]}? " if near else ""
    if name in PROVIDERS:
        hint = f"this installation has no {name} adapter; "
    return (
        f"VERIFIER_ADAPTER={name[:40]!r}: no such adapter; {hint}installed: {', '.join(known)}; "
        f"a plug-in registers under the entry-point group {GROUP!r}"
    )


def _config(name: str, settings: Settings) -> AdapterConfig:
    fields: Mapping[str, str] = PROVIDERS.get(name, {})
    values: dict[str, Any] = {key: getattr(settings, field) for key, field in fields.items()}
    return AdapterConfig(
        name=name, timeout_ms=settings.verifier_timeout_ms, secret=environment_secret, **values
    )
