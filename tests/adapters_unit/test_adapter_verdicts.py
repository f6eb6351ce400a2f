"""The provider's own signals, each with the verdict or the error that the tables give it."""

import json
from typing import Any

import httpx2
import openai as sdk
import pytest

from abuse_gate.contract import (
    AdapterConfig,
    ProviderBadReply,
    ProviderError,
    ProviderMisconfigured,
    ProviderRefused,
)
from abuse_gate.model.verdict import Assessment
from abuse_gate_adapters import anthropic, azure, openai, openai_moderation


def config(model: str | None = None, **fields: Any) -> AdapterConfig:
    return AdapterConfig(name="x", timeout_ms=100, model=model, **fields)


def wire(value: object) -> bytes:
    return json.dumps(value).encode()


def result(*, flagged: bool = False, hot: tuple[str, ...] = (), **scores: float) -> dict[str, Any]:
    names = sorted(openai_moderation.OMNI_CATEGORIES)
    return {
        "flagged": flagged,
        "categories": {name: name in hot for name in names},
        "category_scores": {name: scores.get(name, 0.1) for name in names},
    }


@pytest.mark.parametrize(
    ("thresholds", "results", "verdict"),
    [
        ({}, [result()], "safe"),
        ({}, [result(flagged=True, hot=("hate",))], "unsafe"),
        ({}, [result(flagged=True)], "unsafe"),
        ({}, [result(hot=("hate",))], "unsafe"),
        ({}, [result(), result(flagged=True, hot=("violence",))], "unsafe"),
        ({"violence": 0.9}, [result(flagged=True, hot=("violence",), violence=0.8)], "unclear"),
        ({"violence": 0.9}, [result(flagged=True, hot=("violence",), violence=0.9)], "unsafe"),
        ({"violence": 0.9}, [result(flagged=True, hot=("violence", "hate"))], "unsafe"),
        ({"violence": 0.2}, [result(violence=0.3)], "unsafe"),
        ({"violence": 0.2}, [result(violence=0.1)], "safe"),
    ],
)
def test_moderation_is_unsafe_by_flag_or_by_the_operators_threshold(
    thresholds: dict[str, float], results: list[Any], verdict: str
) -> None:
    adapter = openai.build(config(thresholds=thresholds))
    assert adapter.read_reply(wire({"results": results})).verdict == verdict


def test_a_category_that_nobody_knew_counts_and_old_models_lack_two() -> None:
    new = result()
    new["categories"]["new/kind"] = True
    assert openai.build(config()).read_reply(wire({"results": [new]})).verdict == "unsafe"
    old = result()
    for part in ("categories", "category_scores"):
        old[part] = {name: old[part][name] for name in openai_moderation.CATEGORIES}
    adapter = openai.build(config("text-moderation-stable"))
    assert adapter.read_reply(wire({"results": [old]})).verdict == "safe"
    with pytest.raises(ProviderBadReply):
        openai.build(config()).read_reply(wire({"results": [old]}))


def test_moderation_declares_that_it_sees_no_family_and_judges_declare_all() -> None:
    assert openai.build(config()).judges == frozenset()
    for adapter in (
        openai.build(config("gpt-6-luna")),
        openai.build(config("gpt-5-mini")),
        openai.build(config("gpt-6-pro")),
        anthropic.build(config()),
        azure.build(config("judge", endpoint="https://r.example")),
    ):
        assert adapter.judges is None


def choice(word: str, confidence: float) -> bytes:
    odds = {"safe": 0.1, "unsafe": 0.1, "unclear": 0.1, word: 0.8}
    answer = {
        "type": "choice",
        "name": "verdict",
        "choice": word,
        "confidence": confidence,
        "probabilities": [{"value": value, "probability": odd} for value, odd in odds.items()],
    }
    return wire({"answers": [answer]})


@pytest.mark.parametrize(
    ("word", "confidence", "verdict"),
    [
        ("safe", 0.6, "safe"),
        ("safe", 0.59, "unclear"),
        ("unsafe", 0.6, "unsafe"),
        ("unsafe", 0.2, "unclear"),
        ("unclear", 0.9, "unclear"),
    ],
)
def test_a_decision_without_confidence_is_unclear(
    word: str, confidence: float, verdict: str
) -> None:
    assert (
        openai.build(config("gpt-6-luna")).read_reply(choice(word, confidence)).verdict == verdict
    )


@pytest.mark.parametrize(
    ("odds", "verdict"),
    [
        ((0.34, 0.33, 0.33), "unclear"),
        ((0.5, 0.5, 0.0), "unclear"),
        ((0.6, 0.2, 0.2), "safe"),
        ((0.6, 0.2, 0.21), "safe"),
        ((0.0, 0.0, 0.0), None),
        ((1.0, 1.0, 1.0), None),
        ((0.9, 0.1, 0.1), None),
    ],
)
def test_odds_add_up_and_bear_the_choice_out(odds: tuple[float, ...], verdict: str | None) -> None:
    named = zip(("safe", "unsafe", "unclear"), odds, strict=True)
    answer = {
        "type": "choice",
        "name": "verdict",
        "choice": "safe",
        "confidence": 1,
        "probabilities": [{"value": value, "probability": odd} for value, odd in named],
    }
    adapter = openai.build(config("gpt-6-luna"))
    if verdict is None:
        with pytest.raises(ProviderBadReply):
            adapter.read_reply(wire({"answers": [answer]}))
    else:
        assert adapter.read_reply(wire({"answers": [answer]})).verdict == verdict


