"""Secrets at the moment of use: cached, refreshed, and a vault's outage is not ours."""

import asyncio

import pytest

from abuse_gate.contract import ProviderMisconfigured
from abuse_gate.settings import load_settings
from abuse_gate.testing import FakeClock
from abuse_gate.verify.secrets import (
    MOST_KNOWN,
    REFRESH_SECONDS,
    CachedSecrets,
    FirstOf,
    SettingsSecrets,
)


class Vault:
    """A provider whose content changes and which can be out of order."""

    def __init__(self, **known: str) -> None:
        self.known = known
        self.broken = False
        self.asked = 0

    async def secret(self, name: str, /) -> str | None:
        self.asked += 1
        if self.broken:
            raise ConnectionError("the vault is sealed: s3cret")
        return self.known.get(name)


async def test_the_settings_come_before_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    secrets = SettingsSecrets(load_settings({"OPENAI_API_KEY": "sk-settings"}))
    monkeypatch.setenv("OPENAI_API_KEY", "sk-environment")
    monkeypatch.setenv("ACME_KEY", "k")
    assert await secrets.secret("OPENAI_API_KEY") == "sk-settings"
    assert await secrets.secret("ACME_KEY") == "k"
    assert await secrets.secret("MODE") is None


async def test_the_first_provider_that_knows_answers() -> None:
    first, second = Vault(A="1"), Vault(A="2", B="3")
    both = FirstOf(first, second)
    assert [await both.secret(name) for name in "ABC"] == ["1", "3", None]


async def test_a_key_is_rotated_without_a_restart_and_nobody_waits() -> None:
    clock, vault = FakeClock(), Vault(K="old")
    secrets = CachedSecrets(vault, clock=clock)
    assert [await secrets.secret("K") for _ in range(5)] == ["old"] * 5
    assert vault.asked == 1
    vault.known["K"] = "new"
    clock.advance(REFRESH_SECONDS)
    assert await secrets.secret("K") == "old"
    await asyncio.sleep(0)
    assert await secrets.secret("K") == "new"
    assert vault.asked == 2


async def test_an_outage_leaves_the_last_good_answer(caplog: pytest.LogCaptureFixture) -> None:
    clock, vault = FakeClock(), Vault(K="good")
    secrets = CachedSecrets(vault, clock=clock)
    assert await secrets.secret("K") == "good"
    vault.broken = True
    clock.advance(REFRESH_SECONDS)
    for _ in range(3):
        assert await secrets.secret("K") == "good"
        await asyncio.sleep(0)
    assert vault.asked == 2
    assert "ConnectionError" in caplog.text
    assert "s3cret" not in caplog.text


async def test_a_vault_that_never_answered_is_an_error_for_the_guard() -> None:
    vault = Vault()
    vault.broken = True
    secrets = CachedSecrets(vault)
    with pytest.raises(ProviderMisconfigured):
        await secrets.secret("K")
    vault.broken, vault.known = False, {"K": "k"}
    assert await secrets.secret("K") == "k"


class SlowVault:
    """A vault that answers when it is told to."""

    def __init__(self) -> None:
        self.may_answer = asyncio.Event()
        self.asked = 0

    async def secret(self, name: str, /) -> str | None:
        self.asked += 1
        await self.may_answer.wait()
        return "k"


async def test_one_who_stops_waiting_does_not_end_the_fetch() -> None:
    vault = SlowVault()
    secrets = CachedSecrets(vault)
    for _ in range(3):
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(secrets.secret("K"), 0.001)
    vault.may_answer.set()
    assert await secrets.secret("K") == "k"
    assert vault.asked == 1


async def test_the_memory_of_names_is_bounded() -> None:
    vault = Vault()
    secrets = CachedSecrets(vault)
    for number in range(MOST_KNOWN + 1):
        await secrets.secret(f"K{number}")
    await secrets.secret(f"K{MOST_KNOWN}")
    assert vault.asked == MOST_KNOWN + 1
    await secrets.secret("K0")
    assert vault.asked == MOST_KNOWN + 2
