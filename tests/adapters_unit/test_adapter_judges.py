"""Judges over the real SDKs: what leaves, and what comes back."""

import asyncio
import json
from collections.abc import Mapping
from typing import Any, Final

import pytest
from pydantic import TypeAdapter

from abuse_gate.contract import ProviderBadReply, ProviderMisconfigured, ProviderRefused
from abuse_gate.model.verdict import Usage
from abuse_gate.verify.kit.prompts import MAX_FENCED
from abuse_gate.verify.kit.provider import ProviderAdapter
from abuse_gate.verify.kit.questions import PLAIN_FORM, SCHEMAS
from abuse_gate.verify.triage import Triage
from abuse_gate.work.threads import Bulkhead
from abuse_gate_adapters import anthropic, azure, openai
from tests.adapters_unit.judging import JUDGES, chat, message, question, response, texts

EVERY_JUDGE = pytest.mark.parametrize("name", JUDGES)


@EVERY_JUDGE
@pytest.mark.parametrize("kind", SCHEMAS)
async def test_a_question_goes_out_with_its_schema_and_the_words_come_back(
    name: str, kind: str, serve: Any, configure: Any, payload: dict[str, Any]
) -> None:
    build, model, says, _ = JUDGES[name]
    async with serve(body=says("the words")) as provider:
        judge = build(configure(name, endpoint=provider.url, model=model))
        reply = await judge.ask(question(payload, kind))
        await judge.aclose()
    assert reply.text == "the words"
    assert reply.usage == Usage(judge.name, judge.model, 40, 6)
    sent = provider.asked[0].json
    assert sent["model"] == model.removeprefix("responses/")
    assert json.dumps(SCHEMAS[kind]) in json.dumps(sent)
    (line,) = [text for text in texts(sent) if "canary-call-1618" in text]
    held = json.loads(line.split("\n")[1])
    assert held["suspected_context"] == ["0"]
    assert held["decision_trail"][0]["tier"] == "static"
    assert held["context"][0]["text"] == "canary-context-3141"
    assert "words" not in repr(reply)


@EVERY_JUDGE
async def test_the_second_question_is_for_the_bare_word(
    name: str, serve: Any, configure: Any, payload: dict[str, Any]
) -> None:
    build, model, says, _ = JUDGES[name]
    async with serve(body=says("NO")) as provider:
        judge = build(configure(name, endpoint=provider.url, model=model))
        first = await judge.ask(question(payload).plainly())
        await judge.aclose()
    assert first.text == "NO"
    sent = json.dumps(provider.asked[0].json)
    assert PLAIN_FORM in sent
    assert "suspicious" not in sent


@EVERY_JUDGE
@pytest.mark.parametrize("plain", [True, False])
@pytest.mark.parametrize("kind", SCHEMAS)
def test_a_question_is_what_the_sdk_says_it_takes(
    name: str, kind: str, plain: bool, configure: Any, payload: dict[str, Any]
) -> None:
    build, model, _, kind_of_request = JUDGES[name]
    judge = build(configure(name, endpoint="https://r.example", model=model))
    asked = question(payload, kind, plain=plain)
    request = judge.build_question(asked, "f" * 32)
    TypeAdapter(kind_of_request).validate_python(request)
    assert request == judge.build_question(asked, "f" * 32)


@EVERY_JUDGE
async def test_a_matter_beyond_the_stated_size_is_never_cleared(
    name: str, serve: Any, configure: Any
) -> None:
    build, model, says, _ = JUDGES[name]
    async with serve(body=says('{"suspicious": false}')) as provider:
        judge = build(configure(name, endpoint=provider.url, model=model))
        huge = question({"prompt_text": "a" * (MAX_FENCED + 1)})
        answer = await Triage(judge, name, Bulkhead(1)).assess(huge)
        await judge.aclose()
    assert (answer.verdict, answer.reason) == ("unclear", "triage_ambiguous")


SHIELDED: Final = {
    "prompt_index": 0,
    "content_filter_results": {"jailbreak": {"filtered": True, "detected": True}},
}
ODD: Final[list[tuple[str, Any, type[Exception]]]] = [
    ("openai", chat("NO", "length"), ProviderBadReply),
    ("openai", chat("NO", "content_filter"), ProviderRefused),
    ("openai", chat(None), ProviderBadReply),
    ("openai", {"object": "chat.completion", "choices": []}, ProviderBadReply),
    ("responses", {**response("NO"), "status": "incomplete"}, ProviderBadReply),
    ("responses", response(7), ProviderBadReply),
    ("anthropic", message("NO", "max_tokens"), ProviderBadReply),
    ("anthropic", message("", "refusal"), ProviderRefused),
    ("anthropic", message(None), ProviderBadReply),
    ("azure", chat("NO", "content_filter"), ProviderRefused),
    (
        "azure",
        {**chat("NO"), "prompt_filter_results": [SHIELDED]},
        ProviderRefused,
    ),
]


@pytest.mark.parametrize(("name", "body", "error"), ODD)
async def test_an_answer_that_is_none_is_an_error(
    name: str, body: Any, error: type[Exception], serve: Any, configure: Any, payload: Any
) -> None:
    build, model, _, _ = JUDGES[name]
    async with serve(body=body) as provider:
        judge = build(configure(name, endpoint=provider.url, model=model))
        with pytest.raises(error):
            await judge.ask(question(payload))
        await judge.aclose()


async def test_a_question_that_azures_filter_refuses_was_never_asked(
    serve: Any, configure: Any, payload: dict[str, Any]
) -> None:
    refused = {
        "error": {"code": "content_filter", "innererror": {"code": "ResponsibleAIPolicyViolation"}}
    }
    async with serve(status=400, body=refused) as provider:
        judge = azure.build_judge(configure("azure", endpoint=provider.url, model="judge"))
        with pytest.raises(ProviderRefused):
            await judge.ask(question(payload))
        await judge.aclose()


def test_an_endpoint_that_sorts_cannot_be_asked(configure: Any, payload: Any) -> None:
    adapter = openai.build(configure("openai"))
    with pytest.raises(ProviderMisconfigured):
        asyncio.run(adapter.ask(question(payload)))
    with pytest.raises(ProviderMisconfigured):
        adapter.read_words(b"{}")


class VerifierOnly(anthropic.AnthropicAdapter):
    def build_question(self, payload: Mapping[str, Any], nonce: str) -> dict[str, Any]:
        return ProviderAdapter[Any].build_question(self, payload, nonce)

    def read_words(self, wire: bytes) -> str:
        return ProviderAdapter[Any].read_words(self, wire)


async def test_an_adapter_without_questions_cannot_be_asked(configure: Any, payload: Any) -> None:
    adapter = VerifierOnly(configure("anthropic"))
    with pytest.raises(ProviderMisconfigured):
        await adapter.ask(question(payload))
    with pytest.raises(ProviderMisconfigured):
        adapter.read_words(b"{}")
