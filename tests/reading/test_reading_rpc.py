"""MCP's JSON-RPC: calls, ids, batches, and nothing beside the envelope passed over."""

import json
from typing import Any

import pytest

from abuse_gate.model.extract import Extract, RpcId
from abuse_gate.reading.read import read
from abuse_gate.reading.request import RawRequest, ReadingOptions


def extract(value: Any) -> Extract:
    return read(RawRequest("/", b"", [], json.dumps(value).encode()), ReadingOptions())


def spoken(found: Extract) -> set[tuple[str, str]]:
    return {(segment.origin, segment.text) for segment in found.segments}


def tools_call(params: Any, **more: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params, **more}


@pytest.mark.parametrize(
    ("params", "name", "texts", "fields"),
    [
        ({"name": "bash", "arguments": {"cmd": "ls"}}, "bash", ("cmd", "ls"), set[str]()),
        ({"name": "bash", "arguments": '{"cmd":"ls"}'}, "bash", ("cmd", "ls"), set[str]()),
        ({"name": "bash"}, "bash", (), set[str]()),
        ({"name": "bash", "_meta": {"t": "u"}}, "bash", (), {"_meta", "t", "u"}),
        ({"name": ["bash"], "arguments": {}}, "", (), {"bash"}),
        (["bash", "ls"], "", ("bash", "ls"), set[str]()),
        ("bash", "", ("bash",), set[str]()),
        (None, "", (), set[str]()),
    ],
)
def test_a_tools_call_is_pending_without_its_context(
    params: Any, name: str, texts: tuple[str, ...], fields: set[str]
) -> None:
    found = extract(tools_call(params))
    (call,) = found.calls
    assert (call.name, call.texts, call.pending, call.context_known) == (name, texts, True, False)
    assert {text for _, text in spoken(found)} == set(fields)
    assert found.dialect == "jsonrpc"


def test_a_call_without_its_version_is_a_call() -> None:
    assert extract({"method": "tools/call", "params": {"name": "bash"}}).calls
    assert not extract({"method": "tools/call"}).calls


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ({"method": "ping"}, set[tuple[str, str]]()),
        ({"method": "prompts/get", "params": {"name": "n1"}}, {("field", "n1")}),
        ({"method": "no/such"}, {("field", "no/such")}),
        ({"method": {"k": "v"}}, {("key", "k"), ("field", "v")}),
        ({"method": "ping", "prompt": "p1"}, {("field", "p1")}),
        ({"method": "ping", "id": "words in an id"}, {("field", "words in an id")}),
        ({"method": "ping", "jsonrpc": "3"}, {("field", "3")}),
        ({"result": "r"}, {("tool", "r")}),
        ({"result": {"content": [{"type": "text", "text": "r"}]}}, {("tool", "r")}),
        ({"result": {"content": "r", "k": "v"}}, {("tool", "r"), ("tool", "k"), ("tool", "v")}),
        ({"error": {"code": 1, "message": "m1"}}, {("tool", "code"), ("tool", "m1")}),
    ],
)
def test_every_string_of_a_message_is_read(
    message: dict[str, Any], expected: set[tuple[str, str]]
) -> None:
    assert spoken(extract({"jsonrpc": "2.0", **message})) == expected


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        (7, 7),
        ("a-1.b:c_", "a-1.b:c_"),
        ("", None),
        ("x" * 65, None),
        ("a b", None),
        ("a\n", None),
        (True, None),
        (1.5, None),
        (None, None),
        ([1], None),
    ],
)
def test_only_a_plain_id_is_kept(key: Any, expected: RpcId) -> None:
    found = extract({"jsonrpc": "2.0", "method": "ping", "id": key})
    assert found.rpc_ids == (expected,)
    assert not found.rpc_batch


def test_a_batch_keeps_the_ids_of_its_requests_in_order() -> None:
    found = extract(
        [
            {"jsonrpc": "2.0", "method": "ping", "id": 2},
            {"jsonrpc": "2.0", "method": "notifications/initialized"},
            {"jsonrpc": "2.0", "result": {}, "id": 9},
            tools_call({"name": "a"}),
            "words",
        ]
    )
    assert found.rpc_ids == (2, 1)
    assert found.rpc_batch
    assert [call.name for call in found.calls] == ["a"]
    assert ("field", "words") in spoken(found)


def test_a_list_of_anything_else_is_no_batch() -> None:
    found = extract([{"a": "b"}, 1])
    assert not found.rpc_batch
    assert found.dialect == "problem"
