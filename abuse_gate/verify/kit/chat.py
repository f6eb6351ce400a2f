"""The chat dialect that OpenAI and Azure share: arguments in, the judge's word out. Pure."""

from collections.abc import Mapping
from typing import Any, Final, Literal

from abuse_gate.contract import ProviderBadReply, ProviderRefused
from abuse_gate.model.verdict import Verdict
from abuse_gate.verify.kit.prompts import fenced, verifier_prompt
from abuse_gate.verify.kit.questions import judge_prompt, judge_schema
from abuse_gate.verify.kit.replies import VERDICT_SCHEMA, only, record, verdict_of

# Room for a model that thinks before it answers; the answer itself takes ten tokens.
MAX_TOKENS: Final = 2048

# "read": the message is the answer.
Ending = Literal["read", "refused", "bad", "unsafe"]


def chat_request(payload: Mapping[str, Any], nonce: str, model: str) -> dict[str, Any]:
    """The verifier's question, with a strict schema for its answer."""
    schema = ("verdict", dict(VERDICT_SCHEMA))
    return _request(verifier_prompt(payload, nonce), fenced(payload, nonce), model, schema)


def chat_question(payload: Mapping[str, Any], nonce: str, model: str) -> dict[str, Any]:
    """The question that a payload carries, with a strict schema unless a bare word is wanted."""
    prompt, schema = judge_prompt(payload, nonce), judge_schema(payload)
    return _request(prompt, fenced(payload, nonce), model, schema)


def _request(
    prompt: str, data: str, model: str, schema: tuple[str, dict[str, Any]] | None
) -> dict[str, Any]:
    request: dict[str, Any] = {
        "model": model,
        "messages": [{"role": "system", "content": prompt}, {"role": "user", "content": data}],
        "max_completion_tokens": MAX_TOKENS,
    }
    if schema is not None:
        name, held = schema
        strict = {"name": name, "strict": True, "schema": held}
        request["response_format"] = {"type": "json_schema", "json_schema": strict}
    return request


def chat_verdict(reply: Mapping[str, object], endings: Mapping[str, Ending]) -> Verdict:
    """The verdict in a completion: how it ended is looked at before what it says."""
    choice, ending = _choice(reply, endings)
    return "unsafe" if ending == "unsafe" else verdict_of(_said(choice, ending))


def chat_words(reply: Mapping[str, object], endings: Mapping[str, Ending]) -> object:
    """What a judge said; where a filter ended the answer, it declined to say it."""
    choice, ending = _choice(reply, endings)
    return _said(choice, "refused" if ending == "unsafe" else ending)


def _choice(
    reply: Mapping[str, object], endings: Mapping[str, Ending]
) -> tuple[Mapping[str, object], Ending]:
    if reply.get("object") != "chat.completion":
        raise ProviderBadReply
    choice = only(reply.get("choices"))
    finish = choice.get("finish_reason")
    return choice, endings.get(finish, "bad") if isinstance(finish, str) else "bad"


def _said(choice: Mapping[str, object], ending: Ending) -> object:
    if ending == "refused":
        raise ProviderRefused
    if ending == "bad":
        raise ProviderBadReply
    message = record(choice.get("message"))
    if message.get("refusal") is not None:
        raise ProviderRefused
    if message.get("role") != "assistant" or message.get("tool_calls"):
        raise ProviderBadReply
    return message.get("content")
