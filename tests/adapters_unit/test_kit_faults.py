"""Statuses, headers and foreign exceptions in the contract's words, and nothing of theirs."""

import json
import ssl
from datetime import UTC, datetime
from typing import Any

import anyio
import httpx2
import openai as sdk
import pytest

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
from abuse_gate.verify.kit.faults import (
    UnreadableReply,
    bare,
    fault_of,
    retry_after,
    status_fault,
)
from abuse_gate_adapters.openai_sdk import SDK_FAULTS

NOW = datetime(2026, 11, 1, 12, 0, 0, tzinfo=UTC)
REQUEST = httpx2.Request("POST", "https://r.example")


@pytest.mark.parametrize(
    ("statuses", "kind"),
    [
        ([100, 201, 202, 204, 206, 299, 600, 999], ProviderBadReply),
        ([300, 301, 302, 303, 304, 307, 308, 399], ProviderMisconfigured),
        (
            [400, 401, 403, 404, 405, 408, 409, 413, 418, 422, 428, 431, 451, 499],
            ProviderMisconfigured,
        ),
        ([429], ProviderRateLimited),
        ([500, 501, 502, 503, 504, 520, 529, 599], ProviderUnavailable),
    ],
)
def test_a_status_stands_for_one_error(statuses: list[int], kind: type[ProviderError]) -> None:
    assert {type(status_fault(status, {})) for status in statuses} == {kind}


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"Retry-After": "3"}, 3.0),
        ({"retry-after": " 1.5 "}, 1.5),
        ({"retry-after": "0"}, 0.0),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"retry-after-ms": "soon", "retry-after": "9"}, 9.0),
        ({"retry-after": "Sun, 01 Nov 2026 12:00:30 GMT"}, 30.0),
        ({"retry-after": "Sun, 01 Nov 2026 12:00:30 -0000"}, 30.0),
        ({"retry-after": "Sun, 01 Nov 2026 11:00:00 GMT"}, 0.0),
        ({"retry-after": "-5"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "1e9"}, None),
        ({"retry-after": "9" * 5000}, None),
        ({"retry-after": "١٢"}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": ""}, None),
        ({"retry-after": "Sun, 99 Nov 2026 12:00:30 GMT"}, None),
        ({"retry-after": "Sun, 01 Nov 99999999 12:00:30 GMT"}, None),
        ({"retry-after": "Sun, 01 Nov 2026 12:00:30 +99999999"}, None),
    ],
)
def test_a_wait_is_read_in_every_spelling_or_not_at_all(
    headers: dict[str, str], seconds: float | None
) -> None:
    assert retry_after(headers, NOW) == seconds


def test_a_429_carries_the_wait() -> None:
    fault = status_fault(429, {"retry-after": "7"})
    assert isinstance(fault, ProviderRateLimited)
    assert fault.retry_after == 7.0


def wrapped(error: sdk.APIError, cause: BaseException | None) -> sdk.APIError:
    error.__cause__ = cause
    return error


def answered(status: int) -> sdk.APIStatusError:
    response = httpx2.Response(status, request=REQUEST)
    return sdk.APIStatusError("prompt", response=response, body={"prompt": "prompt"})


CONNECTION = sdk.APIConnectionError(request=REQUEST)


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (wrapped(sdk.APITimeoutError(REQUEST), httpx2.PoolTimeout("p")), ProviderSaturated),
        (wrapped(sdk.APITimeoutError(REQUEST), httpx2.ReadTimeout("p")), ProviderTimeout),
        (wrapped(sdk.APITimeoutError(REQUEST), httpx2.ConnectTimeout("p")), ProviderTimeout),
        (
            wrapped(sdk.APIConnectionError(request=REQUEST), UnreadableReply()),
            ProviderBadReply,
        ),
        (
            wrapped(sdk.APIConnectionError(request=REQUEST), httpx2.LocalProtocolError("key")),
            ProviderMisconfigured,
        ),
        (
            wrapped(sdk.APIConnectionError(request=REQUEST), httpx2.RemoteProtocolError("p")),
            ProviderConnection,
        ),
        (CONNECTION, ProviderConnection),
        (answered(503), ProviderUnavailable),
        (answered(401), ProviderMisconfigured),
        (sdk.OpenAIError("no key"), ProviderMisconfigured),
        (sdk.ContentFilterFinishReasonError(), ProviderRefused),
        (json.JSONDecodeError("prompt", "prompt", 0), ProviderBadReply),
        (RecursionError(), ProviderBadReply),
        (RuntimeError("Event loop is closed"), ProviderConnection),
        (ssl.SSLError("tls"), ProviderConnection),
        (anyio.EndOfStream(), ProviderConnection),
        (ConnectionResetError(), ProviderConnection),
        (TimeoutError(), ProviderTimeout),
        (httpx2.InvalidURL("url"), ProviderMisconfigured),
        (httpx2.DecodingError("p"), ProviderBadReply),
        (TypeError("prompt"), ProviderBadReply),
        (KeyError("prompt"), ProviderBadReply),
    ],
)
def test_whatever_is_raised_becomes_one_bare_error(
    error: Exception, kind: type[ProviderError]
) -> None:
    fault = fault_of(error, SDK_FAULTS)
    assert type(fault) is kind
    assert fault.args == ()
    assert (fault.__cause__, fault.__context__, fault.__traceback__) == (None, None, None)


def test_a_status_error_without_an_answer_proves_nothing() -> None:
    error: Any = sdk.APIStatusError.__new__(sdk.APIStatusError)
    assert type(fault_of(error, SDK_FAULTS)) is ProviderBadReply


def test_a_bare_error_forgets_where_it_comes_from_and_keeps_the_wait() -> None:
    error = ProviderRateLimited(3.0)
    error.__context__ = ValueError("prompt")
    stripped = bare(error)
    assert isinstance(stripped, ProviderRateLimited)
    assert stripped.retry_after == 3.0
    assert stripped.__context__ is None
    assert type(bare(ProviderTimeout())) is ProviderTimeout
