"""The Responses API: which models are asked by it, and that only one whole message clears."""

import json
from typing import Any

import pytest

from abuse_gate.contract import AdapterConfig, ProviderBadReply, ProviderError, ProviderRefused
from abuse_gate.model.verdict import Assessment
from abuse_gate.testing.faults_responses import RESPONSES
from abuse_gate_adapters import openai

DROP = "<drop>"
NONCE = "f" * 32

# A model as the operator writes it: the one that is asked, and a field only its endpoint has.
MODELS = [
    (None, "omni-moderation-latest", "input"),
    ("text-moderation-stable", "text-moderation-stable", "input"),
    ("gpt-6-luna", "gpt-6-luna", "questions"),
    ("gpt-6-mini", "gpt-6-mini", "messages"),
    ("ft:gpt-4o:org::id", "ft:gpt-4o:org::id", "messages"),
    ("meta-llama/llama-guard", "meta-llama/llama-guard", "messages"),
    ("gpt-6-prose", "gpt-6-prose", "messages"),
    ("responses/", "responses/", "messages"),
    ("gpt-6-pro", "gpt-6-pro", "instructions"),
    ("o3-pro-2025-06-10", "o3-pro-2025-06-10", "instructions"),
    ("gpt-5.3-codex", "gpt-5.3-codex", "instructions"),
    ("responses/gpt-6-mini", "gpt-6-mini", "instructions"),
    ("chat/gpt-6-pro", "gpt-6-pro", "messages"),
    ("decisions/gpt-7-luna", "gpt-7-luna", "questions"),
    ("moderations/omni-moderation-2026", "omni-moderation-2026", "input"),
    ("responses/chat/odd", "chat/odd", "instructions"),
]

REPLY = RESPONSES.reply("safe", {"model": "gpt-6"})
MESSAGE = REPLY["output"][1]
THOUGHT = REPLY["output"][0]
PART = MESSAGE["content"][0]
CALL = {"type": "function_call", "name": "f", "arguments": "{}", "call_id": "1"}
ODD: tuple[Any, ...] = (None, 0, True, "", "safe", [], {}, ["safe"], {"verdict": "safe"})
# The place of a reply that is changed, and what stands there then.
SPOILT: list[tuple[str, Any]] = [
    *(("", odd) for odd in ODD),
    ("", {"error": {"message": "no"}}),
    *(
        (place, value)
        for place in ("object", "status", "output", "output.1", "output.1.content")
        for value in (DROP, *ODD)
    ),
    *(
        (f"output.1.{field}", value)
        for field in ("type", "role", "status", "content.0", "content.0.type", "content.0.text")
        for value in (DROP, *ODD)
    ),
    *(
        ("status", status)
        for status in ("failed", "in_progress", "cancelled", "queued", "Completed")
    ),
    *(("output.1.status", status) for status in ("in_progress", "incomplete")),
    *(("output.1.phase", phase) for phase in ("commentary", "", 0, True, [], ["final_answer"])),
    ("error", {"code": "server_error", "message": "x"}),
    ("error", False),
    ("incomplete_details", {}.fromkeys(["reason"], "max_output_tokens")),
    ("incomplete_details", {"reason": []}),
    ("incomplete_details", []),
    ("output", [THOUGHT]),
    ("output", [THOUGHT, THOUGHT]),
    ("output", [MESSAGE, MESSAGE]),
    ("output", [MESSAGE, CALL]),
    ("output", [CALL, MESSAGE]),
    ("output", [MESSAGE, {"type": "new_kind"}]),
    ("output", [MESSAGE, {}]),
    ("output", [MESSAGE, {**MESSAGE, "phase": "commentary"}]),
    ("output.1.content", [PART, PART]),
    ("output.1.content", [PART, {"type": "refusal", "refusal": "no"}]),
    ("output.1.type", "reasoning"),
    ("output.1.role", "user"),
    ("output.1.content.0.type", "summary_text"),
    ("output.1.content.0.text", "safe"),
    ("output.1.content.0.text", '{"verdict": "safe"} and more'),
    ("output.1.content.0.text", '{"verdict": "unsafe", "verdict": "safe"}'),
]
REFUSED: list[tuple[str, Any]] = [
    ("output.1.content", [{"type": "refusal", "refusal": "I cannot."}]),
    ("output.1.content", [{"type": "refusal"}]),
]
HARMLESS: list[tuple[str, Any]] = [
    ("output", [MESSAGE]),
    ("output", [THOUGHT, THOUGHT, MESSAGE]),
    ("output.1.phase", "final_answer"),
    ("output.1.phase", None),
    ("error", None),
    ("error", DROP),
    ("incomplete_details", DROP),
    ("output.1.content.0.annotations", DROP),
    ("usage", DROP),
]


def adapter(model: str | None = "responses/gpt-6") -> openai.OpenAIAdapter:
    return openai.build(AdapterConfig(name="openai", timeout_ms=100, model=model))


def read(reply: Any) -> Assessment | ProviderError:
    try:
        return adapter().read_reply(json.dumps(reply).encode())
    except ProviderError as error:
        return error


def verdict_of(reply: Any) -> str | None:
    answer = read(reply)
    return answer.verdict if isinstance(answer, Assessment) else None


@pytest.mark.parametrize(("written", "asked", "field"), MODELS)
def test_a_models_name_selects_its_endpoint(written: str | None, asked: str, field: str) -> None:
    request = adapter(written).build_request({"prompt_text": "hello"}, NONCE)
    assert request["model"] == asked
    assert field in request


def test_a_question_is_kept_nowhere_and_may_not_be_shortened(payload: dict[str, Any]) -> None:
    request = adapter().build_request(payload, NONCE)
    assert (request["store"], request["truncation"]) == (False, "disabled")
    form = request["text"]["format"]
    assert (form["type"], form["strict"]) == ("json_schema", True)
    assert form["schema"]["additionalProperties"] is False


@pytest.mark.parametrize("verdict", ["safe", "unsafe", "unclear"])
def test_the_word_of_the_one_message_is_the_verdict(verdict: Any) -> None:
    assert verdict_of(RESPONSES.reply(verdict, {})) == verdict


@pytest.mark.parametrize(("place", "value"), HARMLESS)
def test_what_is_beside_the_answer_does_not_change_it(place: str, value: Any, altered: Any) -> None:
    assert verdict_of(altered(REPLY, place, value)) == "safe"


def test_no_spoilt_reply_clears(altered: Any) -> None:
    answers = [read(altered(REPLY, *change)) for change in SPOILT]
    wrong = [
        change
        for change, answer in zip(SPOILT, answers, strict=True)
        if not isinstance(answer, ProviderBadReply)
    ]
    assert wrong == []
    assert len(SPOILT) > 100


@pytest.mark.parametrize(("place", "value"), REFUSED)
def test_a_refusal_is_one(place: str, value: Any, altered: Any) -> None:
    assert isinstance(read(altered(REPLY, place, value)), ProviderRefused)


@pytest.mark.parametrize(
    ("why", "kind"),
    [
        ("content_filter", ProviderRefused),
        ("max_output_tokens", ProviderBadReply),
        ("max_messages", ProviderBadReply),
        ("steered", ProviderBadReply),
        (None, ProviderBadReply),
    ],
)
def test_an_incomplete_response_says_nothing_whatever_it_holds(
    why: str | None, kind: type[ProviderError]
) -> None:
    held = {"status": "incomplete", "incomplete_details": {"reason": why}}
    assert isinstance(read({**REPLY, **held}), kind)
