"""The frame of an adapter: one question, asked quietly, answered by an Assessment or a bare error.

Deadline, retries and breaker are the guard's. A subclass says how a request is built, sent and
read; what it or its SDK raises leaves here as a ProviderError, stripped of its history.
"""

import asyncio
import contextlib
import secrets
from abc import ABC, abstractmethod
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import replace
from typing import Any, Final, Generic, Self, TypeVar, cast

import httpx2

from abuse_gate.contract import (
    AdapterConfig,
    ProviderError,
    ProviderMisconfigured,
    ProviderRefused,
    Reply,
)
from abuse_gate.model.verdict import Assessment, Usage
from abuse_gate.verify.kit.clients import open_client
from abuse_gate.verify.kit.doorway import PLACEHOLDER_KEY, Credential, bearer, bearing
from abuse_gate.verify.kit.faults import FaultRows, bare, fault_of
from abuse_gate.verify.kit.hush import hush_loggers, hushed
from abuse_gate.verify.kit.prompts import is_whole
from abuse_gate.verify.kit.rehearsal import nobody, rehearse
from abuse_gate.verify.kit.replies import tokens_of
from abuse_gate.work.loops import PerLoop

NONCE_BYTES: Final = 16
# Why a clean answer to a payload beyond the stated size is no clean answer.
PARTLY_SEEN: Final = "partly_seen"

Client = TypeVar("Client")
Heard = TypeVar("Heard", Assessment, Reply)
TransportMaker = Callable[[], httpx2.AsyncBaseTransport]


def fresh_nonce() -> str:
    """A delimiter that nobody can guess."""
    return secrets.token_hex(NONCE_BYTES)


