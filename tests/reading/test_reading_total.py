"""Reading never raises, and nothing of a request shows in a repr."""

import gzip
import zlib

from hypothesis import example, given, settings
from hypothesis import strategies as st

from abuse_gate.model.extract import NOT_TEXT, UNREAD
from abuse_gate.reading.read import read
from abuse_gate.reading.request import RawRequest, ReadingOptions

MEDIA_TYPES = st.sampled_from(
    [
        b"",
        b"application/json",
        b"application/x-www-form-urlencoded",
        b"multipart/form-data; boundary=b",
        b"multipart/form-data; boundary=b; charset=utf-7",
        b"multipart/form-data",
        b"text/plain; charset=utf-16",
        b"text/plain; charset=idna",
        b"text/plain; charset=\xff\x00",
        b"image/png",
        b'text/html; charset="',
        b";;;===",
    ]
)
CODINGS = st.sampled_from([b"", b"gzip", b"deflate", b"br", b"gzip, deflate", b"identity"])
SCRAPS = st.sampled_from(
    [
        b'{"messages":[',
        b'{"role":"user","content":',
        b'{"type":"tool_use"',
        b'"data:;base64,',
        b"}",
        b"]",
        b'"',
        b",",
        b":",
        b"\r\n",
        b"--b",
        b"--",
        b"Content-Disposition: form-data; name=a; filename*=utf-8''%41",
        b"%",
        b"&",
        b"=",
        b"\x00",
        b"\xff\xfe",
        b"\xef\xbb\xbf",
        b"\\ud800",
        b"NaN",
        b"PK\x03\x04word/",
    ]
)
BODIES = st.one_of(
    st.binary(max_size=64),
    st.lists(SCRAPS, max_size=12).map(b"".join),
    st.binary(max_size=32).map(gzip.compress),
    st.binary(max_size=32).map(zlib.compress),
)
FLAGS = NOT_TEXT | UNREAD


@settings(max_examples=250, deadline=None)
@given(
    body=BODIES,
    media_type=MEDIA_TYPES,
    coding=CODINGS,
    query=st.binary(max_size=16),
    cookie=st.binary(max_size=16),
    path=st.text(max_size=8),
    complete=st.booleans(),
)
@example(b"[" * 100_000, b"", b"", b"", b"", "/", True)
@example(b'{"a":' * 20_000, b"application/json", b"", b"", b"", "/", False)
def test_reading_never_raises(
    body: bytes,
    media_type: bytes,
    coding: bytes,
    query: bytes,
    cookie: bytes,
    path: str,
    complete: bool,
) -> None:
    headers = [
        (b"Content-Type", media_type),
        (b"content-encoding", coding),
        (b"cookie", cookie),
        (b"X-Note", cookie),
    ]
    request = RawRequest(path, query, headers, body, complete)
    found = read(request, ReadingOptions(max_depth=4, max_strings=20, max_inflated_bytes=40))
    assert found.flags <= FLAGS
    assert complete or "truncated" in found.flags
    assert found.body_bytes == len(body)


def test_no_repr_shows_any_text() -> None:
    canary = "Canary8d1f"
    body = b'{"messages":[{"role":"user","content":"%b"}],"%b":["%b"]}' % ((canary.encode(),) * 3)
    headers = [(b"x-note", canary.encode()), (b"cookie", canary.encode())]
    request = RawRequest("/" + canary, canary.encode(), headers, body)
    found = read(request, ReadingOptions())
    assert canary in {segment.text for segment in found.segments}
    assert canary not in repr((request, found, found.segments, found.calls))


def test_headers_are_found_whatever_the_case_of_their_names() -> None:
    request = RawRequest("/", b"", [(b"X-A", b"1"), (b"x-a", b"2"), (b"x-b", b"3")], b"")
    assert request.header(b"x-a") == b"1"
    assert request.header(b"x-c") is None
    assert (
        repr(request)
        == "RawRequest(path 1 chars, query 0 bytes, 3 headers, body 0 bytes, complete=True)"
    )
