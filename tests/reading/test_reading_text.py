"""Text and its surroundings: charsets, codings, forms, query, path, headers; doubt is a flag."""

import gzip
import json
import zlib

import pytest

from abuse_gate.model.extract import Extract
from abuse_gate.reading.charset import ALLOWED, codec_for, salvaged
from abuse_gate.reading.inflate import MAX_LAYERS, MAX_MEMBERS, encodings
from abuse_gate.reading.read import read
from abuse_gate.reading.request import RawRequest, ReadingOptions

FORM = b"application/x-www-form-urlencoded"


def extract(body: bytes, media_type: bytes = b"", **more: object) -> Extract:
    complete = bool(more.get("complete", True))
    coding = more.get("coding", b"")
    headers = [(b"content-type", media_type)] if media_type else []
    if isinstance(coding, bytes) and coding:
        headers.append((b"content-encoding", coding))
    options = ReadingOptions(max_inflated_bytes=4096)
    return read(RawRequest("/", b"", headers, body, complete), options)


def around(
    path: str = "/", query: bytes = b"", *headers: tuple[bytes, bytes]
) -> set[tuple[str, str]]:
    return spoken(read(RawRequest(path, query, headers, b""), ReadingOptions()))


def spoken(found: Extract) -> set[tuple[str, str]]:
    return {(segment.origin, segment.text) for segment in found.segments}


def texts(found: Extract) -> list[str]:
    return [segment.text for segment in found.segments]


@pytest.mark.parametrize("body", [b"", b" \r\n\t", b"null", b"{}", b"[]", b"1.5", b"true"])
@pytest.mark.parametrize("media_type", [b"", b"application/json", b"text/plain"])
def test_a_body_without_words_has_no_segment_and_no_flag(body: bytes, media_type: bytes) -> None:
    found = extract(body, media_type)
    assert not found.segments
    assert not found.flags
    assert found.modalities == ()


@pytest.mark.parametrize(
    ("body", "media_type", "expected", "flags"),
    [
        (b"plain words", b"", ["plain words"], set[str]()),
        (b"plain words", b"text/plain", ["plain words"], set[str]()),
        (b"1 2 3", b"text/plain", ["1 2 3"], set[str]()),
        (b'"so", he said', b"text/plain", ['"so", he said'], set[str]()),
        ("wörter".encode(), b"text/plain; charset=UTF-8", ["wörter"], set[str]()),
        ("wörter".encode("utf-16"), b"text/plain", ["wörter"], set[str]()),
        ("words".encode("utf-16-le"), b"", ["words", "w\0o\0r\0d\0s\0"], set[str]()),
        ("wörter".encode("latin-1"), b"text/plain; charset=latin-1", ["wörter"], set[str]()),
        ("wörter".encode(), b"text/plain; charset=latin-1", ["wÃ¶rter", "wörter"], set[str]()),
        (b"+AGE-b", b"text/plain; charset=utf-7", ["ab", "+AGE-b"], set[str]()),
        (b"words", b"text/plain; charset=idna", ["words"], {"unsupported_encoding"}),
        (b"words", b"text/plain; charset=punycode", ["words"], {"unsupported_encoding"}),
        (b"w\xffrds", b"text/plain; charset=utf-8", ["w\ufffdrds"], {"malformed"}),
        (b"w\xffrds", b"text/plain", ["w\ufffdrds"], {"malformed"}),
        (b"a\0b words", b"text/plain", ["a\0b words"], {"malformed"}),
        (b"words\0and more", b"text/plain", ["words\0and more"], {"malformed"}),
        (b"\xef\xbb\xbf", b"", [], set[str]()),
        (b"w\xffrds", b"", ["w\ufffdrds"], {"malformed"}),
        (b"\xfe\xff\xd8", b"", ["\ufffd\ufffd\ufffd"], {"malformed"}),
        (b'{"a": "b"', b"application/json", ['{"a": "b"'], {"malformed"}),
        (b'{"a": "b"', b"application/x+json", ['{"a": "b"'], {"malformed"}),
        (b'{"a": "b"', b"text/plain", ['{"a": "b"'], set[str]()),
        (b'{"a": "b"} tail', b"application/json", ["a", "b", '{"a": "b"} tail'], {"malformed"}),
        (b'{"a":\xe9}', b"application/json", ['{"a":\ufffd}'], {"malformed"}),
        (b"\x89PNG\0\xff\1", b"", [], {"opaque_media_noninterpretable"}),
        (b"\0\xff\1\2", b"video/x", ["\u00ff\u0102"], {"type_mismatch"}),
        (b"words", b"image/png", ["words"], {"type_mismatch"}),
        (b"<html>words", b"text/plain", ["<html>words"], set[str]()),
    ],
)
def test_text_is_read_as_what_it_says_and_doubt_is_a_flag(
    body: bytes, media_type: bytes, expected: list[str], flags: set[str]
) -> None:
    found = extract(body, media_type)
    assert texts(found) == expected
    assert found.flags == flags


