"""Which verifier is asked: a name becomes a guarded adapter, or one line with the cure."""

import asyncio
import sys
from pathlib import Path
from typing import Any, Final

import pytest

from abuse_gate.contract import ConfigError
from abuse_gate.settings import Settings, Tenant
from abuse_gate.testing import RecordingObserver
from abuse_gate.verify.guard import Guard
from abuse_gate.verify.resolve import GROUP, adapter_name, resolve
from abuse_gate.work.scanner import Scanner
from tests.gate.standing import ATTACK, NOTICE

ADAPTERS: Final = """
from abuse_gate.contract import ConfigError

class Echo:
    def __init__(self, config):
        self.config = config
    async def assess(self, payload):
        return "unsafe" if self.config.timeout_ms == 700 else "safe"

def build(config):
    return Echo(config)

def build_nothing(config):
    return None

def build_class(config):
    return Echo

def explode(config):
    raise ValueError("key canary-secret rejected")

def late(config):
    import acme_sdk_that_is_not_there

def refuse(config):
    raise ConfigError("ACME_KEY: is missing; set it")

class Keyed(Echo):
    closed = []
    async def assess(self, payload):
        return "safe" if await self.config.secret("ACME_KEY") == "own" else "unsafe"
    async def aclose(self):
        self.closed.append(self.config.tenant)

def keyed(config):
    return None if config.tenant == "broken" else Keyed(config)

not_callable = 3
"""
ENTRIES: Final = {
    "acme": "acme_plugin:build",
    "acme-nothing": "acme_plugin:build_nothing",
    "acme-class": "acme_plugin:build_class",
    "acme-explodes": "acme_plugin:explode",
    "acme-keyed": "acme_plugin:keyed",
    "acme-refuses": "acme_plugin:refuse",
    "acme-late": "acme_plugin:late",
    "acme-constant": "acme_plugin:not_callable",
    "acme-typo": "acme_plugin:biuld",
    "acme-lacking": "acme_lacking:build",
    "Acme.Capital": "acme_plugin:build",
    "azure": "acme_azure:build",
}


