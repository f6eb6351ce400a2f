"""Azure without a key: tokens of the machine's identity, from an identity service on loopback."""

import asyncio
import json
import time
from typing import Any

import pytest
from azure.core.credentials import AccessToken
from azure.identity.aio import ManagedIdentityCredential

from abuse_gate.contract import (
    AdapterConfig,
    ProviderBadReply,
    ProviderError,
    ProviderMisconfigured,
)
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


class SlowIdentity:
    """An identity that takes its time, and counts how often it is asked."""

    def __init__(self) -> None:
        self.may_answer = asyncio.Event()
        self.asked = 0

    async def get_token(self, *_scopes: str, **_options: Any) -> AccessToken:
        self.asked += 1
        await self.may_answer.wait()
        return AccessToken("token-2", int(time.time()) + 3600)

    async def close(self) -> None:
        self.may_answer.set()


async def test_a_pinned_tenant_never_gets_a_token_of_the_machine(
    serve: Any, configure: Any, payload: dict[str, Any]
) -> None:
    identity = SlowIdentity()
    async with serve(body=CHAT) as provider:
        config = configure(
            "azure", key=None, model="judge", endpoint=provider.url, tenant="acme", pinned=True
        )
        adapter = azure.AzureAdapter(config, identity=lambda: identity)  # type: ignore[arg-type, return-value]
        await adapter.start()
        with pytest.raises(ProviderMisconfigured):
            await adapter.assess(payload)
        await adapter.aclose()
    assert (identity.asked, provider.asked) == (0, [])


async def test_a_slow_token_is_fetched_once_and_survives_those_who_stop_waiting(
    serve: Any, configure: Any, payload: dict[str, Any]
) -> None:
    identity = SlowIdentity()
    async with serve(body=CHAT) as provider:
        config = configure("azure", key=None, model="judge", endpoint=provider.url)
        adapter = azure.AzureAdapter(config, identity=lambda: identity)  # type: ignore[arg-type, return-value]
        for _ in range(3):
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(adapter.assess(payload), 0.01)
        identity.may_answer.set()
        assert (await adapter.assess(payload)).verdict == "safe"
        await adapter.aclose()
    assert identity.asked == 1


async def test_a_fetch_that_is_under_way_ends_with_its_client(serve: Any, configure: Any) -> None:
    identity = SlowIdentity()
    async with serve() as provider:
        config = configure("azure", key=None, model="judge", endpoint=provider.url)
        adapter = azure.AzureAdapter(config, identity=lambda: identity)  # type: ignore[arg-type, return-value]
        starting = asyncio.create_task(adapter.start())
        while not identity.asked:
            await asyncio.sleep(0)
        await adapter.aclose()
        await asyncio.wait({starting})
    assert identity.asked == 1


async def test_a_secret_provider_that_fails_is_a_matter_of_set_up(
    payload: dict[str, Any],
) -> None:
    async def broken(_name: str, /) -> str | None:
        raise ConnectionError("s3cret")

    config = AdapterConfig(
        name="azure", timeout_ms=100, model="judge", endpoint="https://r.example", secret=broken
    )
    adapter = azure.build(config)
    await adapter.start()
    with pytest.raises(ProviderMisconfigured) as caught:
        await adapter.assess(payload)
    assert (caught.value.__context__, caught.value.args) == (None, ())
    await adapter.aclose()
