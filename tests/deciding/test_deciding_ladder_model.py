"""The ladder against its law taken literally: every window of every strike, from scratch."""

from dataclasses import dataclass, field

from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from abuse_gate.deciding.ladder import EMPTY, Ladder, record_unsafe, standing_of
from abuse_gate.model.decision import Mode
from abuse_gate.model.standing import SEVERITY_OF_MODE, Offence

LADDER = Ladder(window=60, lock_at=3, lock_for=300, quarantine_at=5, quarantine_for=900)


@dataclass
class Literal:
    """Remembers everything and computes nothing ahead."""

    strikes: list[tuple[float, str]] = field(default_factory=list[tuple[float, str]])

    def strike(self, mark: str, now: float) -> None:
        if not any(known == mark and now - at < LADDER.window for at, known in self.strikes):
            self.strikes.append((now, mark))

    def mode(self, now: float) -> Mode:
        found: list[Mode] = ["normal"]
        for at, _ in self.strikes:
            count = sum(0 <= at - other < LADDER.window for other, _ in self.strikes)
            if count >= 5 and now < at + LADDER.quarantine_for:
                found.append("full_quarantine")
            if count >= 3 and now < at + LADDER.lock_for:
                found.append("execute_locked")
        return max(found, key=SEVERITY_OF_MODE.__getitem__)


class LadderMachine(RuleBasedStateMachine):
    """Any order of strikes and pauses."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 1000.0
        self.record = EMPTY
        self.literal = Literal()
        self.strictest = 0.0

    @rule(mark=st.sampled_from("abcdefgh"))
    def strike(self, mark: str) -> None:
        before = standing_of(self.record, self.now, LADDER.window)
        self.record, _ = record_unsafe(self.record, Offence((mark,)), self.now, LADDER)
        self.literal.strike(mark, self.now)
        after = standing_of(self.record, self.now, LADDER.window)
        assert SEVERITY_OF_MODE[after.mode] >= SEVERITY_OF_MODE[before.mode]
        assert after.mode != before.mode or after.seconds >= before.seconds

    @rule(seconds=st.sampled_from([0, 1, 20, 59, 60, 61, 299, 300, 900]))
    def wait(self, seconds: int) -> None:
        self.now += seconds

    @invariant()
    def the_mode_is_what_the_law_says(self) -> None:
        standing = standing_of(self.record, self.now, LADDER.window)
        assert standing.mode == self.literal.mode(self.now)
        recent = [at for at, _ in self.literal.strikes if self.now - at < LADDER.window]
        assert standing.strikes == len(recent)


LadderMachine.TestCase.settings = hypothesis_settings(
    max_examples=60, stateful_step_count=40, deadline=None
)
TestLadder = LadderMachine.TestCase
