"""Files through the whole gate: attacks inside them are unsafe, harmless words never are."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from abuse_gate import Decision
from abuse_gate.gate import Gate
from abuse_gate.reading.request import RawRequest
from tests.documents.corpus import ATTACK, HARMLESS, HIDDEN, PICTURES, SEEN, Case
from tests.documents.gates import data_url, in_json, multipart, payload_of, review, sources

# The least share of hidden attacks that must be found.
FOUND = 0.95
UNKNOWN = "application/octet-stream"


def uploaded(case: Case, words: str) -> RawRequest:
    return multipart(("a.bin", UNKNOWN, case.make(words)))


def judged(opener: Gate, *requests: RawRequest) -> list[Decision]:
    """The decisions on requests that were made before any event loop ran."""

    async def play() -> list[Decision]:
        return [await review(opener, request) for request in requests]

    return asyncio.run(play())


def test_hidden_attacks_are_unsafe_and_their_harmless_twins_never_are(
    opener: Gate,
) -> None:
    attacks = judged(opener, *(uploaded(case, ATTACK) for case in HIDDEN))
    twins = judged(opener, *(uploaded(case, HARMLESS) for case in HIDDEN))
    labels = [case.label for case in HIDDEN]
    missed = [
        label for label, found in zip(labels, attacks, strict=True) if found.verdict != "unsafe"
    ]
    blamed = [
        label for label, found in zip(labels, twins, strict=True) if found.verdict == "unsafe"
    ]
    assert not blamed
    assert len(missed) <= len(HIDDEN) * (1 - FOUND), missed


@pytest.mark.parametrize("case", SEEN, ids=lambda case: case.label)
def test_a_document_with_nothing_hidden_is_safe(case: Case, opener: Gate) -> None:
    (decision,) = judged(opener, uploaded(case, HARMLESS))
    assert (decision.verdict, decision.decision, decision.flags) == ("safe", "allow", frozenset())


@pytest.mark.parametrize("case", PICTURES, ids=lambda case: case.label)
def test_an_attack_beside_pixels_is_unsafe_and_a_caption_unclear(case: Case, opener: Gate) -> None:
    attack, twin = judged(opener, uploaded(case, ATTACK), uploaded(case, HARMLESS))
    assert (attack.verdict, twin.verdict) == ("unsafe", "unclear")
    assert twin.decision == "allow"


CARRIERS: dict[str, Callable[[bytes], Any]] = {
    "openai input_file": lambda data: {"type": "input_file", "file_data": data_url("x/y", data)},
    "openai file": lambda data: {
        "type": "file",
        "file": {"filename": "a.bin", "file_data": data_url(UNKNOWN, data)},
    },
    "openai image_url": lambda data: {
        "type": "image_url",
        "image_url": {"url": data_url(UNKNOWN, data)},
    },
    "anthropic document": lambda data: {
        "type": "document",
        "source": {"type": "base64", "media_type": UNKNOWN, "data": data_url("", data)[13:]},
    },
    "plain data URL": lambda data: data_url(UNKNOWN, data),
}


@pytest.mark.parametrize("carrier", CARRIERS)
@pytest.mark.parametrize("case", [HIDDEN[0], HIDDEN[24], HIDDEN[-1]], ids=lambda case: case.label)
def test_a_file_inside_json_is_opened_like_any_other(
    carrier: str, case: Case, opener: Gate
) -> None:
    attack = in_json([CARRIERS[carrier](case.make(ATTACK))])
    twin = in_json([CARRIERS[carrier](case.make(HARMLESS))])
    condemned, passed = judged(opener, attack, twin)
    assert condemned.verdict == "unsafe"
    assert passed.verdict != "unsafe"
    payload = asyncio.run(payload_of(opener, attack))
    assert case.kind in [source["type"] for source in sources(payload)]


def test_every_upload_is_a_source_with_its_own_hits(opener: Gate) -> None:
    hidden = next(case for case in HIDDEN if case.label == "pdf: white")
    plain = next(case for case in SEEN if case.label == "docx: plain")
    request = multipart(
        ("a.pdf", "application/pdf", hidden.make(HARMLESS)), ("b.docx", "", plain.make(ATTACK))
    )
    payload = asyncio.run(payload_of(opener, request))
    first, second, rest = sources(payload)
    assert (first["type"], first["rule_hits"]) == ("pdf", ["pdf:hidden"])
    assert first["meta"]["spans_count"] == 1
    assert second["type"] == "docx"
    assert "seed.ignore_previous_instruction" in second["rule_hits"]
    assert second["meta"]["lines_scanned"] == 2
    assert rest["type"] == "text"
    assert rest["rule_hits"] == []
    assert payload["modalities"] == ["text", "pdf", "docx"]
