"""Adapters that misbehave in one way each, and a guard around any of them."""

import asyncio
import threading
from collections.abc import Callable, Mapping
from typing import Any, Final, cast

from abuse_gate.contract import Observer, VerifierAdapter
from abuse_gate.model.verdict import Verdict
from abuse_gate.testing import FakeClock, RecordingObserver
from abuse_gate.verify.guard import Guard, GuardLimits

PATIENT: Final = GuardLimits(timeout_seconds=30.0)
HASTY: Final = GuardLimits(timeout_seconds=0.06, max_retries=0)


def guard(
    adapter: object,
    limits: GuardLimits = PATIENT,
    observer: Observer | None = None,
    clock: Callable[[], float] | None = None,
) -> Guard:
    """A guard whose time stands still unless a clock is given."""
    return Guard(
        cast("VerifierAdapter", adapter),
        "mine",
        limits,
        observer or RecordingObserver(),
        clock or FakeClock(),
    )


class Stubborn:
    """Does not let itself be cancelled before it is told that it may."""

    def __init__(self) -> None:
        self.may_end = asyncio.Event()
        self.refusals = 0

    async def assess(self, payload: Mapping[str, Any]) -> Verdict:
        while not self.may_end.is_set():
            try:
                await self.may_end.wait()
            except asyncio.CancelledError:
                self.refusals += 1
        return "safe"


class HangingSync:
    """Blocks its thread until released; counts who is inside."""

    def __init__(self) -> None:
        self.release = threading.Event()
        self.entered = threading.Semaphore(0)
        self.calls = 0

    def assess(self, payload: Mapping[str, Any]) -> Verdict:
        self.calls += 1
        self.entered.release()
        self.release.wait(20)
        return "safe"


class FailingThenFine:
    """Raises what it is given for as long as it is given something."""

    def __init__(self, error: Exception | None) -> None:
        self.error = error
        self.calls = 0

    async def assess(self, payload: Mapping[str, Any]) -> Verdict:
        self.calls += 1
        if self.error is not None:
            raise self.error
        return "safe"


async def until(condition: Callable[[], bool]) -> None:
    """Lets the loop run until something holds; a test that waits in vain fails by its timeout."""
    for _ in range(4000):
        if condition():
            return
        await asyncio.sleep(0.005)
    raise TimeoutError
