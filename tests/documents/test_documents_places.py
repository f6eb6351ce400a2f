"""Wherever a request can carry a file, its words are read: shapes of JSON, forms, bodies, texts."""

import asyncio
import base64
import json
from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

import pytest

from abuse_gate.gate import Gate
from abuse_gate.reading.request import RawRequest
from tests.documents.corpus import ATTACK, HARMLESS
from tests.documents.gates import data_url, in_json, multipart, review
from tests.documents.pdfs import SEEN

PDF = "application/pdf"


def made(words: str) -> bytes:
    return SEEN["plain"](words)


def plain(data: bytes) -> str:
    return base64.b64encode(data).decode()


def wrapped(data: bytes) -> str:
    return base64.encodebytes(data).decode()


def as_json(value: Any) -> RawRequest:
    headers = [(b"content-type", b"application/json")]
    return RawRequest("/", b"", headers, json.dumps(value).encode())


def body(data: bytes, content_type: bytes) -> RawRequest:
    return RawRequest("/", b"", [(b"content-type", content_type)], data)


def tool_result(data: bytes) -> RawRequest:
    source = {"type": "base64", "media_type": PDF, "data": plain(data)}
    parts = [{"type": "document", "source": source}]
    return in_json([{"type": "tool_result", "tool_use_id": "a", "content": parts}])


def call(data: bytes) -> RawRequest:
    function = {"name": "save", "arguments": json.dumps({"file": data_url(PDF, data)})}
    message = {"role": "assistant", "tool_calls": [{"id": "a", "function": function}]}
    return as_json({"messages": [{"role": "user", "content": "hi"}, message]})


PLACES: dict[str, Callable[[bytes], RawRequest]] = {
    "gemini": lambda data: as_json(
        {"contents": [{"parts": [{"inlineData": {"mimeType": PDF, "data": plain(data)}}]}]}
    ),
    "bedrock": lambda data: in_json(
        [{"document": {"format": "pdf", "name": "a", "source": {"bytes": plain(data)}}}]
    ),
    "vercel": lambda data: in_json(
        [{"type": "file", "mediaType": PDF, "url": data_url(PDF, data)}]
    ),
    "ollama": lambda data: as_json(
        {"model": "a", "messages": [{"role": "user", "content": "hi", "images": [plain(data)]}]}
    ),
    "mcp blob": lambda data: as_json(
        {"jsonrpc": "2.0", "id": 1, "result": {"contents": [{"uri": "a:b", "blob": plain(data)}]}}
    ),
    "responses input_file": lambda data: as_json(
        {
            "model": "a",
            "input": [
                {
                    "role": "user",
                    "content": [
                        {"type": "input_file", "filename": "a", "file_data": data_url(PDF, data)}
                    ],
                }
            ],
        }
    ),
    "a field of no known name": lambda data: as_json({"anything": {"b64": plain(data)}}),
    "wrapped lines": lambda data: as_json({"anything": wrapped(data)}),
    "url-safe letters": lambda data: as_json({"a": base64.urlsafe_b64encode(data).decode()}),
    "within a text": lambda data: in_json(f"see ![it]({data_url(PDF, data)}) and tell me"),
    "a URL with a blank in it": lambda data: in_json(f"data:{PDF}; base64,{plain(data)}"),
    "a URL with foreign letters": lambda data: in_json(
        data_url(PDF, data)[:60] + "*!" + data_url(PDF, data)[60:]
    ),
    "a tool's result": tool_result,
    "a tool's arguments": call,
    "JSON in JSON": lambda data: in_json(json.dumps({"file": data_url(PDF, data)})),
    "a form's field": lambda data: body(
        urlencode({"file": data_url(PDF, data)}).encode(), b"application/x-www-form-urlencoded"
    ),
    "a body that says form": lambda data: body(data, b"application/x-www-form-urlencoded"),
    "a body that says JSON": lambda data: body(data, b"application/json"),
    "a body that says nothing": lambda data: RawRequest("/", b"", [], data),
    "base64 as a body": lambda data: body(plain(data).encode(), b"text/plain"),
    "a text file": lambda data: multipart(
        ("a.md", "text/markdown", f"![]({data_url(PDF, data)})".encode())
    ),
    "a message": lambda data: multipart(
        (
            "a.eml",
            "",
            b"Subject: hi\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n"
            b"--x\r\nContent-Type: application/pdf\r\nContent-Transfer-Encoding: base64\r\n\r\n"
            + base64.encodebytes(data)
            + b"\r\n--x--\r\n",
        )
    ),
}


@pytest.mark.parametrize("place", PLACES)
def test_a_file_is_opened_wherever_it_stands(place: str, opener: Gate) -> None:
    attack, twin = PLACES[place](made(ATTACK)), PLACES[place](made(HARMLESS))

    async def play() -> list[str]:
        return [(await review(opener, request)).verdict for request in (attack, twin)]

    condemned, passed = asyncio.run(play())
    assert condemned == "unsafe"
    assert passed != "unsafe"


ORDINARY: dict[str, Any] = {
    "a long id": {"id": "call_" + "aB3dE5fG7h" * 8},
    "a signature": {"signature": "EqQBCkYIARgCKkA" + "aB3dE5fG7h" * 30},
    "a hash": {"sha": "0a1b2c3d" * 16},
    "a link": {"url": "https://example.com/" + "a" * 80},
    "a word about data": {"text": "the data: of base64, as it were"},
}


@pytest.mark.parametrize("name", ORDINARY)
def test_what_only_looks_like_a_file_is_none(name: str, opener: Gate) -> None:
    decision = asyncio.run(review(opener, as_json(ORDINARY[name])))
    assert (decision.verdict, decision.flags) == ("safe", frozenset())


def test_a_page_that_says_form_is_a_page(opener: Gate) -> None:
    page = f"<!doctype html><p hidden>{ATTACK}</p>".encode()
    decision = asyncio.run(review(opener, body(page, b"application/x-www-form-urlencoded")))
    assert decision.verdict == "unsafe"


def test_base64_that_is_none_is_a_flag(opener: Gate) -> None:
    decision = asyncio.run(review(opener, in_json("data:application/pdf;base64,****")))
    assert decision.flags == {"malformed"}


def test_a_thousand_files_are_enough(opener: Gate) -> None:
    request = as_json([data_url("text/html", b"<html>%d" % number) for number in range(1001)])

    async def play() -> Any:
        return await review(opener, request)

    assert "truncated" in asyncio.run(play()).flags
