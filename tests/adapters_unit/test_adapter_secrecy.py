"""Canaries: no prompt and no key in a log at DEBUG, an exception or a repr, whatever happens."""

import gzip
import logging
import traceback
from collections.abc import Callable
from typing import Any

import anthropic as sdk
import pytest

from abuse_gate.contract import ProviderError
from abuse_gate.model.verdict import Assessment, Usage
from abuse_gate.verify.kit.provider import ProviderAdapter
from abuse_gate_adapters import anthropic, azure, openai

CANARIES = ("canary-prompt", "canary-context", "canary-call", "sk-canary", "canary-reply")
ECHO = b'{"error": {"message": "canary-reply canary-prompt-2718 sk-canary-key-0451"}}'
FAULTS: list[dict[str, Any]] = [
    *({"status": status, "body": ECHO} for status in (204, 301, 307, 308, 400, 401, 403, 404)),
    *({"status": status, "body": ECHO} for status in (408, 413, 422, 429, 500, 502, 503, 529)),
    {"status": 429, "body": ECHO, "headers": {"retry-after": "canary-reply"}},
    {"status": 307, "body": ECHO, "headers": {"location": "http://127.0.0.1:9/canary-reply"}},
    {"status": 400, "body": b"canary-reply"},
    {"status": 500, "body": b"[" * 5000},
    {"body": ECHO},
    {"body": b"canary-reply"},
    {"body": b'"canary-reply"'},
    {"body": b"<html>canary-reply</html>", "headers": {"content-type": "text/html"}},
    {"body": b""},
    {"body": b"\xff\xfe canary-reply"},
    {"body": b"[" * 5000},
    {"body": b"null"},
    {"body": b"x" * 300_000},
    {"body": gzip.compress(b"0" * 10_000_000), "headers": {"content-encoding": "gzip"}},
    {"body": b"short", "headers": {"content-length": "5000", "connection": "close"}},
    {"body": b"bad", "headers": {"content-length": "-1"}},
    {"body": b"{}", "headers": {f"x-flood-{number}": "a" * 2000 for number in range(100)}},
    {"body": b"{}", "headers": {"set-cookie": "canary-reply=1"}},
]
BUILDS: list[tuple[str, Callable[..., ProviderAdapter[Any]], dict[str, Any]]] = [
    ("openai", openai.build, {}),
    ("openai", openai.build, {"model": "gpt-5-mini"}),
    ("anthropic", anthropic.build, {}),
    ("azure", azure.build, {"model": "judge"}),
    ("azure", azure.build, {"model": "judge", "api_version": "2024-10-21"}),
]


class Keeper(logging.Handler):
    """Keeps every record of every logger as the text it would be printed as."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(logging.Formatter().format(record) + repr(record.args))


@pytest.fixture
def keeper() -> Any:
    keeper, root = Keeper(), logging.getLogger()
    before = root.level
    loud = [root, *(logging.getLogger(name) for name in ("openai", "anthropic", "httpx2", "azure"))]
    levels = [logger.level for logger in loud]
    root.addHandler(keeper)
    for logger in loud:
        logger.setLevel(logging.DEBUG)
    yield keeper
    root.removeHandler(keeper)
    for logger, level in zip(loud, levels, strict=True):
        logger.setLevel(level)
    root.setLevel(before)


@pytest.mark.parametrize("fault", FAULTS, ids=range(len(FAULTS)))
@pytest.mark.parametrize(("name", "build", "fields"), BUILDS)
async def test_a_fault_is_a_bare_error_and_leaves_no_trace(
    name: str,
    build: Callable[..., ProviderAdapter[Any]],
    fields: dict[str, Any],
    fault: dict[str, Any],
    serve: Any,
    configure: Any,
    payload: dict[str, Any],
    keeper: Keeper,
) -> None:
    async with serve(**fault) as provider:
        adapter = build(configure(name, endpoint=provider.url, **fields))
        with pytest.raises(ProviderError) as caught:
            await adapter.assess(payload)
        await adapter.aclose()
    error = caught.value
    told = [*keeper.lines, *traceback.format_exception(error), repr(error), repr(adapter)]
    assert [canary for canary in CANARIES for line in told if canary in line] == []
    assert (error.__cause__, error.__context__, error.args) == (None, None, ())
    assert len(provider.asked) == 1, "no retry, no redirect"


async def test_the_canary_would_be_heard_if_the_sdk_were_not_hushed(
    serve: Any, configure: Any, payload: dict[str, Any], keeper: Keeper
) -> None:
    async with serve(status=500) as provider:
        adapter = anthropic.build(configure("anthropic", endpoint=provider.url))
        request = adapter.build_request(payload, "f" * 32)
        client = sdk.AsyncAnthropic(api_key="x", base_url=provider.url, max_retries=0)
        with pytest.raises(sdk.APIStatusError):
            await client.messages.create(**request)
        await client.close()
    assert any("canary-prompt" in line for line in keeper.lines)


@pytest.mark.parametrize(("name", "build", "fields"), BUILDS[1:])
async def test_a_good_call_is_quiet_too(
    name: str,
    build: Callable[..., ProviderAdapter[Any]],
    fields: dict[str, Any],
    serve: Any,
    configure: Any,
    payload: dict[str, Any],
    keeper: Keeper,
) -> None:
    text = '{"verdict": "unclear"}'
    message = {"role": "assistant", "content": text}
    reply = {
        "type": "message",
        "role": "assistant",
        "stop_reason": "end_turn",
        "content": [{"type": "text", "text": text}],
        "object": "chat.completion",
        "choices": [{"finish_reason": "stop", "message": message}],
        "usage": {"prompt_tokens": 17, "completion_tokens": 4}
        if name != "anthropic"
        else {"input_tokens": 17, "output_tokens": 4},
    }
    async with serve(body=reply) as provider:
        adapter = build(configure(name, endpoint=provider.url, **fields))
        answer = await adapter.assess(payload)
        await adapter.aclose()
    usage = Usage(name, adapter.model, 17, 4)
    assert answer == Assessment("unclear", "model_unclear", source=name, usage=usage)
    assert [line for line in keeper.lines if "canary" in line] == []


async def test_nobody_listening_is_a_connection_error(
    configure: Any, payload: dict[str, Any]
) -> None:
    adapter = openai.build(configure("openai", endpoint="http://127.0.0.1:9"))
    with pytest.raises(ProviderError) as caught:
        await adapter.assess(payload)
    await adapter.aclose()
    assert type(caught.value).__name__ == "ProviderConnection"
