"""Which verifier is asked: one name in the settings, one guarded adapter for all requests.

An unknown or unusable adapter is a start-up error that names the cure, never a silent fall-back.
"""

import logging
from collections.abc import Mapping
from difflib import get_close_matches
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Final, cast

from abuse_gate.contract import (
    AdapterConfig,
    AdapterFactory,
    ConfigError,
    Observer,
    ProviderMisconfigured,
    SecretProvider,
    VerifierAdapter,
)
from abuse_gate.deciding.score import Thresholds
from abuse_gate.model.verdict import Verdict, is_code
from abuse_gate.settings import Settings, Tenant
from abuse_gate.verify.guard import Guard, GuardLimits
from abuse_gate.verify.local import LocalRuleAdapter
from abuse_gate.verify.secrets import CachedSecrets, FirstOf, SettingsSecrets
from abuse_gate.verify.tenants import (
    PROVIDERS,
    Guards,
    Provider,
    is_pinned,
    secret_getter,
    tenants_of,
)
from abuse_gate.work.scanner import Scanner

_log = logging.getLogger("abuse_gate")

GROUP: Final = "abuse_gate.adapters"
BUILT_IN: Final = "none"
OWN_PACKAGE: Final = "abuse_gate_adapters."


def local_adapter(settings: Settings, scanner: Scanner) -> LocalRuleAdapter:
    """The rules as a verifier, weighed as the operator wants."""
    return LocalRuleAdapter(
        scanner,
        Thresholds(settings.block_threshold, settings.notice_threshold),
        frozenset(settings.disabled_rules),
        settings.severity_overrides,
    )


def resolve(
    settings: Settings,
    scanner: Scanner,
    observer: Observer,
    secrets: SecretProvider | None = None,
) -> Guards:
    """The adapter that the settings name, guarded; once more for each tenant of its own."""
    name = settings.verifier_adapter
    if name == BUILT_IN:
        return Guards(guarded(local_adapter(settings, scanner), "local", settings, observer), {})
    factory = _load(_entry(name))
    known = _secrets(settings, secrets)
    _check_key(name, settings, given=secrets is not None)

    def build(tenant: Tenant | None) -> Guard:
        adapter = _built(factory, _config(name, settings, known, tenant))
        return guarded(adapter, name, settings, observer)

    own = {key: build(tenant) for key, tenant in tenants_of(settings).items()}
    common = build(None)

    def make(key: str) -> Guard:
        return _late(common, factory, _config(name, settings, known, Tenant(name=key)))

    return Guards(common, own, make if secrets is not None else None)


def guarded(adapter: VerifierAdapter, name: str, settings: Settings, observer: Observer) -> Guard:
    """An adapter under the limits of these settings."""
    limits = GuardLimits(
        timeout_seconds=settings.verifier_timeout_ms / 1000,
        max_retries=settings.verifier_max_retries,
        circuit_open_seconds=settings.verifier_circuit_open_sec,
        max_in_flight=settings.max_in_flight,
        subject_budget=settings.subject_budget,
    )
    return Guard(adapter, name, limits, observer)


def adapter_name(adapter: object) -> str:
    """The name an adapter goes by in records: its own `name` if that is a code."""
    name = getattr(adapter, "name", None)
    return name if isinstance(name, str) and is_code(name) else "custom"


def _entry(name: str) -> EntryPoint:
    # Ours come last: nobody takes the place of an adapter of ours by registering its name.
    ranked = sorted(entry_points(group=GROUP), key=lambda it: it.value.startswith(OWN_PACKAGE))
    found = {entry.name: entry for entry in ranked}
    if name not in found:
        raise ConfigError(_unknown(name, found))
    return found[name]


def _built(factory: AdapterFactory, config: AdapterConfig) -> VerifierAdapter:
    try:
        return factory(config)
    except ConfigError:
        raise
    except ModuleNotFoundError as error:
        raise ConfigError(_missing(config.name, error, None)) from None
    except Exception as error:  # noqa: BLE001 - any failure of a plug-in is one line
        # The type alone: a provider's message may hold a key.
        raise ConfigError(
            f"VERIFIER_ADAPTER={config.name}: the adapter could not be built "
            f"({type(error).__name__}); check its settings, or use VERIFIER_ADAPTER=none"
        ) from None


