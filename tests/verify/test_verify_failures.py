"""One table from what provider code raises to what the guard makes of it."""

from typing import Final

import pytest

from abuse_gate import contract
from abuse_gate.contract import ProviderError
from abuse_gate.deciding.breaker import Outcome
from abuse_gate.model.verdict import UNASKED_REASONS
from abuse_gate.verify.failures import FAILURES, UNKNOWN, detail_of, failure_of
from abuse_gate.verify.kit.faults import bare, status_fault
from abuse_gate.verify.lift import ContractBroken

# Reason, what it proves about the provider, whether asking again may help.
EXPECTED: Final[list[tuple[Exception, str, Outcome, bool]]] = [
    (contract.ProviderTimeout(), "timeout", "failure", True),
    (contract.ProviderConnection(), "connection", "failure", True),
    (contract.ProviderUnavailable(), "provider_error", "failure", True),
    (contract.ProviderRateLimited(3.0), "rate_limited", "release", False),
    (contract.ProviderMisconfigured(), "misconfigured", "release", False),
    (contract.ProviderBadReply(), "bad_reply", "failure", False),
    (contract.ProviderRefused(), "refusal", "success", False),
    (contract.ProviderSaturated(), "saturated", "release", False),
    (ContractBroken(), "contract_broken", "failure", False),
    (TimeoutError(), "timeout", "failure", True),
    (ConnectionError(), "connection", "failure", True),
    (ConnectionResetError(), "connection", "failure", True),
    (ValueError(), "provider_error", "failure", False),
    (OSError(), "provider_error", "failure", False),
    (ProviderError(), "provider_error", "failure", False),
]


@pytest.mark.parametrize(("error", "reason", "outcome", "retry"), EXPECTED)
def test_every_row(error: Exception, reason: str, outcome: Outcome, retry: bool) -> None:
    failure = failure_of(error)
    assert (failure.reason, failure.outcome, failure.retry) == (reason, outcome, retry)


def test_every_provider_error_has_a_row_of_its_own() -> None:
    rows = [kind for kind, _ in FAILURES]
    assert set(ProviderError.__subclasses__()) <= set(rows)
    assert len(rows) == len(set(rows))


def test_every_reason_means_that_nobody_answered() -> None:
    reasons = {failure.reason for _, failure in FAILURES} | {UNKNOWN.reason}
    assert reasons <= UNASKED_REASONS


def test_only_what_counts_as_a_failure_is_tried_again() -> None:
    assert all(failure.outcome == "failure" for _, failure in FAILURES if failure.retry)


def with_status(status: object) -> Exception:
    error = contract.ProviderMisconfigured()
    vars(error)["status"] = status
    return error


@pytest.mark.parametrize(
    ("error", "detail"),
    [
        (with_status(401), "HTTP 401"),
        (with_status(None), "ProviderMisconfigured"),
        (with_status("401 canary"), "ProviderMisconfigured"),
        (with_status(10**9), "ProviderMisconfigured"),
        (with_status(True), "ProviderMisconfigured"),
        (ZeroDivisionError("canary"), "ZeroDivisionError"),
        (type("canary of a prompt", (Exception,), {})(), ""),
        (type("c" * 65, (Exception,), {})(), ""),
        (type("Ignoré", (Exception,), {})(), ""),
    ],
)
def test_of_an_exception_its_status_or_its_class_is_told(error: Exception, detail: str) -> None:
    assert detail_of(error) == detail


def test_a_status_stays_with_its_fault() -> None:
    for status in (302, 401, 429, 503, 204):
        fault = status_fault(status, {})
        assert (fault.status, bare(fault).status) == (status, status)
