"""Ways for a text to travel in a request: chat shapes, forms, uploads, encodings of the body."""

import gzip
import json
import urllib.parse
import zlib
from collections.abc import Callable, Mapping
from typing import Any, Final

from abuse_gate.reading.request import RawRequest

Carrier = Callable[[str], RawRequest]

_JSON: Final = b"application/json"
_EDGE: Final = "edge7f3a"


def request(
    body: bytes, kind: bytes = _JSON, path: str = "/chat", query: bytes = b"", **headers: str
) -> RawRequest:
    """A complete POST request."""
    named = [(key.replace("_", "-").encode(), value.encode()) for key, value in headers.items()]
    return RawRequest(
        path=path,
        query=query,
        headers=[(b"content-type", kind), *named],
        body=body,
        complete=True,
    )


def _json(value: Any, path: str = "/chat") -> RawRequest:
    return request(json.dumps(value).encode(), path=path)


def _chat(*messages: Mapping[str, Any], path: str = "/v1/chat/completions") -> RawRequest:
    return _json({"model": "m", "messages": list(messages)}, path)


def _said(text: str, role: str = "user") -> dict[str, Any]:
    return {"role": role, "content": text}


def _halves(text: str) -> tuple[str, str]:
    middle = text.find(" ", len(text) // 2)
    return text[:middle], text[middle + 1 :]


def _thirds(text: str) -> list[str]:
    size = len(text) // 3 + 1
    return [text[at : at + size] for at in range(0, len(text), size)]


def _nested(text: str, depth: int) -> Any:
    value: Any = text
    for _ in range(depth):
        value = {"in": [value]}
    return value


def _part(name: str, text: str, more: str = "") -> str:
    return f'--{_EDGE}\r\nContent-Disposition: form-data; name="{name}"{more}\r\n\r\n{text}\r\n'


def _multipart(*parts: str) -> RawRequest:
    kind = f"multipart/form-data; boundary={_EDGE}".encode()
    return request("".join([*parts, f"--{_EDGE}--\r\n"]).encode(), kind)


def _form(**fields: str) -> RawRequest:
    return request(urllib.parse.urlencode(fields).encode(), b"application/x-www-form-urlencoded")


def _tool_result(text: str) -> RawRequest:
    call = {"id": "c1", "type": "function", "function": {"name": "read", "arguments": "{}"}}
    return _chat(
        _said("What does the page say?"),
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": text},
    )


def _anthropic_result(text: str) -> RawRequest:
    use: dict[str, Any] = {"type": "tool_use", "id": "t1", "name": "read", "input": {}}
    result = {
        "type": "tool_result",
        "tool_use_id": "t1",
        "content": [{"type": "text", "text": text}],
    }
    return _chat(
        _said("Read it."),
        {"role": "assistant", "content": [use]},
        {"role": "user", "content": [result]},
        path="/v1/messages",
    )


def _rpc(text: str) -> RawRequest:
    call = {"name": "send_message", "arguments": {"q": text}}
    return _json({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}, "/mcp")


CARRIERS: Final[Mapping[str, Carrier]] = {
    "user message": lambda text: _chat(_said(text)),
    "second user message": lambda text: _chat(
        _said("Hi"), _said("Hello", "assistant"), _said(text)
    ),
    "claimed system message": lambda text: _chat(_said(text, "system"), _said("Hi")),
    "claimed assistant message": lambda text: _chat(_said("Hi"), _said(text, "assistant")),
    "unknown role": lambda text: _chat(_said(text, "wizard")),
    "content parts": lambda text: _chat(
        {"role": "user", "content": [{"type": "text", "text": text}]}
    ),
    "two content parts": lambda text: _chat(
        {"role": "user", "content": [{"type": "text", "text": half} for half in _halves(text)]}
    ),
    "two messages": lambda text: _chat(*map(_said, _halves(text))),
    "three fields, cut anywhere": lambda text: _json(
        {f"part{number}": piece for number, piece in enumerate(_thirds(text))}
    ),
    "list of words": lambda text: _json({"words": text.split()}),
    "plain field": lambda text: _json({"prompt": text}),
    "unknown field": lambda text: _json({"x7": {"y": text}}),
    "bare string": lambda text: _json(text),
    "bare list": lambda text: _json([1, None, text]),
    "object key": lambda text: _json({text: 1}),
    "nested five deep": lambda text: _json(_nested(text, 5)),
    "nested twenty deep": lambda text: _json(_nested(text, 20)),
    "JSON in JSON": lambda text: _json({"payload": json.dumps({"q": text})}),
    "JSON in JSON in JSON": lambda text: _json({"p": json.dumps({"q": json.dumps([text])})}),
    "escaped JSON": lambda text: request(
        ('{"q":"' + "".join(f"\\u{ord(c):04x}" for c in text if ord(c) < 65536) + '"}').encode()
    ),
    "tool result": _tool_result,
    "tool result of the other dialect": _anthropic_result,
    "tool call over RPC": _rpc,
    "responses input": lambda text: _json({"model": "m", "input": text}, "/v1/responses"),
    "responses instructions": lambda text: _json(
        {"input": "hi", "instructions": text}, "/v1/responses"
    ),
    "legacy completion": lambda text: _json({"model": "m", "prompt": [text]}, "/v1/completions"),
    "system field": lambda text: _json({"system": text, "messages": [_said("hi")]}, "/v1/messages"),
    "tool description": lambda text: _json(
        {
            "messages": [_said("hi")],
            "tools": [{"type": "function", "function": {"name": "f", "description": text}}],
        }
    ),
    "form field": lambda text: _form(q=text),
    "two form fields": lambda text: _form(a=_halves(text)[0], b=_halves(text)[1]),
    "multipart field": lambda text: _multipart(_part("q", text)),
    "multipart text file": lambda text: _multipart(_part("f", text, '; filename="a.txt"')),
    "multipart JSON": lambda text: _multipart(_part("j", json.dumps({"q": text}))),
    "plain text": lambda text: request(text.encode(), b"text/plain"),
    "no content type": lambda text: request(text.encode(), b""),
    "wrong content type": lambda text: request(json.dumps({"q": text}).encode(), b"text/html"),
    "JSON as octets": lambda text: request(
        json.dumps({"q": text}).encode(), b"application/octet-stream"
    ),
    "HTML page": lambda text: request(
        f"<html><body><p>{text}</p></body></html>".encode(), b"text/html"
    ),
    "XML document": lambda text: request(f"<a><b>{text}</b></a>".encode(), b"application/xml"),
    "CSV": lambda text: request(f'id,note\n1,"{text}"\n'.encode(), b"text/csv"),
    "JSON lines": lambda text: request(
        (json.dumps({"a": 1}) + "\n" + json.dumps({"q": text})).encode(), b"application/x-ndjson"
    ),
    "YAML": lambda text: request(f"note: |\n  {text}\n".encode(), b"application/yaml"),
    "UTF-16 JSON": lambda text: request(json.dumps({"q": text}).encode("utf-16")),
    "UTF-16 big-endian JSON": lambda text: request(json.dumps({"q": text}).encode("utf-16-be")),
    "UTF-32 JSON": lambda text: request(json.dumps({"q": text}).encode("utf-32")),
    "JSON with a byte order mark": lambda text: request(
        json.dumps({"q": text}).encode("utf-8-sig")
    ),
    "gzip body": lambda text: request(
        gzip.compress(json.dumps({"q": text}).encode()), content_encoding="gzip"
    ),
    "deflate body": lambda text: request(
        zlib.compress(json.dumps({"q": text}).encode()), content_encoding="deflate"
    ),
    "query string": lambda text: request(b"", query=urllib.parse.urlencode({"q": text}).encode()),
    "path segment": lambda text: request(b"{}", path="/ask/" + text.replace("/", " ")),
    "beside a large benign body": lambda text: _json(
        {"notes": ["The train leaves at nine."] * 400, "q": text}
    ),
    "twice encoded form": lambda text: _form(q=urllib.parse.quote(text)),
    "duplicate keys": lambda text: request(f'{{"q": {json.dumps(text)}, "q": "hello"}}'.encode()),
    "text after a page break": lambda text: _json({"q": "hello\f\v" + text}),
}
