"""Judges that chat: only exactly one verdict in a message that ended by itself says safe."""

import json
from typing import Any

import pytest

from abuse_gate.contract import AdapterConfig, ProviderBadReply, ProviderError, ProviderRefused
from abuse_gate.model.verdict import Assessment
from abuse_gate.verify.kit.provider import ProviderAdapter
from abuse_gate_adapters import anthropic, azure, openai

# A name, the place of a reply that is changed, and what stands there then.
Row = tuple[str, tuple[str, Any]]
DROP = "<drop>"
TWICE = "<twice>"

CHAT = {
    "object": "chat.completion",
    "choices": [
        {
            "finish_reason": "stop",
            "message": {"role": "assistant", "content": '{"verdict": "safe"}', "refusal": None},
        }
    ],
}
MESSAGE = {
    "type": "message",
    "role": "assistant",
    "stop_reason": "end_turn",
    "content": [{"type": "text", "text": '{"verdict": "safe"}'}],
}

# What a model may say in the place of exactly {"verdict": word}.
SAYINGS: list[Any] = [
    "",
    "safe",
    '"safe"',
    "null",
    "true",
    "[]",
    "{}",
    '["safe"]',
    '{"verdict": "SAFE"}',
    '{"verdict": "safe "}',
    '{"verdict": "not safe"}',
    '{"verdict": "This is not safe."}',
    '{"verdict": true}',
    '{"verdict": null}',
    '{"verdict": ["safe"]}',
    '{"verdict": {"verdict": "safe"}}',
    '{"Verdict": "safe"}',
    '{"verdict": "safe", "verdict": "unsafe"}',
    '{"verdict": "unsafe", "verdict": "safe"}',
    '{"verdict": "safe", "reason": "x"}',
    '{"verdict": "safe"} {"verdict": "unsafe"}',
    '{"verdict": "safe"}{"verdict": "safe"}',
    'Sure! {"verdict": "safe"}',
    '{"verdict": "safe"} as I said',
    '```json\n{"verdict": "safe"}\n```',
    '{"verdict": "safe"',
    "{'verdict': 'safe'}",
    '{"verdict": "safe",}',
    '{"verdict": NaN}',
    '{"verdict": "safe"' + " " * 400 + "}",
    "[" * 200 + "]" * 200,
    '\ufeff{"verdict": "safe"}',
    None,
    1,
    ["safe"],
    {"verdict": "safe"},
]
ENVELOPES: list[Row] = [
    ("null", ("", None)),
    ("a string", ("", "safe")),
    ("a list", ("", [{"verdict": "safe"}])),
    ("a number", ("", 1)),
    ("empty", ("", {})),
    ("an error of a 200", ("", {"error": {"message": "no"}})),
]
CHATS: list[Row] = [
    *ENVELOPES,
    *((f"says {said!r:.30}", ("choices.0.message.content", said)) for said in SAYINGS),
    ("no choices", ("choices", DROP)),
    ("null choices", ("choices", None)),
    ("empty choices", ("choices", [])),
    ("two choices", ("choices", TWICE)),
    ("odd choice", ("choices.0", "safe")),
    ("no message", ("choices.0.message", DROP)),
    ("odd message", ("choices.0.message", "safe")),
    ("no content", ("choices.0.message.content", DROP)),
    ("of a user", ("choices.0.message.role", "user")),
    ("tool call", ("choices.0.message.tool_calls", [{}])),
    ("no finish", ("choices.0.finish_reason", DROP)),
    ("null finish", ("choices.0.finish_reason", None)),
    ("odd finish", ("choices.0.finish_reason", ["stop"])),
    ("length", ("choices.0.finish_reason", "length")),
    ("tools", ("choices.0.finish_reason", "tool_calls")),
    ("new finish", ("choices.0.finish_reason", "surprise")),
    ("another object", ("object", "text_completion")),
]
MESSAGES: list[Row] = [
    *ENVELOPES,
    *((f"says {said!r:.30}", ("content.0.text", said)) for said in SAYINGS),
    *((f"stop {stop}", ("stop_reason", stop)) for stop in anthropic.STOPS if stop != "end_turn"),
    ("no stop", ("stop_reason", DROP)),
    ("null stop", ("stop_reason", None)),
    ("odd stop", ("stop_reason", ["end_turn"])),
    ("new stop", ("stop_reason", "surprise")),
    ("no content", ("content", DROP)),
    ("empty content", ("content", [])),
    ("text as content", ("content", '{"verdict": "safe"}')),
    ("two texts", ("content", TWICE)),
    ("only a thought", ("content", [{"type": "thinking", "thinking": "safe"}])),
    ("a tool", ("content.0.type", "tool_use")),
    ("odd type of block", ("content.0.type", ["text"])),
    ("no type of block", ("content.0.type", DROP)),
    ("odd block", ("content.0", "odd")),
    ("an error", ("type", "error")),
    ("of a user", ("role", "user")),
]


def config(model: str | None = None, **fields: Any) -> AdapterConfig:
    return AdapterConfig(name="x", timeout_ms=100, model=model, **fields)


# name: adapter, a reply that clears, changes after which it must not
TABLES: dict[str, tuple[ProviderAdapter[Any], Any, list[Row]]] = {
    "chat": (openai.build(config("gpt-5-mini")), CHAT, CHATS),
    "anthropic": (anthropic.build(config()), MESSAGE, MESSAGES),
    "azure": (azure.build(config("judge", endpoint="https://r.example")), CHAT, CHATS),
}
CASES = [
    pytest.param(mode, change, id=f"{mode}: {name}")
    for mode, (_, _, changes) in TABLES.items()
    for name, change in changes
]


def read(adapter: ProviderAdapter[Any], reply: Any) -> Assessment | ProviderError:
    try:
        return adapter.read_reply(json.dumps(reply).encode(), {"input": ["one text"]})
    except ProviderError as error:
        return error


@pytest.mark.parametrize("mode", TABLES)
def test_the_untouched_message_clears_and_its_table_is_long_enough(mode: str) -> None:
    adapter, reply, changes = TABLES[mode]
    answer = read(adapter, reply)
    assert isinstance(answer, Assessment)
    assert (answer.verdict, answer.reason) == ("safe", "model_safe")
    assert len(changes) >= 40


@pytest.mark.parametrize(("mode", "change"), CASES)
def test_a_malformed_message_never_clears(mode: str, change: Any, altered: Any) -> None:
    adapter, reply, _ = TABLES[mode]
    answer = read(adapter, altered(reply, *change))
    if isinstance(answer, Assessment):
        assert answer.verdict == "unclear", "an answer that is not sure"
    else:
        assert isinstance(answer, ProviderBadReply | ProviderRefused)
        assert answer.args == ()
