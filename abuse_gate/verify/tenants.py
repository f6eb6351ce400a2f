"""One guard for every tenant that has something of its own, one for all the others.

Breakers and throttles are per tenant, so that one tenant's bad key cannot switch verification off
for the rest. A tenant that is pinned to an endpoint or a region is never served by another.
"""

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from pydantic import ValidationError

from abuse_gate.contract import ConfigError, SecretGetter, SecretProvider
from abuse_gate.settings import Settings, Tenant
from abuse_gate.verify.guard import Guard

# Tenants without anything of their own whose breakers are remembered.
MOST_TENANTS: Final = 1000


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
    found = {tenant_key(tenant.name): tenant for tenant in settings.tenants}
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
    """The keys that one tenant may use; a pinned tenant never gets the common key."""

    async def secret(name: str, /) -> str | None:
        if tenant is None:
            return await secrets.secret(name)
        own = await secrets.secret(f"{name}__{tenant_key(tenant.name).upper()}")
        if own is None and tenant.api_key is not None and provider and name.lower() == provider.key:
            own = tenant.api_key.get_secret_value()
        if own is not None or tenant.endpoint or tenant.data_residency:
            return own
        return await secrets.secret(name)

    return secret


class Guards:
    """The guard of each tenant: its own adapter where it has one, its own breaker always."""

    def __init__(self, common: Guard, own: Mapping[str, Guard] | None = None) -> None:
        self.common = common
        self._own = dict(own or {})
        self._others: OrderedDict[str, Guard] = OrderedDict()

    def of(self, tenant: str | None) -> Guard:
        """The guard that asks for this tenant; the ones that were quiet longest are forgotten."""
        if not tenant:
            return self.common
        key = tenant_key(tenant)
        if key in self._own:
            return self._own[key]
        guard = self._others.pop(key, None) or self.common.sibling()
        self._others[key] = guard
        if len(self._others) > MOST_TENANTS:
            self._others.popitem(last=False)
        return guard

    async def start(self) -> None:
        """Start every adapter on the running loop."""
        for guard in (self.common, *self._own.values()):
            await guard.start()

    async def aclose(self) -> None:
        """Close what every adapter holds on the running loop."""
        for guard in (self.common, *self._own.values()):
            await guard.aclose()
