"""The breaker against a model that knows no generations: it remembers whose answer still counts."""

import os
import random
from dataclasses import dataclass, field
from typing import Final

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from abuse_gate.deciding.breaker import Breaker, Outcome, Ticket

OPEN_FOR: Final = 10.0
LEASE: Final = 3.0
OUTCOMES: Final[tuple[Outcome, ...]] = ("success", "failure", "release")
# SOAK=1 walks five times as far.
STEPS: Final = 1_000_000 if os.environ.get("SOAK") == "1" else 200_000
MOST_WAITING: Final = 12


@dataclass
class Model:
    """Three phases, a count, a time, and the calls whose answers still count."""

    phase: str = "closed"
    failures: int = 0
    until: float = 0.0
    counting: set[int] = field(default_factory=set[int])
    given: int = 0
    open_for: float = OPEN_FOR

    def admit(self, now: float) -> int | None:
        if self.phase != "closed" and now < self.until:
            return None
        if self.phase != "closed":
            self.phase, self.until = "probing", now + LEASE
            self.counting.clear()
        self.given += 1
        self.counting.add(self.given)
        return self.given

    def settle(self, call: int, outcome: Outcome, now: float) -> None:
        if call not in self.counting:
            return
        self.counting.discard(call)
        if outcome == "success":
            self.phase, self.failures = "closed", 0
        elif outcome == "failure":
            self._failed(now)
        elif self.phase == "probing":
            self.phase, self.until = "open", now

    def _failed(self, now: float) -> None:
        self.failures += 1
        if self.phase == "probing" or self.failures == 5:
            self.phase, self.failures, self.until = "open", 0, now + self.open_for
            self.counting.clear()


class Pair:
    """A breaker and its model, told the same things."""

    def __init__(self) -> None:
        self.breaker = Breaker(open_for=OPEN_FOR, lease=LEASE)
        self.model = Model()
        self.now = 0.0
        self.waiting: list[tuple[Ticket, int]] = []

    def admit(self) -> None:
        self.breaker, ticket = self.breaker.admit(self.now)
        call = self.model.admit(self.now)
        assert (ticket is None) == (call is None)
        if ticket is not None and call is not None:
            self.waiting.append((ticket, call))

    def settle(self, position: int, outcome: Outcome) -> None:
        ticket, call = self.waiting.pop(position % len(self.waiting))
        self.breaker = self.breaker.settle(ticket, outcome, self.now)
        self.model.settle(call, outcome, self.now)

    def agree(self) -> bool:
        same_phase = self.breaker.phase == self.model.phase
        same_time = self.model.phase == "closed" or self.breaker.until == self.model.until
        return same_phase and same_time and self.breaker.failures == self.model.failures


class BreakerMachine(RuleBasedStateMachine):
    """Any order of calls, answers and waiting."""

    def __init__(self) -> None:
        super().__init__()
        self.pair = Pair()

    @rule()
    def call(self) -> None:
        self.pair.admit()

    @precondition(lambda self: bool(self.pair.waiting))
    @rule(position=st.integers(0, 100), outcome=st.sampled_from(OUTCOMES))
    def answer(self, position: int, outcome: Outcome) -> None:
        self.pair.settle(position, outcome)

    @precondition(lambda self: len(self.pair.waiting) > 4)
    @rule()
    def everything_fails(self) -> None:
        while self.pair.waiting:
            self.pair.settle(0, "failure")

    @rule(seconds=st.sampled_from((0.5, 1.0, 3.0, 10.0)))
    def wait(self, seconds: float) -> None:
        self.pair.now += seconds

    @invariant()
    def breaker_and_model_agree(self) -> None:
        assert self.pair.agree()


TestBreakerMachine = BreakerMachine.TestCase
TestBreakerMachine.settings = settings(max_examples=60, stateful_step_count=60, deadline=None)


def test_a_long_random_walk_stays_equal_to_the_model() -> None:
    dice, pair, seen = random.Random(20260101), Pair(), set[str]()
    for _ in range(STEPS):
        roll = dice.random()
        if roll < 0.4 and len(pair.waiting) < MOST_WAITING:
            pair.admit()
        elif roll < 0.9 and pair.waiting:
            outcome = "failure" if dice.random() < 0.8 else dice.choice(OUTCOMES)
            pair.settle(dice.randrange(MOST_WAITING), outcome)
        else:
            pair.now += dice.choice((0.5, 2.0, 3.0))
        seen.add(pair.breaker.phase)
        assert pair.agree()
    assert seen == {"closed", "open", "probing"}
    assert pair.breaker.generation > 1000
