"""The nouns keep their own invariants and show sizes only."""

import dataclasses
from typing import Any, Final, get_args

import pytest

from abuse_gate.contract import AdapterConfig, ProviderRateLimited, VerifierAdapter
from abuse_gate.model import decision, events, extract, hit, verdict
from abuse_gate.model.decision import Decision
from abuse_gate.model.extract import PLACE_OF, Extract, Origin, Segment, ToolCall
from abuse_gate.model.hit import Hit, Place
from abuse_gate.model.payload import Payload
from abuse_gate.model.verdict import (
    SEVERITY,
    Assessment,
    Verdict,
    is_code,
    is_verdict,
    worse,
)
from abuse_gate.testing import ScriptedAdapter

CANARY: Final = "canary-90aa-wren"


@pytest.mark.parametrize(
    ("value", "is_one"),
    [
        ("safe", True),
        ("unsafe", True),
        ("unclear", True),
        ("SAFE", False),
        ("safe ", False),
        ("", False),
        (None, False),
        (1, False),
        (b"safe", False),
        (["safe"], False),
    ],
)
def test_a_verdict_is_exactly_one_of_three_words(value: object, is_one: bool) -> None:
    assert is_verdict(value) is is_one


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("timeout", True),
        ("model_safe", True),
        ("pdf:hidden", True),
        ("a.b-c_9", True),
        ("a" * 64, True),
        ("a" * 65, False),
        ("", False),
        ("Timeout", False),
        ("9a", False),
        ("two words", False),
        ("line\n", False),
        ("naïve", False),
    ],
)
def test_a_code_is_short_and_lower_case_and_no_prose(text: str, is_one: bool) -> None:
    assert is_code(text) is is_one


WRONG: Final[list[dict[str, Any]]] = [
    {"verdict": "SAFE", "reason": "x"},
    {"verdict": None, "reason": "x"},
    {"verdict": "safe", "reason": f"because {CANARY}"},
    {"verdict": "safe", "reason": "x", "source": f"Model {CANARY}"},
]


@pytest.mark.parametrize("given", WRONG)
def test_an_assessment_takes_no_other_verdict_and_no_prose(given: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="an Assessment's") as caught:
        Assessment(**given)
    assert CANARY not in str(caught.value)


def test_the_worse_of_two_is_the_stricter_and_else_the_first() -> None:
    for one in SEVERITY:
        for other in SEVERITY:
            first, second = Assessment(one, "first"), Assessment(other, "second")
            stricter = second if SEVERITY[other] > SEVERITY[one] else first
            assert worse(first, second) is stricter
    assert sorted(SEVERITY, key=lambda word: SEVERITY[word]) == ["safe", "unclear", "unsafe"]
    assert set(SEVERITY) == set(get_args(Verdict))


def test_a_decision_shows_the_rules_sorted_and_each_once() -> None:
    hits = (Hit("b", "f", 1, "call"), Hit("a", "f", 1, "call"), Hit("b", "f", 1, "caller"))
    made = Decision("block", 403, "normal", "0" * 32, Assessment("unsafe", "x", hits=hits))
    assert (made.verdict, made.rule_ids) == ("unsafe", ("a", "b"))


def test_only_calls_without_a_result_are_pending() -> None:
    open_call, done = ToolCall("a", ()), ToolCall("b", (), pending=False)
    assert Extract(calls=(done, open_call)).pending_calls == (open_call,)


def test_an_extract_is_as_large_as_all_of_its_text() -> None:
    segments = (Segment("ab", "user", "vetted"), Segment("c", "field", "vetted"))
    assert Extract(segments, (ToolCall("read", ("x", "yz")),)).chars == 10
    assert Extract().chars == 0


def test_every_origin_is_somebodys_and_only_a_tool_is_a_third_party() -> None:
    assert set(PLACE_OF) == set(get_args(Origin))
    assert set(PLACE_OF.values()) <= set(get_args(Place))
    others = {origin for origin, place in PLACE_OF.items() if place == "third_party"}
    assert others == {"tool"}
    assert {o for o, place in PLACE_OF.items() if place == "document"} == {"document"}
    assert {o for o, place in PLACE_OF.items() if place == "ambient"} == {"header", "cookie"}


SHOWN: Final[list[tuple[object, str]]] = [
    (Segment(CANARY, "user", "untrusted"), "Segment(user, untrusted, 16 chars)"),
    (ToolCall(CANARY, (CANARY, "x")), "ToolCall(pending, 16 + 17 chars)"),
    (ToolCall("", (), pending=False), "ToolCall(answered, 0 + 0 chars)"),
    (
        Extract(
            segments=(Segment(CANARY, "user", "untrusted"),),
            calls=(ToolCall(CANARY, ()),),
            flags=frozenset({"truncated"}),
            rpc_ids=(CANARY,),
            body_bytes=9,
        ),
        "Extract(1 segments, 32 chars, 1 calls, 0 uploads, 9 bytes, flags=['truncated'])",
    ),
    (
        Payload({"prompt_text": CANARY}, (Hit("a", "f", 1, "call"),)),
        "Payload(16 chars, 1 hits)",
    ),
    (Payload({}, ()), "Payload(0 chars, 0 hits)"),
]


@pytest.mark.parametrize(("value", "shown"), SHOWN)
def test_a_repr_shows_sizes_only(value: object, shown: str) -> None:
    assert repr(value) == str(value) == shown


def test_a_payload_is_a_read_only_mapping_of_its_own_copy() -> None:
    given = {"prompt_text": "a", "modalities": ["text"]}
    payload = Payload(given, ())
    given["prompt_text"] = "b"
    assert dict(payload) == {"prompt_text": "a", "modalities": ["text"]}
    assert (payload["prompt_text"], len(payload), list(payload)) == (
        "a",
        2,
        ["prompt_text", "modalities"],
    )
    assert payload.get("nothing") is None
    with pytest.raises(TypeError):
        payload["prompt_text"] = "c"  # type: ignore[index]  # pyright: ignore[reportIndexIssue]


def test_every_value_is_frozen() -> None:
    modules = (decision, events, extract, hit, verdict)
    values: list[Any] = [
        kind for module in modules for kind in vars(module).values() if _is_value(kind)
    ]
    assert len(values) >= 8
    for kind in values:
        assert kind.__dataclass_params__.frozen, kind


def _is_value(kind: object) -> bool:
    return isinstance(kind, type) and dataclasses.is_dataclass(kind)


async def test_an_adapters_config_shows_no_secret_and_has_none_by_default() -> None:
    async def secret(_name: str, /) -> str | None:
        return CANARY

    config = AdapterConfig("mine", 1500)
    assert await config.secret("ANY") is None
    assert (config.model, config.endpoint, dict(config.thresholds)) == (None, None, {})
    assert "secret" not in repr(AdapterConfig("mine", 1500, secret=secret))


def test_a_rate_limit_carries_the_wish_and_no_message() -> None:
    error = ProviderRateLimited(3.5)
    assert (error.retry_after, error.args) == (3.5, ())
    assert ProviderRateLimited().retry_after is None


def test_an_adapter_is_told_by_its_method() -> None:
    assert isinstance(ScriptedAdapter("safe"), VerifierAdapter)
    assert not isinstance(object(), VerifierAdapter)
