"""The only door between an SDK and the network: what may leave, and how much may come back.

Headers leave by an allow-list, so that no variable of an SDK (custom headers, organisation,
project), no cookie and no trace context goes along. The key joins here, in its header, and nowhere
before: no SDK object, exception or log ever holds it. Replies are capped while they stream.
"""

from collections.abc import AsyncIterator, Generator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Final

import httpx2

from abuse_gate.contract import ProviderMisconfigured
from abuse_gate.verify.kit.faults import UnreadableReply
from abuse_gate.verify.kit.replies import MAX_REPLY_BYTES

LEAVING: Final = frozenset(
    {
        "accept",
        "anthropic-version",
        "content-length",
        "content-type",
        "host",
        "transfer-encoding",
        "user-agent",
    }
)
# Nothing packed is accepted, so nothing can be inflated. One connection, one question: see lines.
ALWAYS: Final[Mapping[str, str]] = {"Accept-Encoding": "identity", "Connection": "close"}
# What an SDK is told; the door replaces it.
PLACEHOLDER_KEY: Final = "held-back"


@dataclass(frozen=True, slots=True)
class Credential:
    """One header that authorizes a call; its value is in no repr."""

    header: str
    value: str = field(repr=False)

    def __post_init__(self) -> None:
        # Checked here because the transport's own error would quote it.
        if not (self.value.isascii() and self.value.isprintable()):
            raise ProviderMisconfigured


def bearer(key: str) -> Credential:
    """A key or token in the Authorization header."""
    return Credential("Authorization", f"Bearer {key}")


_credential: ContextVar[Credential] = ContextVar("abuse_gate_credential")


@contextmanager
def bearing(credential: Credential) -> Generator[None]:
    """While this is open, requests of this task leave with the credential."""
    token = _credential.set(credential)
    try:
        yield
    finally:
        _credential.reset(token)


class Doorway(httpx2.AsyncBaseTransport):
    """Passes requests out stripped and replies in capped."""

    def __init__(self, inner: httpx2.AsyncBaseTransport, limit: int = MAX_REPLY_BYTES) -> None:
        self._inner = inner
        self._limit = limit

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Sends one request; of its reply no more than the limit can be read."""
        response = await self._inner.handle_async_request(_leaving(request))
        if _packed(response) or _announced(response) > self._limit:
            await response.aclose()
            raise UnreadableReply
        return httpx2.Response(
            response.status_code,
            headers=response.headers,
            stream=_Capped(response, self._limit),
            extensions=response.extensions,
        )

    async def aclose(self) -> None:
        """Closes the connections behind the door."""
        await self._inner.aclose()


class _Capped(httpx2.AsyncByteStream):
    """A reply's body that ends in an error when it goes on for too long."""

    def __init__(self, response: httpx2.Response, limit: int) -> None:
        self._response = response
        self._limit = limit

    async def __aiter__(self) -> AsyncIterator[bytes]:
        taken = 0
        async for part in self._response.aiter_raw():
            taken += len(part)
            if taken > self._limit:
                raise UnreadableReply
            yield part

    async def aclose(self) -> None:
        await self._response.aclose()


def _leaving(request: httpx2.Request) -> httpx2.Request:
    """A copy for the wire: exceptions that quote the SDK's request cannot quote the key."""
    kept = [(name, value) for name, value in request.headers.multi_items() if name in LEAVING]
    credential = _credential.get()
    return httpx2.Request(
        request.method,
        request.url,
        headers=[*kept, *ALWAYS.items(), (credential.header, credential.value)],
        stream=request.stream,
        extensions=request.extensions,
    )


def _packed(response: httpx2.Response) -> bool:
    return response.headers.get("content-encoding", "identity").strip().lower() != "identity"


def _announced(response: httpx2.Response) -> int:
    length = response.headers.get("content-length", "")
    return int(length) if length.isascii() and length.isdigit() else 0
