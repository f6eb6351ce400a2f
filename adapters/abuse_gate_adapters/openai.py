"""Asks OpenAI: the model's name selects moderation, decisions, or chat with a strict schema.

Reads the wire itself: the SDK's models turn a missing field into None and hide unknown categories.
"""

from collections.abc import Callable, Mapping
from functools import reduce
from typing import Any, Final

import httpx2
import openai

from abuse_gate.contract import (
    AdapterConfig,
    ConfigError,
    ProviderBadReply,
    ProviderRefused,
)
from abuse_gate.model.verdict import Assessment, Verdict, is_verdict, worse
from abuse_gate.verify.kit.chat import Ending, chat_request, chat_verdict
from abuse_gate.verify.kit.doorway import Credential, bearer
from abuse_gate.verify.kit.endpoints import checked_endpoint
from abuse_gate.verify.kit.prompts import fenced, texts, verifier_prompt
from abuse_gate.verify.kit.provider import ProviderAdapter
from abuse_gate.verify.kit.replies import (
    assessed,
    flag,
    only,
    record,
    rows,
    share,
    strict_json,
)
from abuse_gate_adapters.openai_sdk import SDK_FAULTS, body_of, chat_method, plain_client

NAME: Final = "openai"
KEY: Final = "OPENAI_API_KEY"
DEFAULT_MODEL: Final = "omni-moderation-latest"
DECISION_MODELS: Final = frozenset({"gpt-6-luna"})
MODERATION_PREFIXES: Final = ("omni-moderation", "text-moderation")
# Below this a decision is no more than a guess.
MIN_CONFIDENCE: Final = 0.6
# How far from one the probabilities may add up to.
ROUNDING: Final = 0.02

ENDPOINTS: Final[Mapping[str | None, str]] = {
    None: "https://api.openai.com/v1",
    "global": "https://api.openai.com/v1",
    **{
        region: f"https://{region}.api.openai.com/v1"
        for region in ("ae", "au", "eu", "in", "jp", "us")
    },
}
CATEGORIES: Final = frozenset(
    {
        "harassment",
        "harassment/threatening",
        "hate",
        "hate/threatening",
        "self-harm",
        "self-harm/instructions",
        "self-harm/intent",
        "sexual",
        "sexual/minors",
        "violence",
        "violence/graphic",
    }
)
# The text-moderation models do not know these two.
OMNI_CATEGORIES: Final = CATEGORIES | {"illicit", "illicit/violent"}
# The filter that ended the answer looked at the judge's words, not at the request.
ENDINGS: Final[Mapping[str, Ending]] = {
    "stop": "read",
    "length": "bad",
    "content_filter": "refused",
    "tool_calls": "bad",
    "function_call": "bad",
}
CHOICES: Final[Mapping[Verdict, str]] = {
    "safe": "the request may reach the application",
    "unsafe": "the request breaks the policy",
    "unclear": "it cannot be told from what is there",
}


class OpenAIAdapter(ProviderAdapter[openai.AsyncOpenAI]):
    """What the three ways of asking OpenAI share."""

    name = NAME
    faults = SDK_FAULTS

    def __init__(self, config: AdapterConfig, **seams: Any) -> None:
        self.model = config.model or DEFAULT_MODEL
        self.base_url = _base_url(config)
        super().__init__(config, **seams)

    def connect(self, http: httpx2.AsyncClient) -> openai.AsyncOpenAI:
        """A client without retries, which holds no key; the SDK imports its endpoint now."""
        client = plain_client(http, self.base_url)
        self.method(client)
        return client

    async def disconnect(self, client: openai.AsyncOpenAI) -> None:
        """Closes the SDK's client and ours under it."""
        await client.close()

    async def credential(self, client: openai.AsyncOpenAI) -> Credential:  # noqa: ARG002 - azure's needs it
        """The key of this moment."""
        return bearer(await self.key(KEY))

    def method(self, client: openai.AsyncOpenAI) -> Any:
        """The SDK's call that takes the request."""
        return chat_method(client)

    async def send(self, client: openai.AsyncOpenAI, request: Mapping[str, Any]) -> bytes:
        """The body of the answer as it came."""
        return await body_of(self.method(client), request)

    def build_request(self, payload: Mapping[str, Any], nonce: str) -> dict[str, Any]:
        """A chat with a strict schema, not to be kept by the provider."""
        return {**chat_request(payload, nonce, self.model), "store": False}

    def read_reply(self, wire: bytes, request: Mapping[str, Any] | None = None) -> Assessment:  # noqa: ARG002 - moderation counts
        """The verdict of a chat model."""
        return assessed(chat_verdict(record(strict_json(wire)), ENDINGS), NAME)