def test_a_declared_charset_is_honoured_beside_the_json_reading() -> None:
    found = extract(b'{"a":"+AGk-gnore"}', b"application/json; charset=utf-7")
    assert {"a", "+AGk-gnore", "ignore"} <= set(texts(found))
    assert texts(extract(b'{"a":"b"}', b"application/json; charset=utf-8")) == ["a", "b"]


def test_json_in_a_declared_8_bit_charset_is_read() -> None:
    body = '{"a":"é\\u0062"}'.encode("latin-1")
    found = extract(body, b"application/json; charset=latin-1")
    assert "éb" in texts(found)


def test_of_two_content_types_both_are_tried() -> None:
    headers = [(b"content-type", b"text/plain"), (b"content-type", FORM)]
    found = read(RawRequest("/", b"", headers, b"a=b+c"), ReadingOptions())
    assert {("text", "a=b+c"), ("form", "a"), ("form", "b c")} <= spoken(found)


def test_every_charset_on_the_list_is_found_by_its_name() -> None:
    for name in ALLOWED:
        assert codec_for(f' "{name.upper()}"') == name


@pytest.mark.parametrize(
    "name", ["", "idna", "punycode", "zlib", "rot13", "x" * 41, "utf-8\0", "ütf"]
)
def test_no_other_codec_is_ever_used(name: str) -> None:
    assert codec_for(name) is None


def test_a_body_that_was_cut_off_is_truncated_and_read_as_far_as_it_goes() -> None:
    found = extract(b'{"a": "hello \xc3', b"application/json", complete=False)
    assert found.flags == {"truncated"}
    assert texts(found) == ['{"a": "hello \ufffd']


WORDS = json.dumps({"k": "hello"}).encode()
RAW = zlib.compress(WORDS)[2:-4]


@pytest.mark.parametrize(
    ("coding", "body"),
    [
        (b"gzip", gzip.compress(WORDS, mtime=0)),
        (b"X-GZIP", gzip.compress(WORDS, mtime=0)),
        (b"deflate", zlib.compress(WORDS)),
        (b"deflate", RAW),
        (b"identity", WORDS),
        (b"gzip, deflate", zlib.compress(gzip.compress(WORDS, mtime=0))),
        (b"gzip", gzip.compress(WORDS[:5], mtime=0) + gzip.compress(WORDS[5:], mtime=0)),
    ],
)
def test_a_coded_body_is_read(coding: bytes, body: bytes) -> None:
    found = extract(body, b"application/json", coding=coding)
    assert texts(found)[:2] == ["k", "hello"]
    assert (body.decode("latin-1") in texts(found)) == (coding != b"identity")
    assert not found.flags
    assert found.body_bytes == len(body)


def test_two_codings_in_two_headers_are_both_undone() -> None:
    headers = [(b"content-encoding", b"gzip"), (b"content-encoding", b"deflate")]
    body = zlib.compress(gzip.compress(WORDS, mtime=0))
    assert "hello" in texts(read(RawRequest("/", b"", headers, body), ReadingOptions()))


NOISE = bytes(range(128, 256)) * 4


