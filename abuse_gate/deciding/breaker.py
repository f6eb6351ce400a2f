"""The circuit breaker as a value: time comes in, a new state comes out.

Three outcomes, not two. A call that was cancelled, shed or misconfigured proved nothing about the
provider: it is a *release*, and must neither open nor close anything.
"""

from dataclasses import dataclass, replace
from typing import Final, Literal

Phase = Literal["closed", "open", "probing"]
Outcome = Literal["success", "failure", "release"]

FAILURES_TO_OPEN: Final = 5

# What an outcome does in a phase. `open` has no row: nobody is admitted then, and a late answer of
# a call that was admitted earlier belongs to a generation that is over.
TRANSITIONS: Final[dict[tuple[Phase, Outcome], Literal["reset", "count", "reopen", "stay"]]] = {
    ("closed", "success"): "reset",
    ("closed", "failure"): "count",
    ("closed", "release"): "stay",
    ("probing", "success"): "reset",
    ("probing", "failure"): "reopen",
    ("probing", "release"): "stay",
}


@dataclass(frozen=True, slots=True)
class Ticket:
    """The right to make one call, valid for one generation of the breaker."""

    generation: int


@dataclass(frozen=True, slots=True)
class Breaker:
    """Five consecutive failures open it; after `open_for` seconds one leased probe may pass."""

    open_for: float
    lease: float
    phase: Phase = "closed"
    failures: int = 0
    until: float = 0.0
    generation: int = 0

    def admit(self, now: float) -> tuple["Breaker", Ticket | None]:
        """A ticket when a call may be made; a probe whose lease ran out gives way to the next."""
        if self.phase == "closed":
            return self, Ticket(self.generation)
        if now < self.until:
            return self, None
        probing = replace(
            self, phase="probing", until=now + self.lease, generation=self.generation + 1
        )
        return probing, Ticket(probing.generation)

    def settle(self, ticket: Ticket, outcome: Outcome, now: float) -> "Breaker":
        """The state after a call has ended; a ticket of an older generation changes nothing."""
        if ticket.generation != self.generation or self.phase == "open":
            return self
        move = TRANSITIONS[self.phase, outcome]
        if move == "reset":
            return replace(self, phase="closed", failures=0)
        if move == "reopen":
            return self._opened(now)
        if move == "count":
            failures = self.failures + 1
            last = failures >= FAILURES_TO_OPEN
            return self._opened(now) if last else replace(self, failures=failures)
        # A released probe gives its lease back at once, so that the next call may probe.
        return self if self.phase == "closed" else replace(self, phase="open", until=now)

    def _opened(self, now: float) -> "Breaker":
        return replace(
            self,
            phase="open",
            failures=0,
            until=now + self.open_for,
            generation=self.generation + 1,
        )
