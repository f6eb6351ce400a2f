"""What Starlette hands to an app is among what was read, or the Extract carries a flag."""

import json
from collections.abc import Coroutine, Iterator
from typing import Any
from urllib.parse import quote_plus

from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.datastructures import FormData, UploadFile
from starlette.formparsers import MultiPartException
from starlette.requests import Request
from starlette.types import Message

from abuse_gate.model.extract import Extract
from abuse_gate.reading.arguments import ARGUMENT_KEYS
from abuse_gate.reading.conversation import CALL_HOLDERS, MODEL_KEYS
from abuse_gate.reading.jsontext import Json
from abuse_gate.reading.parts import BLOB_KEYS, DOCUMENT_KEYS, LINK_KEYS, NAME_KEYS, TEXT_KEYS
from abuse_gate.reading.read import read
from abuse_gate.reading.request import RawRequest, ReadingOptions
from abuse_gate.reading.responses import OUTPUT_KEYS
from abuse_gate.reading.rpc import ENVELOPE, METHODS
from abuse_gate.reading.walk import WORDS

OPTIONS = ReadingOptions()
# The only strings that a recognised shape may pass over: its own keys and constants.
OMITTED = WORDS.union(
    ARGUMENT_KEYS,
    BLOB_KEYS,
    CALL_HOLDERS,
    DOCUMENT_KEYS,
    ENVELOPE,
    LINK_KEYS,
    METHODS,
    MODEL_KEYS,
    NAME_KEYS,
    OUTPUT_KEYS,
    TEXT_KEYS,
    [""],
)
CAMPAIGN = settings(max_examples=200, deadline=None)

Strategy = st.SearchStrategy[Any]


def shape(required: dict[str, Strategy], **optional: Strategy) -> Strategy:
    """Objects that have the required keys and some of the optional ones."""
    return st.fixed_dictionaries(required, optional=optional)


texts = st.text(max_size=12)
keys = st.one_of(
    texts, st.sampled_from(["messages", "role", "content", "input", "jsonrpc", "type"])
)
leaves: Strategy = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), texts)
values: Strategy = st.recursive(
    leaves,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys, inner, max_size=4),
    max_leaves=12,
)
roles: Strategy = st.sampled_from(["user", "system", "assistant", "tool"]) | leaves
kinds = st.sampled_from(
    ["text", "image_url", "tool_use", "tool_result", "document", "thinking", "input_audio", "?"]
)
parts = shape(
    {"type": kinds},
    text=values,
    content=values,
    source=values,
    input=values,
    name=values,
    id=values,
    image_url=values,
    data=values,
)
messages = shape(
    {"role": roles, "content": values | st.lists(parts, max_size=3)},
    tool_calls=values | st.lists(shape({"function": values})),
    function_call=values,
    tool_call_id=values,
    refusal=values,
    extra=values,
)
items = shape(
    {
        "type": st.sampled_from(
            ["function_call", "function_call_output", "message", "mcp_call", "?"]
        )
    },
    role=roles,
    content=values,
    arguments=values,
    output=values,
    name=values,
    call_id=values,
)
bodies = (
    values
    | shape({"messages": st.lists(messages, max_size=3)}, system=values, tools=values)
    | shape(
        {"model": texts, "input": values | st.lists(items, max_size=3)},
        instructions=values,
        prompt=values,
    )
    | shape(
        {"jsonrpc": st.just("2.0") | values, "method": st.just("tools/call")},
        params=values,
        id=values,
        prompt=values,
        result=values,
    )
)


def drive(work: Coroutine[Any, Any, Any]) -> Any:
    """Run a coroutine that never has to wait."""
    try:
        work.send(None)
    except StopIteration as done:
        return done.value
    raise AssertionError("the coroutine waited")


def starlette_request(body: bytes, media_type: bytes) -> Request:
    async def receive() -> Message:
        return {"type": "http.request", "body": body, "more_body": False}

    headers = [(b"content-type", media_type)]
    return Request({"type": "http", "headers": headers, "method": "POST"}, receive)