@pytest.mark.parametrize(
    ("coding", "body", "flag"),
    [
        (b"gzip", gzip.compress(b"a" * 5000, mtime=0), "truncated"),
        (b"gzip", gzip.compress(b"", mtime=0) * (MAX_MEMBERS + 1), "truncated"),
        (b"br", NOISE, "unsupported_encoding"),
        (b"zstd", NOISE, "unsupported_encoding"),
        (b", ".join([b"gzip"] * (MAX_LAYERS + 1)), NOISE, "unsupported_encoding"),
        (b"gzip", gzip.compress(WORDS, mtime=0)[:-6], "malformed"),
        (b"gzip", gzip.compress(WORDS, mtime=0) + b"tail", "malformed"),
        (b"gzip", NOISE, "malformed"),
        (b"deflate", NOISE, "malformed"),
        (b"deflate", zlib.compress(WORDS)[:-2], "malformed"),
    ],
)
def test_what_does_not_come_out_of_a_coding_is_a_flag(
    coding: bytes, body: bytes, flag: str
) -> None:
    assert flag in extract(body, b"text/plain", coding=coding).flags


def test_what_was_inflated_before_the_bound_or_the_damage_is_read() -> None:
    assert texts(extract(gzip.compress(b"a" * 5000, mtime=0), coding=b"gzip"))[0] == "a" * 4096
    assert not extract(gzip.compress(b"a" * 4096, mtime=0), coding=b"gzip").flags
    assert "hello" in texts(extract(gzip.compress(WORDS, mtime=0)[:-6], coding=b"gzip"))


def test_a_coded_body_that_was_cut_off_is_truncated_only() -> None:
    body = gzip.compress(b"some words, " * 40, mtime=0)[:-9]
    found = extract(body, coding=b"gzip", complete=False)
    assert found.flags == {"truncated"}
    assert texts(found)[0].startswith("some words, ")


def test_no_coding_is_undone_for_an_empty_body() -> None:
    assert not extract(b"", coding=b"gzip").flags


def test_identity_and_empty_names_are_no_codings() -> None:
    assert encodings(" identity, GZIP ,, deflate") == ["gzip", "deflate"]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (b"a=b", {"a", "b"}),
        (b"a=b+c%21&a=d&&e", {"a", "b c!", "d", "e"}),
        (b"=b", {"b"}),
        (b"a=%ff", {"a", "\ufffd", "ÿ"}),
        (b"a=\xc3\xa9", {"a", "Ã©", "é"}),
        (b"a=%C3%A9", {"a", "é"}),
        (b"a=x;b=y", {"a", "x;b=y"}),
        (b"a=[1", {"a", "[1"}),
    ],
)
def test_every_name_and_value_of_a_form_or_a_query_is_read(body: bytes, expected: set[str]) -> None:
    assert spoken(extract(body, FORM)) == {("form", text) for text in expected}
    assert around("/", body) == {("query", text) for text in expected}


def test_a_name_that_is_repeated_does_not_part_the_values() -> None:
    assert texts(extract(b"m=ignore&m=all&m=that&n=now", FORM)) == [
        *("m", "ignore", "all", "that", "n", "now")
    ]


def test_json_in_a_form_field_is_read_on() -> None:
    found = extract(b'a={"k":"%5Cu0076"}', FORM)
    assert {("key", "k"), ("field", "v")} <= spoken(found)
    deep = extract(b"a=" + b"[" * 100_000, FORM)
    assert deep.flags == {"too_deep"}


def test_the_path_is_read_unless_it_says_nothing() -> None:
    assert around("/") == around("") == set()
    assert around("/say/hi there") == {("path", "/say/hi there")}
    assert around("/say/%68i") == {("path", "/say/%68i"), ("path", "/say/hi")}


def test_cookies_and_x_headers_are_read_and_no_others() -> None:
    found = around(
        "/",
        b"",
        (b"Cookie", b'a="\\151\\"j"'),
        (b"X-Note", b"h%69"),
        (b"x-bytes", b"\xc3\xa9"),
        (b"X-Guardrail-Mode", b"normal"),
        (b"user-agent", b"curl"),
    )
    assert found == {
        ("cookie", 'a="\\151\\"j"'),
        ("cookie", 'a="i"j"'),
        ("header", "h%69"),
        ("header", "hi"),
        ("header", "Ã©"),
        ("header", "é"),
    }


def test_noise_is_read_for_its_ascii_and_damage_for_all_that_is_left() -> None:
    noise = bytes(range(128, 256)) * 64 + b" plain words "
    assert salvaged(noise).strip() == "plain words"
    damaged = "слово ".encode() * 2000 + b"\xff"
    assert salvaged(damaged).startswith("слово ")
    assert salvaged(b"w\xffrds") == "w\ufffdrds"
