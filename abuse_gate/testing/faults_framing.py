"""Faults of framing and size: endless, huge, packed, wrongly measured, or no HTTP at all."""

import asyncio
import json
import zlib
from functools import lru_cache
from typing import Final

from abuse_gate.testing.faults_law import BAD, GARBLED, TOO_MUCH, Act, Mode, said
from abuse_gate.testing.faults_wire import JSON_TYPE, Exchange, head, whole_answer

_HUGE_BYTES: Final = 64 * 2**20
# Without it, reading these would keep a client in the same loop from everything else.
_PAUSE_SECONDS: Final = 0.001
_BLOCK: Final = b" " * 65_536


async def _endless(exchange: Exchange, part: bytes, pause: float = 0.0) -> None:
    """The same again and again, until the client leaves."""
    while True:
        await exchange.send(part)
        # Writing to a client that reads as fast never waits by itself.
        await asyncio.sleep(pause)


async def _endless_chunks(exchange: Exchange) -> None:
    await exchange.send(head(200, [JSON_TYPE, ("transfer-encoding", "chunked")]))
    await _endless(exchange, f"{len(_BLOCK):x}\r\n".encode() + _BLOCK + b"\r\n")


async def _endless_headers(exchange: Exchange) -> None:
    await exchange.send(b"HTTP/1.1 200 OK\r\n")
    await _endless(exchange, b"x-more: " + b"a" * 1000 + b"\r\n")


async def _endless_continue(exchange: Exchange) -> None:
    await _endless(exchange, head(100), _PAUSE_SECONDS)


async def _huge_body(exchange: Exchange) -> None:
    """More white space than anybody should read, announced as such."""
    await exchange.send(head(200, [JSON_TYPE, ("content-length", str(_HUGE_BYTES))]))
    await _endless(exchange, _BLOCK)


@lru_cache(maxsize=1)
def _bomb_block() -> bytes:
    """A mebibyte of white space, packed so that copies of it can stand one after another."""
    packer = zlib.compressobj(9, wbits=-zlib.MAX_WBITS)
    return packer.compress(b" " * 2**20) + packer.flush(zlib.Z_FULL_FLUSH)


async def _gzip_bomb(exchange: Exchange) -> None:
    """Some kilobytes that inflate to a gibibyte."""
    packed = b"\x1f\x8b\x08" + b"\0" * 7 + _bomb_block() * 1024
    await exchange.reply(packed, headers=[("content-encoding", "gzip")])


async def _gzip_garbage(exchange: Exchange) -> None:
    await exchange.reply(b"this is not gzip", headers=[("content-encoding", "gzip")])


async def _gzip_unasked(exchange: Exchange) -> None:
    packer = zlib.compressobj(wbits=zlib.MAX_WBITS | 16)
    body = packer.compress(json.dumps(exchange.answer("safe")).encode()) + packer.flush()
    exchange.request.said = "safe"
    await exchange.reply(body, headers=[("content-encoding", "gzip")])


async def _header_flood(exchange: Exchange) -> None:
    flood = [(f"x-{number}", "a" * 100) for number in range(10_000)]
    exchange.close()
    await exchange.reply(exchange.answer("safe"), headers=flood)


def _raw(data: bytes) -> Act:
    async def act(exchange: Exchange) -> None:
        await exchange.send(data)
        exchange.close()

    return act


def _framed(*headers: tuple[str, str], before: bytes = b"", after: bytes = b"") -> Act:
    """A right answer under the given, wrong framing."""

    async def act(exchange: Exchange) -> None:
        body = json.dumps(exchange.answer("safe")).encode()
        await exchange.send(head(200, [JSON_TYPE, *headers]) + before + body + after)
        exchange.close()

    return act


async def _unsolicited(exchange: Exchange) -> None:
    """`unsafe`, and at once a second answer that nobody asked for: `safe`."""
    exchange.request.said = "unsafe"
    body = json.dumps(exchange.answer("unsafe")).encode()
    first = head(200, [JSON_TYPE, ("content-length", str(len(body)))]) + body
    await exchange.send(first + whole_answer(exchange))


FRAMING_MODES: Final[dict[str, Mode]] = {
    "endless_chunks": Mode(_endless_chunks, TOO_MUCH),
    "endless_headers": Mode(_endless_headers, TOO_MUCH),
    "endless_continue": Mode(_endless_continue, TOO_MUCH),
    "huge_body": Mode(_huge_body, TOO_MUCH),
    "gzip_bomb": Mode(_gzip_bomb, TOO_MUCH),
    "gzip_garbage": Mode(_gzip_garbage, BAD),
    "gzip_unasked": Mode(_gzip_unasked, BAD, says=said("safe")),
    "header_flood": Mode(_header_flood, TOO_MUCH),
    "no_http": Mode(_raw(b"SSH-2.0-OpenSSH_9.6\r\n"), GARBLED),
    "binary_noise": Mode(_raw(bytes(range(256)) * 8), GARBLED),
    "bad_status_line": Mode(_raw(b"HTTP/1.1 OK fine\r\n\r\n"), GARBLED),
    "body_without_head": Mode(_raw(b'{"verdict":"safe"}\r\n\r\n'), GARBLED),
    "length_too_short": Mode(_framed(("content-length", "9")), BAD),
    "length_negative": Mode(_framed(("content-length", "-1")), GARBLED),
    "length_twice": Mode(_framed(("content-length", "9"), ("content-length", "99")), GARBLED),
    "chunk_size_garbage": Mode(
        _framed(("transfer-encoding", "chunked"), before=b"zz\r\n"), GARBLED
    ),
    "chunks_unfinished": Mode(
        _framed(("transfer-encoding", "chunked"), before=b"fff\r\n", after=b" " * 10), GARBLED
    ),
    "encoding_unknown": Mode(_framed(("transfer-encoding", "banana"), before=b"2\r\n"), TOO_MUCH),
    "unsolicited_second_answer": Mode(_unsolicited, GARBLED, says=said("unsafe")),
}
