"""Faults of the connection: late, silent, slow, broken or half closed, at every stage of it."""

import asyncio
from collections.abc import Callable
from typing import Final

from abuse_gate.testing.faults_law import (
    BROKEN,
    GARBLED,
    TIMEOUT,
    Act,
    Mode,
    said,
)
from abuse_gate.testing.faults_wire import JSON_TYPE, Exchange, head, whole_answer

LATENCY_SECONDS: Final = 0.03
# Longer than any budget that is worth testing.
_NEVER_SECONDS: Final = 3600.0
_DRIP_SECONDS: Final = 0.02


async def _reset(exchange: Exchange) -> None:
    await exchange.reset()


async def _close(exchange: Exchange) -> None:
    exchange.close()


async def _hang(exchange: Exchange) -> None:
    await exchange.silence()


async def _half_close(exchange: Exchange) -> None:
    await exchange.half_close()


def _after(cut: Callable[[bytes], int], end: Act) -> Act:
    """Send a part of a right answer, then end the exchange in the given way."""

    async def act(exchange: Exchange) -> None:
        whole = whole_answer(exchange)
        await exchange.send(whole[: cut(whole)])
        await end(exchange)

    return act


def _in_status_line(_whole: bytes) -> int:
    return len(b"HTTP/1.1 2")


def _in_headers(whole: bytes) -> int:
    return whole.index(b"content-length")


def _before_body(whole: bytes) -> int:
    return whole.index(b"\r\n\r\n") + 4


def _in_body(whole: bytes) -> int:
    return len(whole) - 20


async def _in_a_chunk(exchange: Exchange) -> None:
    await exchange.send(head(200, [JSON_TYPE, ("transfer-encoding", "chunked")]) + b'40\r\n{"id"')
    exchange.close()


async def _latency_short(exchange: Exchange) -> None:
    await asyncio.sleep(LATENCY_SECONDS)
    await exchange.say("safe")


async def _latency_long(exchange: Exchange) -> None:
    left = asyncio.ensure_future(exchange.silence())
    try:
        await asyncio.wait({left}, timeout=_NEVER_SECONDS)
    finally:
        left.cancel()


async def _slow_headers(exchange: Exchange) -> None:
    await exchange.drip(whole_answer(exchange), _DRIP_SECONDS)


async def _slow_body(exchange: Exchange) -> None:
    whole = whole_answer(exchange)
    start = _before_body(whole)
    await exchange.send(whole[:start])
    await exchange.drip(whole[start:], _DRIP_SECONDS)


TRANSPORT_MODES: Final[dict[str, Mode]] = {
    "latency_short": Mode(_latency_short, says=said("safe"), heard=True),
    "latency_long": Mode(_latency_long, TIMEOUT),
    "hang_on_connect": Mode(_hang, TIMEOUT, stage="connect"),
    "hang_before_body": Mode(_hang, TIMEOUT, stage="head"),
    "hang_after_request": Mode(_hang, TIMEOUT),
    "hang_in_status_line": Mode(_after(_in_status_line, _hang), TIMEOUT),
    "hang_in_headers": Mode(_after(_in_headers, _hang), TIMEOUT),
    "hang_before_answer": Mode(_after(_before_body, _hang), TIMEOUT),
    "hang_in_answer": Mode(_after(_in_body, _hang), TIMEOUT),
    "reset_on_connect": Mode(_reset, BROKEN, stage="connect"),
    "reset_before_body": Mode(_reset, BROKEN, stage="head"),
    "reset_after_request": Mode(_reset, BROKEN),
    "reset_in_status_line": Mode(_after(_in_status_line, _reset), GARBLED),
    "reset_in_headers": Mode(_after(_in_headers, _reset), GARBLED),
    "reset_before_answer": Mode(_after(_before_body, _reset), GARBLED),
    "reset_in_answer": Mode(_after(_in_body, _reset), GARBLED),
    "close_on_connect": Mode(_close, BROKEN, stage="connect"),
    "close_before_body": Mode(_close, BROKEN, stage="head"),
    "close_after_request": Mode(_close, BROKEN),
    "close_in_status_line": Mode(_after(_in_status_line, _close), GARBLED),
    "close_in_headers": Mode(_after(_in_headers, _close), GARBLED),
    "close_before_answer": Mode(_after(_before_body, _close), GARBLED),
    "close_in_answer": Mode(_after(_in_body, _close), GARBLED),
    "close_in_chunk": Mode(_in_a_chunk, GARBLED),
    "half_close": Mode(_half_close, BROKEN),
    "half_close_in_answer": Mode(_after(_in_body, _half_close), GARBLED),
    "slow_headers": Mode(_slow_headers, TIMEOUT),
    "slow_drip": Mode(_slow_body, TIMEOUT),
}
