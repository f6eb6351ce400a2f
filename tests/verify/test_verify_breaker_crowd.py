"""The guard's breaker among many callers at once, on a clock that only moves when all have waited.

Every call's fate is foretold by the breaker's model in a simulation without tasks; then thousands
of real tasks ask a real guard at the same moments, some of them given up on, and must meet it.
"""

import asyncio
import heapq
import os
import random
import selectors
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import pytest

from abuse_gate.contract import ProviderMisconfigured, ProviderUnavailable
from abuse_gate.deciding.breaker import Outcome
from abuse_gate.model.events import BreakerMoved
from abuse_gate.model.verdict import Verdict
from abuse_gate.testing import RecordingObserver
from abuse_gate.verify.guard import Guard, GuardLimits
from tests.deciding.test_deciding_breaker_model import LEASE, Model

TIMEOUT: Final = LEASE / 2
CALLS: Final = 50_000 if os.environ.get("SOAK") else 2_000
OUTCOME_OF: Final[Mapping[str, Outcome]] = {
    "model_safe": "success",
    "provider_error": "failure",
    "timeout": "failure",
    "misconfigured": "release",
    "left": "release",
}


class VirtualSelector(selectors.DefaultSelector):
    """Does not wait for time to pass; says that it has."""

    now = 0.0

    def select(self, timeout: float | None = None) -> Any:
        self.now += timeout or 0.0
        return super().select(0)


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop on virtual time."""

    def __init__(self) -> None:
        self._virtual = VirtualSelector()
        super().__init__(self._virtual)

    def time(self) -> float:
        return self._virtual.now


@dataclass(frozen=True)
class Call:
    """When somebody asks, what the provider does after how long, and when the asker leaves."""

    at: float
    seconds: float
    kind: str
    leaves: float

    def fate(self) -> tuple[float, str]:
        """When and how it ends once it was let through."""
        answered, late = self.at + self.seconds, self.at + TIMEOUT
        return min((answered, self.kind), (late, "timeout"), (self.leaves, "left"))


def crowd(seed: int) -> list[Call]:
    """Good and bad hours by turns, so that the breaker opens and closes many times."""
    dice = random.Random(seed)
    calls: list[Call] = []
    now = 0.0
    for number in range(CALLS):
        now += dice.expovariate(6.0)
        bad = 0.9 if (number // 80) % 2 else 0.2
        kinds = ("provider_error", "misconfigured") if dice.random() < bad else ("model_safe",)
        leaves = now + dice.uniform(0.0, 4.0) if dice.random() < 0.3 else float("inf")
        calls.append(Call(now, dice.uniform(0.01, 2.0), dice.choice(kinds), leaves))
    return calls


def foretold(calls: list[Call], open_for: float) -> list[str]:
    """What becomes of each call, by the model alone."""
    model, fates = Model(open_for=open_for), ["breaker_open"] * len(calls)
    waiting = [(call.at, number, 0) for number, call in enumerate(calls)]
    heapq.heapify(waiting)
    while waiting:
        now, number, ticket = heapq.heappop(waiting)
        if ticket:
            model.settle(ticket, OUTCOME_OF[fates[number]], now)
        elif admitted := model.admit(now):
            end, fates[number] = calls[number].fate()
            heapq.heappush(waiting, (end, number, admitted))
    return fates


class Provider:
    """Does with each question what its call says."""

    async def assess(self, payload: Mapping[str, Any]) -> Verdict:
        call: Call = payload["call"]
        await asyncio.sleep(call.seconds)
        if call.kind == "provider_error":
            raise ProviderUnavailable
        if call.kind == "misconfigured":
            raise ProviderMisconfigured
        return "safe"


async def lived(calls: list[Call], open_for: float, observer: RecordingObserver) -> list[str]:
    """What becomes of each call when tasks ask a guard."""
    loop = asyncio.get_running_loop()
    limits = GuardLimits(TIMEOUT, 0, open_for, max_in_flight=10_000)
    guard = Guard(Provider(), "crowd", limits, observer, clock=loop.time)

    async def ask(call: Call) -> str:
        await asyncio.sleep(call.at - loop.time())
        asked = asyncio.ensure_future(guard.assess({"call": call}))
        leaving = loop.call_at(call.leaves, asked.cancel) if call.leaves < float("inf") else None
        try:
            return (await asked).reason
        except asyncio.CancelledError:
            return "left"
        finally:
            if leaving is not None:
                leaving.cancel()

    fates = await asyncio.gather(*map(ask, calls))
    assert guard.in_flight == 0
    return fates


# Open for longer than any call takes, and for so short a time that answers come from before it.
@pytest.mark.parametrize("open_for", [10.0, 0.2])
def test_a_crowd_meets_the_fate_that_the_model_foretells(open_for: float) -> None:
    calls, observer, loop = crowd(20260101), RecordingObserver(), VirtualLoop()
    try:
        fates = loop.run_until_complete(lived(calls, open_for, observer))
    finally:
        loop.close()
    assert fates == foretold(calls, open_for)
    # The walk went everywhere: all ends, and through probes that failed, succeeded and were left.
    assert set(Counter(fates)) == {*OUTCOME_OF, "breaker_open"}
    moves = Counter((move.before, move.after) for move in observer.of(BreakerMoved))
    assert set(moves) == {
        ("closed", "open"),
        ("open", "probing"),
        ("probing", "closed"),
        ("probing", "open"),
    }
    assert min(moves.values()) >= 2
