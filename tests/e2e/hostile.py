"""Hostile requests from a grammar and a seed: shapes that are nearly right, bytes that are not."""

import gzip
import json
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

from abuse_gate.testing.asgi import Header
from tests.e2e.hostile_words import (
    CODECS,
    CODINGS,
    DEEPEST,
    KEYS,
    KINDS,
    LITERALS,
    PATHS,
    PREFIXES,
    QUERIES,
    TYPES,
    WORDS,
)

BOMB: Final = gzip.compress(bytes(3 << 20), 1)


@dataclass(frozen=True, slots=True)
class Hostile:
    """One request that nobody should send."""

    body: bytes
    path: str = "/default/"
    query: bytes = b""
    headers: list[Header] = field(default_factory=list[Header])
    chunk: int | None = None


def hostile(seed: int) -> Hostile:
    """The request of a seed; the same seed gives the same request."""
    dice = Random(seed)
    body = dice.choice(BODIES)(dice)
    for _ in range(dice.choice((0, 0, 0, 1, 3))):
        body = _mutated(dice, body)
    headers = _headers(dice)
    if dice.random() < 0.2:
        body = _coded(dice, body, headers)
    return Hostile(
        body,
        dice.choice(PREFIXES) + dice.choice(PATHS),
        dice.choice(QUERIES),
        headers,
        dice.choice((None, None, 1, 7, 1000)) if len(body) < 5000 else None,
    )


def _value(dice: Random, depth: int) -> Any:
    kind = dice.randrange(8)
    if depth <= 0 or kind < 2:
        return dice.choice(WORDS)
    if kind == 2:
        return dice.choice((None, True, 0, -1.5, float("nan"), float("-inf"), 10**400, 2**63))
    if kind == 3:
        return dice.choice(KINDS)
    if kind == 4:
        return [_value(dice, depth - 1) for _ in range(dice.randrange(5))]
    keys = (dice.choice((*KEYS, dice.choice(WORDS))) for _ in range(dice.randrange(6)))
    return {key: _value(dice, depth - 1) for key in keys}


def _message(dice: Random) -> Any:
    content = dice.choice(WORDS) if dice.random() < 0.5 else _value(dice, 3)
    return {"role": dice.choice((*KINDS, None, 7)), "content": content, **_some(dice)}


def _some(dice: Random) -> dict[str, Any]:
    return {dice.choice(KEYS): _value(dice, 3) for _ in range(dice.randrange(3))}


def _shape(dice: Random) -> bytes:
    messages = [_message(dice) for _ in range(dice.randrange(5))]
    rpc = {"jsonrpc": "2.0", "id": _value(dice, 1), "method": dice.choice(KINDS)}
    shape: Any = dice.choice(
        (
            {"messages": messages, **_some(dice)},
            {"model": "m", "input": messages, **_some(dice)},
            {"system": _value(dice, 2), "messages": messages},
            {**rpc, "params": _value(dice, 4), **_some(dice)},
            [rpc, *messages],
            messages,
            _value(dice, 6),
        )
    )
    text = json.dumps(shape, ensure_ascii=dice.random() < 0.7)
    codec = dice.choice(CODECS)
    return text.encode(codec, "surrogatepass" if codec.startswith("utf") else "replace")


def _nearly_json(dice: Random) -> bytes:
    tokens = [dice.choice((*LITERALS, "{", "}", "[", "]", ",", ":", '"k"')) for _ in range(40)]
    return dice.choice(("", " ", "\n")).join(tokens).encode()


def _doubled_keys(dice: Random) -> bytes:
    pairs = (f'"{dice.choice(KEYS)}": {json.dumps(_value(dice, 2))}' for _ in range(12))
    return ("{" + ",".join(pairs) + "}").encode()


def _deep(dice: Random) -> bytes:
    levels = dice.choice((30, 99, 101, 500, 990, DEEPEST))
    opening, closing = dice.choice((("[", "]"), ('{"a":', "}"), ('[{"content":', "}]")))
    inner = json.dumps(dice.choice(WORDS))
    missing = dice.choice((0, 0, 1, levels))
    return (opening * levels + inner + closing * (levels - missing)).encode()


