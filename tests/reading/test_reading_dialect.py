"""The dialect of a refusal: JSON-RPC by its shape; a chat by header or path, else by its keys."""

import json
from typing import Any

import pytest

from abuse_gate.model.extract import Dialect
from abuse_gate.reading.dialect import HEADER_DIALECT, PATH_DIALECT, dialect_before_body
from abuse_gate.reading.read import read
from abuse_gate.reading.request import RawRequest, ReadingOptions

USER = {"role": "user", "content": "hi"}

DIALECTS: list[tuple[Any, str, Dialect]] = [
    ({"messages": [USER]}, "/", "openai"),
    ({"messages": [USER]}, "/v1/messages", "anthropic"),
    ({"messages": [USER], "system": "s"}, "/", "anthropic"),
    ({"messages": [USER], "system": "s"}, "/chat/completions", "openai"),
    ({"messages": [USER], "top_k": 4}, "/v1/chat/completions", "openai"),
    ({"messages": [{"role": "user", "content": [{"type": "tool_result"}]}]}, "/", "anthropic"),
    ({"messages": [USER], "model": "claude-9", "max_tokens": 1}, "/", "anthropic"),
    ({"messages": [USER], "model": "gpt-9", "max_tokens": 1}, "/", "openai"),
    ({"messages": [{"role": "system", "content": "s"}]}, "/", "openai"),
    ({"messages": [{"role": "system", "content": "s"}]}, "/v1/messages", "anthropic"),
    ({"messages": ["x", {"role": "user", "tool_calls": []}], "model": "claude"}, "/", "openai"),
    ({"messages": ["x", {"role": "user", "tool_calls": []}]}, "/v1/messages", "anthropic"),
    ({"jsonrpc": "2.0", "method": "ping", "messages": [USER]}, "/v1/messages", "jsonrpc"),
    ({"model": "m", "prompt": "p"}, "/", "openai"),
    ({"input": [{"type": "message"}]}, "/", "openai"),
    ({"input": "x"}, "/", "problem"),
    ({"input": "x"}, "/v1/responses", "openai"),
    ({"prompt": "p"}, "/", "problem"),
    ({"messages": ["hi"]}, "/", "problem"),
    ({"messages": "hi"}, "/", "problem"),
]


@pytest.mark.parametrize(("value", "path", "dialect"), DIALECTS)
def test_a_path_says_the_dialect_of_a_chat_and_keys_say_it_elsewhere(
    value: Any, path: str, dialect: Dialect
) -> None:
    request = RawRequest(path, b"", [], json.dumps(value).encode())
    assert read(request, ReadingOptions()).dialect == dialect


def test_a_header_says_the_dialect_of_a_chat_before_its_keys_do() -> None:
    body = json.dumps({"messages": [{"role": "system", "content": "s"}, USER]}).encode()
    request = RawRequest("/", b"", [(b"anthropic-version", b"2023-06-01")], body)
    assert read(request, ReadingOptions()).dialect == "anthropic"


def test_before_the_body_the_dialect_comes_from_header_then_path() -> None:
    for header, dialect in HEADER_DIALECT.items():
        assert (
            dialect_before_body("/v1/responses", [(b"a", b""), (header.upper(), b"1")]) == dialect
        )
    for ending, dialect in PATH_DIALECT:
        assert dialect_before_body(f"/v1{ending}/", []) == dialect
        assert dialect_before_body(f"/v1{ending}/more", []) == "problem"
        assert dialect_before_body(f"/my{ending[1:]}", []) == "problem"
