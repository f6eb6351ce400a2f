"""Every request is valid by the SDK's own parameter types, with nothing the SDK does not know."""

import typing
from typing import Any, cast

import pytest
from anthropic.types.message_create_params import MessageCreateParamsNonStreaming
from openai.types.chat.completion_create_params import CompletionCreateParamsNonStreaming
from openai.types.decision_create_params import DecisionCreateParams
from openai.types.moderation_create_params import ModerationCreateParams
from openai.types.responses.response_create_params import ResponseCreateParamsNonStreaming
from pydantic import TypeAdapter, ValidationError

from abuse_gate.contract import AdapterConfig
from abuse_gate.verify.kit.provider import ProviderAdapter
from abuse_gate_adapters import anthropic, azure, openai

# Fields whose types take about anything.
OPTIONAL = {"store", "inference_geo", "max_completion_tokens", "max_output_tokens", "text"}
NONCE = "f" * 32


def config(model: str | None = None, **fields: Any) -> AdapterConfig:
    return AdapterConfig(name="x", timeout_ms=100, model=model, **fields)


REQUESTS: list[tuple[ProviderAdapter[Any], Any]] = [
    (openai.build(config()), ModerationCreateParams),
    (openai.build(config("gpt-6-luna")), DecisionCreateParams),
    (openai.build(config("gpt-5-mini")), CompletionCreateParamsNonStreaming),
    (openai.build(config("responses/gpt-6")), ResponseCreateParamsNonStreaming),
    (azure.build(config("j", endpoint="https://r.example")), CompletionCreateParamsNonStreaming),
    (anthropic.build(config(data_residency="us")), MessageCreateParamsNonStreaming),
]
IDS = ["moderation", "decision", "chat", "responses", "azure", "anthropic"]


def realized(value: Any) -> Any:
    """The value with pydantic's lazy iterators read, which is when their rows are checked."""
    if isinstance(value, dict):
        held = cast("dict[str, Any]", value)
        return {key: realized(inner) for key, inner in held.items()}
    if isinstance(value, str | int | float | bool) or value is None:
        return value
    return [realized(row) for row in value]


def validated(kind: Any, request: dict[str, Any]) -> Any:
    return realized(TypeAdapter(kind).validate_python(request))


@pytest.mark.parametrize(("adapter", "kind"), REQUESTS, ids=IDS)
def test_a_request_is_what_the_sdk_says_it_takes(
    adapter: ProviderAdapter[Any], kind: Any, payload: dict[str, Any]
) -> None:
    request = adapter.build_request(payload, NONCE)
    assert validated(kind, request) == request
    assert request.keys() <= typing.get_type_hints(kind).keys()


@pytest.mark.parametrize(("adapter", "kind"), REQUESTS, ids=IDS)
def test_the_check_would_notice_a_wrong_request(
    adapter: ProviderAdapter[Any], kind: Any, payload: dict[str, Any]
) -> None:
    request = adapter.build_request(payload, NONCE)
    for field in request.keys() - OPTIONAL:
        with pytest.raises(ValidationError):
            validated(kind, {**request, field: object()})


@pytest.mark.parametrize(("adapter", "kind"), REQUESTS, ids=IDS)
def test_building_a_request_is_pure(
    adapter: ProviderAdapter[Any], kind: Any, payload: dict[str, Any]
) -> None:
    assert adapter.build_request(payload, NONCE) == adapter.build_request(payload, NONCE)
    assert adapter.build_request(payload, NONCE)["model"]
