"""The provider that misbehaves on demand: it speaks its dialects, and its faults are real."""

import asyncio
import ssl
from collections.abc import AsyncIterator
from typing import Any

import httpx2
import pytest

from abuse_gate.testing import MODES, FaultyProvider
from abuse_gate.testing.contract_watch import until
from abuse_gate.testing.faults_dialects import DIALECTS, PLAIN, dialect_of
from abuse_gate.testing.faults_law import TIMEOUT
from abuse_gate.testing.faults_statuses import RETRY_AFTER

# Everything here is plain http: reading the trust store would only take time.
PLAIN_HTTP: dict[str, Any] = {
    "trust_env": False,
    "verify": ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT),
}


@pytest.fixture
async def provider() -> AsyncIterator[FaultyProvider]:
    async with FaultyProvider() as running:
        yield running


@pytest.fixture
async def plain(provider: FaultyProvider) -> AsyncIterator[httpx2.AsyncClient]:
    async with httpx2.AsyncClient(base_url=provider.url, **PLAIN_HTTP, timeout=5) as client:
        yield client


def test_there_are_far_more_than_forty_five_modes_and_each_has_a_law() -> None:
    assert len(MODES) >= 100
    for name, mode in MODES.items():
        assert mode.says or mode.reasons or name == "unclear", name
        assert not mode.allows("safe", "any") or "safe" in mode.says


async def outcome_of(mode: str, path: str) -> str:
    """What a plain client makes of a mode, and whether its connection ends with it."""
    slow = "timeout" in MODES[mode].reasons
    async with FaultyProvider(mode) as provider:
        async with httpx2.AsyncClient(base_url=provider.url, **PLAIN_HTTP) as client:
            asked = asyncio.ensure_future(client.post(path, json={"model": "m", "input": "x"}))
            await until(lambda: bool(provider.requests))
            await asyncio.wait({asked}, timeout=0.1 if slow else 5)
            late = asked.cancel()
            (outcome,) = await asyncio.gather(asked, return_exceptions=True)
        await until(lambda: not provider.open_connections)
    assert late or isinstance(outcome, httpx2.Response | httpx2.HTTPError)
    return "late" if late else type(outcome).__name__


@pytest.mark.parametrize("mode", MODES)
async def test_every_mode_does_the_same_in_every_dialect_and_ends_with_its_client(
    mode: str,
) -> None:
    paths = [*DIALECTS, "/anything"]
    outcomes = await asyncio.gather(*(outcome_of(mode, path) for path in paths))
    late = MODES[mode].reasons == TIMEOUT
    assert not late or set(outcomes) == {"late"}


async def test_a_request_is_on_record_without_a_text_in_its_repr(
    plain: httpx2.AsyncClient, provider: FaultyProvider
) -> None:
    await plain.post("/moderations", json={"input": "canary"}, headers={"Authorization": "canary"})
    (request,) = provider.requests
    assert (request.method, request.path) == ("POST", "/moderations")
    assert request.json == {"input": "canary"}
    assert request.headers["authorization"] == "canary"
    assert request.body_size == len(b'{"input":"canary"}')
    assert "canary" not in repr(request)


async def test_a_body_that_is_no_json_is_recorded_as_none(
    plain: httpx2.AsyncClient, provider: FaultyProvider
) -> None:
    await plain.post("/moderations", content=b"{")
    assert provider.requests[0].json is None


async def test_a_script_is_played_in_turn_and_its_last_mode_stays(
    plain: httpx2.AsyncClient, provider: FaultyProvider
) -> None:
    provider.mode = ["status_503", "limited_none", "safe"]
    statuses = [(await plain.post("/messages", json={})).status_code for _ in range(4)]
    assert statuses == [503, 429, 200, 200]
    assert provider.mode == "safe"


@pytest.mark.parametrize("mode", ["no_such_mode", [], ["safe", "sfae"]])
def test_an_unknown_mode_is_said_at_once(mode: str | list[str]) -> None:
    with pytest.raises(ValueError, match="no such fault mode"):
        FaultyProvider(mode)


async def test_a_provider_has_an_address_only_while_it_runs() -> None:
    provider = FaultyProvider()
    await provider.__aexit__(None, None, None)
    with pytest.raises(RuntimeError, match="context manager"):
        _ = provider.url


async def test_a_followed_redirect_is_seen(provider: FaultyProvider) -> None:
    provider.mode = ["status_307", "safe"]
    async with httpx2.AsyncClient(follow_redirects=True, **PLAIN_HTTP) as client:
        await client.post(f"{provider.url}/messages", json={})
    assert [request.path for request in provider.strays] == ["/elsewhere/messages"]


async def test_a_client_that_gives_up_is_seen(
    plain: httpx2.AsyncClient, provider: FaultyProvider
) -> None:
    provider.mode = "hang_after_request"
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.05):
            await plain.post("/messages", json={})
    await until(lambda: provider.requests[0].abandoned)


async def test_a_client_that_leaves_in_the_middle_of_its_own_body_harms_nobody(
    plain: httpx2.AsyncClient, provider: FaultyProvider
) -> None:
    host, port = provider.url.removeprefix("http://").split(":")
    _, writer = await asyncio.open_connection(host, int(port))
    writer.write(b"POST /messages HTTP/1.1\r\ncontent-length: 99\r\n\r\n{")
    await writer.drain()
    writer.close()
    assert (await plain.post("/messages", json={})).status_code == 200


async def test_a_retry_after_date_lies_ahead(
    plain: httpx2.AsyncClient, provider: FaultyProvider
) -> None:
    provider.mode = "limited_date"
    answer = await plain.post("/messages", json={})
    assert answer.status_code == 429
    assert answer.headers["retry-after"].endswith("GMT")
    assert len(RETRY_AFTER) >= 10


async def test_an_error_quotes_the_request_and_the_key_as_providers_do(
    plain: httpx2.AsyncClient, provider: FaultyProvider
) -> None:
    provider.mode = "status_401"
    answer = await plain.post("/messages", json={"a": "prompt"}, headers={"Authorization": "key"})
    assert "prompt" in answer.text
    assert "key" in answer.text


def test_paths_are_told_apart_by_their_end() -> None:
    assert dialect_of("/openai/deployments/x/chat/completions?api-version=1").name == "chat"
    assert dialect_of("/v1/else") is PLAIN


async def test_a_slow_answer_is_a_right_one_to_the_patient(
    plain: httpx2.AsyncClient, provider: FaultyProvider
) -> None:
    provider.mode = "slow_drip"
    assert (await plain.post("/anything", json={})).json() == {"answers": [{"verdict": "safe"}]}
