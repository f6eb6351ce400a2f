"""Bounds: depth, strings and documents; what lies beyond is a flag, and the text is still read."""

import json
import sys
from typing import Any

import pytest

from abuse_gate.model.extract import Extract
from abuse_gate.reading.jsontext import Parsed, parse
from abuse_gate.reading.read import read
from abuse_gate.reading.request import RawRequest, ReadingOptions

SMALL = ReadingOptions(max_depth=3, max_strings=4)


def extract(body: bytes, options: ReadingOptions = SMALL, media_type: bytes = b"") -> Extract:
    return read(RawRequest("/", b"", [(b"content-type", media_type)], body), options)


def texts(found: Extract) -> list[str]:
    return [segment.text for segment in found.segments]


def test_what_lies_too_deep_is_a_flag_and_the_whole_text_is_read() -> None:
    body = b'{"k":[["a"],[["b"]]]}'
    found = extract(body)
    assert found.flags == {"too_deep"}
    assert texts(found) == ["k", "a", body.decode()]
    assert not extract(b'{"k":[["a"],["b"]]}').flags


@pytest.mark.parametrize("opening", ["[", '{"a":', '[{"messages":['])
def test_no_depth_can_exhaust_the_stack(opening: str) -> None:
    body = opening.encode() * 30_000
    assert len(body) <= ReadingOptions().max_inflated_bytes
    found = extract(body, ReadingOptions())
    assert "too_deep" in found.flags
    assert texts(found) == [body.decode()]


def test_depth_below_the_parsers_own_limit_is_bounded_by_ours() -> None:
    body = b"[" * 400 + b'"end"' + b"]" * 400
    assert extract(body, ReadingOptions()).flags == {"too_deep"}
    assert not extract(body, ReadingOptions(max_depth=500)).flags


def test_too_deep_arguments_are_a_flag_and_stand_for_themselves() -> None:
    deep = "[" * 90_000
    body = {"jsonrpc": "2.0", "method": "tools/call", "params": {"name": "a", "arguments": deep}}
    found = extract(json.dumps(body).encode(), ReadingOptions())
    assert found.flags == {"too_deep"}
    assert found.calls[0].texts == (deep,)


def test_too_many_strings_are_a_flag_and_the_whole_text_is_read() -> None:
    body = b'["a","b","c","d","e"]'
    found = extract(body)
    assert found.flags == {"truncated"}
    assert texts(found) == ["a", "b", "c", "d", body.decode()]
    assert not extract(b'["a","b","c","d"]').flags


def test_a_value_counts_each_time_and_a_key_once() -> None:
    assert texts(extract(b'["a","a"]')) == ["a", "a"]
    assert extract(b'["a","b","c","d","d"]').flags == {"truncated"}
    records = extract(b'[{"a":"b"},{"a":"c"},{"a":"d"}]')
    assert texts(records) == ["a", "b", "c", "d"]
    assert not records.flags


def test_too_many_form_fields_are_a_flag_and_the_whole_text_is_read() -> None:
    found = extract(b"a=b&c=d&e=f+g", media_type=b"application/x-www-form-urlencoded")
    assert found.flags == {"truncated"}
    assert texts(found) == ["a", "b", "c", "d", "a=b&c=d&e=f g"]


def test_a_calls_strings_count_against_the_bound() -> None:
    arguments = ["a", "b", "c", "d", "e"]
    body: Any = {
        "jsonrpc": "2.0",
        "method": "tools/call",
        "params": {"name": "n", "arguments": arguments},
    }
    found = extract(json.dumps(body).encode())
    assert found.flags == {"truncated"}
    assert found.calls[0].texts == ("a", "b", "c", "d")
    assert json.dumps(body) in texts(found)


@pytest.mark.parametrize("between", [b"", b"\n", b" \x1e"])
def test_too_many_documents_are_a_flag_and_the_whole_text_is_read(between: bytes) -> None:
    body = between.join([b"{}"] * 5)
    found = extract(body)
    assert found.flags == {"truncated"}
    assert texts(found) == [body.decode()]
    assert not extract(between.join([b"{}"] * 4)).flags


def test_too_many_lines_beside_a_broken_one_are_a_flag() -> None:
    assert extract(b"{}\n" * 3 + b"{\n" + b"{}\n" * 3).flags == {"truncated"}


LINES: dict[str, tuple[str, list[Any], bool, bool]] = {
    "one": ('{"a":1}', [{"a": 1}], True, False),
    "two": ('{"a":1}{"b":2}', [{"a": 1}, {"b": 2}], True, False),
    "numbers are text": ("1 2", [1], False, False),
    "broken line between": ('{"a":1}\n{"b\n{"c":3}', [{"a": 1}, {"c": 3}], False, False),
    "broken first line": ('{"a\n{"c":3}', [{"c": 3}], False, False),
    "no line is sound": ('{"a\n{"c', [], False, False),
    "words after it": ('{"a":1}\nwords', [{"a": 1}], False, False),
    "deep second document": ('{"a":1} ' + "[" * 90_000, [{"a": 1}], False, True),
    "deep line": ('{"a\n' + "[" * 90_000 + "\n[1]", [[1]], False, True),
    "huge number": ("9" * 5000, ["9" * 5000], True, False),
    "words": ("words", [], False, False),
    "nothing": ("  ", [], False, False),
    "far away": (" " * 100 + "[1]", [[1]], True, False),
    "a number and words": ("-1 is\nnegative", [-1], False, False),
}


@pytest.mark.parametrize("name", LINES)
def test_documents_are_found_alone_in_a_row_or_line_by_line(name: str) -> None:
    text, documents, whole, deep = LINES[name]
    parsed = parse(text, max_documents=10)
    assert (parsed.documents, parsed.whole, parsed.deep) == (documents, whole, deep)


@pytest.mark.parametrize(
    "unit",
    [
        b'{"k%d":"v%d"},',
        b'{"role":"user","content":"words %d %d"},',
        b'{"a":%d,"a":%d},',
        b'{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"n%d"}},',
    ],
)
def test_work_grows_with_the_size_and_no_faster(unit: bytes) -> None:
    """Counted in interpreter events, so that no clock is asked."""

    def work(count: int) -> int:
        body = b"[" + b"".join(unit % (n, n) for n in range(count)).rstrip(b",") + b"]"
        events = 0

        def counted(_frame: object, _event: str, _argument: object) -> None:
            nonlocal events
            events += 1

        sys.setprofile(counted)
        try:
            extract(body, ReadingOptions())
        finally:
            sys.setprofile(None)
        return events

    assert work(2000) < work(500) * 4.5


@pytest.mark.parametrize("text", ["[" + "[]," * 100_001 + "[]]", "[" + '"",' * 500_001 + '""]'])
def test_more_containers_or_strings_than_can_be_made_in_a_breath_are_not_made(text: str) -> None:
    assert parse(text, max_documents=1) == Parsed([], whole=False, cut=True)
    body = json.dumps({"jsonrpc": "2.0", "method": "tools/call", "params": {"arguments": text}})
    assert "truncated" in extract(body.encode(), ReadingOptions(max_inflated_bytes=1 << 30)).flags
    form = b"field=" + text.encode()
    headers = [(b"content-type", b"application/x-www-form-urlencoded")]
    assert "truncated" in read(RawRequest("/", b"", headers, form), ReadingOptions()).flags
