"""Tenants: whose key, whose endpoint, whose breaker."""

import pytest

from abuse_gate.contract import ConfigError, ProviderUnavailable
from abuse_gate.settings import Tenant, load_settings
from abuse_gate.testing import RecordingObserver, ScriptedAdapter
from abuse_gate.verify.guard import Guard, GuardLimits
from abuse_gate.verify.secrets import SettingsSecrets
from abuse_gate.verify.tenants import (
    MOST_TENANTS,
    PROVIDERS,
    Guards,
    secret_getter,
    tenant_key,
    tenants_of,
)

OPENAI = {"VERIFIER_ADAPTER": "openai", "OPENAI_API_KEY": "sk-common"}


def test_tenants_come_from_the_file_and_the_environment() -> None:
    settings = load_settings(
        {**OPENAI, "OPENAI_API_KEY__ACME": "sk-acme", "ANTHROPIC_API_KEY__ACME": "sk-ant"},
        {"tenants": [{"name": "Acme", "model": "m"}, {"name": "globex"}]},
    )
    tenants = tenants_of(settings)
    assert set(tenants) == {"acme", "globex"}
    assert tenants["acme"].model == "m"
    assert tenants["acme"].api_key is not None
    assert tenants["acme"].api_key.get_secret_value() == "sk-acme"


def test_variables_of_another_provider_make_no_tenant() -> None:
    assert tenants_of(load_settings({**OPENAI, "ANTHROPIC_API_KEY__ACME": "x"})) == {}
    assert tenants_of(load_settings({"OPENAI_API_KEY__ACME": "x"})) == {}


def test_a_wrong_variable_of_a_tenant_is_one_line_without_its_value() -> None:
    settings = load_settings({**OPENAI, "OPENAI_BASE_URL__ACME": "http://secret-host.example"})
    with pytest.raises(ConfigError, match=r"endpoint of tenant acme.*plain http.*__ACME") as caught:
        tenants_of(settings)
    assert "secret-host" not in str(caught.value)


@pytest.mark.parametrize(
    ("tenant", "expected"),
    [
        (None, "sk-common"),
        (Tenant(name="plain"), "sk-common"),
        (Tenant(name="keyed", api_key="sk-own"), "sk-own"),  # type: ignore[arg-type]
        (Tenant(name="pinned", endpoint="https://eu.example"), None),
        (Tenant(name="resident", data_residency="eu"), None),
        (Tenant(name="vaulted", endpoint="https://eu.example"), "sk-vault"),
    ],
    ids=lambda value: getattr(value, "name", None),
)
async def test_a_pinned_tenant_never_gets_the_common_key(
    tenant: Tenant | None, expected: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY__VAULTED", "sk-vault")
    secrets = SettingsSecrets(load_settings(OPENAI))
    secret = secret_getter(secrets, tenant, PROVIDERS["openai"])
    assert await secret("OPENAI_API_KEY") == expected


def test_tenants_are_compared_without_regard_to_spelling() -> None:
    assert tenant_key(" Acme-Corp ") == "acme_corp"


def _guard(adapter: ScriptedAdapter) -> Guard:
    return Guard(adapter, "scripted", GuardLimits(max_retries=0), RecordingObserver())


async def test_one_tenants_failures_do_not_open_the_circuit_of_another() -> None:
    adapter = ScriptedAdapter([*[ProviderUnavailable()] * 5, "safe"])
    guards = Guards(_guard(adapter))
    for _ in range(5):
        await guards.of("acme").assess({})
    assert (await guards.of("Acme").assess({})).reason == "breaker_open"
    assert (await guards.of("globex").assess({})).verdict == "safe"
    assert (await guards.of(None).assess({})).verdict == "safe"


def test_the_guards_of_tenants_without_anything_of_their_own_are_bounded() -> None:
    guards = Guards(_guard(ScriptedAdapter("safe")), {"acme": _guard(ScriptedAdapter("unsafe"))})
    first = guards.of("tenant 0")
    own = guards.of("acme")
    for number in range(MOST_TENANTS + 1):
        guards.of(f"tenant {number}")
    assert guards.of("tenant 0") is not first
    assert guards.of("ACME") is own


class Hooked(ScriptedAdapter):
    """An adapter with a beginning and an end; the end fails."""

    def __init__(self) -> None:
        super().__init__("safe")
        self.started = 0

    async def start(self) -> None:
        self.started += 1

    async def aclose(self) -> None:
        raise RuntimeError("loop is closed: sk-secret")


async def test_adapters_are_started_and_closed_and_cannot_hurt(
    caplog: pytest.LogCaptureFixture,
) -> None:
    hooked = Hooked()
    guards = Guards(_guard(hooked), {"acme": _guard(ScriptedAdapter("safe"))})
    await guards.start()
    await guards.aclose()
    assert hooked.started == 1
    assert "aclose raised RuntimeError" in caplog.text
    assert "sk-secret" not in caplog.text


def test_two_tenants_that_cannot_be_told_apart_are_an_error() -> None:
    same = {"tenants": [{"name": "Acme-Corp"}, {"name": "acme_corp"}]}
    with pytest.raises(ConfigError, match=r"'Acme-Corp' and 'acme_corp'"):
        tenants_of(load_settings(OPENAI, same))


@pytest.mark.parametrize(
    ("name", "expected"), [("ACME_MOD_KEY", "sk-own"), ("ACME_API_KEY", "sk-own"), ("REGION", None)]
)
async def test_a_plug_in_gets_the_tenants_key_and_never_the_common_one(
    name: str, expected: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, "sk-common")
    tenant = Tenant(name="acme", api_key="sk-own")  # type: ignore[arg-type]
    secret = secret_getter(SettingsSecrets(load_settings({})), tenant, None)
    assert await secret(name) == expected


def test_only_a_name_that_may_stand_in_a_variable_is_looked_up() -> None:
    made = list[str]()

    def make(key: str) -> Guard:
        made.append(key)
        return _guard(ScriptedAdapter("unsafe"))

    guards = Guards(_guard(ScriptedAdapter("safe")), {}, make)
    for name in ("Acme-Corp", "acme_corp", "a/../b", "a b", "\u00e4", "x" * 65, ""):
        guards.of(name)
    assert made == ["acme_corp"]