class ModerationAdapter(OpenAIAdapter):
    """Sees harmful content and no injection: a clean answer clears none of our families."""

    judges = frozenset[str]()

    def __init__(self, config: AdapterConfig, **seams: Any) -> None:
        super().__init__(config, **seams)
        omni = self.model.startswith(MODERATION_PREFIXES[0])
        self._required = OMNI_CATEGORIES if omni else CATEGORIES
        self._thresholds = _thresholds(config, self._required)

    def method(self, client: openai.AsyncOpenAI) -> Any:
        """The moderation endpoint."""
        return client.moderations.with_raw_response.create

    def build_request(self, payload: Mapping[str, Any], nonce: str) -> dict[str, Any]:  # noqa: ARG002 - no instructions, no fence
        """Every text of the request, each judged by itself."""
        return {"model": self.model, "input": texts(payload) or ["(no text)"]}

    def read_reply(self, wire: bytes, request: Mapping[str, Any] | None = None) -> Assessment:
        """Unsafe when any result is; safe when there is a complete, clean one for each text."""
        results = rows(record(strict_json(wire)).get("results"))
        if request is not None and len(results) != len(request["input"]):
            raise ProviderBadReply
        answers = [assessed(self._verdict(record(result)), NAME) for result in results]
        return reduce(worse, answers)

    def _verdict(self, result: Mapping[str, object]) -> Verdict:
        overall = flag(result.get("flagged"))
        categories = {name: flag(on) for name, on in record(result.get("categories")).items()}
        scores = {name: share(held) for name, held in record(result.get("category_scores")).items()}
        if not self._required <= categories.keys() & scores.keys():
            raise ProviderBadReply
        hot = {name for name, on in categories.items() if on}
        over = any(scores[name] >= bound for name, bound in self._thresholds.items())
        # A flag without a reason counts in full.
        if over or hot - self._thresholds.keys() or (overall and not hot):
            return "unsafe"
        # The operator's threshold outranks a flag, but does not make what bears one clean.
        return "unclear" if hot or overall else "safe"


class DecisionAdapter(OpenAIAdapter):
    """Asks one choice question with calibrated confidence."""

    def method(self, client: openai.AsyncOpenAI) -> Any:
        """The decisions endpoint."""
        return client.decisions.with_raw_response.create

    def build_request(self, payload: Mapping[str, Any], nonce: str) -> dict[str, Any]:
        """One question about the fenced request."""
        question = {
            "type": "choice",
            "name": "verdict",
            "instructions": verifier_prompt(payload, nonce),
            "choices": [{"value": value, "description": why} for value, why in CHOICES.items()],
        }
        message = {"type": "message", "role": "user", "content": fenced(payload, nonce)}
        return {"model": self.model, "input": [message], "questions": [question]}

    def read_reply(self, wire: bytes, request: Mapping[str, Any] | None = None) -> Assessment:  # noqa: ARG002 - moderation counts
        """The choice, unless the model is not sure of it."""
        answer = only(record(strict_json(wire)).get("answers"))
        if answer.get("type") == "refusal":
            raise ProviderRefused
        choice, odds = answer.get("choice"), _odds(answer)
        confidence = share(answer.get("confidence"))
        named = answer.get("type") == "choice" and answer.get("name") == "verdict"
        if not named or not is_verdict(choice) or odds[choice] < max(odds.values()):
            raise ProviderBadReply
        sure = min(confidence, odds[choice]) >= MIN_CONFIDENCE
        return assessed(choice if sure else "unclear", NAME)


def _odds(answer: Mapping[str, object]) -> dict[object, float]:
    """The probability of each of the three words, each exactly once."""
    listed = [record(row) for row in rows(answer.get("probabilities"))]
    values = [row.get("value") for row in listed]
    if sorted(map(str, values)) != sorted(CHOICES):
        raise ProviderBadReply
    odds = {row.get("value"): share(row.get("probability")) for row in listed}
    if abs(sum(odds.values()) - 1) > ROUNDING:
        raise ProviderBadReply
    return odds


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
        raise ConfigError(f"openai: unknown data_residency; use one of {known}, or an endpoint")
    return ENDPOINTS[config.data_residency]


def _thresholds(config: AdapterConfig, known: frozenset[str]) -> dict[str, float]:
    for name, bound in config.thresholds.items():
        if name not in known:
            raise ConfigError(
                f"openai: threshold for {name[:40]!r}: no such category of "
                f"{config.model or DEFAULT_MODEL}; use one of {', '.join(sorted(known))}"
            )
        if not 0 <= bound <= 1:
            raise ConfigError(f"openai: threshold for {name!r}: must be from 0 to 1")
    return dict(config.thresholds)


def adapter_kind(model: str | None) -> Callable[..., OpenAIAdapter]:
    """The way of asking that a model's name selects."""
    name = model or DEFAULT_MODEL
    if name.startswith(MODERATION_PREFIXES):
        return ModerationAdapter
    return DecisionAdapter if name in DECISION_MODELS else OpenAIAdapter


def build(config: AdapterConfig) -> OpenAIAdapter:
    """The adapter for a deployment; the entry point."""
    return adapter_kind(config.model)(config)
