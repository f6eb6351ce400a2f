"""One table from what provider code raises to what the guard makes of it."""

from dataclasses import dataclass
from typing import Final

from abuse_gate.contract import (
    ProviderBadReply,
    ProviderConnection,
    ProviderMisconfigured,
    ProviderRateLimited,
    ProviderRefused,
    ProviderSaturated,
    ProviderTimeout,
    ProviderUnavailable,
)
from abuse_gate.deciding.breaker import Outcome
from abuse_gate.verify.lift import ContractBroken


@dataclass(frozen=True, slots=True)
class Failure:
    """Why there is no answer, what that proves, and whether asking again may help."""

    reason: str
    outcome: Outcome
    retry: bool = False


# The first row whose class fits; an exception with no row is UNKNOWN.
FAILURES: Final[tuple[tuple[type[Exception], Failure], ...]] = (
    (ProviderTimeout, Failure("timeout", "failure", retry=True)),
    (ProviderConnection, Failure("connection", "failure", retry=True)),
    (ProviderUnavailable, Failure("provider_error", "failure", retry=True)),
    (ProviderRateLimited, Failure("rate_limited", "release")),
    (ProviderMisconfigured, Failure("misconfigured", "release")),
    (ProviderBadReply, Failure("bad_reply", "failure")),
    (ProviderRefused, Failure("refusal", "success")),
    (ProviderSaturated, Failure("saturated", "release")),
    (ContractBroken, Failure("contract_broken", "failure")),
    (TimeoutError, Failure("timeout", "failure", retry=True)),
    (ConnectionError, Failure("connection", "failure", retry=True)),
)
UNKNOWN: Final = Failure("provider_error", "failure")


def failure_of(error: Exception) -> Failure:
    """What an exception means."""
    return next((failure for kind, failure in FAILURES if isinstance(error, kind)), UNKNOWN)
