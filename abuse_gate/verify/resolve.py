"""Which verifier is asked: one name in the settings, one guarded adapter for all requests.

An unknown or unusable adapter is a start-up error that names the cure, never a silent fall-back.
"""

import logging
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Final, TypeVar, cast

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

Made = TypeVar("Made")
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
    factory = cast("AdapterFactory", load(_entry(name)))
    _check_key(name, settings, given=secrets is not None)
    return for_tenants(
        settings,
        secrets,
        make=lambda config: built(factory, config),
        guard=lambda adapter: guarded(adapter, name, settings, observer),
    )


def for_tenants(
    settings: Settings,
    secrets: SecretProvider | None,
    make: Callable[[AdapterConfig], VerifierAdapter],
    guard: Callable[[VerifierAdapter], Guard],
) -> Guards:
    """One guard for all, one for each tenant with something of its own, others as they come."""
    name, known = settings.verifier_adapter, _secrets(settings, secrets)
    own = {
        key: guard(make(_config(name, settings, known, tenant)))
        for key, tenant in tenants_of(settings).items()
    }
    common = guard(make(_config(name, settings, known, None)))

    def late(key: str) -> Guard:
        return _late(common, make, _config(name, settings, known, Tenant(name=key)))

    return Guards(common, own, late if secrets is not None else None)


def guarded(
    adapter: VerifierAdapter,
    name: str,
    settings: Settings,
    observer: Observer,
    timeout_ms: int | None = None,
) -> Guard:
    """An adapter under the limits of these settings, or with a time of its own."""
    limits = GuardLimits(
        timeout_seconds=(timeout_ms or settings.verifier_timeout_ms) / 1000,
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


def registered(group: str) -> dict[str, EntryPoint]:
    """Everything installed under a group, by name."""
    # Ours come last: nobody takes the place of an adapter of ours by registering its name.
    ranked = sorted(entry_points(group=group), key=lambda it: it.value.startswith(OWN_PACKAGE))
    return {entry.name: entry for entry in ranked}


def _entry(name: str) -> EntryPoint:
    found = registered(GROUP)
    if name not in found:
        raise ConfigError(_unknown(name, found))
    return found[name]


def built(factory: Callable[[AdapterConfig], Made], config: AdapterConfig) -> Made:
    """What a plug-in's factory makes for a deployment; any failure of it is one line."""
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


def _late(
    common: Guard, make: Callable[[AdapterConfig], VerifierAdapter], config: AdapterConfig
) -> Guard:
    """The guard of a tenant that came up in a request, where nothing may raise."""
    try:
        return common.sibling_of(make(config))
    except ConfigError as error:
        _log.error("abuse-gate: %s", error)
        return common.sibling_of(_Unbuilt())


def load(entry: EntryPoint) -> object:
    """What an entry point names; a plug-in that cannot be imported is one line."""
    try:
        return cast("object", entry.load())
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
    if given is None:
        return own
    # One cache for all who ask: a vault is asked once for each name.
    cached = given if isinstance(given, CachedSecrets) else CachedSecrets(given)
    return FirstOf(cached, own)


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
