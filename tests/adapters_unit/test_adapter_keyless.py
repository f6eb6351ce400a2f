"""Azure without a key: tokens of the machine's identity, from an identity service on loopback."""

import json
from typing import Any

import pytest
from azure.identity.aio import ManagedIdentityCredential

from abuse_gate.contract import ProviderBadReply, ProviderError, ProviderMisconfigured
from abuse_gate_adapters import azure

TOKEN = {"access_token": "token-1", "expires_on": "4102444800", "resource": "cognitive"}
CHAT = {
    "object": "chat.completion",
    "choices": [
        {
            "finish_reason": "stop",
            "message": {"role": "assistant", "content": json.dumps({"verdict": "safe"})},
        }
    ],
}


@pytest.mark.parametrize("version", [None, "2024-10-21"])
async def test_azure_without_a_key_sends_a_token_of_the_machine(
    version: str | None,
    serve: Any,
    configure: Any,
    payload: dict[str, Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with serve(body=TOKEN) as identity, serve(body=CHAT) as provider:
        monkeypatch.setenv("IDENTITY_ENDPOINT", identity.url)
        monkeypatch.setenv("IDENTITY_HEADER", "machine")
        config = configure(
            "azure", key=None, model="judge", endpoint=provider.url, api_version=version
        )
        adapter = azure.AzureAdapter(config, identity=ManagedIdentityCredential)
        answers = [await adapter.assess(payload) for _ in range(2)]
        await adapter.aclose()
    assert [answer.verdict for answer in answers] == ["safe", "safe"]
    assert {asked.headers["authorization"] for asked in provider.asked} == {"Bearer token-1"}
    assert all("api-key" not in asked.headers for asked in provider.asked)
    assert len(identity.asked) == 1, "the token is kept"


async def test_azure_without_key_and_identity_is_misconfigured(
    serve: Any, configure: Any, payload: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    async with serve(status=400, body={"error": "no"}) as identity, serve() as provider:
        monkeypatch.setenv("IDENTITY_ENDPOINT", identity.url)
        monkeypatch.setenv("IDENTITY_HEADER", "machine")
        config = configure("azure", key=None, model="judge", endpoint=provider.url)
        adapter = azure.build(config)
        with pytest.raises(ProviderMisconfigured):
            await adapter.assess(payload)
        await adapter.aclose()
    assert provider.asked == []


async def test_the_identity_of_the_machine_is_asked_for_without_a_proxy(
    serve: Any, configure: Any, payload: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    async with serve() as proxy, serve(body=TOKEN) as identity, serve(body=CHAT) as provider:
        for variable in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
            monkeypatch.setenv(variable, proxy.url)
        monkeypatch.delenv("NO_PROXY", raising=False)
        monkeypatch.delenv("no_proxy", raising=False)
        monkeypatch.setenv("IDENTITY_ENDPOINT", identity.url)
        monkeypatch.setenv("IDENTITY_HEADER", "machine")
        adapter = azure.build(configure("azure", key=None, model="judge", endpoint=provider.url))
        answer = await adapter.assess(payload)
        await adapter.aclose()
    assert answer.verdict == "safe"
    assert (len(proxy.asked), len(identity.asked)) == (0, 1)


@pytest.mark.parametrize(
    ("token", "kind"),
    [
        ({"access_token": "canary-token"}, ProviderMisconfigured),
        ({"access_token": "canary-token", "expires_on": "4102444800"}, ProviderBadReply),
        ([], ProviderMisconfigured),
    ],
)
async def test_nothing_leaves_on_the_word_of_an_identity_service_that_talks_nonsense(
    token: object,
    kind: type[ProviderError],
    serve: Any,
    configure: Any,
    payload: dict[str, Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with serve(body=token) as identity, serve() as provider:
        monkeypatch.setenv("IDENTITY_ENDPOINT", identity.url)
        monkeypatch.setenv("IDENTITY_HEADER", "machine")
        config = configure("azure", key=None, model="judge", endpoint=provider.url)
        adapter = azure.AzureAdapter(config, identity=ManagedIdentityCredential)
        with pytest.raises(ProviderError) as caught:
            await adapter.assess(payload)
        await adapter.aclose()
    assert type(caught.value) is kind
    assert caught.value.__context__ is None
    assert provider.asked == []
