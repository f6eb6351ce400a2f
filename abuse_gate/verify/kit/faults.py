"""What went wrong on the way to a provider, in the words of the contract: tables, no I/O.

Statuses and headers, exceptions of the transport, and an SDK's own exceptions (whose rows the
adapter brings). Nothing that a provider wrote goes into the result.
"""

import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final, Literal

import anyio
import httpx2

from abuse_gate.contract import (
    ProviderBadReply,
    ProviderConnection,
    ProviderError,
    ProviderMisconfigured,
    ProviderRateLimited,
    ProviderSaturated,
    ProviderTimeout,
    ProviderUnavailable,
)

# "status": look at the answer it carries; "cause": look at what the SDK wrapped.
Sense = Literal["status", "cause"] | type[ProviderError]
FaultRows = tuple[tuple[type[Exception], Sense], ...]


class UnreadableReply(httpx2.RequestError):
    """An answer that is too large or packed: it is refused before it is read."""

    def __init__(self) -> None:
        super().__init__("")


# The first row whose class fits.
TRANSPORT_FAULTS: Final[tuple[tuple[type[Exception], type[ProviderError]], ...]] = (
    (UnreadableReply, ProviderBadReply),
    (httpx2.PoolTimeout, ProviderSaturated),
    (httpx2.TimeoutException, ProviderTimeout),
    (httpx2.LocalProtocolError, ProviderMisconfigured),
    (httpx2.UnsupportedProtocol, ProviderMisconfigured),
    (httpx2.InvalidURL, ProviderMisconfigured),
    (httpx2.TooManyRedirects, ProviderMisconfigured),
    (httpx2.DecodingError, ProviderBadReply),
    (httpx2.StreamError, ProviderBadReply),
    (httpx2.HTTPError, ProviderConnection),
    (httpx2.CookieConflict, ProviderBadReply),
    (anyio.EndOfStream, ProviderConnection),
    (anyio.BrokenResourceError, ProviderConnection),
    (anyio.ClosedResourceError, ProviderConnection),
    (TimeoutError, ProviderTimeout),
    (OSError, ProviderConnection),
    (json.JSONDecodeError, ProviderBadReply),
    (RecursionError, ProviderBadReply),
    # A client that outlived its event loop.
    (RuntimeError, ProviderConnection),
)
# No retry, and a failure for the breaker: an exception nobody foresaw proves nothing good.
UNFORESEEN: Final = ProviderBadReply

OK: Final = 200
# The first row whose bounds hold the status; the rest (1xx, other 2xx) is no answer.
STATUS_FAULTS: Final[tuple[tuple[range, type[ProviderError]], ...]] = (
    (range(300, 400), ProviderMisconfigured),
    (range(429, 430), ProviderRateLimited),
    (range(400, 500), ProviderMisconfigured),
    (range(500, 600), ProviderUnavailable),
)
_SECONDS: Final = re.compile(r"[0-9]{1,9}(?:\.[0-9]{0,9})?\Z")
_MAX_DATE: Final = 64


def status_fault(status: int, headers: Mapping[str, str]) -> ProviderError:
    """The error that a status other than 200 stands for."""
    kind = next((kind for held, kind in STATUS_FAULTS if status in held), ProviderBadReply)
    limited = kind is ProviderRateLimited
    fault = ProviderRateLimited(retry_after(headers, datetime.now(UTC))) if limited else kind()
    fault.status = status
    return fault


def retry_after(headers: Mapping[str, str], now: datetime) -> float | None:
    """The wait in seconds that the headers ask for, in any of the three spellings in use."""
    lowered = {name.lower(): value.strip() for name, value in headers.items()}
    milliseconds = lowered.get("retry-after-ms", "")
    if _SECONDS.match(milliseconds):
        return float(milliseconds) / 1000
    asked = lowered.get("retry-after", "")
    if _SECONDS.match(asked):
        return float(asked)
    return _until(asked, now)


def _until(asked: str, now: datetime) -> float | None:
    if not asked or len(asked) > _MAX_DATE:
        return None
    try:
        moment = parsedate_to_datetime(asked)
        aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        return max(0.0, (aware - now).total_seconds())
    except (ValueError, OverflowError, IndexError, TypeError):
        return None


def transport_fault(error: BaseException | None) -> type[ProviderError] | None:
    """The contract's word for an exception of the transport; None when it is none."""
    return next((kind for row, kind in TRANSPORT_FAULTS if isinstance(error, row)), None)


def fault_of(error: Exception, sdk_rows: FaultRows) -> ProviderError:
    """The contract's error for whatever an SDK raised; a new object that refers to nothing."""
    sense = next((sense for row, sense in sdk_rows if isinstance(error, row)), None)
    if sense is None:
        return (transport_fault(error) or UNFORESEEN)()
    if not isinstance(sense, str):
        return sense()
    if sense == "cause":
        return (transport_fault(error.__cause__) or ProviderConnection)()
    response = response_of(error)
    if response is None:
        return UNFORESEEN()
    return status_fault(response.status_code, response.headers)


def response_of(error: Exception) -> httpx2.Response | None:
    """The answer that an SDK's status error carries."""
    found: object = getattr(error, "response", None)
    return found if isinstance(found, httpx2.Response) else None


def bare(error: ProviderError) -> ProviderError:
    """The same error without its history: no traceback, cause or context that could hold a text."""
    fresh = (
        ProviderRateLimited(error.retry_after)
        if isinstance(error, ProviderRateLimited)
        else type(error)()
    )
    fresh.status = error.status
    return fresh
