"""Asks a deployment of Azure OpenAI: chat with a strict schema, and what its content filter saw.

With a key, or keyless by the identity of the machine. The resource is the region: there is no
fall-back to any other endpoint.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import httpx2
import openai
from azure.core import exceptions as azure

from abuse_gate.contract import (
    AdapterConfig,
    ConfigError,
    ProviderBadReply,
    ProviderConnection,
    ProviderError,
    ProviderMisconfigured,
    ProviderRefused,
    ProviderTimeout,
    ProviderUnavailable,
)
from abuse_gate.model.verdict import Assessment
from abuse_gate.verify.kit.chat import (
    Ending,
    chat_question,
    chat_request,
    chat_verdict,
    chat_words,
)
from abuse_gate.verify.kit.doorway import Credential, bearer
from abuse_gate.verify.kit.endpoints import checked_endpoint
from abuse_gate.verify.kit.faults import FaultRows, fault_of, response_of
from abuse_gate.verify.kit.provider import ProviderAdapter
from abuse_gate.verify.kit.replies import assessed, record, strict_json, words
from abuse_gate_adapters.azure_filter import annotations, is_down, says
from abuse_gate_adapters.azure_identity import CredentialMaker, Tokens, machine_identity
from abuse_gate_adapters.openai_sdk import (
    SDK_FAULTS,
    body_of,
    chat_method,
    dated_client,
    plain_client,
)

NAME: Final = "azure"
KEY: Final = "AZURE_OPENAI_API_KEY"
KEY_HEADER: Final = "api-key"
V1_PATH: Final = "/openai/v1"

ENDINGS: Final[Mapping[str, Ending]] = {
    "stop": "read",
    "length": "bad",
    "content_filter": "unsafe",
    "tool_calls": "bad",
    "function_call": "bad",
}
# The filter's refusal: this status with these two codes, and no other 400, is a verdict.
FILTERED: Final = (400, "content_filter", "ResponsibleAIPolicyViolation")
FILTER_DOWN: Final = "content_filter_error"
FAULTS: Final[FaultRows] = (
    *SDK_FAULTS,
    (azure.ClientAuthenticationError, ProviderMisconfigured),
    (azure.ServiceRequestTimeoutError, ProviderTimeout),
    (azure.ServiceResponseTimeoutError, ProviderTimeout),
    (azure.ServiceRequestError, ProviderConnection),
    (azure.ServiceResponseError, ProviderConnection),
    (azure.DecodeError, ProviderBadReply),
    (azure.ResourceExistsError, ProviderMisconfigured),
    (azure.ResourceNotFoundError, ProviderMisconfigured),
    (azure.ResourceModifiedError, ProviderMisconfigured),
    (azure.ResourceNotModifiedError, ProviderMisconfigured),
    (azure.HttpResponseError, ProviderUnavailable),
    (azure.StreamConsumedError, ProviderBadReply),
    (azure.StreamClosedError, ProviderBadReply),
    (azure.ResponseNotReadError, ProviderBadReply),
    (azure.SerializationError, ProviderBadReply),
    (azure.DeserializationError, ProviderBadReply),
)


@dataclass(frozen=True, slots=True)
class AzureClient:
    """What one event loop needs to ask."""

    sdk: openai.AsyncOpenAI
    tokens: Tokens


class AzureAdapter(ProviderAdapter[AzureClient]):
    """Judges every family, by prompt and by the filter's own annotations."""

    name = NAME
    faults = FAULTS

    def __init__(
        self, config: AdapterConfig, *, identity: CredentialMaker = machine_identity, **seams: Any
    ) -> None:
        self.model = self.deployment = _required(config.model, "AZURE_OPENAI_DEPLOYMENT")
        endpoint = _required(config.endpoint, "AZURE_OPENAI_ENDPOINT")
        self.endpoint = checked_endpoint(endpoint, "AZURE_OPENAI_ENDPOINT").removesuffix(V1_PATH)
        if config.data_residency:
            raise ConfigError(
                "azure: data_residency: the region is that of the resource; "
                "set AZURE_OPENAI_ENDPOINT to one in the right region instead"
            )
        self.base_url = self.endpoint
        self._identity = identity
        super().__init__(config, **seams)

    def connect(self, http: httpx2.AsyncClient) -> AzureClient:
        """A client for the v1 API, or for the dated one if a date is set."""
        sdk = self._sdk(http)
        chat_method(sdk)
        return AzureClient(sdk, Tokens(self._identity))

    def _sdk(self, http: httpx2.AsyncClient) -> openai.AsyncOpenAI:
        version = self.config.api_version
        if version is None:
            return plain_client(http, f"{self.endpoint}{V1_PATH}/")
        return dated_client(http, self.endpoint, version)

    async def disconnect(self, client: AzureClient) -> None:
        """Closes the SDK's client, ours under it, and the credential's."""
        await client.sdk.close()
        await client.tokens.aclose()

    async def credential(self, client: AzureClient) -> Credential:
        """The key of this moment; without one, a token of the machine's identity.

        The machine's identity is the operator's: it never goes to the endpoint of a tenant.
        """
        key = await self.secret(KEY)
        if not key and self.config.pinned:
            raise ProviderMisconfigured
        if not key:
            return bearer(await client.tokens.token())
        return bearer(key) if self.config.api_version is None else Credential(KEY_HEADER, key)

    def build_request(self, payload: Mapping[str, Any], nonce: str) -> dict[str, Any]:
        """A chat with a strict schema."""
        return chat_request(payload, nonce, self.deployment)

    def build_question(self, payload: Mapping[str, Any], nonce: str) -> dict[str, Any]:
        """A chat with the schema of the question, if it has one."""
        return chat_question(payload, nonce, self.deployment)

    def read_words(self, wire: bytes) -> str:
        """What the model said, unless the filter saw something or was down."""
        reply = record(strict_json(wire))
        if any(says(note) or is_down(note) for note in annotations(reply)):
            raise ProviderRefused
        return words(chat_words(reply, ENDINGS))

    async def send(self, client: AzureClient, request: Mapping[str, Any]) -> bytes:
        """The body of the answer as it came."""
        return await body_of(chat_method(client.sdk), request)

    def read_reply(self, wire: bytes, request: Mapping[str, Any] | None = None) -> Assessment:  # noqa: ARG002 - moderation counts
        """Unsafe when the filter or the model says so; a filter that was down leaves it unclear."""
        reply = record(strict_json(wire))
        notes = annotations(reply)
        if any(says(note) for note in notes):
            return Assessment("unsafe", "content_filter", source=NAME)
        verdict = chat_verdict(reply, ENDINGS)
        if verdict != "unsafe" and any(is_down(note) for note in notes):
            return Assessment("unclear", FILTER_DOWN, source=NAME)
        return assessed(verdict, NAME)

    def explain(self, error: Exception) -> Assessment | ProviderError:
        """A refusal of the content filter is a verdict; anything else is a fault."""
        response = response_of(error)
        if response is not None and _is_filtered(response):
            return Assessment("unsafe", "content_filter", source=NAME)
        return fault_of(error, FAULTS)


def _is_filtered(response: httpx2.Response) -> bool:
    try:
        error = record(record(strict_json(response.content)).get("error"))
        inner = record(error.get("innererror"))
    except ProviderBadReply:
        return False
    return (response.status_code, error.get("code"), inner.get("code")) == FILTERED


def _required(value: str | None, setting: str) -> str:
    if not value:
        raise ConfigError(
            f"VERIFIER_ADAPTER=azure: {setting} is not set; set it to use this adapter"
        )
    return value


def build(config: AdapterConfig) -> AzureAdapter:
    """The adapter for a deployment; the entry point."""
    return AzureAdapter(config).rehearse()


def build_judge(config: AdapterConfig) -> AzureAdapter:
    """The same for a judge; the entry point."""
    return AzureAdapter(config).rehearse()
