"""Files in the middle of a text, and in JSON that is a string of JSON, are files."""

import base64
import json
from typing import Any

import pytest

from abuse_gate.reading.documents.open import open_document
from abuse_gate.reading.embedded import SHORTEST_RUN, files_within
from abuse_gate.reading.read import read
from abuse_gate.reading.request import RawRequest, ReadingOptions
from tests.documents.gates import data_url, multipart
from tests.documents.hostile import archive

PDF = b"%PDF-1.7\n" + bytes(range(256)) * 3
DOCX = archive({"word/document.xml": bytes(range(256))})
B64 = base64.b64encode(PDF).decode()
OFFICE = base64.b64encode(DOCX).decode()
WRAPPED = base64.encodebytes(PDF).decode()
SPELT = json.dumps({"x": "@"}).replace("@", f"\\u{ord(B64[0]):04x}{B64[1:]}")


def openai(content: Any) -> Any:
    call = {"id": "1", "type": "function", "function": {"name": "fetch", "arguments": "{}"}}
    return {
        "messages": [
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": "1", "content": content},
        ]
    }


def anthropic(content: Any) -> Any:
    result = {"type": "tool_result", "tool_use_id": "1", "content": content}
    return {"max_tokens": 5, "messages": [{"role": "user", "content": [result]}]}


def bare(content: Any) -> Any:
    return {"f": content}


def opened(body: bytes, kind: bytes = b"application/json") -> list[tuple[str, bytes]]:
    found = read(RawRequest("/", b"", [(b"content-type", kind)], body), ReadingOptions())
    assert not found.flags - {"type_mismatch"}
    return [(upload.kind, upload.data) for upload in found.uploads]


@pytest.mark.parametrize("shape", [openai, anthropic, bare])
@pytest.mark.parametrize(
    "text",
    [
        json.dumps({"pdf": B64}),
        json.dumps([1, {"deep": [B64]}]),
        json.dumps(json.dumps(json.dumps({"pdf": B64}))),
        json.dumps({"pdf": B64}).replace("/", "\\/"),
        json.dumps({"pdf": B64}).replace("+", "\\u002B"),
        json.dumps({"pdf": WRAPPED}),
        json.dumps({"pdf": data_url("application/pdf", PDF)}),
        f"Summarise this file: {B64}",
        f"Summarise this file:\n{WRAPPED}",
        f"a broken {{'pdf': '{B64}'}}",
        f"{{broken: {json.dumps(WRAPPED)}",
        SPELT,
    ],
)
def test_a_file_in_a_string_is_opened_once(shape: Any, text: str) -> None:
    assert opened(json.dumps(shape(text)).encode()) == [("pdf", PDF)]


@pytest.mark.parametrize("kind", [b"text/plain", b"text/plain; charset=utf-8", b""])
def test_a_file_in_the_middle_of_a_plain_body_is_opened(kind: bytes) -> None:
    assert opened(f"See {OFFICE} there".encode(), kind) == [("docx", DOCX)]


@pytest.mark.parametrize("text", [json.dumps({"a": OFFICE}), f"See {OFFICE} there"])
def test_a_file_in_a_field_or_a_file_of_text_is_opened_once(text: str) -> None:
    request = multipart(("a.txt", "text/plain", text.encode()))
    field = request.body.replace(b"; filename=a.txt", b"").replace(b"text/plain", b"")
    for body in (request.body, field):
        found = read(RawRequest("/", b"", request.headers, body), ReadingOptions())
        assert [(upload.kind, upload.data) for upload in found.uploads] == [("docx", DOCX)]


def test_a_file_in_a_text_within_an_archive_is_opened() -> None:
    inner = base64.b64encode(archive({"b.txt": b"words of the innermost"}, packed=False) * 2)
    report = open_document("zip", archive({"a.txt": b"See " + inner}))
    assert "words of the innermost" in report.shown


@pytest.mark.parametrize(
    "text",
    [
        "JVBERi0 is how a PDF opens in base64",
        f"See {B64[: SHORTEST_RUN - 1]} which is cut short",
        f"x{B64}",
        f"/{OFFICE}",
        "PGh0bW" + "A" * SHORTEST_RUN,
        '{"JVBERi": 1}',
        "[\\u0020]",
    ],
)
def test_what_only_begins_like_a_file_is_text(text: str) -> None:
    assert list(files_within(text)) == []
    assert opened(json.dumps({"f": text}).encode()) == []


def test_json_in_json_that_is_too_deep_is_flagged() -> None:
    text = "[" * 50_000 + '"JVBERi"' + "]" * 50_000
    body = json.dumps({"f": text}).encode()
    found = read(
        RawRequest("/", b"", [(b"content-type", b"application/json")], body), ReadingOptions()
    )
    assert "too_deep" in found.flags
