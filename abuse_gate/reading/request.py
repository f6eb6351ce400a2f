"""What the reader is given: one request's bytes, and how far reading may go.

Holds values only; knows no parser and no ASGI.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from abuse_gate.reading.head import Head, sort_headers


class RawRequest(NamedTuple):
    """One request as it came in; `complete` is false when the body was longer than was read."""

    path: str
    query: bytes
    headers: Sequence[tuple[bytes, bytes]]
    body: bytes
    complete: bool = True
    # The headers sorted, by whoever has done so already.
    sorted_head: Head | None = None

    @property
    def head(self) -> Head:
        """The headers sorted by what they are for."""
        return self.sorted_head or sort_headers(self.headers)

    def header(self, name: bytes) -> bytes | None:
        """The first value of a header, whatever the case of its name, or None."""
        return next((value for key, value in self.headers if key.lower() == name), None)

    def every(self, name: bytes) -> list[bytes]:
        """All values of a header, whatever the case of its name."""
        return [value for key, value in self.headers if key.lower() == name]

    def __repr__(self) -> str:
        return (
            f"RawRequest(path {len(self.path)} chars, query {len(self.query)} bytes, "
            f"{len(self.headers)} headers, body {len(self.body)} bytes, complete={self.complete})"
        )


@dataclass(frozen=True, slots=True)
class ReadingOptions:
    """How far reading goes, and whether roles on the wire are a claim or the app's own word."""

    wire_roles: Literal["claimed", "trusted"] = "claimed"
    max_depth: int = 100
    max_inflated_bytes: int = 1_048_576
    max_strings: int = 100_000
