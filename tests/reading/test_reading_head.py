"""Header lines, sorted in one pass: whatever the case of a name, nothing is passed over."""

import pytest

from abuse_gate.reading.head import JSON_ALONE, Head, sort_headers

JSON = (b"content-type", b"application/json")
PLAIN = [(b"host", b"h"), (b"user-agent", b"agent"), (b"authorization", b"Bearer x")]

LINES: list[tuple[list[tuple[bytes, bytes]], Head]] = [
    ([], Head()),
    (PLAIN, Head()),
    ([*PLAIN, JSON], JSON_ALONE),
    ([(b"Content-Type", b"a"), (b"content-type", b"b")], Head(2, types=(b"a", b"b"))),
    ([(b"Content-Encoding", b"gzip"), (b"content-encoding", b"br")], Head(6, (), (b"gzip", b"br"))),
    (
        [(b"Cookie", b"a=b"), (b"X-Note", b"hi")],
        Head(5, spoken=(("cookie", b"a=b"), ("header", b"hi"))),
    ),
    ([(b"X-Guardrail-Mode", b"off")], Head(3, ours=True)),
    ([(b"Anthropic-Version", b"1")], Head(1, dialect="anthropic")),
    ([(b"mcp-session-id", b"1"), (b"anthropic-version", b"1")], Head(2, dialect="jsonrpc")),
    ([(b"Host", b"h"), (b"unheard-of", b"u")], Head(2)),
]


@pytest.mark.parametrize(("lines", "head"), LINES)
def test_each_line_is_where_it_belongs(lines: list[tuple[bytes, bytes]], head: Head) -> None:
    assert sort_headers(lines) == head


def test_no_repr_shows_a_line() -> None:
    head = sort_headers([(b"cookie", b"canary"), (b"content-type", b"canary")])
    assert repr(head) == "Head(12 bytes, 1 types, 1 spoken)"
