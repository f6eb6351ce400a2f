"""OpenAI's decisions endpoint: one choice question with calibrated confidence. Pure."""

from collections.abc import Mapping
from typing import Any, Final

import openai

from abuse_gate.contract import AdapterConfig, ProviderBadReply, ProviderRefused
from abuse_gate.model.verdict import Verdict, is_verdict
from abuse_gate.verify.kit.prompts import fenced, verifier_prompt
from abuse_gate.verify.kit.replies import only, record, rows, share
from abuse_gate_adapters.openai_sdk import Way

# Below this a decision is no more than a guess.
MIN_CONFIDENCE: Final = 0.6
# How far from one the probabilities may add up to.
ROUNDING: Final = 0.02
CHOICES: Final[Mapping[Verdict, str]] = {
    "safe": "the request may reach the application",
    "unsafe": "the request breaks the policy",
    "unclear": "it cannot be told from what is there",
}


def decisions_way(_model: str, _config: AdapterConfig) -> Way:
    """The way of a model that answers choice questions."""
    return Way(_method, _request, _verdict)


def _method(client: openai.AsyncOpenAI) -> Any:
    return client.decisions.with_raw_response.create


def _request(payload: Mapping[str, Any], nonce: str, model: str) -> dict[str, Any]:
    """One question about the fenced request."""
    question = {
        "type": "choice",
        "name": "verdict",
        "instructions": verifier_prompt(payload, nonce),
        "choices": [{"value": value, "description": why} for value, why in CHOICES.items()],
    }
    message = {"type": "message", "role": "user", "content": fenced(payload, nonce)}
    return {"model": model, "input": [message], "questions": [question]}


def _verdict(reply: Mapping[str, object], _request: Mapping[str, Any] | None) -> Verdict:
    """The choice, unless the model is not sure of it."""
    answer = only(reply.get("answers"))
    if answer.get("type") == "refusal":
        raise ProviderRefused
    choice, odds = answer.get("choice"), _odds(answer)
    confidence = share(answer.get("confidence"))
    named = answer.get("type") == "choice" and answer.get("name") == "verdict"
    if not named or not is_verdict(choice) or odds[choice] < max(odds.values()):
        raise ProviderBadReply
    sure = min(confidence, odds[choice]) >= MIN_CONFIDENCE
    return choice if sure else "unclear"


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
