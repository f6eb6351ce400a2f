"""What is closed at the end: each in turn, none for long, and none at the cost of another."""

import asyncio

import pytest

from abuse_gate.work.closing import close_all


async def test_whoever_fails_or_hangs_keeps_nobody_from_being_closed(
    caplog: pytest.LogCaptureFixture,
) -> None:
    closed: list[str] = []

    async def failing() -> None:
        raise ValueError("canary")

    async def sound() -> None:
        closed.append("sound")

    async def hanging() -> None:
        await asyncio.Event().wait()

    await close_all([failing, sound, hanging], 0.02)
    assert closed == ["sound"]
    said = [record.getMessage().split()[-1] for record in caplog.records]
    assert said == ["ValueError", "TimeoutError"]
    assert "canary" not in caplog.text