@pytest.fixture
def plugins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A distribution with adapters, installed as pip would leave it."""
    lines = "\n".join(f"{name} = {value}" for name, value in ENTRIES.items())
    info = tmp_path / "acme_guard-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: acme-guard\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[{GROUP}]\n{lines}\n")
    (tmp_path / "acme_plugin.py").write_text(ADAPTERS)
    (tmp_path / "acme_lacking.py").write_text("import acme_sdk_that_is_not_there\n")
    (tmp_path / "acme_azure.py").write_text("import acme_sdk_that_is_not_there\n")
    monkeypatch.syspath_prepend(str(tmp_path))  # pyright: ignore[reportUnknownMemberType]


def resolved(scanner: Scanner, name: str, **settings: Any) -> Guard:
    given = {"verifier_adapter": name, **settings}
    return resolve(Settings.model_validate(given), scanner, RecordingObserver()).common


async def test_none_is_the_rules_guarded(scanner: Scanner) -> None:
    local = resolved(scanner, "none")
    answer = await local.assess({"prompt_text": ATTACK})
    assert (local.name, answer.verdict, answer.reason) == ("local", "unsafe", "rules_block")


async def test_none_weighs_the_rules_as_the_settings_say(scanner: Scanner) -> None:
    rule = "override.leave_the_task"
    off = resolved(scanner, "none", disabled_rules=[rule])
    heavy = resolved(scanner, "none", severity_overrides={rule: 100})
    easy = resolved(scanner, "none", block_threshold=900, notice_threshold=800)
    verdicts = [(await it.assess({"prompt_text": NOTICE})).verdict for it in (off, heavy, easy)]
    assert verdicts == ["safe", "unsafe", "safe"]


def test_the_limits_are_those_of_the_settings(scanner: Scanner) -> None:
    limits = resolved(
        scanner,
        "none",
        verifier_timeout_ms=700,
        verifier_max_retries=3,
        verifier_circuit_open_sec=9,
        max_in_flight=5,
    ).limits
    assert (limits.timeout_seconds, limits.max_retries) == (0.7, 3)
    assert (limits.circuit_open_seconds, limits.max_in_flight) == (9.0, 5)


@pytest.mark.usefixtures("plugins")
def test_a_third_partys_adapter_is_found_by_its_entry_point(scanner: Scanner) -> None:
    acme = resolved(scanner, "acme", verifier_timeout_ms=700)
    answer = asyncio.run(acme.assess({}))
    assert (acme.name, answer.verdict, answer.source) == ("acme", "unsafe", "acme")


@pytest.mark.usefixtures("plugins")
def test_an_entry_point_with_capitals_is_an_adapter_like_any_other(scanner: Scanner) -> None:
    acme = resolved(scanner, "Acme.Capital")
    assert (asyncio.run(acme.assess({}))).verdict == "safe"


WRONG: Final = [
    ("acem", "did you mean acme?"),
    ("non", "did you mean none?"),
    ("zzzzzzzz", "installed: Acme.Capital, acme"),
    ("openai", "OPENAI_API_KEY: VERIFIER_ADAPTER=openai needs a key; set OPENAI_API_KEY"),
    ("anthropic", "ANTHROPIC_API_KEY: VERIFIER_ADAPTER=anthropic needs a key"),
    ("azure", "AZURE_OPENAI_DEPLOYMENT is not set; set it"),
    ("acme-nothing", "needs an instance with a method assess"),
    ("acme-class", "needs an instance with a method assess"),
    ("acme-explodes", "could not be built (ValueError); check its settings"),
    ("acme-refuses", "ACME_KEY: is missing; set it"),
    ("acme-late", "'acme_sdk_that_is_not_there' is not installed; run: pip install the adapter's"),
    ("acme-constant", "could not be built (TypeError)"),
    ("acme-typo", "cannot be imported (AttributeError)"),
    ("acme-lacking", "'acme_sdk_that_is_not_there' is not installed; run: pip install acme-guard"),
]


@pytest.mark.usefixtures("plugins")
@pytest.mark.parametrize(("name", "lesson"), WRONG)
def test_whatever_is_wrong_is_one_line_with_the_cure(
    scanner: Scanner, name: str, lesson: str
) -> None:
    with pytest.raises(ConfigError) as caught:
        resolved(scanner, name)
    line = str(caught.value)
    assert lesson in line
    assert "\n" not in line
    assert "canary-secret" not in line
    assert caught.value.__cause__ is None


def test_with_nothing_near_there_is_no_guess(scanner: Scanner) -> None:
    with pytest.raises(ConfigError, match="no such adapter; installed: ") as caught:
        resolved(scanner, "qqqqqq")
    assert "did you mean" not in str(caught.value)


class Named:
    def __init__(self, name: object) -> None:
        self.name = name


@pytest.mark.parametrize(
    ("adapter", "name"),
    [
        (Named("mine"), "mine"),
        (Named("my adapter"), "custom"),
        (Named("Mine"), "custom"),
        (Named(""), "custom"),
        (Named(None), "custom"),
        (Named(7), "custom"),
        (object(), "custom"),
    ],
    ids=["code", "prose", "capital", "empty", "none", "number", "nameless"],
)
def test_an_adapter_goes_by_its_own_name_if_that_is_a_code(adapter: object, name: str) -> None:
    assert adapter_name(adapter) == name


PROVIDERS: Final = [
    ("openai", {"openai_verifier_model": "m", "openai_base_url": "https://o.example"}),
    ("anthropic", {"anthropic_verifier_model": "m", "anthropic_base_url": "https://o.example"}),
    ("azure", {"azure_openai_deployment": "m", "azure_openai_endpoint": "https://o.example"}),
]


@pytest.mark.parametrize(("name", "given"), PROVIDERS)
def test_a_providers_settings_reach_its_adapter(
    scanner: Scanner, name: str, given: dict[str, str]
) -> None:
    key = {"openai": "openai_api_key", "azure": "azure_openai_api_key"}.get(name, f"{name}_api_key")
    config = vars(resolved(scanner, name, **given, **{key: "sk-hush"}))["_adapter"].config
    assert (config.name, config.model, config.endpoint) == (name, "m", "https://o.example")
    assert (config.timeout_ms, config.tenant) == (1500, None)
    assert asyncio.run(config.secret(key.upper())) == "sk-hush"
    assert "sk-hush" not in repr(config)


@pytest.mark.parametrize("name", ["openai", "anthropic", "azure"])
def test_a_missing_extra_is_one_line_with_the_cure(
    scanner: Scanner, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    sdk = "anthropic" if name == "anthropic" else "openai"
    monkeypatch.setitem(sys.modules, sdk, None)
    for module in (f"abuse_gate_adapters.{name}", "abuse_gate_adapters.openai_sdk"):
        monkeypatch.delitem(sys.modules, module, raising=False)
    with pytest.raises(ConfigError, match=rf'run: pip install "abuse-gate\[{name}\]"'):
        resolved(scanner, name)


class Vault:
    async def secret(self, name: str, /) -> str | None:
        return {"OPENAI_API_KEY": "sk-vault", "OPENAI_API_KEY__ACME": "sk-acme"}.get(name)


def test_a_secret_provider_stands_in_for_a_key_in_the_settings(scanner: Scanner) -> None:
    settings = Settings(
        verifier_adapter="openai", tenants=(Tenant(name="acme", data_residency="eu"),)
    )
    guards = resolve(settings, scanner, RecordingObserver(), Vault())
    for tenant, key, region in ((None, "sk-vault", None), ("Acme", "sk-acme", "eu")):
        config = vars(guards.of(tenant))["_adapter"].config
        assert asyncio.run(config.secret("OPENAI_API_KEY")) == key
        assert config.data_residency == region


def test_keys_of_tenants_are_enough(scanner: Scanner) -> None:
    variables = {"acme": {"openai_api_key": "sk-acme"}}
    settings = Settings(verifier_adapter="openai", tenant_variables=variables)
    assert resolve(settings, scanner, RecordingObserver()).common.name == "openai"


@pytest.mark.usefixtures("plugins")
def test_nobody_takes_the_name_of_an_adapter_of_ours(scanner: Scanner) -> None:
    given = {"azure_openai_endpoint": "https://o.example", "azure_openai_deployment": "d"}
    guard = resolved(scanner, "azure", **given)
    assert type(vars(guard)["_adapter"]).__module__ == "abuse_gate_adapters.azure"


class AcmeVault:
    async def secret(self, name: str, /) -> str | None:
        return {"ACME_KEY": "common", "ACME_KEY__ACME": "own"}.get(name)


@pytest.mark.usefixtures("plugins")
def test_a_tenant_that_only_the_vault_knows_gets_its_own_key(
    scanner: Scanner, caplog: pytest.LogCaptureFixture
) -> None:
    settings = Settings.model_validate({"verifier_adapter": "acme-keyed"})
    guards = resolve(settings, scanner, RecordingObserver(), AcmeVault())

    async def ask() -> None:
        assert (await guards.of("Acme").assess({})).verdict == "safe"
        assert (await guards.of("globex").assess({})).verdict == "unsafe"
        assert (await guards.of(None).assess({})).verdict == "unsafe"
        assert guards.of("acme") is guards.of("ACME")
        assert (await guards.of("broken").assess({})).reason == "misconfigured"
        assert "adapter" in caplog.text
        await guards.aclose()

    asyncio.run(ask())
    assert sys.modules["acme_plugin"].Keyed.closed == [None, "globex", "acme"]


@pytest.mark.usefixtures("plugins")
def test_a_region_reaches_every_adapter(scanner: Scanner) -> None:
    given = {
        "verifier_adapter": "acme",
        "data_residency": "eu",
        "tenants": [{"name": "acme", "data_residency": "us"}, {"name": "globex", "model": "m"}],
    }
    guards = resolve(Settings.model_validate(given), scanner, RecordingObserver())
    configs = [vars(guards.of(name))["_adapter"].config for name in (None, "acme", "globex")]
    assert [config.data_residency for config in configs] == ["eu", "us", "eu"]
    assert [config.pinned for config in configs] == [False, True, False]
