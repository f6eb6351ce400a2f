"""Recognised shapes: who said what, and which calls wait for a result."""

import json
from typing import Any

import pytest

from abuse_gate.model.extract import Extract
from abuse_gate.reading.read import read
from abuse_gate.reading.request import RawRequest, ReadingOptions

Call = tuple[str, tuple[str, ...], bool]


def extract(value: Any) -> Extract:
    return read(RawRequest("/", b"", [], json.dumps(value).encode()), ReadingOptions())


def spoken(found: Extract) -> list[tuple[str, str]]:
    return [
        (segment.origin, segment.text) for segment in found.segments if segment.origin != "path"
    ]


def calls(found: Extract) -> list[Call]:
    return [(call.name, call.texts, call.pending) for call in found.calls]


def openai_call(key: Any, name: str, arguments: Any = "{}") -> dict[str, Any]:
    call = {"type": "function", "function": {"name": name, "arguments": arguments}}
    return call if key is None else {"id": key, **call}


def assistant(*made: dict[str, Any]) -> dict[str, Any]:
    return {"role": "assistant", "content": None, "tool_calls": list(made)}


def tool(key: Any) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": key, "content": "done"}


USER = {"role": "user", "content": "hi"}


def test_a_benign_chat_yields_its_messages_and_little_else() -> None:
    found = extract(
        {
            "model": "gpt-x",
            "temperature": 0.5,
            "messages": [
                {"role": "system", "content": "be kind"},
                {"role": "user", "content": [{"type": "text", "text": "hello"}]},
            ],
        }
    )
    assert spoken(found) == [("system", "be kind"), ("user", "hello"), ("field", "gpt-x")]
    assert found.modalities == ("text",)
    assert not found.flags


def test_a_message_that_is_only_an_envelope_word_is_still_read() -> None:
    assert ("user", "system") in spoken(
        extract({"messages": [{"role": "user", "content": "system"}]})
    )


def test_tool_definitions_are_fields_and_no_calls() -> None:
    found = extract(
        {"messages": [USER], "tools": [{"function": {"name": "bash", "description": "d!"}}]}
    )
    assert not found.calls
    assert {("field", "bash"), ("field", "d!")} <= set(spoken(found))


CHATS: dict[str, tuple[list[Any], list[Call]]] = {
    "no result yet": ([USER, assistant(openai_call("1", "bash"))], [("bash", (), True)]),
    "answered": ([assistant(openai_call("1", "bash")), tool("1")], [("bash", (), False)]),
    "answered and asked again": (
        [assistant(openai_call("1", "a")), tool("1"), assistant(openai_call("2", "b"))],
        [("a", (), False), ("b", (), True)],
    ),
    "one of two answered": (
        [assistant(openai_call("1", "a"), openai_call("2", "b")), tool("2")],
        [("a", (), True), ("b", (), False)],
    ),
    "an older turn is context": (
        [assistant(openai_call("1", "a")), USER, assistant(openai_call("2", "b"))],
        [("a", (), False), ("b", (), True)],
    ),
    "two messages of one turn": (
        [assistant(openai_call("1", "a")), assistant(openai_call("2", "b"))],
        [("a", (), True), ("b", (), True)],
    ),
    "a result before its call": ([tool("1"), assistant(openai_call("1", "a"))], [("a", (), True)]),
    "another id": ([assistant(openai_call("1", "a")), tool("2")], [("a", (), True)]),
    "one result, one id twice": (
        [assistant(openai_call("1", "a"), openai_call("1", "b")), tool("1")],
        [("a", (), False), ("b", (), True)],
    ),
    "no ids": ([assistant(openai_call(None, "a")), tool(None)], [("a", (), False)]),
    "legacy, waiting": (
        [{"role": "assistant", "function_call": {"name": "a", "arguments": '{"k":"v"}'}}],
        [("a", ("k", "v"), True)],
    ),
    "legacy, answered": (
        [{"role": "assistant", "function_call": {"name": "a"}}, {"role": "function", "name": "a"}],
        [("a", (), False)],
    ),
    "arguments as JSON text": (
        [assistant(openai_call("1", "a", '{"cmd": ["x", {"y": "z"}], "n": 1}'))],
        [("a", ("cmd", "x", "y", "z", "n"), True)],
    ),
    "arguments with a repeated key": (
        [assistant(openai_call("1", "a", '{"k":"first","k":"last"}'))],
        [("a", ("k", "last", "k", "first"), True)],
    ),
    "arguments that are no JSON": (
        [assistant(openai_call("1", "a", "rm -rf {"))],
        [("a", ("rm -rf {",), True)],
    ),
    "arguments that are a JSON string": (
        [assistant(openai_call("1", "a", '"x\\u0079"'))],
        [("a", ('"x\\u0079"', "xy"), True)],
    ),
    "arguments as an object": (
        [assistant(openai_call("1", "a", {"k": "v"}))],
        [("a", ("k", "v"), True)],
    ),
    "custom tool": (
        [assistant({"id": "1", "type": "custom", "custom": {"name": "a", "input": "words"}})],
        [("a", ("words",), True)],
    ),
    "flat call": ([assistant({"id": "1", "name": "a", "args": {"k": 1}})], [("a", ("k",), True)]),
    "no name": ([assistant({"id": "1", "function": {"name": ["x"]}})], [("", (), True)]),
    "anthropic, waiting": (
        [
            {
                "role": "assistant",
                "content": [{"type": "tool_use", "id": "1", "name": "a", "input": {}}],
            }
        ],
        [("a", (), True)],
    ),
    "anthropic, answered": (
        [
            {"role": "assistant", "content": [{"type": "tool_use", "id": "1", "name": "a"}]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "1"}]},
        ],
        [("a", (), False)],
    ),
    "anthropic server tool": (
        [
            {
                "role": "assistant",
                "content": [
                    {"type": "server_tool_use", "id": "1", "name": "web_search", "input": {}},
                    {"type": "web_search_tool_result", "tool_use_id": "1", "content": "r"},
                    {"type": "tool_use", "id": "2", "name": "b", "input": {"q": "w"}},
                ],
            }
        ],
        [("web_search", (), False), ("b", ("q", "w"), True)],
    ),
}


