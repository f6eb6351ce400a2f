"""What the adapters that speak through OpenAI's SDK share: its client and its exceptions.

Not an adapter; knows no endpoint.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, cast

import httpx2
import openai

from abuse_gate.contract import ProviderBadReply, ProviderMisconfigured, ProviderRefused
from abuse_gate.model.verdict import Verdict
from abuse_gate.verify.kit.doorway import PLACEHOLDER_KEY
from abuse_gate.verify.kit.faults import FaultRows

SDK_FAULTS: Final[FaultRows] = (
    (openai.APIStatusError, "status"),
    (openai.APIConnectionError, "cause"),
    (openai.APIError, ProviderBadReply),
    (openai.LengthFinishReasonError, ProviderBadReply),
    (openai.ContentFilterFinishReasonError, ProviderRefused),
    (openai.InvalidWebhookSignatureError, ProviderBadReply),
    (openai.WebSocketConnectionClosedError, ProviderBadReply),
    (openai.WebSocketQueueFullError, ProviderBadReply),
    # What is left are the SDK's complaints about how it was set up.
    (openai.OpenAIError, ProviderMisconfigured),
)


@dataclass(frozen=True, slots=True)
class Way:
    """One endpoint: the SDK's call, the arguments it takes, the verdict in its reply."""

    method: Callable[[openai.AsyncOpenAI], Any]
    # Of a payload, a nonce and a model.
    request: Callable[[Mapping[str, Any], str, str], dict[str, Any]]
    # Of a reply, and of the request that it answers.
    verdict: Callable[[Mapping[str, object], Mapping[str, Any] | None], Verdict]
    # The families that a clean answer clears; None is all of them.
    judges: frozenset[str] | None = None
    # The same for a judge's question and its words; an endpoint that cannot be asked has neither.
    question: Callable[[Mapping[str, Any], str, str], dict[str, Any]] | None = None
    words: Callable[[Mapping[str, object]], object] | None = None


def plain_client(http: httpx2.AsyncClient, base_url: str) -> openai.AsyncOpenAI:
    """A client without retries, which holds no key and asks the environment for no address."""
    return openai.AsyncOpenAI(
        api_key=PLACEHOLDER_KEY,
        base_url=base_url,
        timeout=http.timeout,
        max_retries=0,
        http_client=http,
    )


def dated_client(http: httpx2.AsyncClient, endpoint: str, version: str) -> openai.AsyncOpenAI:
    """The same for Azure's dated API, whose path names the deployment."""
    return openai.AsyncAzureOpenAI(
        api_key=PLACEHOLDER_KEY,
        azure_endpoint=endpoint,
        api_version=version,
        timeout=http.timeout,
        max_retries=0,
        http_client=http,
    )


def chat_method(client: openai.AsyncOpenAI) -> Any:
    """The SDK's call for a chat whose answer is not parsed."""
    return client.chat.completions.with_raw_response.create


async def body_of(create: Any, request: Mapping[str, Any]) -> bytes:
    """The body of the answer to one of the SDK's raw calls, as it came."""
    response = await create(**request)
    return cast("bytes", response.content)
