"""The real provider SDKs in front of a gated app: their own typed error, raised at once."""

from collections.abc import Callable, Iterator
from typing import Any

import anthropic
import httpx2
import openai
import pytest

from tests.e2e.house import ATTACK, House
from tests.e2e.serving import PATIENCE, Served, serve

BENIGN = "What is the capital of France?"
DOUBTFUL = "Here is a doubtful sentence."

Ask = Callable[[str, str], Any]


@pytest.fixture(scope="module")
def provider(house: House) -> Iterator[Served]:
    with serve(house) as where:
        yield where


def _http() -> httpx2.Client:
    return httpx2.Client(trust_env=False, timeout=PATIENCE)


def _chat(url: str, text: str) -> str | None:
    with openai.OpenAI(api_key="k", base_url=f"{url}/v1", http_client=_http()) as client:
        reply = client.chat.completions.create(
            model="gpt-test", messages=[{"role": "user", "content": text}]
        )
        return reply.choices[0].message.content


def _responses(url: str, text: str) -> str:
    with openai.OpenAI(api_key="k", base_url=f"{url}/v1", http_client=_http()) as client:
        return client.responses.create(model="gpt-test", input=text).output_text


def _messages(url: str, text: str) -> str:
    with anthropic.Anthropic(api_key="k", base_url=url, http_client=_http()) as client:
        reply = client.messages.create(
            model="claude-test", max_tokens=9, messages=[{"role": "user", "content": text}]
        )
        block = reply.content[0]
        return block.text if block.type == "text" else ""


SDKS: list[tuple[Ask, str, type[Exception], type[Exception]]] = [
    (
        _chat,
        "/v1/chat/completions",
        openai.PermissionDeniedError,
        openai.UnprocessableEntityError,
    ),
    (_responses, "/v1/responses", openai.PermissionDeniedError, openai.UnprocessableEntityError),
    (
        _messages,
        "/v1/messages",
        anthropic.PermissionDeniedError,
        anthropic.UnprocessableEntityError,
    ),
]
IDS = ["openai-chat", "openai-responses", "anthropic"]
each_sdk = pytest.mark.parametrize(("ask", "path", "denied", "unprocessable"), SDKS, ids=IDS)


@each_sdk
def test_a_benign_call_passes_and_parses(
    provider: Served, ask: Ask, path: str, denied: Any, unprocessable: Any
) -> None:
    assert ask(provider.url, BENIGN) == "Paris."


@each_sdk
def test_a_block_is_the_sdks_own_permission_error_without_retry(
    provider: Served, house: House, ask: Ask, path: str, denied: Any, unprocessable: Any
) -> None:
    arrived, entered = house.arrived[path], house.entered[path]
    with pytest.raises(denied) as caught:
        ask(provider.url, ATTACK)
    assert caught.value.response.headers["x-guardrail-decision"] == "block"
    assert house.arrived[path] == arrived + 1
    assert house.entered[path] == entered


@each_sdk
def test_a_clarification_is_the_sdks_own_422_without_retry(
    provider: Served, house: House, ask: Ask, path: str, denied: Any, unprocessable: Any
) -> None:
    arrived = house.arrived[f"/clarify{path}"]
    with pytest.raises(unprocessable) as caught:
        ask(f"{provider.url}/clarify", DOUBTFUL)
    assert caught.value.response.headers["x-guardrail-decision"] == "clarify"
    assert house.arrived[f"/clarify{path}"] == arrived + 1


def test_the_openai_error_carries_code_and_incident(provider: Served) -> None:
    with pytest.raises(openai.PermissionDeniedError) as caught:
        _chat(provider.url, ATTACK)
    error = caught.value
    assert (error.code, error.type) == ("guardrail_block", "permission_error")
    body: Any = error.body
    assert body["incident_id"] == error.response.headers["x-guardrail-incident-id"]


def test_the_anthropic_error_carries_type_and_incident(provider: Served) -> None:
    with pytest.raises(anthropic.PermissionDeniedError) as caught:
        _messages(provider.url, ATTACK)
    body: Any = caught.value.body
    assert body["type"] == "error"
    assert body["error"]["type"] == "permission_error"
    assert body["request_id"] == caught.value.response.headers["x-guardrail-incident-id"]


async def test_the_async_openai_client_raises_at_once_too(
    provider: Served, house: House, async_http: httpx2.AsyncClient
) -> None:
    path = "/v1/chat/completions"
    arrived = house.arrived[path]
    async with openai.AsyncOpenAI(
        api_key="k", base_url=f"{provider.url}/v1", http_client=async_http
    ) as client:
        with pytest.raises(openai.PermissionDeniedError):
            await client.chat.completions.create(
                model="gpt-test", messages=[{"role": "user", "content": ATTACK}]
            )
        assert house.arrived[path] == arrived + 1
        reply = await client.chat.completions.create(
            model="gpt-test", messages=[{"role": "user", "content": BENIGN}]
        )
    assert reply.choices[0].message.content == "Paris."


async def test_the_async_anthropic_client_raises_at_once_too(
    provider: Served, house: House, async_http: httpx2.AsyncClient
) -> None:
    arrived = house.arrived["/v1/messages"]
    async with anthropic.AsyncAnthropic(
        api_key="k", base_url=provider.url, http_client=async_http
    ) as client:
        with pytest.raises(anthropic.PermissionDeniedError):
            await client.messages.create(
                model="claude-test", max_tokens=9, messages=[{"role": "user", "content": ATTACK}]
            )
    assert house.arrived["/v1/messages"] == arrived + 1
