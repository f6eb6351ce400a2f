"""Deployments: what can be built, what is a start-up error, and where it would send a prompt."""

from collections.abc import Callable
from typing import Any

import pytest

from abuse_gate.contract import AdapterConfig, ConfigError, ProviderError, ProviderMisconfigured
from abuse_gate.verify.kit.clients import tls_place
from abuse_gate.verify.kit.provider import ProviderAdapter
from abuse_gate_adapters import anthropic, azure, openai

KEY = "sk-canary-key-0451"
Build = Callable[..., ProviderAdapter[Any]]


@pytest.mark.parametrize(
    ("build", "fields"),
    [
        (azure.build, {"model": "judge"}),
        (azure.build, {"endpoint": "https://r.example"}),
        (azure.build, {"model": "j", "endpoint": "https://r.example", "data_residency": "eu"}),
        (azure.build, {"model": "j", "endpoint": "http://r.example"}),
        (openai.build, {"endpoint": "https://r.example", "data_residency": "eu"}),
        (openai.build, {"data_residency": "moon"}),
        (openai.build, {"thresholds": {"jailbreak": 0.5}}),
        (openai.build, {"model": "text-moderation-stable", "thresholds": {"illicit": 0.5}}),
        (openai.build, {"thresholds": {"hate": 1.5}}),
        (anthropic.build, {"endpoint": "https://user:pw@r.example"}),
    ],
)
def test_a_deployment_that_cannot_work_is_a_config_error(
    build: Build, fields: dict[str, Any], configure: Any
) -> None:
    with pytest.raises(ConfigError) as caught:
        build(configure("x", **fields))
    assert not isinstance(caught.value, ProviderError)
    assert "pw" not in str(caught.value)


def test_a_region_selects_its_own_endpoint_and_azure_takes_the_v1_address_too(
    configure: Any,
) -> None:
    eu = openai.build(configure("openai", data_residency="eu"))
    assert eu.base_url == "https://eu.api.openai.com/v1"
    v1 = azure.build(configure("azure", model="j", endpoint="https://r.example/openai/v1/"))
    assert v1.endpoint == "https://r.example"
    geo = anthropic.build(configure("anthropic", data_residency="eu"))
    assert geo.build_request({}, "n")["inference_geo"] == "eu"
    assert KEY not in repr((eu, v1, geo))


@pytest.mark.parametrize(
    ("build", "fields", "host"),
    [
        (openai.build, {}, "api.openai.com"),
        (openai.build, {"data_residency": "eu"}, "eu.api.openai.com"),
        (anthropic.build, {}, "api.anthropic.com"),
        (azure.build, {"model": "j", "endpoint": "https://r.example"}, "r.example"),
    ],
)
def test_connections_are_opened_ahead_to_where_the_questions_go(
    build: Build, fields: dict[str, Any], host: str, configure: Any
) -> None:
    assert tls_place(build(configure("x", **fields)).base_url) == (host, 443)


@pytest.mark.parametrize("found", [b"sk-bytes", 7, ["sk"], True])
async def test_a_secret_that_is_no_text_is_a_matter_of_set_up(found: Any) -> None:
    async def secret(_variable: str, /) -> Any:
        return found

    adapter = openai.build(AdapterConfig("openai", 1000, secret=secret))
    with pytest.raises(ProviderMisconfigured):
        await adapter.key("OPENAI_API_KEY")
