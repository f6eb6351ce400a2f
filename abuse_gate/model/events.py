"""Frozen, content-free records that observers receive. Sizes, codes and ids; never text."""

from dataclasses import dataclass, field

from abuse_gate.model.decision import Decision, Mode
from abuse_gate.model.verdict import Verdict
from abuse_gate.model.visit import Visit


@dataclass(frozen=True, slots=True)
class Reviewed:
    """One gated request, decided; `unverified` is why a verifier that was wanted did not answer.

    `alone` tells that there is no verifier besides the rules: then they are the contract's local
    adapter. `policy_version` names the rules and settings that were in force.
    """

    decision: Decision
    body_bytes: int
    elapsed_ms: float
    unverified: str | None = None
    plan: str = "standard"
    policy_version: str = ""
    modalities: tuple[str, ...] = ()
    alone: bool = False
    visit: Visit | None = None


@dataclass(frozen=True, slots=True)
class Verified:
    """One question put to a verifier: what the contract counts and times.

    `detail` is the HTTP status or the exception's class behind a failure, for people to read.
    """

    provider: str
    verdict: Verdict
    reason: str
    elapsed_ms: float
    attempts: int
    detail: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class BreakerMoved:
    """A circuit that changed its state."""

    provider: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Struck:
    """An offence of one subject, and how it stands after it."""

    subject: str
    incident_id: str
    mode: Mode
    strikes: int
    monitor: bool = False


@dataclass(frozen=True, slots=True)
class ModeChanged:
    """How strict we are with a subject has changed; `subject` is a keyed digest.

    An operator's change has a reason and, where it is known, whose it was.
    """

    subject: str
    before: str
    after: str
    cause: str = "strikes"
    seconds: float = 0.0
    reason: str = ""
    actor: str = ""

    def __str__(self) -> str:
        """The change on one line of a log; an operator's with whose it was and why."""
        change = f"subject {self.subject}: {self.before} -> {self.after} ({self.cause})"
        by = f" by {_line(self.actor)}" if self.actor else ""
        return f"{change}{by}: {_line(self.reason)}" if self.reason else f"{change}{by}"


@dataclass(frozen=True, slots=True)
class StoreFailed:
    """One operation that the shared store did not do in time; the local one did it."""

    operation: str
    reason: str
    elapsed_ms: float


@dataclass(frozen=True, slots=True)
class StoreMoved:
    """The shared store went away or came back; `merged` strikes were handed over to it."""

    before: str
    after: str
    reason: str = ""
    merged: int = 0


@dataclass(frozen=True, slots=True)
class CacheUsed:
    """A verdict that was `known`, `shared` with somebody who asked the same, or `asked` for."""

    outcome: str
    provider: str


Event = (
    Reviewed | Verified | BreakerMoved | Struck | ModeChanged | StoreFailed | StoreMoved | CacheUsed
)


def _line(text: str) -> str:
    return text if text.isprintable() else ascii(text)