class ProviderAdapter(ABC, Generic[Client]):
    """An adapter over a provider's SDK: `assess` raises the ProviderError family and no other."""

    name: str
    model: str = ""
    judges: frozenset[str] | None = None
    #: Where questions go; connections to an https address are opened ahead of them.
    base_url: str = ""
    faults: FaultRows = ()

    def __init__(
        self,
        config: AdapterConfig,
        *,
        nonce: Callable[[], str] = fresh_nonce,
        transport: TransportMaker | None = None,
    ) -> None:
        self.config = config
        self._nonce = nonce
        self._transport = transport
        self._clients: PerLoop[Client] = PerLoop(self._open)
        hush_loggers()

    def __repr__(self) -> str:
        return f"{type(self).__name__}(model={self.config.model!r}, tenant={self.config.tenant!r})"

    async def start(self) -> None:
        """Builds the client of the running loop, and has its credential fetched once.

        Whoever fetches it goes on when we stop waiting; that there is none, a question will tell.
        """
        client = self._clients.get()
        with hushed(), contextlib.suppress(Exception):
            async with asyncio.timeout(self.config.timeout_ms / 1000):
                await self.credential(client)

    def rehearse(self) -> Self:
        """Goes through one question with nobody at the other end; belongs to start-up."""
        request = self.build_request({}, self._nonce())
        rehearse((type(self), *sorted(request)), lambda: self._rehearsal(request))
        return self

    def _rehearsal(self, request: Mapping[str, Any]) -> Coroutine[Any, Any, None]:
        # Made here, where there is no loop yet that the SDK's imports would hold up.
        client = self.connect_untraced(open_client(1.0, httpx2.MockTransport(nobody)))

        async def question() -> None:
            with hushed(), bearing(bearer(PLACEHOLDER_KEY)):
                self.read_reply(await self.send(client, request), request)

        return question()

    def connect_untraced(self, http: httpx2.AsyncClient) -> Client:
        """The SDK's client as it is, for an SDK that makes no spans by itself."""
        return self.connect(http)

    async def aclose(self) -> None:
        """Closes the client of the running loop; the next question would build another."""
        client = self._clients.pop()
        if client is not None:
            await self.disconnect(client)

    async def assess(self, payload: Mapping[str, Any]) -> Assessment:
        """The provider's word on a payload."""
        nonce = self._nonce()

        def read(wire: bytes, request: Mapping[str, Any]) -> Assessment:
            answer = replace(self.read_reply(wire, request), usage=self._usage(wire))
            shown = answer.verdict != "safe" or is_whole(payload, nonce)
            return answer if shown else replace(answer, verdict="unclear", reason=PARTLY_SEEN)

        with hushed():
            answer = await self._exchange(lambda: self.build_request(payload, nonce), read)
        if isinstance(answer, ProviderError):
            # Raised out here, where no handler could give it a context.
            raise answer
        return answer

    async def ask(self, payload: Mapping[str, Any]) -> Reply:
        """The words of the provider's model on the question that a payload carries."""
        nonce = self._nonce()

        def read(wire: bytes, _request: Mapping[str, Any]) -> Reply:
            said = self.read_words(wire) if is_whole(payload, nonce) else ""
            return Reply(said, self._usage(wire))

        with hushed():
            answer = await self._exchange(lambda: self.build_question(payload, nonce), read)
        if isinstance(answer, Assessment):
            # A filter condemned the question: the model was never asked.
            raise ProviderRefused
        if isinstance(answer, ProviderError):
            raise answer
        return answer

    async def _exchange(
        self,
        build: Callable[[], dict[str, Any]],
        read: Callable[[bytes, Mapping[str, Any]], Heard],
    ) -> Heard | Assessment | ProviderError:
        try:
            client, request = self._clients.get(), build()
            with bearing(await self.credential(client)):
                wire = await self.send(client, request)
            return read(wire, request)
        except ProviderError as error:
            return bare(error)
        except Exception as error:  # noqa: BLE001 - the one door for whatever an SDK raises
            return self.explain(error)

    async def key(self, variable: str) -> str:
        """The key under that name as it is now, so that rotation needs no restart."""
        found = await self.secret(variable)
        if not found:
            raise ProviderMisconfigured
        return found

    async def secret(self, variable: str) -> str | None:
        """What is known under that name; a secret provider that fails is a matter of set-up."""
        try:
            found = cast("object", await self.config.secret(variable))
        except Exception:  # noqa: BLE001 - the app's own code
            raise ProviderMisconfigured from None
        if found is None or isinstance(found, str):
            return found
        # Bytes would go out as their repr, and be refused by a provider that nobody suspects.
        raise ProviderMisconfigured

    def explain(self, error: Exception) -> Assessment | ProviderError:
        """What an exception of the SDK means."""
        return fault_of(error, self.faults)

    def _open(self) -> Client:
        seconds = self.config.timeout_ms / 1000
        inner = self._transport() if self._transport else None
        client = self.connect(open_client(seconds, inner, self.base_url))
        # The SDK may have imported more of itself by now.
        hush_loggers()
        return client

    def _usage(self, wire: bytes) -> Usage:
        return Usage(self.name, self.model, *tokens_of(wire))

    def build_question(self, payload: Mapping[str, Any], nonce: str) -> dict[str, Any]:  # noqa: ARG002 - for those that can
        """The arguments of the SDK's call for a judge's question; pure."""
        raise ProviderMisconfigured

    def read_words(self, wire: bytes) -> str:  # noqa: ARG002 - for those that can
        """What the body says as a judge's answer, unread; pure."""
        raise ProviderMisconfigured

    @abstractmethod
    def connect(self, http: httpx2.AsyncClient) -> Client:
        """The SDK's client over our own HTTP client."""

    @abstractmethod
    async def disconnect(self, client: Client) -> None:
        """Closes the SDK's client."""

    @abstractmethod
    async def credential(self, client: Client) -> Credential:
        """What authorizes the next call."""

    @abstractmethod
    def build_request(self, payload: Mapping[str, Any], nonce: str) -> dict[str, Any]:
        """The arguments of the SDK's call; pure."""

    @abstractmethod
    async def send(self, client: Client, request: Mapping[str, Any]) -> bytes:
        """The body of the provider's 200."""

    @abstractmethod
    def read_reply(self, wire: bytes, request: Mapping[str, Any] | None = None) -> Assessment:
        """What the body says, as an answer to that request; pure."""
