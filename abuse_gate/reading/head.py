"""A request's header lines, sorted in one pass: what is read, and what is passed over.

Most lines say nothing to anybody but the server; those are known by name and cost one look-up.
"""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from abuse_gate.model.extract import Dialect, Origin
from abuse_gate.reading.dialect import HEADER_DIALECT

# Our own names are stripped from what the app sees, so nothing in them is read by anybody.
OURS: Final = b"x-guardrail-"
# The name under which a context token comes.
TOKEN: Final = b"x-abuse-gate-context"
_JSON: Final = (b"application/json",)
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
    # A line that says what else of the request is to be believed.
    attested: bool = False

    @property
    def is_plain(self) -> bool:
        """Whether the lines announce a body of plain JSON, and nothing that changes its meaning."""
        return self.types == _JSON and not self.codings and not self.attested

    def words(self) -> str | None:
        """What is said in plain words beside the body, as one text; None when not all is plain."""
        said = b"\n".join([value for _, value in self.spoken if value])
        plain = said.isascii() and b"%" not in said and b"\\" not in said
        return said.decode() if plain else None

    def __repr__(self) -> str:
        return f"Head({self.size} bytes, {len(self.types)} types, {len(self.spoken)} spoken)"


_TYPE: Final = b"content-type"
_UNSPOKEN: Final = _SILENT | {_TYPE}
JSON_ALONE: Final = Head(len(b"application/json"), _JSON)


def sort_headers(headers: Sequence[tuple[bytes, bytes]]) -> Head:
    """The lines of one request by what they are for."""
    # Most requests say nothing but that a JSON body follows: three calls, and no loop of ours.
    lines = dict(headers)
    if lines.get(_TYPE) == _JSON[0] and len(lines) == len(headers) and lines.keys() <= _UNSPOKEN:
        return JSON_ALONE
    return _sorted([(name.lower(), value) for name, value in headers if name not in _SILENT])


def _sorted(lines: list[tuple[bytes, bytes]]) -> Head:
    dialects: list[Dialect] = [HEADER_DIALECT[name] for name, _ in lines if name in HEADER_DIALECT]
    return Head(
        sum(len(value) for _, value in lines),
        tuple(value for name, value in lines if name == b"content-type"),
        tuple(value for name, value in lines if name == b"content-encoding"),
        tuple(_spoken(lines)),
        dialects[0] if dialects else None,
        any(name.startswith(OURS) for name, _ in lines),
        any(name == TOKEN for name, _ in lines),
    )


def _spoken(lines: list[tuple[bytes, bytes]]) -> Iterable[tuple[Origin, bytes]]:
    for name, value in lines:
        if name == b"cookie":
            yield "cookie", value
        elif name.startswith(b"x-") and not name.startswith(OURS):
            yield "header", value
