"""Asks OpenAI: the model's name selects moderation, decisions, Responses or chat."""

from collections.abc import Callable, Mapping
from fnmatch import fnmatchcase
from typing import Any, Final

import httpx2
import openai

from abuse_gate.contract import AdapterConfig, ConfigError, ProviderMisconfigured
from abuse_gate.model.verdict import Assessment, Verdict
from abuse_gate.verify.kit.chat import (
    Ending,
    chat_question,
    chat_request,
    chat_verdict,
    chat_words,
)
from abuse_gate.verify.kit.doorway import Credential, bearer
from abuse_gate.verify.kit.endpoints import checked_endpoint
from abuse_gate.verify.kit.provider import ProviderAdapter
from abuse_gate.verify.kit.replies import assessed, record, strict_json, words
from abuse_gate_adapters.openai_decisions import decisions_way
from abuse_gate_adapters.openai_moderation import moderation_way
from abuse_gate_adapters.openai_responses import responses_way
from abuse_gate_adapters.openai_sdk import SDK_FAULTS, Way, body_of, chat_method, plain_client

NAME: Final = "openai"
KEY: Final = "OPENAI_API_KEY"
DEFAULT_MODEL: Final = "omni-moderation-latest"

ENDPOINTS: Final[Mapping[str | None, str]] = {
    None: "https://api.openai.com/v1",
    "global": "https://api.openai.com/v1",
    **{
        region: f"https://{region}.api.openai.com/v1"
        for region in ("ae", "au", "eu", "in", "jp", "us")
    },
}
# The filter that ended the answer looked at the judge's words, not at the request.
ENDINGS: Final[Mapping[str, Ending]] = {
    "stop": "read",
    "length": "bad",
    "content_filter": "refused",
    "tool_calls": "bad",
    "function_call": "bad",
}


def chat_way(_model: str, _config: AdapterConfig) -> Way:
    """The way of a chat model; the question is not to be kept by the provider."""
    return Way(
        chat_method,
        _chat_request,
        _chat_verdict,
        question=_chat_question,
        words=lambda reply: chat_words(reply, ENDINGS),
    )


def _chat_question(payload: Mapping[str, Any], nonce: str, model: str) -> dict[str, Any]:
    return {**chat_question(payload, nonce, model), "store": False}


def _chat_request(payload: Mapping[str, Any], nonce: str, model: str) -> dict[str, Any]:
    return {**chat_request(payload, nonce, model), "store": False}


def _chat_verdict(reply: Mapping[str, object], _request: Mapping[str, Any] | None) -> Verdict:
    return chat_verdict(reply, ENDINGS)


WayMaker = Callable[[str, AdapterConfig], Way]
# An endpoint that is named before the model, as in `responses/gpt-6`, is the one that is asked.
NAMED_WAYS: Final[Mapping[str, WayMaker]] = {
    "moderations": moderation_way,
    "decisions": decisions_way,
    "responses": responses_way,
    "chat": chat_way,
}
# Otherwise the first pattern that fits the model: some are offered by one endpoint alone. Chat
# comes last, because it is what every compatible server speaks.
WAYS: Final[tuple[tuple[str, WayMaker], ...]] = (
    ("omni-moderation*", moderation_way),
    ("text-moderation*", moderation_way),
    ("gpt-6-luna", decisions_way),
    ("*-pro", responses_way),
    ("*-pro-20*", responses_way),
    ("*-codex*", responses_way),
    ("*", chat_way),
)


class OpenAIAdapter(ProviderAdapter[openai.AsyncOpenAI]):
    """One adapter for every endpoint; what differs between them is the way."""

    name = NAME
    faults = SDK_FAULTS

    def __init__(self, config: AdapterConfig, **seams: Any) -> None:
        self.model, make = chosen(config.model)
        self.way = make(self.model, config)
        self.judges = self.way.judges
        self.base_url = _base_url(config)
        super().__init__(config, **seams)

    def connect(self, http: httpx2.AsyncClient) -> openai.AsyncOpenAI:
        """A client without retries, which holds no key; the SDK imports its endpoint now."""
        client = plain_client(http, self.base_url)
        self.way.method(client)
        return client

    async def disconnect(self, client: openai.AsyncOpenAI) -> None:
        """Closes the SDK's client and ours under it."""
        await client.close()

    async def credential(self, client: openai.AsyncOpenAI) -> Credential:  # noqa: ARG002 - azure's needs it
        """The key of this moment."""
        return bearer(await self.key(KEY))

    async def send(self, client: openai.AsyncOpenAI, request: Mapping[str, Any]) -> bytes:
        """The body of the answer as it came."""
        return await body_of(self.way.method(client), request)

    def build_request(self, payload: Mapping[str, Any], nonce: str) -> dict[str, Any]:
        """The question as this model's endpoint takes it."""
        return self.way.request(payload, nonce, self.model)

    def read_reply(self, wire: bytes, request: Mapping[str, Any] | None = None) -> Assessment:
        """The verdict as this model's endpoint words it."""
        return assessed(self.way.verdict(record(strict_json(wire)), request), NAME)

    def build_question(self, payload: Mapping[str, Any], nonce: str) -> dict[str, Any]:
        """A judge's question as this model's endpoint takes it."""
        if self.way.question is None:
            raise ProviderMisconfigured
        return self.way.question(payload, nonce, self.model)

    def read_words(self, wire: bytes) -> str:
        """A judge's words as this model's endpoint holds them."""
        if self.way.words is None:
            raise ProviderMisconfigured
        return words(self.way.words(record(strict_json(wire))))


def chosen(model: str | None) -> tuple[str, WayMaker]:
    """The model to ask and the way of asking it that its name selects."""
    name = model or DEFAULT_MODEL
    endpoint, _, rest = name.partition("/")
    if rest and endpoint in NAMED_WAYS:
        return rest, NAMED_WAYS[endpoint]
    return name, next(make for pattern, make in WAYS if fnmatchcase(name, pattern))


def _base_url(config: AdapterConfig) -> str:
    if config.endpoint and config.data_residency:
        raise ConfigError(
            "openai: both an endpoint and data_residency are set and may contradict each other; "
            "set one of them"
        )
    if config.endpoint:
        return checked_endpoint(config.endpoint, "OPENAI_BASE_URL")
    if config.data_residency not in ENDPOINTS:
        known = ", ".join(sorted(region for region in ENDPOINTS if region))
        raise ConfigError(
            "openai: ABUSE_GATE_DATA_RESIDENCY (data_residency): no region of this provider; "
            f"use one of {known}, or an endpoint"
        )
    return ENDPOINTS[config.data_residency]


def build(config: AdapterConfig) -> OpenAIAdapter:
    """The adapter for a deployment; the entry point."""
    return OpenAIAdapter(config).rehearse()


def build_judge(config: AdapterConfig) -> OpenAIAdapter:
    """The same for a judge; the entry point. A model that only sorts into categories is none."""
    adapter = OpenAIAdapter(config)
    if adapter.way.question is None:
        raise ConfigError(
            f"openai: {adapter.model} cannot be asked a judge's question; "
            "name a chat or responses model in triage_model, or as model in [supervision]"
        )
    return adapter.rehearse()
