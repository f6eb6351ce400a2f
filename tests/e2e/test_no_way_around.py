"""One attack, every disguise: whatever role, place, encoding or type it comes in, it is stopped."""

import gzip
import json
import zlib
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, quote_plus

import pytest
from starlette.types import Receive, Scope, Send

from abuse_gate import AbuseGateMiddleware, Settings
from abuse_gate.testing.asgi import Conversation, chunks, converse, http_scope
from tests.e2e.house import ATTACK

BENIGN = "Please write a short poem about the sea and the wind."
BOUNDARY = "frontier"


@dataclass(frozen=True, slots=True)
class Request:
    """What one disguise puts on the wire."""

    body: bytes = b""
    type: str = "application/json"
    path: str = "/"
    query: bytes = b""
    coding: str = ""


def _json(value: Any, **more: Any) -> Request:
    return Request(json.dumps(value).encode(), **more)


def _chat(*messages: Any, **more: Any) -> Request:
    return _json({"model": "m", "messages": list(messages), **more})


def _said(role: Any, content: Any) -> dict[str, Any]:
    return {"role": role, "content": content}


HELLO = _said("user", "Good morning.")
OPENAI_CALL = {
    "role": "assistant",
    "tool_calls": [
        {"id": "c1", "type": "function", "function": {"name": "read", "arguments": "{}"}}
    ],
}
ANTHROPIC_CALL = _said("assistant", [{"type": "tool_use", "id": "t", "name": "read", "input": {}}])
RESPONSES_CALL = {"type": "function_call", "call_id": "c", "name": "read", "arguments": "{}"}


def _disguises(text: str) -> dict[str, Request]:
    """Every way of saying one text that an app behind the gate could read."""
    return _roles(text) | _spellings(text) | _carriers(text)


def _roles(text: str) -> dict[str, Request]:
    """The text in every place of a conversation."""
    user = _said("user", text)
    return {
        "user": _chat(user),
        "system": _chat(_said("system", text), HELLO),
        "developer": _chat(_said("developer", text), HELLO),
        "anthropic_system": _chat(HELLO, system=text, max_tokens=5),
        "anthropic_system_blocks": _chat(HELLO, system=[{"type": "text", "text": text}]),
        "responses_instructions": _json({"model": "m", "input": "Hi", "instructions": text}),
        "responses_input": _json({"model": "m", "input": text}),
        "responses_item": _json({"model": "m", "input": [_said("system", text)]}),
        "assistant_prefill": _chat(HELLO, _said("assistant", text)),
        "tool_result": _chat(HELLO, OPENAI_CALL, {**_said("tool", text), "tool_call_id": "c1"}),
        "unknown_role": _chat(_said("moderator", text)),
        "numeric_role": _chat(_said(7, text)),
        "null_role": _chat(_said(None, text)),
        "list_role": _chat(_said(["user"], text)),
        "missing_role": _chat(HELLO, {"content": text}),
        "only_missing_roles": _chat({"content": text}),
        "text_as_role": _chat(_said(text, "hello")),
        "message_name": _chat({**HELLO, "name": text}),
        "string_message": _chat(HELLO, text),
        "content_parts": _chat(_said("user", [{"type": "text", "text": text}])),
        "unknown_part": _chat(_said("user", [{"type": "hologram", "payload": text}])),
        "beside_openai_call": _chat(user, OPENAI_CALL),
        "after_openai_call": _chat(OPENAI_CALL, user),
        "beside_anthropic_call": _chat(user, ANTHROPIC_CALL, max_tokens=5, system="Be kind."),
        "beside_responses_call": _json({"model": "m", "input": [user, RESPONSES_CALL]}),
        "system_beside_call": _chat(_said("system", text), HELLO, OPENAI_CALL),
        "field_beside_call": _chat(HELLO, OPENAI_CALL, metadata={"note": text}),
        "rpc_prompt_key": _json(
            {
                "jsonrpc": "2.0",
                "id": 1,
                "method": "tools/call",
                "params": {"name": "read", "arguments": {}},
                "prompt": text,
            }
        ),
        "rpc_other_method": _json(
            {"jsonrpc": "2.0", "id": 1, "method": "prompts/get", "params": {"x": text}}
        ),
        "rpc_batch": _json([{"jsonrpc": "2.0", "id": 1, "method": "ping"}, {"prompt": text}]),
    }