class _Unbuilt:
    """Stands for an adapter that could not be built while the app runs: asks nobody."""

    async def assess(self, payload: Mapping[str, Any], /) -> Verdict:  # noqa: ARG002 - nobody sees it
        raise ProviderMisconfigured


def _late(common: Guard, factory: AdapterFactory, config: AdapterConfig) -> Guard:
    """The guard of a tenant that came up in a request, where nothing may raise."""
    try:
        return common.sibling_of(_built(factory, config))
    except ConfigError as error:
        _log.error("abuse-gate: %s", error)
        return common.sibling_of(_Unbuilt())


def _load(entry: EntryPoint) -> AdapterFactory:
    try:
        return cast("AdapterFactory", entry.load())
    except ModuleNotFoundError as error:
        raise ConfigError(_missing(entry.name, error, entry)) from None
    except Exception as error:  # noqa: BLE001 - any failure of a plug-in is one line
        raise ConfigError(
            f"VERIFIER_ADAPTER={entry.name}: {entry.value} cannot be imported "
            f"({type(error).__name__}); reinstall or fix that adapter"
        ) from None


def _missing(name: str, error: ModuleNotFoundError, entry: EntryPoint | None) -> str:
    package = f'"abuse-gate[{name}]"' if name in PROVIDERS else "the adapter's requirements"
    if name not in PROVIDERS and entry is not None and entry.dist is not None:
        package = entry.dist.name
    return (
        f"VERIFIER_ADAPTER={name}: module {error.name!r} is not installed; "
        f"run: pip install {package}"
    )


def _unknown(name: str, found: Mapping[str, EntryPoint]) -> str:
    known = sorted({BUILT_IN, *found})
    near = get_close_matches(name.lower(), {*known, *PROVIDERS}, n=1)
    hint = f"did you mean {near[0]}? " if near else ""
    return (
        f"VERIFIER_ADAPTER={name[:40]!r}: no such adapter; {hint}installed: {', '.join(known)}; "
        f"a plug-in registers under the entry-point group {GROUP!r}"
    )


def _check_key(name: str, settings: Settings, *, given: bool) -> None:
    """A provider without a key is a start-up error, unless a secret provider may know one."""
    provider = PROVIDERS.get(name)
    if provider is None or given or provider.keyless or getattr(settings, provider.key) is not None:
        return
    if any(tenant.api_key is not None for tenant in tenants_of(settings).values()):
        return
    variable = provider.key.upper()
    raise ConfigError(
        f"{variable}: VERIFIER_ADAPTER={name} needs a key; set {variable}, "
        "or hand a secret provider to the middleware (secrets=...)"
    )


def _secrets(settings: Settings, given: SecretProvider | None) -> SecretProvider:
    own = SettingsSecrets(settings)
    return own if given is None else FirstOf(CachedSecrets(given), own)


def _config(
    name: str, settings: Settings, secrets: SecretProvider, tenant: Tenant | None
) -> AdapterConfig:
    provider = PROVIDERS.get(name)
    common = _common(settings, provider)
    own = tenant.model_dump(include=set(common), exclude_none=True) if tenant else {}
    return AdapterConfig(
        name=name,
        timeout_ms=settings.verifier_timeout_ms,
        tenant=tenant.name if tenant else None,
        pinned=tenant is not None and is_pinned(tenant),
        thresholds=settings.moderation_thresholds,
        secret=secret_getter(secrets, tenant, provider),
        **{**common, **own},
    )


def _common(settings: Settings, provider: Provider | None) -> dict[str, Any]:
    if provider is None:
        none = dict.fromkeys(("model", "endpoint", "api_version"))
        return {**none, "data_residency": settings.data_residency}
    return {
        "model": getattr(settings, provider.model),
        "endpoint": getattr(settings, provider.endpoint),
        "api_version": getattr(settings, provider.api_version) if provider.api_version else None,
        "data_residency": settings.data_residency,
    }
