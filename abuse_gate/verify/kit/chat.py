"""The chat dialect that OpenAI and Azure share: arguments in, the judge's word out. Pure."""

from collections.abc import Mapping
from typing import Any, Final, Literal

from abuse_gate.contract import ProviderBadReply, ProviderRefused
from abuse_gate.model.verdict import Verdict
from abuse_gate.verify.kit.prompts import fenced, verifier_prompt
from abuse_gate.verify.kit.replies import VERDICT_SCHEMA, only, record, verdict_of

# Room for a model that thinks before it answers; the answer itself takes ten tokens.
MAX_TOKENS: Final = 2048

# "read": the message is the answer.
Ending = Literal["read", "refused", "bad", "unsafe"]


def chat_request(payload: Mapping[str, Any], nonce: str, model: str) -> dict[str, Any]:
    """A question with a strict schema for its answer."""
    return {
        "model": model,
        "messages": [
            {"role": "system", "content": verifier_prompt(payload, nonce)},
            {"role": "user", "content": fenced(payload, nonce)},
        ],
        "max_completion_tokens": MAX_TOKENS,
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "verdict", "strict": True, "schema": dict(VERDICT_SCHEMA)},
        },
    }


def chat_verdict(reply: Mapping[str, object], endings: Mapping[str, Ending]) -> Verdict:
    """The verdict in a completion: how it ended is looked at before what it says."""
    if reply.get("object") != "chat.completion":
        raise ProviderBadReply
    choice = only(reply.get("choices"))
    finish = choice.get("finish_reason")
    ending = endings.get(finish, "bad") if isinstance(finish, str) else "bad"
    if ending == "unsafe":
        return "unsafe"
    if ending == "refused":
        raise ProviderRefused
    if ending == "bad":
        raise ProviderBadReply
    return _said(record(choice.get("message")))


def _said(message: Mapping[str, object]) -> Verdict:
    if message.get("refusal") is not None:
        raise ProviderRefused
    if message.get("role") != "assistant" or message.get("tool_calls"):
        raise ProviderBadReply
    return verdict_of(message.get("content"))
