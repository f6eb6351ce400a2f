"""The real SDKs against a provider on loopback: what leaves, and what is made of the answer."""

import asyncio
import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from abuse_gate.contract import ProviderMisconfigured
from abuse_gate.verify.kit.doorway import ALWAYS, LEAVING
from abuse_gate.verify.kit.provider import ProviderAdapter
from abuse_gate_adapters import anthropic, azure, openai, openai_moderation

KEY = "sk-canary-key-0451"
CATEGORIES = sorted(openai_moderation.OMNI_CATEGORIES)
CLEAN = {
    "flagged": False,
    "categories": dict.fromkeys(CATEGORIES, False),
    "category_scores": dict.fromkeys(CATEGORIES, 0.01),
}


def moderation(verdict: str) -> dict[str, Any]:
    hot = {
        **CLEAN,
        "flagged": True,
        "categories": {**dict.fromkeys(CATEGORIES, False), "hate": True},
    }
    last = hot if verdict == "unsafe" else CLEAN
    return {"id": "m", "model": "omni-moderation-latest", "results": [CLEAN, CLEAN, last]}


def decision(verdict: str) -> dict[str, Any]:
    odds = [
        {"value": word, "probability": 0.9 if word == verdict else 0.05}
        for word in ("safe", "unsafe", "unclear")
    ]
    answer = {"type": "choice", "name": "verdict", "choice": verdict, "confidence": 0.9}
    return {"model": "gpt-6-luna", "answers": [{**answer, "probabilities": odds}], "usage": {}}


def chat(verdict: str) -> dict[str, Any]:
    message = {"role": "assistant", "content": json.dumps({"verdict": verdict}), "refusal": None}
    choice = {"index": 0, "finish_reason": "stop", "message": message, "logprobs": None}
    return {"id": "c", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}


def response(verdict: str) -> dict[str, Any]:
    text = {"type": "output_text", "text": json.dumps({"verdict": verdict})}
    said = {"type": "message", "role": "assistant", "status": "completed", "content": [text]}
    return {"id": "r", "object": "response", "status": "completed", "output": [said]}


def message(verdict: str) -> dict[str, Any]:
    return {
        "id": "msg",
        "type": "message",
        "role": "assistant",
        "model": "claude",
        "content": [{"type": "text", "text": json.dumps({"verdict": verdict})}],
        "stop_reason": "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": 1, "output_tokens": 1},
    }


Reply = Callable[[str], dict[str, Any]]
Build = Callable[..., ProviderAdapter[Any]]


@dataclass(frozen=True)
class Mode:
    """One way of asking one provider: where it goes, where its key is, how it is answered."""

    name: str
    build: Build
    fields: dict[str, Any]
    path: str
    header: str
    reply: Reply


MODES = [
    Mode("openai", openai.build, {"model": None}, "/moderations", "authorization", moderation),
    Mode("openai", openai.build, {"model": "gpt-6-luna"}, "/decisions", "authorization", decision),
    Mode(
        "openai", openai.build, {"model": "gpt-5-mini"}, "/chat/completions", "authorization", chat
    ),
    Mode("openai", openai.build, {"model": "responses/m"}, "/responses", "authorization", response),
    Mode("anthropic", anthropic.build, {}, "/v1/messages", "authorization", message),
    Mode(
        "azure",
        azure.build,
        {"model": "judge"},
        "/openai/v1/chat/completions",
        "authorization",
        chat,
    ),
    Mode(
        "azure",
        azure.build,
        {"model": "judge", "api_version": "2024-10-21"},
        "/openai/deployments/judge/chat/completions?api-version=2024-10-21",
        "api-key",
        chat,
    ),
]
IDS = ["moderation", "decision", "chat", "responses", "anthropic", "azure-v1", "azure-dated"]
HOSTILE_ENVIRONMENT = {
    "OPENAI_API_KEY": "sk-of-the-environment",
    "OPENAI_ADMIN_KEY": "sk-of-the-environment",
    "OPENAI_BASE_URL": "http://127.0.0.1:9/elsewhere",
    "OPENAI_ORG_ID": "org-of-the-environment",
    "OPENAI_PROJECT_ID": "project-of-the-environment",
    "OPENAI_CUSTOM_HEADERS": "authorization: Bearer of-the-environment\nx-evil: of-the-environment",
    "ANTHROPIC_API_KEY": "sk-of-the-environment",
    "ANTHROPIC_AUTH_TOKEN": "token-of-the-environment",
    "ANTHROPIC_BASE_URL": "http://127.0.0.1:9/elsewhere",
    "ANTHROPIC_CUSTOM_HEADERS": "Authorization: Bearer of-the-environment\nx-evil: 1",
    "AZURE_OPENAI_API_KEY": "sk-of-the-environment",
    "AZURE_OPENAI_AD_TOKEN": "token-of-the-environment",
    "AZURE_OPENAI_ENDPOINT": "http://127.0.0.1:9/elsewhere",
    "HTTP_PROXY": "http://127.0.0.1:9",
    "ALL_PROXY": "http://127.0.0.1:9",
}


