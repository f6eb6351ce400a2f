"""Closes what is held elsewhere, one after the other, and waits for none of it for long.

Whoever does not let go, or raises, keeps nobody else from being closed. Knows not what it closes.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable
from typing import Final

_log = logging.getLogger("abuse_gate")

CLOSE_SECONDS: Final = 5.0


async def close_all(
    closers: Iterable[Callable[[], Awaitable[None]]], seconds: float = CLOSE_SECONDS
) -> None:
    """Calls each in turn within the time that all have together; what fails is said by its type."""
    deadline = asyncio.get_running_loop().time() + seconds
    for close in closers:
        try:
            async with asyncio.timeout_at(deadline):
                await close()
        except Exception as error:  # noqa: BLE001 - nor is the end of an app disturbed
            owner = type(getattr(close, "__self__", close)).__name__
            _log.warning("abuse-gate: closing %s failed with %s", owner, type(error).__name__)
