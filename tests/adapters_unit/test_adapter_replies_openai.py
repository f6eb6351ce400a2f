"""Moderation and decisions: only a complete and clean reply says safe."""

import json
from typing import Any

import pytest

from abuse_gate.contract import AdapterConfig, ProviderBadReply, ProviderError, ProviderRefused
from abuse_gate.model.verdict import Assessment
from abuse_gate.verify.kit.provider import ProviderAdapter
from abuse_gate_adapters import openai, openai_moderation

# A name, the place of a reply that is changed, and what stands there then.
Row = tuple[str, tuple[str, Any]]
ODD_FLAGS: list[Any] = [0, 1, "false", "no", []]
ODD_SHARES: list[Any] = [None, "0.1", -0.1, 1.1, True, [], float("nan"), float("inf")]
DROP = "<drop>"
TWICE = "<twice>"

NAMES = sorted(openai_moderation.OMNI_CATEGORIES)
RESULT = {
    "flagged": False,
    "categories": dict.fromkeys(NAMES, False),
    "category_scores": dict.fromkeys(NAMES, 0.01),
}
MODERATION = {"id": "m", "model": "omni-moderation-latest", "results": [RESULT]}
DECISION = {
    "model": "gpt-6-luna",
    "answers": [
        {
            "type": "choice",
            "name": "verdict",
            "choice": "safe",
            "confidence": 0.9,
            "probabilities": [
                {"value": "safe", "probability": 0.9},
                {"value": "unsafe", "probability": 0.06},
                {"value": "unclear", "probability": 0.04},
            ],
        }
    ],
}
ENVELOPES: list[Row] = [
    ("null", ("", None)),
    ("a string", ("", "safe")),
    ("a list", ("", [{"verdict": "safe"}])),
    ("a number", ("", 1)),
    ("empty", ("", {})),
    ("an error of a 200", ("", {"error": {"message": "no"}})),
]
RESULTS: list[Row] = [
    *ENVELOPES,
    ("no results", ("results", DROP)),
    ("null results", ("results", None)),
    ("empty results", ("results", [])),
    ("results as object", ("results", RESULT)),
    ("odd result", ("results.0", "odd")),
    ("null result", ("results.0", None)),
    ("two for one text", ("results", TWICE)),
    *((f"no {part}", (f"results.0.{part}", DROP)) for part in RESULT),
    *((f"null {part}", (f"results.0.{part}", None)) for part in RESULT),
    *((f"flag {odd!r}", ("results.0.flagged", odd)) for odd in ODD_FLAGS),
    *((f"without {name}", (f"results.0.categories.{name}", DROP)) for name in NAMES),
    *((f"no score of {name}", (f"results.0.category_scores.{name}", DROP)) for name in NAMES),
    *((f"category {odd!r}", ("results.0.categories.hate", odd)) for odd in (None, *ODD_FLAGS)),
    *((f"score {odd!r}", ("results.0.category_scores.hate", odd)) for odd in ODD_SHARES),
]
ANSWERS: list[Row] = [
    *ENVELOPES,
    ("no answers", ("answers", DROP)),
    ("empty answers", ("answers", [])),
    ("two answers", ("answers", TWICE)),
    ("odd answer", ("answers.0", "odd")),
    ("refusal", ("answers.0.type", "refusal")),
    ("predicate", ("answers.0.type", "predicate")),
    ("no type", ("answers.0.type", DROP)),
    ("another question", ("answers.0.name", "other")),
    ("no name", ("answers.0.name", DROP)),
    *(
        (f"choice {odd!r}", ("answers.0.choice", odd))
        for odd in (None, True, "SAFE", "no", ["safe"], "unsafe", "unclear")
    ),
    *(
        (f"confidence {odd!r}", ("answers.0.confidence", odd))
        for odd in (None, "0.9", 2, -1, True, float("nan"), 0.59, 0)
    ),
    ("no confidence", ("answers.0.confidence", DROP)),
    ("no odds", ("answers.0.probabilities", DROP)),
    ("empty odds", ("answers.0.probabilities", [])),
    ("odds twice", ("answers.0.probabilities", TWICE)),
    ("two odds", ("answers.0.probabilities.2", DROP)),
    ("odd odds", ("answers.0.probabilities.1", "odd")),
    *(
        (f"value {odd!r}", ("answers.0.probabilities.1.value", odd))
        for odd in (None, True, "safe", "other", ["unsafe"])
    ),
    *(
        (f"probability {odd!r}", ("answers.0.probabilities.1.probability", odd))
        for odd in (None, "0.1", 2, -1, True, 0.95)
    ),
]


def config(model: str | None = None, **fields: Any) -> AdapterConfig:
    return AdapterConfig(name="x", timeout_ms=100, model=model, **fields)


# name: adapter, a reply that clears, changes after which it must not
TABLES: dict[str, tuple[ProviderAdapter[Any], Any, list[Row]]] = {
    "moderation": (openai.build(config()), MODERATION, RESULTS),
    "decision": (openai.build(config("gpt-6-luna")), DECISION, ANSWERS),
}
CASES = [
    pytest.param(mode, change, id=f"{mode}: {name}")
    for mode, (_, _, changes) in TABLES.items()
    for name, change in changes
]


def read(adapter: ProviderAdapter[Any], reply: Any) -> Assessment | ProviderError:
    try:
        return adapter.read_reply(json.dumps(reply).encode(), {"input": ["one text"]})
    except ProviderError as error:
        return error


@pytest.mark.parametrize("mode", TABLES)
def test_the_untouched_answer_of_openai_clears_and_its_table_is_long_enough(mode: str) -> None:
    adapter, reply, changes = TABLES[mode]
    answer = read(adapter, reply)
    assert isinstance(answer, Assessment)
    assert (answer.verdict, answer.reason) == ("safe", "model_safe")
    assert len(changes) >= 40


@pytest.mark.parametrize(("mode", "change"), CASES)
def test_a_malformed_answer_of_openai_never_clears(mode: str, change: Any, altered: Any) -> None:
    adapter, reply, _ = TABLES[mode]
    answer = read(adapter, altered(reply, *change))
    if isinstance(answer, Assessment):
        assert answer.verdict == "unclear", "an answer that is not sure"
    else:
        assert isinstance(answer, ProviderBadReply | ProviderRefused)
        assert answer.args == ()
