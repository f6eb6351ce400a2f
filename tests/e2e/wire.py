"""HTTP/1.1 written and read by hand, for what no HTTP client would send."""

import json
from dataclasses import dataclass
from typing import Any, BinaryIO

from tests.e2e.house import HEADERS


@dataclass(frozen=True, slots=True)
class Answer:
    """One response off a raw connection."""

    status: int
    headers: dict[str, str]
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def gated(self) -> bool:
        """Whether all three headers are there."""
        return all(name in self.headers for name in HEADERS)


def post(path: str, body: bytes, *headers: str) -> bytes:
    """A whole request with a body of known length."""
    length = f"Content-Length: {len(body)}"
    return head("POST", path, length, *headers) + body


def head(method: str, path: str, *headers: str) -> bytes:
    """A request's head alone."""
    return "\r\n".join((f"{method} {path} HTTP/1.1", "Host: gate", *headers, "", "")).encode()


def chunked(body: bytes, size: int) -> bytes:
    """A body in the chunked transfer coding."""
    parts = [body[start : start + size] for start in range(0, len(body), size)]
    return b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in parts) + b"0\r\n\r\n"


def answer(reader: BinaryIO, *, bodiless: bool = False) -> Answer:
    """The next response of a connection."""
    status = int(reader.readline().split()[1])
    headers: dict[str, str] = {}
    while line := reader.readline().strip():
        name, _, value = line.decode().partition(":")
        headers[name.lower()] = value.strip()
    length = 0 if bodiless else int(headers.get("content-length", "0"))
    return Answer(status, headers, reader.read(length))
