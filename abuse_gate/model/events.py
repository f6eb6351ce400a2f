"""Frozen, content-free records that observers receive. Sizes, codes and ids; never text."""

from dataclasses import dataclass

from abuse_gate.model.decision import Decision
from abuse_gate.model.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Reviewed:
    """One gated request, decided; `unverified` is why a verifier that was wanted did not answer."""

    decision: Decision
    body_bytes: int
    elapsed_ms: float
    unverified: str | None = None


@dataclass(frozen=True, slots=True)
class Verified:
    """One question put to a verifier: what the contract counts and times."""

    provider: str
    verdict: Verdict
    reason: str
    elapsed_ms: float
    attempts: int


@dataclass(frozen=True, slots=True)
class BreakerMoved:
    """A circuit that changed its state."""

    provider: str
    before: str
    after: str


Event = Reviewed | Verified | BreakerMoved