@pytest.mark.parametrize("name", CHATS)
def test_a_call_is_pending_until_its_result(name: str) -> None:
    messages, expected = CHATS[name]
    assert calls(extract({"messages": messages})) == expected


def test_calls_that_are_context_are_the_assistants_untrusted_words() -> None:
    found = extract({"messages": [assistant(openai_call("1", "bash", '{"cmd":"ls"}')), tool("1")]})
    words = [(s.text, s.trust) for s in found.segments if s.origin == "assistant"]
    assert words == [("bash", "untrusted"), ("cmd", "untrusted"), ("ls", "untrusted")]
    assert not found.pending_calls
    assert ("tool", "done") in spoken(found)


@pytest.mark.parametrize("junk", ["words", ["words"], 7, None])
def test_tool_calls_of_no_known_shape_are_the_assistants_words(junk: Any) -> None:
    found = extract({"messages": [{"role": "assistant", "tool_calls": junk}]})
    assert not found.calls
    assert (("assistant", "words") in spoken(found)) == ("words" in json.dumps(junk))


RESPONSES: dict[str, tuple[Any, list[tuple[str, str]], list[Call]]] = {
    "string": ("hello", [("user", "hello")], []),
    "list of strings": (["hello"], [("user", "hello")], []),
    "message": ([{"type": "message", **USER}], [("user", "hi")], []),
    "parts": (
        [{"role": "user", "content": [{"type": "input_text", "text": "hi"}]}],
        [("user", "hi")],
        [],
    ),
    "bare part": ([{"type": "input_text", "text": "hi"}], [("user", "hi")], []),
    "output text": (
        [{"role": "assistant", "content": [{"type": "output_text", "text": "so"}]}],
        [("assistant", "so")],
        [],
    ),
    "reasoning": (
        [{"type": "reasoning", "summary": [{"type": "summary_text", "text": "hm"}]}],
        [("assistant", "summary_text"), ("assistant", "hm")],
        [],
    ),
    "waiting": (
        [{"type": "function_call", "call_id": "1", "name": "a", "arguments": '{"k":"v"}'}],
        [("field", "1")],
        [("a", ("k", "v"), True)],
    ),
    "answered": (
        [
            {"type": "function_call", "call_id": "1", "name": "a", "arguments": "{}"},
            {"type": "function_call_output", "call_id": "1", "output": "r"},
        ],
        [("field", "1"), ("tool", "r"), ("field", "1"), ("assistant", "a")],
        [("a", (), False)],
    ),
    "hosted": (
        [{"type": "mcp_call", "id": "1", "name": "a", "arguments": "{}", "output": "r"}],
        [("tool", "r"), ("field", "1"), ("assistant", "a")],
        [("a", (), False)],
    ),
    "nameless": (
        [{"type": "local_shell_call", "call_id": "1", "action": {"command": ["ls"]}}],
        [("field", "1")],
        [("local_shell", ("command", "ls"), True)],
    ),
    "approval": (
        [{"type": "mcp_approval_request", "id": "1", "name": "a", "arguments": "{}"}],
        [("field", "mcp_approval_request"), ("field", "1")],
        [("a", (), True)],
    ),
}


@pytest.mark.parametrize("name", RESPONSES)
def test_a_responses_input_is_read_item_by_item(name: str) -> None:
    value, expected, expected_calls = RESPONSES[name]
    found = extract({"model": "m", "input": value})
    kinds = {"mcp_call", "local_shell_call", "m"}
    assert [pair for pair in spoken(found) if pair[1] not in kinds] == expected
    assert calls(found) == expected_calls
    assert found.dialect == "openai"


@pytest.mark.parametrize("role", ["user", "system", "tool", "moderator"])
def test_only_an_assistant_proposes_calls(role: str) -> None:
    call = {"id": "1", "type": "function", "function": {"name": "search", "arguments": "secret"}}
    part = {"type": "tool_use", "id": "1", "name": "search", "input": {"q": "hidden"}}
    for message in ({"content": "hi", "tool_calls": [call]}, {"content": [part]}):
        body = json.dumps({"messages": [{"role": role, **message}]}).encode()
        found = read(RawRequest("/", b"", [], body), ReadingOptions())
        assert found.calls == ()
        assert {"secret", "hidden"} & {segment.text for segment in found.segments}
