"""OpenAI's moderation endpoint: harmful content by category, and no word on injection. Pure.

Reads the wire itself: the SDK's models turn a missing field into None and hide unknown categories.
"""

from collections.abc import Mapping
from functools import partial
from typing import Any, Final

import openai

from abuse_gate.contract import AdapterConfig, ConfigError, ProviderBadReply
from abuse_gate.model.verdict import Verdict
from abuse_gate.verify.kit.prompts import texts
from abuse_gate.verify.kit.replies import flag, record, rows, share
from abuse_gate_adapters.openai_sdk import Way

WORST_FIRST: Final[tuple[Verdict, ...]] = ("unsafe", "unclear", "safe")
OMNI_PREFIX: Final = "omni-moderation"
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


def moderation_way(model: str, config: AdapterConfig) -> Way:
    """The way of a moderation model: it sees no injection, so a clean answer clears no family."""
    required = OMNI_CATEGORIES if model.startswith(OMNI_PREFIX) else CATEGORIES
    thresholds = _thresholds(config.thresholds, required, model)
    verdict = partial(_verdict, required=required, thresholds=thresholds)
    return Way(_method, _request, verdict, judges=frozenset())


def _method(client: openai.AsyncOpenAI) -> Any:
    return client.moderations.with_raw_response.create


def _request(payload: Mapping[str, Any], _nonce: str, model: str) -> dict[str, Any]:
    """Every text of the request, each judged by itself: no instructions, so no fence."""
    return {"model": model, "input": texts(payload) or ["(no text)"]}


def _verdict(
    reply: Mapping[str, object],
    request: Mapping[str, Any] | None,
    *,
    required: frozenset[str],
    thresholds: Mapping[str, float],
) -> Verdict:
    """Unsafe when any result is; safe when there is a complete, clean one for each text."""
    results = rows(reply.get("results"))
    if request is not None and len(results) != len(request["input"]):
        raise ProviderBadReply
    words = {_judged(record(result), required, thresholds) for result in results}
    return next(word for word in WORST_FIRST if word in words)


def _judged(
    result: Mapping[str, object], required: frozenset[str], thresholds: Mapping[str, float]
) -> Verdict:
    overall = flag(result.get("flagged"))
    categories = {name: flag(on) for name, on in record(result.get("categories")).items()}
    scores = {name: share(held) for name, held in record(result.get("category_scores")).items()}
    if not required <= categories.keys() & scores.keys():
        raise ProviderBadReply
    hot = {name for name, on in categories.items() if on}
    over = any(scores[name] >= bound for name, bound in thresholds.items())
    # A flag without a reason counts in full.
    if over or hot - thresholds.keys() or (overall and not hot):
        return "unsafe"
    # The operator's threshold outranks a flag, but does not make what bears one clean.
    return "unclear" if hot or overall else "safe"


def _thresholds(
    wanted: Mapping[str, float], known: frozenset[str], model: str
) -> Mapping[str, float]:
    for name, bound in wanted.items():
        if name not in known:
            raise ConfigError(
                f"openai: threshold for {name[:40]!r}: no such category of "
                f"{model}; use one of {', '.join(sorted(known))}"
            )
        if not 0 <= bound <= 1:
            raise ConfigError(f"openai: threshold for {name!r}: must be from 0 to 1")
    return dict(wanted)
