"""The door: what leaves by an allow-list, what comes back is capped, and no text stays behind."""

import asyncio
import logging
import os
from collections.abc import AsyncIterator
from typing import Any

import httpx2
import pytest

from abuse_gate.contract import ConfigError, ProviderMisconfigured
from abuse_gate.verify.kit.clients import POOL_SHARE, open_client, timeouts
from abuse_gate.verify.kit.doorway import Credential, Doorway, bearer, bearing
from abuse_gate.verify.kit.endpoints import checked_endpoint
from abuse_gate.verify.kit.faults import UnreadableReply
from abuse_gate.verify.kit.hush import NOISY, hush_loggers, hushed
from abuse_gate.work.loops import PerLoop


class Parts(httpx2.AsyncByteStream):
    """A body in parts that knows how many were taken, and whether it was closed."""

    def __init__(self, *parts: bytes) -> None:
        self.parts = parts
        self.taken = 0
        self.closed = False

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for part in self.parts:
            self.taken += 1
            yield part

    async def aclose(self) -> None:
        self.closed = True


class Wire(httpx2.AsyncBaseTransport):
    """Answers with one response and keeps the request that reached it."""

    def __init__(self, body: httpx2.AsyncByteStream, **headers: str) -> None:
        self.body = body
        self.headers = {name.replace("_", "-"): value for name, value in headers.items()}
        self.request: httpx2.Request | None = None

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        self.request = request
        return httpx2.Response(200, headers=self.headers, stream=self.body)


async def ask(wire: Wire, limit: int = 10) -> bytes:
    request = httpx2.Request(
        "POST",
        "https://r.example/path",
        headers={
            "Authorization": "Bearer placeholder",
            "Cookie": "session=1",
            "X-Stainless-OS": "Linux",
            "traceparent": "00-1-1-01",
            "Content-Type": "application/json",
        },
        content=b"{}",
    )
    with bearing(bearer("the-key")):
        response = await Doorway(wire, limit).handle_async_request(request)
        body = await response.aread()
    assert request.headers["authorization"] == "Bearer placeholder", "the key is not put back"
    return body


async def test_only_listed_headers_leave_and_the_key_is_one_of_them() -> None:
    wire = Wire(Parts(b"12345", b"67890"))
    assert await ask(wire) == b"1234567890"
    assert wire.request is not None
    assert dict(wire.request.headers) == {
        "host": "r.example",
        "content-type": "application/json",
        "content-length": "2",
        "accept-encoding": "identity",
        "connection": "close",
        "authorization": "Bearer the-key",
    }


async def test_a_body_that_goes_on_is_cut_off_while_it_streams() -> None:
    body = Parts(*[b"12345"] * 100)
    with pytest.raises(UnreadableReply):
        await ask(Wire(body))
    assert body.taken == 3
    assert body.closed


@pytest.mark.parametrize(
    "headers",
    [{"content_length": "11"}, {"content_encoding": "gzip"}, {"content_encoding": "identity, br"}],
)
async def test_a_body_that_is_announced_too_large_or_packed_is_not_read(
    headers: dict[str, str],
) -> None:
    body = Parts(b"1")
    with pytest.raises(UnreadableReply):
        await ask(Wire(body, **headers))
    assert (body.taken, body.closed) == (0, True)


@pytest.mark.parametrize("headers", [{"content_length": "many"}, {"content_encoding": "Identity"}])
async def test_odd_but_harmless_headers_pass(headers: dict[str, str]) -> None:
    assert await ask(Wire(Parts(b"1"), **headers)) == b"1"


@pytest.mark.parametrize("value", ["line\nbreak", "snow☃", "nul\x00"])
def test_a_key_that_no_header_can_hold_is_a_misconfiguration(value: str) -> None:
    with pytest.raises(ProviderMisconfigured):
        bearer(value)


def test_a_credential_does_not_show_its_value() -> None:
    assert "secret-value" not in repr(Credential("api-key", "secret-value"))


async def test_a_client_follows_nobody_and_waits_no_longer_than_the_budget() -> None:
    client = open_client(2.0)
    assert client.follow_redirects is False
    assert client.trust_env is False
    assert client.timeout == timeouts(2.0) == httpx2.Timeout(2.0, pool=2.0 * POOL_SHARE)
    await client.aclose()


def test_each_loop_has_its_own_and_dead_loops_are_forgotten() -> None:
    made: list[object] = []

    def make() -> object:
        made.append(object())
        return made[-1]

    kept = PerLoop(make)

    async def twice() -> bool:
        return kept.get() is kept.get()

    async def leave() -> tuple[object, object]:
        kept.get()
        return kept.pop(), kept.pop()

    assert [asyncio.run(twice()) for _ in range(3)] == [True] * 3
    assert len(made) == 3
    assert len(kept) == 1, "what belonged to closed loops is gone"
    first, second = asyncio.run(leave())
    assert first is made[-1]
    assert second is None


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_forked_child_does_not_use_what_its_parent_made() -> None:
    made: list[object] = []
    kept = PerLoop(lambda: made.append(made))
    loop = asyncio.new_event_loop()
    loop.run_until_complete(_get(kept))
    child = os.fork()
    if child == 0:
        before = len(kept)
        loop.run_until_complete(_get(kept))
        # A second one was made, and the parent's was dropped.
        os._exit(0 if (before, len(kept), len(made)) == (1, 1, 2) else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    loop.close()


async def _get(kept: PerLoop[Any]) -> Any:
    return kept.get()


@pytest.mark.parametrize(
    "endpoint",
    [
        "https://r.example",
        "https://r.example/path",
        "http://127.0.0.1:80",
        "http://[::1]:80/v1",
        "http://localhost:1",
    ],
)
def test_https_or_loopback_is_an_address(endpoint: str) -> None:
    assert checked_endpoint(endpoint + "/", "X_BASE_URL") == endpoint


@pytest.mark.parametrize(
    "endpoint",
    [
        "",
        "r.example",
        "ftp://r.example",
        "http://r.example",
        "http://127.0.0.1.example",
        "http://localhost.example",
        "https://",
        "https://user:pw@r.example",
        "https://r.example?key=pw",
        "https://r.example#pw",
        "https://r.example:pw",
        "https://[pw",
    ],
)
def test_any_other_address_is_an_error_that_does_not_quote_it(endpoint: str) -> None:
    with pytest.raises(ConfigError) as caught:
        checked_endpoint(endpoint, "X_BASE_URL")
    assert str(caught.value).startswith("X_BASE_URL: ")
    assert "pw" not in str(caught.value)


@pytest.mark.parametrize("root", NOISY)
def test_an_sdk_is_quiet_during_our_call_and_heard_otherwise(
    root: str, caplog: pytest.LogCaptureFixture
) -> None:
    logger = logging.getLogger(f"{root}.some.part")
    hush_loggers()
    with caplog.at_level(logging.DEBUG, logger=root):
        with hushed():
            logger.debug("prompt of ours")
            logging.getLogger("app").warning("word of the app")
        logger.debug("prompt of the app")
    assert [record.getMessage() for record in caplog.records] == [
        "word of the app",
        "prompt of the app",
    ]
