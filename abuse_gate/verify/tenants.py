"""One guard for every tenant that has something of its own, one for all the others.

Breakers and throttles are per tenant, so that one tenant's bad key cannot switch verification off
for the rest. A tenant that is pinned to an endpoint or a region is never served by another.
"""

import re
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from pydantic import ValidationError

from abuse_gate.contract import ConfigError, SecretGetter, SecretProvider
from abuse_gate.settings import Settings, Tenant
from abuse_gate.verify.guard import Guard

# Tenants without anything of their own whose breakers are remembered.
MOST_TENANTS: Final = 1000
_NAMELIKE: Final = re.compile(r"[a-z0-9_]{1,64}")


@dataclass(frozen=True, slots=True)
class Provider:
    """Where a provider's settings lie: the fields of Settings, and the variable of its key."""

    model: str
    endpoint: str
    key: str
    api_version: str = ""
    keyless: bool = False


PROVIDERS: Final[Mapping[str, Provider]] = {
    "anthropic": Provider("anthropic_verifier_model", "anthropic_base_url", "anthropic_api_key"),
    "azure": Provider(
        "azure_openai_deployment",
        "azure_openai_endpoint",
        "azure_openai_api_key",
        "azure_openai_api_version",
        keyless=True,
    ),
    "openai": Provider("openai_verifier_model", "openai_base_url", "openai_api_key"),
}


def tenants_of(settings: Settings) -> dict[str, Tenant]:
    """Every tenant with something of its own, out of the file and the environment, by its key."""
    found = _filed(settings.tenants)
    provider = PROVIDERS.get(settings.verifier_adapter)
    if provider is None:
        return found
    for key, variables in settings.tenant_variables.items():
        own = _own_variables(provider, variables)
        if own:
            before = found.get(key)
            base = before.model_dump(exclude_none=True) if before else {"name": key}
            found[key] = _tenant(key, {**base, **own})
    return found


def _filed(tenants: Iterable[Tenant]) -> dict[str, Tenant]:
    """The tenants of the file by key; two that could not be told apart are an error."""
    found: dict[str, Tenant] = {}
    for tenant in tenants:
        other = found.setdefault(tenant_key(tenant.name), tenant)
        if other is not tenant:
            raise ConfigError(
                f"tenants: {other.name[:40]!r} and {tenant.name[:40]!r} are the same tenant "
                "(case, - and _ do not count); rename one of them, or make one of the two"
            )
    return found


def _own_variables(provider: Provider, variables: Mapping[str, str]) -> dict[str, str]:
    parts = {
        "model": provider.model,
        "endpoint": provider.endpoint,
        "api_version": provider.api_version,
        "api_key": provider.key,
    }
    return {part: variables[field] for part, field in parts.items() if field in variables}


def _tenant(key: str, parts: Mapping[str, object]) -> Tenant:
    try:
        return Tenant.model_validate(parts)
    except ValidationError as refused:
        error = refused.errors(include_url=False, include_input=False)[0]
        problem = f"{error['loc'][0]} of tenant {key}: {error['msg']}"
    # Outside the handler: pydantic's error holds the values.
    raise ConfigError(f"{problem} (from a variable that ends in __{key.upper()})")


def tenant_key(name: str) -> str:
    """How tenants are compared: `Acme-Corp` in a token is ACME_CORP in the environment."""
    return name.strip().lower().replace("-", "_")


def secret_getter(
    secrets: SecretProvider, tenant: Tenant | None, provider: Provider | None
) -> SecretGetter:
    """The keys that one tenant may use: never the common one if it is pinned or has its own."""

    async def secret(name: str, /) -> str | None:
        if tenant is None:
            return await secrets.secret(name)
        own = await secrets.secret(f"{name}__{tenant_key(tenant.name).upper()}")
        if own is None and tenant.api_key is not None and _is_key(name, provider):
            own = tenant.api_key.get_secret_value()
        if own is not None or is_pinned(tenant) or tenant.api_key is not None:
            return own
        return await secrets.secret(name)

    return secret


def is_pinned(tenant: Tenant) -> bool:
    """Whether a tenant has an endpoint or a region of its own."""
    return bool(tenant.endpoint or tenant.data_residency)


def _is_key(name: str, provider: Provider | None) -> bool:
    """Whether a name is that of the provider's key; a plug-in's may have any name like one."""
    return name.upper().endswith("KEY") if provider is None else name.lower() == provider.key


class Guards:
    """The guard of each tenant: its own adapter where it has one, its own breaker always."""

    def __init__(
        self,
        common: Guard,
        own: Mapping[str, Guard] | None = None,
        make: Callable[[str], Guard] | None = None,
    ) -> None:
        """`make` builds the guard of a tenant that no setting names but a vault may know."""
        self.common = common
        self._own = dict(own or {})
        self._make = make
        self._others: OrderedDict[str, Guard] = OrderedDict()

    def of(self, tenant: str | None) -> Guard:
        """The guard that asks for this tenant; the ones that were quiet longest are forgotten."""
        if not tenant:
            return self.common
        key = tenant_key(tenant)
        if key in self._own:
            return self._own[key]
        guard = self._others.pop(key, None) or self._made(key)
        self._others[key] = guard
        if len(self._others) > MOST_TENANTS:
            self._others.popitem(last=False)
        return guard

    def _made(self, key: str) -> Guard:
        # A key is asked for by name: only what could be part of a variable's name may be in it.
        if self._make is None or not _NAMELIKE.fullmatch(key):
            return self.common.sibling()
        return self._make(key)

    @property
    def open_circuits(self) -> int:
        """How many circuits are not closed, of the tenants that are remembered."""
        every = (self.common, *self._own.values(), *tuple(self._others.values()))
        return sum(guard.is_open for guard in every)

    async def start(self) -> None:
        """Start every adapter on the running loop."""
        for guard in (self.common, *self._own.values()):
            await guard.start()

    async def aclose(self) -> None:
        """Close what every adapter holds on the running loop."""
        made = self._others.values() if self._make is not None else ()
        for guard in (self.common, *self._own.values(), *made):
            await guard.aclose()