def _spellings(text: str) -> dict[str, Request]:
    """The text in every spelling of JSON."""
    plain = json.dumps({"q": text})
    user = _said("user", text)
    return {
        "json_key": _json({text: 1}),
        "first_of_doubled_keys": Request(f'{{"q": {json.dumps(text)}, "q": "hi"}}'.encode()),
        "second_of_doubled_keys": Request(f'{{"q": "hi", "q": {json.dumps(text)}}}'.encode()),
        "doubled_messages": Request(
            b'{"model": "m", "messages": %s, "messages": [{"role": "user", "content": "hi"}]}'
            % json.dumps([user]).encode()
        ),
        "doubled_content": Request(
            b'{"messages": [{"role": "user", "content": %s, "content": "hi"}]}'
            % json.dumps(text).encode()
        ),
        "escaped": Request(
            b'{"q": "%s"}' % "".join(f"\\u{ord(letter):04x}" for letter in text).encode()
        ),
        "utf16": Request(plain.encode("utf-16")),
        "utf16_le": Request(plain.encode("utf-16-le")),
        "utf16_be": Request(plain.encode("utf-16-be")),
        "utf32": Request(plain.encode("utf-32")),
        "bom": Request(plain.encode("utf-8-sig")),
    }


def _carriers(text: str) -> dict[str, Request]:
    """The text in every container, under every label."""
    plain = json.dumps({"q": text})
    deep: Any = text
    for level in range(20):
        deep = {f"level{level}": [deep]}
    multipart = (
        f"--{BOUNDARY}\r\nContent-Disposition: form-data; name=note\r\n\r\n{text}\r\n"
        f"--{BOUNDARY}--\r\n"
    )
    return {
        "wrong_type": Request(plain.encode(), type="image/png"),
        "no_type": Request(plain.encode(), type=""),
        "nonsense_type": Request(plain.encode(), type=";;;="),
        "json_as_text": Request(plain.encode(), type="text/plain"),
        "json_as_form": Request(plain.encode(), type="application/x-www-form-urlencoded"),
        "json_as_multipart": Request(plain.encode(), type="multipart/form-data; boundary=x"),
        "bare_string": _json(text),
        "text": Request(text.encode(), type="text/plain"),
        "octets": Request(text.encode(), type="application/octet-stream"),
        "query": Request(query=b"q=" + quote_plus(text).encode()),
        "query_name": Request(query=quote_plus(text).encode() + b"=1"),
        "query_percent": Request(
            query=b"q=" + "".join(f"%{b:02x}" for b in text.encode()).encode()
        ),
        "path": Request(path="/say/" + text),
        "encoded_path": Request(path="/say/" + quote(text)),
        "form": Request(
            b"a=1&note=" + quote_plus(text).encode(), type="application/x-www-form-urlencoded"
        ),
        "multipart": Request(multipart.encode(), type=f"multipart/form-data; boundary={BOUNDARY}"),
        "multipart_wrong_boundary": Request(
            multipart.encode(), type="multipart/form-data; boundary=elsewhere"
        ),
        "ndjson": Request(b'{"q": "hi"}\n' + plain.encode(), type="application/x-ndjson"),
        "ndjson_after_junk": Request(b'{"q": "hi"}\n{oops\n' + plain.encode()),
        "nested": _json(deep),
        "gzip": Request(gzip.compress(plain.encode()), coding="gzip"),
        "deflate": Request(zlib.compress(plain.encode()), coding="deflate"),
        "raw_deflate": Request(zlib.compress(plain.encode(), wbits=-15), coding="deflate"),
        "two_codings": Request(
            gzip.compress(zlib.compress(plain.encode())), coding="deflate, gzip"
        ),
        "false_coding": Request(plain.encode(), coding="gzip"),
        "nan_beside": Request(b'{"n": NaN, "q": %s}' % json.dumps(text).encode()),
        "surrogate_beside": Request(b'{"n": "\\ud800", "q": %s}' % json.dumps(text).encode()),
        "huge_number_beside": Request(
            b'{"n": %s, "q": %s}' % (b"9" * 5000, json.dumps(text).encode())
        ),
    }


ATTACKS = _disguises(ATTACK)
HARMLESS = _disguises(BENIGN)


async def _app(scope: Scope, receive: Receive, send: Send) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"entered"})


@pytest.fixture(scope="module")
def gate() -> AbuseGateMiddleware:
    return AbuseGateMiddleware(_app, settings=Settings(strikes="off"))


async def _send(gate: AbuseGateMiddleware, request: Request) -> Conversation:
    named = (("content-type", request.type), ("content-encoding", request.coding))
    headers = [(name.encode(), value.encode()) for name, value in named if value]
    scope = http_scope(request.path, query=request.query, headers=headers)
    return await converse(gate, scope, chunks(request.body))


@pytest.mark.parametrize("disguise", ATTACKS)
async def test_an_attack_is_stopped_in_every_disguise(
    gate: AbuseGateMiddleware, disguise: str
) -> None:
    talk = await _send(gate, ATTACKS[disguise])
    assert talk.status == 403
    assert talk.headers[b"x-guardrail-decision"] == b"block"


@pytest.mark.parametrize("disguise", HARMLESS)
async def test_a_harmless_text_passes_in_every_disguise(
    gate: AbuseGateMiddleware, disguise: str
) -> None:
    """The same shapes with ordinary words: it is the text that is refused, not its dress."""
    talk = await _send(gate, HARMLESS[disguise])
    assert (talk.status, talk.body) == (200, b"entered")
    assert talk.headers[b"x-guardrail-decision"] == b"allow"
