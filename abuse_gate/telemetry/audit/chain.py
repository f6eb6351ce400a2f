"""A chain of records: each line holds its number, the hash before it and its own. Bytes only.

A line is canonical JSON (sorted keys, ASCII, no spaces) with its SHA-256 as the last key, so that
no two different lines mean the same and no line can be read in two ways.
"""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, cast

FORMAT: Final = 1
# Beyond what any gate could write; and what is shown stays short.
_MOST: Final = 10**18
START: Final = "0" * 64
_HASH: Final = re.compile(rb',"hash":"([0-9a-f]{64})"\}\Z')
_HEAD: Final = re.compile(r"([0-9a-f]{16}):(\d{1,18}):([0-9a-f]{64})(?:@(\d{1,12}))?", re.ASCII)


class BrokenLine(ValueError):
    """A line is not what the chain would have written; the message says why."""


@dataclass(frozen=True, slots=True)
class Head:
    """Where a chain ends, and perhaps when: enough to notice later that its end was cut off."""

    chain: str
    number: int
    hash: str
    # Seconds since 1970; 0 where it is not known. What is signed is the head without it.
    at: int = 0

    def __str__(self) -> str:
        return f"{self.chain}:{self.number}:{self.hash}"


def heads_in(text: str) -> list[Head]:
    """Every head that a text names, a log for instance."""
    found = _HEAD.findall(text)
    return [Head(name, int(number), digest, int(at or 0)) for name, number, digest, at in found]


def canonical(record: Mapping[str, Any]) -> bytes:
    """The one way to write a record."""
    return json.dumps(
        record, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False
    ).encode("ascii")


class Chain:
    """The end of a chain that is being written; `head` moves when a line is forged."""

    def __init__(self, name: str) -> None:
        self.head = Head(name, 0, START)

    def line(self, kind: str, at: str, fields: Mapping[str, Any]) -> bytes:
        """The next line, newline included; the chain goes on from it."""
        number = self.head.number + 1
        own = {"kind": kind, "at": at, "n": number, "prev": self.head.hash}
        body = canonical({**fields, **own})
        digest = hashlib.sha256(body).hexdigest()
        self.head = Head(self.head.chain, number, digest)
        return body[:-1] + b',"hash":"' + digest.encode() + b'"}\n'


def parse(line: bytes) -> dict[str, Any]:
    """A line (without its newline) as it was written, or BrokenLine."""
    found = _HASH.search(line)
    if found is None:
        raise BrokenLine("does not end with a hash")
    body = line[: found.start()] + b"}"
    if hashlib.sha256(body).hexdigest().encode() != found[1]:
        raise BrokenLine("was edited: its hash is another")
    try:
        record = json.loads(body)
    except (ValueError, RecursionError):
        raise BrokenLine("is not JSON") from None
    # Whatever JSON ends with a brace is an object.
    told = cast("dict[str, Any]", record)
    if not _is_canonical(told, body):
        raise BrokenLine("is not written as the gate writes")
    number = told.get("n")
    numbered = type(number) is int and 0 < number < _MOST
    if not numbered or not isinstance(told.get("prev"), str):
        raise BrokenLine("has no number or no predecessor")
    return {**told, "hash": found[1].decode()}


def _is_canonical(record: dict[str, Any], body: bytes) -> bool:
    try:
        return canonical(record) == body
    except (ValueError, RecursionError):
        return False