@pytest.mark.parametrize("mode", MODES, ids=IDS)
@pytest.mark.parametrize("verdict", ["safe", "unsafe"])
async def test_each_mode_asks_once_and_says_what_the_provider_said(
    mode: Mode,
    verdict: str,
    serve: Any,
    configure: Any,
    payload: dict[str, Any],
) -> None:
    async with serve(body=mode.reply(verdict)) as provider:
        adapter = mode.build(configure(mode.name, endpoint=provider.url, **mode.fields))
        await adapter.start()
        answer = await adapter.assess(payload)
        await adapter.aclose()
    assert (answer.verdict, answer.source) == (verdict, mode.name)
    assert [asked.path for asked in provider.asked] == [mode.path]
    assert all(word in provider.asked[0].body.decode() for word in ("canary-prompt", "canary-call"))


@pytest.mark.parametrize("mode", MODES, ids=IDS)
async def test_the_environment_changes_nothing_and_the_key_is_in_its_header_only(
    mode: Mode,
    serve: Any,
    configure: Any,
    payload: dict[str, Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for variable, value in HOSTILE_ENVIRONMENT.items():
        monkeypatch.setitem(os.environ, variable, value)
    async with serve(body=mode.reply("safe")) as provider:
        adapter = mode.build(configure(mode.name, endpoint=provider.url, **mode.fields))
        answer = await adapter.assess(payload)
        await adapter.aclose()
    asked = provider.asked[0]
    assert answer.verdict == "safe"
    assert asked.headers.pop(mode.header).removeprefix("Bearer ") == KEY
    for name, value in ALWAYS.items():
        assert asked.headers.pop(name.lower()) == value
    assert asked.headers.keys() <= LEAVING
    assert "of-the-environment" not in repr(asked)
    assert KEY not in repr(asked)


@pytest.mark.parametrize("mode", MODES, ids=IDS)
async def test_a_rotated_key_is_used_at_once(
    mode: Mode,
    serve: Any,
    configure: Any,
    payload: dict[str, Any],
) -> None:
    keys = ["first-key", "second-key"]

    async def secret(_variable: str, /) -> str | None:
        return keys.pop(0)

    async with serve(body=mode.reply("safe")) as provider:
        config = configure(mode.name, endpoint=provider.url, **mode.fields)
        object.__setattr__(config, "secret", secret)
        adapter = mode.build(config)
        for _ in range(2):
            await adapter.assess(payload)
        await adapter.aclose()
    sent = [asked.headers[mode.header].removeprefix("Bearer ") for asked in provider.asked]
    assert sent == ["first-key", "second-key"]


@pytest.mark.parametrize("key", [None, "", "line\nbreak", "snow☃man"])
@pytest.mark.parametrize(
    ("name", "build"), [("openai", openai.build), ("anthropic", anthropic.build)]
)
async def test_without_a_usable_key_nothing_leaves(
    name: str, build: Build, key: str | None, serve: Any, configure: Any, payload: dict[str, Any]
) -> None:
    async with serve() as provider:
        adapter = build(configure(name, key=key, endpoint=provider.url))
        with pytest.raises(ProviderMisconfigured):
            await adapter.assess(payload)
        await adapter.aclose()
    assert provider.asked == []


def test_each_event_loop_gets_a_client_of_its_own(
    serve: Any, configure: Any, payload: dict[str, Any]
) -> None:
    adapters: list[ProviderAdapter[Any]] = []

    async def ask() -> str:
        async with serve(body=message("safe")) as provider:
            config = configure("anthropic", endpoint="http://127.0.0.1:1")
            adapters.append(adapters[0] if adapters else anthropic.build(config))
            object.__setattr__(adapters[0], "base_url", provider.url)
            try:
                return (await adapters[0].assess(payload)).verdict
            finally:
                await adapters[0].aclose()

    assert [asyncio.run(ask()) for _ in range(3)] == ["safe"] * 3


async def test_an_answer_left_over_on_a_connection_is_not_taken_for_the_next_one(
    serve: Any, configure: Any, payload: dict[str, Any]
) -> None:
    said = {verdict: json.dumps(message(verdict)).encode() for verdict in ("safe", "unsafe")}
    surplus = b"HTTP/1.1 200 X\r\ncontent-length: %d\r\n\r\n" % len(said["safe"]) + said["safe"]
    first = {"content-length": str(len(said["unsafe"]))}
    async with serve(body=said["unsafe"] + surplus, headers=first) as provider:
        adapter = anthropic.build(configure("anthropic", endpoint=provider.url))
        answers = [(await adapter.assess(payload)).verdict for _ in range(4)]
        await adapter.aclose()
    assert answers == ["unsafe"] * 4


async def test_closing_what_was_never_opened_is_nothing(configure: Any) -> None:
    await openai.build(configure("openai")).aclose()