def _huge_number(dice: Random) -> bytes:
    digits = "9" * dice.choice((4299, 4301, 20_000))
    return f'{{"n": {dice.choice(("", "-"))}{digits}{dice.choice(("", ".5", "e9"))}}}'.encode()


def _lines(dice: Random) -> bytes:
    lines = (_shape(dice) if dice.random() < 0.7 else b"{oops" for _ in range(dice.randrange(6)))
    return dice.choice((b"\n", b"\r\n", b"\x1e", b"")).join(lines)


def _multipart(dice: Random) -> bytes:
    headers = (
        "Content-Disposition: form-data; name=a",
        'Content-Disposition: form-data; name="a"; filename="' + dice.choice(WORDS) + '"',
        "Content-Disposition: form-data; name*=utf-8''%ff; filename*=x''y",
        "Content-Disposition",
        "Content-Transfer-Encoding: base64",
        "Content-Type: " + dice.choice(TYPES),
        "X" * 9000 + ": y",
        "",
    )
    parts: list[str] = []
    for _ in range(dice.randrange(5)):
        chosen = "\r\n".join(dice.choice(headers) for _ in range(dice.randrange(4)))
        parts.append(f"--b\r\n{chosen}\r\n\r\n{dice.choice(WORDS)}\r\n")
    ending = dice.choice(("--b--\r\n", "--b--", "--b", "", "--b\r\n" * 50))
    return ("".join(parts) + ending).encode("utf-8", "surrogatepass")


def _form(dice: Random) -> bytes:
    pieces = ("a", "=", "&", "+", "%", "%41", "%zz", ";", "%u0069", "[]", dice.choice(WORDS))
    text = "".join(dice.choice(pieces) for _ in range(dice.randrange(60)))
    return text.encode("utf-8", "surrogatepass")


def _bytes(dice: Random) -> bytes:
    # Large noise is the dearest thing to read: seldom is often enough.
    return dice.randbytes(70_000 if dice.random() < 0.02 else dice.choice((0, 1, 2, 3, 16, 300)))


def _plain(dice: Random) -> bytes:
    signature = dice.choice(
        (b"", b"\x89PNG\r\n\x1a\n", b"%PDF-", b"PK\x03\x04", b"\xff\xfe", b"\0\0")
    )
    return signature + dice.choice(WORDS).encode(dice.choice(CODECS), "replace")


def _mutated(dice: Random, body: bytes) -> bytes:
    if not body:
        return body
    start, end = sorted((dice.randrange(len(body)), dice.randrange(len(body))))
    middle = body[start:end]
    changes = (b"", middle + middle, middle[::-1], dice.randbytes(3), middle.swapcase(), b"\x00")
    return body[:start] + dice.choice(changes) + body[end:]


def _coded(dice: Random, body: bytes, headers: list[Header]) -> bytes:
    headers.append((b"content-encoding", dice.choice(CODINGS).encode()))
    coded = dice.choice((body, gzip.compress(body), zlib.compress(body), gzip.compress(body) * 70))
    if dice.random() < 0.05:
        coded = BOMB
    return coded if dice.random() < 0.7 else _mutated(dice, coded)


def _headers(dice: Random) -> list[Header]:
    chosen = [dice.choice(TYPES) for _ in range(dice.choice((0, 1, 1, 1, 2)))]
    headers = [(b"content-type", value.encode("latin-1")) for value in chosen]
    lies = (
        (b"content-length", dice.choice((b"0", b"-1", b"99999999999", b"x"))),
        (b"cookie", dice.choice(WORDS).encode("utf-8", "surrogatepass")),
        (b"x-note", b"\\" * 50 + b"\xff%"),
        (b"x-guardrail-decision", b"allow"),
        (b"anthropic-version", b"\x00"),
        (b"mcp-session-id", b"s" * 5000),
    )
    return headers + [lie for lie in lies if dice.random() < 0.15]


BODIES: Final[tuple[Callable[[Random], bytes], ...]] = (
    _shape,
    _shape,
    _shape,
    _nearly_json,
    _doubled_keys,
    _deep,
    _huge_number,
    _lines,
    _multipart,
    _multipart,
    _form,
    _bytes,
    _plain,
)