async def form_of(request: Request) -> FormData:
    return await request.form()


def extract(body: bytes, media_type: bytes) -> Extract:
    return read(RawRequest("/", b"", [(b"content-type", media_type)], body), OPTIONS)


def everything(found: Extract) -> set[str]:
    said = {segment.text for segment in found.segments}
    for call in found.calls:
        said |= {call.name, *call.texts}
    return said


def strings_of(value: Json) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield key
            yield from strings_of(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from strings_of(inner)


@CAMPAIGN
@given(
    body=bodies,
    codec=st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-32", "utf-32-be"]),
    media_type=st.sampled_from(
        [
            b"application/json",
            b"",
            b"text/plain",
            b"application/x-www-form-urlencoded",
            b"image/png",
        ]
    ),
)
def test_every_string_of_the_apps_json_is_read(body: Any, codec: str, media_type: bytes) -> None:
    raw = json.dumps(body, ensure_ascii=codec == "utf-8").encode(codec, "surrogatepass")
    seen = drive(starlette_request(raw, media_type).json())
    found = extract(raw, media_type)
    missing = set(strings_of(seen)) - everything(found) - OMITTED
    opaque = found.flags & {"opaque_media_noninterpretable"}
    assert not missing or opaque, missing


def escaped(text: str) -> str:
    return quote_plus(text.encode("utf-8", "replace"))


@CAMPAIGN
@given(pairs=st.lists(st.tuples(texts, texts), max_size=6), junk=st.binary(max_size=12))
def test_every_string_of_the_apps_form_is_read(pairs: list[tuple[str, str]], junk: bytes) -> None:
    quoted = "&".join(f"{escaped(name)}={escaped(value)}" for name, value in pairs)
    body = quoted.encode() + b"&" + junk
    media_type = b"application/x-www-form-urlencoded"
    form = drive(form_of(starlette_request(body, media_type)))
    said = everything(extract(body, media_type))
    assert {text for pair in form.multi_items() for text in pair} - said <= {""}


@CAMPAIGN
@given(query=st.binary(max_size=40))
def test_every_string_of_the_apps_query_is_read(query: bytes) -> None:
    scope: dict[str, Any] = {"type": "http", "headers": [], "query_string": query, "method": "GET"}
    seen = Request(scope).query_params.multi_items()
    found = read(RawRequest("/", query, [], b""), OPTIONS)
    assert {text for pair in seen for text in pair} - everything(found) <= {""}


header_text = st.text(st.characters(codec="latin-1", exclude_characters="\r\n"), max_size=12)
fields = st.tuples(header_text, st.none() | header_text, st.binary(max_size=16))


@CAMPAIGN
@given(
    fields=st.lists(fields, max_size=4),
    ending=st.sampled_from([b"--b--", b"--b--\r\n", b"", b"--b--tail"]),
    charset=st.sampled_from([b"", b"; charset=latin-1", b"; charset=utf-16"]),
)
def test_every_string_of_the_apps_multipart_is_read(
    fields: list[tuple[str, str | None, bytes]], ending: bytes, charset: bytes
) -> None:
    body = b""
    for name, filename, data in fields:
        file = b"" if filename is None else b'; filename="%s"' % filename.encode("latin-1")
        body += b'--b\r\nContent-Disposition: form-data; name="%s"' % name.encode("latin-1")
        body += file + b"\r\n\r\n" + data + b"\r\n"
    # Starlette itself leaves the file of an unfinished part open.
    if any(filename is not None for _, filename, _ in fields):
        ending = ending or b"--b--"
    media_type = b"multipart/form-data; boundary=b" + charset
    found = extract(body + ending, media_type)
    try:
        form = drive(form_of(starlette_request(body + ending, media_type)))
    except MultiPartException:
        return
    said = everything(found)
    for name, value in form.multi_items():
        assert name in said | {""}
        if isinstance(value, UploadFile):
            assert value.filename in said | {""}
            value.file.close()
        else:
            assert value in said | {""} or found.flags
