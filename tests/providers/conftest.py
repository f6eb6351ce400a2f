"""The providers under test, each over a real SDK, and a place to write down what was measured."""

import os
import sys
from collections.abc import Callable, Mapping
from typing import Any

import pytest

import abuse_gate_adapters.anthropic
import abuse_gate_adapters.azure
import abuse_gate_adapters.openai
from abuse_gate.contract import AdapterConfig, VerifierAdapter
from abuse_gate.testing import AdapterContract

Maker = Callable[[str], VerifierAdapter]


async def contract_key(_name: str, /) -> str | None:
    return AdapterContract.key


def _config(name: str, endpoint: str, **more: Any) -> AdapterConfig:
    return AdapterConfig(name, 2000, endpoint=endpoint, secret=contract_key, **more)


def _openai(model: str | None) -> Maker:
    return lambda url: abuse_gate_adapters.openai.build(_config("openai", f"{url}/v1", model=model))


def _azure(version: str | None) -> Maker:
    return lambda url: abuse_gate_adapters.azure.build(
        _config("azure", url, model="judge", api_version=version)
    )


MAKERS: Mapping[str, Maker] = {
    "openai moderation": _openai(None),
    "openai chat": _openai("gpt-6-mini"),
    "openai responses": _openai("responses/gpt-6-mini"),
    "openai decisions": _openai("gpt-6-luna"),
    "anthropic": lambda url: abuse_gate_adapters.anthropic.build(_config("anthropic", url)),
    "azure": _azure(None),
    "azure dated": _azure("2026-06-01"),
}
# One for each SDK and each kind of answer, where going through all seven would tell nothing more.
THREE = ("openai moderation", "anthropic", "azure")
SOAK = bool(os.environ.get("ABUSE_GATE_SOAK") or os.environ.get("SOAK"))


@pytest.fixture
def makers() -> Mapping[str, Maker]:
    """How each adapter is built for a provider's address."""
    return MAKERS


@pytest.fixture(params=tuple(MAKERS) if SOAK else THREE)
def make(request: pytest.FixtureRequest) -> Maker:
    """One adapter of each provider in turn; in a campaign, every adapter."""
    return MAKERS[request.param]


@pytest.fixture
def soak() -> bool:
    """Whether the campaigns run whole."""
    return SOAK


@pytest.fixture
def report(
    capsys: pytest.CaptureFixture[str], record_property: Callable[[str, object], None]
) -> Callable[[str, str], None]:
    """Writes a measured figure down: on the terminal, and into the report of the run."""

    def write(name: str, figure: str) -> None:
        record_property(name, figure)
        with capsys.disabled():
            sys.stdout.write(f"\n{name}: {figure}\n")

    return write
