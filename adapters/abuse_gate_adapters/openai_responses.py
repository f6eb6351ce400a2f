"""OpenAI's Responses API: a strict schema for the answer, and an answer that is nothing else. Pure.

A reply is a list of items. Reasoning is no answer; whatever else stands beside the one message, a
second message or a call of a tool, makes it ambiguous.
"""

from collections.abc import Mapping
from typing import Any, Final

import openai

from abuse_gate.contract import AdapterConfig, ProviderBadReply, ProviderRefused
from abuse_gate.model.verdict import Verdict
from abuse_gate.verify.kit.chat import MAX_TOKENS, Ending
from abuse_gate.verify.kit.prompts import fenced, verifier_prompt
from abuse_gate.verify.kit.questions import judge_prompt, judge_schema
from abuse_gate.verify.kit.replies import VERDICT_SCHEMA, only, record, rows, verdict_of
from abuse_gate_adapters.openai_sdk import Way

# How a response ended, and for one that is incomplete, why: anything else is a bad reply.
ENDINGS: Final[Mapping[tuple[object, object], Ending]] = {
    ("completed", None): "read",
    ("incomplete", "content_filter"): "refused",
}
THOUGHTS: Final = frozenset({"reasoning"})
# A message that is not labelled at all is the answer too; one that is under way is none.
PHASES: Final = frozenset({None, "final_answer"})


def responses_way(_model: str, _config: AdapterConfig) -> Way:
    """The way of a model that is asked through the Responses API."""
    return Way(_method, _request, _verdict, question=_question, words=_words)


def _method(client: openai.AsyncOpenAI) -> Any:
    return client.responses.with_raw_response.create


def _request(payload: Mapping[str, Any], nonce: str, model: str) -> dict[str, Any]:
    schema = ("verdict", dict(VERDICT_SCHEMA))
    return _put(verifier_prompt(payload, nonce), fenced(payload, nonce), model, schema)


def _question(payload: Mapping[str, Any], nonce: str, model: str) -> dict[str, Any]:
    prompt, schema = judge_prompt(payload, nonce), judge_schema(payload)
    return _put(prompt, fenced(payload, nonce), model, schema)


def _put(
    prompt: str, data: str, model: str, schema: tuple[str, dict[str, Any]] | None
) -> dict[str, Any]:
    """A question that is kept nowhere, and of which the provider may leave nothing out."""
    request: dict[str, Any] = {
        "model": model,
        "instructions": prompt,
        "input": [{"type": "message", "role": "user", "content": data}],
        "max_output_tokens": MAX_TOKENS,
        "store": False,
        "truncation": "disabled",
    }
    if schema is not None:
        name, held = schema
        strict = {"type": "json_schema", "name": name, "strict": True, "schema": held}
        request["text"] = {"format": strict}
    return request


def _verdict(reply: Mapping[str, object], _request: Mapping[str, Any] | None) -> Verdict:
    return verdict_of(_words(reply))


def _words(reply: Mapping[str, object]) -> object:
    """What the one message says; how the response ended is looked at before."""
    if reply.get("object") != "response" or reply.get("error") is not None:
        raise ProviderBadReply
    ending = ENDINGS.get((_text(reply.get("status")), _why(reply)), "bad")
    if ending == "refused":
        raise ProviderRefused
    if ending == "bad":
        raise ProviderBadReply
    items = [record(item) for item in rows(reply.get("output"))]
    return _said(only([item for item in items if _text(item.get("type")) not in THOUGHTS]))


def _why(reply: Mapping[str, object]) -> object:
    details = reply.get("incomplete_details")
    return None if details is None else _text(record(details).get("reason"))


def _said(message: Mapping[str, object]) -> object:
    whole = message.get("type") == "message" and message.get("role") == "assistant"
    ended = message.get("status") == "completed" and _text(message.get("phase")) in PHASES
    if not whole or not ended:
        raise ProviderBadReply
    part = only(message.get("content"))
    if part.get("type") == "refusal":
        raise ProviderRefused
    if part.get("type") != "output_text":
        raise ProviderBadReply
    return part.get("text")


def _text(value: object) -> str | None:
    """A word of the reply, to be looked up in a table; something else is no word of any table."""
    return value if value is None or isinstance(value, str) else ""
