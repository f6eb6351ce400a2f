"""One table from what provider code raises to what the guard makes of it."""

import re
from dataclasses import dataclass
from typing import Final

from abuse_gate.contract import (
    ProviderBadReply,
    ProviderConnection,
    ProviderError,
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


# A class has a name like this; anything else is nobody's class, and may be somebody's text.
_CLASS_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}", re.ASCII)
_STATUSES: Final = range(100, 600)


def detail_of(error: Exception) -> str:
    """What may be told of an exception: its HTTP status, else the name of its class."""
    status: object = getattr(error, "status", None)
    if isinstance(error, ProviderError) and type(status) is int and status in _STATUSES:
        return f"HTTP {status}"
    name = type(error).__name__
    return name if _CLASS_NAME.fullmatch(name) else ""


def failure_of(error: Exception) -> Failure:
    """What an exception means."""
    return next((failure for kind, failure in FAILURES if isinstance(error, kind)), UNKNOWN)
