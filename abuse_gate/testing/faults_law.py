"""A fault mode and its law: what is done to a request, and what a correct verifier then answers."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final, Literal

from abuse_gate.model.verdict import Verdict
from abuse_gate.testing.faults_wire import Exchange

Act = Callable[[Exchange], Awaitable[None]]
# When the fault strikes: before a byte is read, before the body is read, or after the request.
Stage = Literal["connect", "head", "request"]

ANY: Final[frozenset[str]] = frozenset()
TIMEOUT: Final = frozenset({"timeout"})
BROKEN: Final = frozenset({"connection"})
BAD: Final = frozenset({"bad_reply"})
# Bytes that are no HTTP: a broken connection to one reader, a bad reply to another.
GARBLED: Final = frozenset({"connection", "bad_reply"})
# Cut off at the size limit, or at the deadline, whichever comes first.
TOO_MUCH: Final = frozenset({"connection", "bad_reply", "timeout"})
MISCONFIGURED: Final = frozenset({"misconfigured"})
LIMITED: Final = frozenset({"rate_limited"})
DOWN: Final = frozenset({"provider_error"})


@dataclass(frozen=True, slots=True)
class Mode:
    """One fault; `says` are the verdicts that a verifier may report because they were said.

    Whatever is not said is `unclear`, for one of `reasons` (any, when there are none).
    """

    act: Act
    reasons: frozenset[str] = ANY
    says: frozenset[Verdict] = frozenset()
    stage: Stage = "request"
    # Whether `unclear` would be wrong: the provider has answered, and must be heard.
    heard: bool = False

    def allows(self, verdict: Verdict, reason: str) -> bool:
        """Whether a correct verifier may answer this."""
        if verdict in self.says:
            return True
        if verdict != "unclear" or self.heard:
            return False
        return not self.reasons or reason in self.reasons


def said(verdict: Verdict) -> frozenset[Verdict]:
    """One verdict alone."""
    return frozenset({verdict})
