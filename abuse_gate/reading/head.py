"""A request's header lines, sorted in one pass: what is read, and what is passed over.

Most lines say nothing to anybody but the server; those are known by name and cost one look-up.
"""

from collections.abc import Iterable
from typing import Final, NamedTuple

from abuse_gate.model.extract import Dialect, Origin
from abuse_gate.reading.dialect import HEADER_DIALECT

# Our own names are stripped from what the app sees, so nothing in them is read by anybody.
OURS: Final = b"x-guardrail-"
_SILENT: Final = frozenset(
    b"""
    accept accept-charset accept-encoding accept-language authorization cache-control connection
    content-length date dnt expect forwarded host if-match if-modified-since if-none-match
    keep-alive origin pragma priority range referer sec-ch-ua sec-ch-ua-mobile sec-ch-ua-platform
    sec-fetch-dest sec-fetch-mode sec-fetch-site sec-fetch-user sec-gpc te traceparent tracestate
    transfer-encoding upgrade upgrade-insecure-requests user-agent via
    """.split()
)


class Head(NamedTuple):
    """What the header lines say to a reader; `ours` when a client sent lines under our names.

    `size` is that of the lines that anybody reads.
    """

    size: int = 0
    types: tuple[bytes, ...] = ()
    codings: tuple[bytes, ...] = ()
    spoken: tuple[tuple[Origin, bytes], ...] = ()
    dialect: Dialect | None = None
    ours: bool = False

    def __repr__(self) -> str:
        return f"Head({self.size} bytes, {len(self.types)} types, {len(self.spoken)} spoken)"


_JSON_LINES: Final = [(b"content-type", b"application/json")]
# What most requests say, known by its identity.
JSON_ALONE: Final = Head(len(b"application/json"), (b"application/json",))


def sort_headers(headers: Iterable[tuple[bytes, bytes]]) -> Head:
    """The lines of one request by what they are for."""
    telling = [line for line in headers if line[0] not in _SILENT]
    if telling == _JSON_LINES:
        return JSON_ALONE
    return _sorted([(name.lower(), value) for name, value in telling])


def _sorted(lines: list[tuple[bytes, bytes]]) -> Head:
    dialects: list[Dialect] = [HEADER_DIALECT[name] for name, _ in lines if name in HEADER_DIALECT]
    return Head(
        sum(len(value) for _, value in lines),
        tuple(value for name, value in lines if name == b"content-type"),
        tuple(value for name, value in lines if name == b"content-encoding"),
        tuple(_spoken(lines)),
        dialects[0] if dialects else None,
        any(name.startswith(OURS) for name, _ in lines),
    )


def _spoken(lines: list[tuple[bytes, bytes]]) -> Iterable[tuple[Origin, bytes]]:
    for name, value in lines:
        if name == b"cookie":
            yield "cookie", value
        elif name.startswith(b"x-") and not name.startswith(OURS):
            yield "header", value