def chat(content: str | None = '{"verdict": "safe"}', **fields: Any) -> dict[str, Any]:
    message = {"role": "assistant", "content": content, "refusal": fields.pop("refusal", None)}
    row = {"finish_reason": fields.pop("finish", "stop"), "message": message, **fields}
    return {"object": "chat.completion", "choices": [row]}


@pytest.mark.parametrize(
    "reply", [chat(None, refusal="I cannot help"), chat(None, finish="content_filter")]
)
def test_a_refusal_of_openai_is_no_verdict(reply: dict[str, Any]) -> None:
    with pytest.raises(ProviderRefused):
        openai.build(config("gpt-5-mini")).read_reply(wire(reply))


def test_anthropic_refuses_with_empty_content_and_may_think_aloud() -> None:
    adapter = anthropic.build(config())
    head = {"type": "message", "role": "assistant"}
    with pytest.raises(ProviderRefused):
        adapter.read_reply(wire({**head, "stop_reason": "refusal", "content": []}))
    said = {"type": "text", "text": '{"verdict": "unclear"}'}
    thought = {"type": "thinking", "thinking": '{"verdict": "safe"}'}
    reply = {**head, "stop_reason": "end_turn", "content": [thought, said]}
    assert adapter.read_reply(wire(reply)) == Assessment(
        "unclear", "model_unclear", source="anthropic"
    )


AZURE = azure.build(config("judge", endpoint="https://r.example"))
CLEAN = {"hate": {"filtered": False, "severity": "safe"}, "jailbreak": {"detected": False}}
DOWN = {"error": {"code": "content_filter_error", "message": "down"}}


def noted(results: Any, content: str = '{"verdict": "safe"}') -> dict[str, Any]:
    rows = [{"prompt_index": 0, "content_filter_results": results}]
    return {**chat(content), "prompt_filter_results": rows}


@pytest.mark.parametrize(
    ("reply", "verdict", "reason"),
    [
        (chat(), "safe", "model_safe"),
        (noted(CLEAN), "safe", "model_safe"),
        (noted({}), "safe", "model_safe"),
        (noted(None), "safe", "model_safe"),
        ({**chat(), "prompt_filter_results": []}, "safe", "model_safe"),
        (noted({"custom_blocklists": []}), "safe", "model_safe"),
        (noted({"custom_blocklists": [{"id": "b", "filtered": False}]}), "safe", "model_safe"),
        (
            noted({"custom_blocklists": [{"filtered": False}, {"filtered": True}]}),
            "unsafe",
            "content_filter",
        ),
        (
            noted({"violence": {"filtered": False, "severity": "high"}}),
            "unsafe",
            "content_filter",
        ),
        (noted({"violence": {"filtered": False, "severity": "low"}}), "safe", "model_safe"),
        (noted({"hate": {"filtered": False, **DOWN}}), "unclear", "content_filter_error"),
        (chat(content_filter_result=DOWN), "unclear", "content_filter_error"),
        (chat(content_filter_result={"hate": {"filtered": True}}), "unsafe", "content_filter"),
        (noted({**CLEAN, "hate": {"filtered": True}}), "unsafe", "content_filter"),
        (
            noted({"jailbreak": {"filtered": False, "detected": True}}),
            "unsafe",
            "content_filter",
        ),
        (noted({"indirect_attack": {"detected": True}}), "unsafe", "content_filter"),
        (noted({**DOWN, "hate": {"filtered": True}}), "unsafe", "content_filter"),
        (noted(DOWN), "unclear", "content_filter_error"),
        (noted(DOWN, '{"verdict": "unsafe"}'), "unsafe", "model_unsafe"),
        (chat(content_filter_results={"sexual": {"filtered": True}}), "unsafe", "content_filter"),
        (chat(content_filter_results=DOWN), "unclear", "content_filter_error"),
        (chat(None, finish="content_filter"), "unsafe", "model_unsafe"),
    ],
)
def test_azure_reads_what_its_filter_saw(reply: Any, verdict: str, reason: str) -> None:
    assert AZURE.read_reply(wire(reply)) == Assessment(verdict, reason, source="azure")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "reply",
    [
        {**chat(), "prompt_filter_results": {}},
        {**chat(), "prompt_filter_results": ["x"]},
        noted("clean"),
        noted({"hate": None}),
        noted({"hate": {"filtered": "no"}}),
        noted({"jailbreak": {"detected": 0}}),
        chat(content_filter_results=[]),
    ],
)
def test_an_annotation_that_cannot_be_read_does_not_clear(reply: dict[str, Any]) -> None:
    with pytest.raises(ProviderBadReply):
        AZURE.read_reply(wire(reply))


def refused(status: int, body: Any) -> Assessment | ProviderError:
    request = httpx2.Request("POST", "https://r.example")
    response = httpx2.Response(status, content=wire(body), request=request)
    return AZURE.explain(sdk.APIStatusError("x", response=response, body=body))


FILTER = {"code": "content_filter", "innererror": {"code": "ResponsibleAIPolicyViolation"}}


def test_only_the_filters_own_400_is_a_verdict() -> None:
    assert refused(400, {"error": FILTER}) == Assessment("unsafe", "content_filter", source="azure")
    for status, body in [
        (403, {"error": FILTER}),
        (400, {"error": {**FILTER, "code": "bad"}}),
        (400, {"error": {"code": "content_filter"}}),
        (400, {"error": {**FILTER, "innererror": {"code": "other"}}}),
        (400, {"error": None}),
        (400, "content_filter"),
    ]:
        assert isinstance(refused(status, body), ProviderMisconfigured)
