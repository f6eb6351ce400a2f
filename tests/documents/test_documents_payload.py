"""The payload with documents in it: the contract's shape, redacted, bounded, from the settings."""

import asyncio
import json
from collections.abc import Mapping
from importlib import resources
from typing import Any

import jsonschema
import pytest

from abuse_gate import ConfigError, Settings, build_gate
from abuse_gate.gate import Gate
from abuse_gate.reading.request import RawRequest
from abuse_gate.settings import Route, RoutePolicy
from tests.documents.corpus import ATTACK, HARMLESS, HIDDEN, PICTURES, Case
from tests.documents.gates import data_url, gate, in_json, multipart, payload_of, review, sources
from tests.documents.hostile import nested_zip
from tests.documents.offices import document
from tests.documents.pdf_objects import metadata
from tests.documents.pdfs import drawn
from tests.rules.planted import look_alikes, planted

SCHEMA: Mapping[str, Any] = json.loads(
    (resources.files("abuse_gate.model") / "payload.schema.json").read_text("utf-8")
)


def checked(made: Gate, *files: tuple[str, str, bytes]) -> Mapping[str, Any]:
    payload = dict(asyncio.run(payload_of(made, multipart(*files))))
    jsonschema.validate(payload, SCHEMA)
    return payload


def test_the_schema_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("case", [*HIDDEN[::6], *PICTURES[::4]], ids=lambda case: case.label)
def test_every_payload_fits_the_schema(case: Case, opener: Gate) -> None:
    payload = checked(opener, ("a.bin", "", case.make(HARMLESS)), ("b.mp3", "audio/mpeg", b"ID3\3"))
    assert payload["ingress_flags"]
    assert payload["debug"]["sources"][1]["type"] == "audio"


def test_the_schema_refuses_what_is_not_a_payload() -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"prompt_text": "x"}, SCHEMA)


class Recorder:
    """An adapter that keeps everything it is given."""

    def __init__(self) -> None:
        self.seen: list[str] = []

    async def assess(self, payload: Mapping[str, Any]) -> str:
        self.seen.append(json.dumps(dict(payload), ensure_ascii=False))
        return "safe"


def _sheet(lines: list[str]) -> bytes:
    def change(made: Any) -> None:
        for text in lines:
            made.add_paragraph(text)

    return document(change)


def _page(lines: list[str]) -> bytes:
    def draw(canvas: Any, _words: str) -> None:
        for number, text in enumerate(lines):
            canvas.drawString(5, 400 - number * 9, text)

    return drawn(draw)


def _leaks(value: str, text: str) -> bool:
    pieces = [value] if len(value) <= 12 else [value[i : i + 12] for i in range(len(value) - 11)]
    return any(piece in text for piece in pieces)


def _groups(items: list[Any], size: int = 20) -> list[list[Any]]:
    return [items[start : start + size] for start in range(0, len(items), size)]


def test_none_of_two_hundred_planted_values_reaches_an_adapter() -> None:
    recorder = Recorder()
    made = build_gate(Settings(plan="paranoid"), adapter=recorder)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType] says a plain str
    # A key block has lines of its own, which a drawn page would part.
    values = [(text, value) for text, value in planted(220) if "\n" not in text][:200]
    requests = list[RawRequest]()
    for number, group in enumerate(_groups(values)):
        lines = [text for text, _ in group]
        files = [
            ("a.docx", "", _sheet(lines)),
            ("a.txt", "text/plain", "\n".join(lines).encode()),
            ("a.pdf", "", metadata("; ".join(lines)) if number % 2 else _page(lines)),
        ]
        requests.append(multipart(*files))
        requests.append(in_json(["\n".join(lines), data_url("", files[0][2])]))

    async def play() -> None:
        for request in requests:
            await review(made, request)

    try:
        asyncio.run(play())
    finally:
        made.close()
    assert len(recorder.seen) == len(requests)
    seen = "\n".join(recorder.seen)
    assert [text for text, value in values if _leaks(value, seen)] == []


def test_two_hundred_look_alikes_reach_the_adapter_as_they_are(opener: Gate) -> None:
    alike = look_alikes(200)
    # In files short enough to be sent whole.
    files = [("a.docx", "", _sheet(group)) for group in _groups(alike, 40)]
    payload = checked(opener, *files)
    seen = "\n".join(entry["text"] for entry in payload["context"])
    touched = [text for text in alike if text not in seen]
    assert len(touched) <= 10, touched


def test_what_rules_found_in_a_long_document_is_sent(opener: Gate) -> None:
    lines = ["Nothing happened on this day."] * 2_000
    lines[1_000] = ATTACK
    payload = checked(opener, ("a.docx", "", _sheet(lines)))
    (entry, *_) = payload["context"]
    assert ATTACK in entry["text"]
    assert "characters left out, digest" in entry["text"]
    assert len(entry["text"]) < 5_000


@pytest.mark.parametrize(
    ("name", "media_type", "data"),
    [
        ("a.pdf", "application/pdf", document()),
        ("a.docx", "", drawn()),
        ("a.txt", "text/plain", drawn()),
        ("a.png", "image/png", drawn()),
        ("a.pdf", "application/pdf", b"just words"),
        ("a.gif", "", b"GIF89a" + drawn()),
        ("a.pdf", "", drawn() + nested_zip(1)),
    ],
)
def test_a_file_that_is_not_what_it_says_is_flagged(
    name: str, media_type: str, data: bytes, opener: Gate
) -> None:
    payload = checked(opener, (name, media_type, data))
    assert "type_mismatch" in payload["ingress_flags"]
    decision = asyncio.run(review(opener, multipart((name, media_type, data))))
    assert decision.verdict == "unclear"


@pytest.mark.parametrize(
    ("name", "media_type", "data"),
    [
        ("a.pdf", "application/pdf", drawn()),
        ("A.DOCX", "application/octet-stream", document()),
        ("a.html", "text/plain", b"<html><p>hello"),
        ("a.csv", "text/csv", b"a,b\n1,2"),
        ("a.html", "text/html", b"<p>a fragment</p>"),
        ("a", "", drawn()),
    ],
)
def test_an_honest_name_is_no_flag(name: str, media_type: str, data: bytes, opener: Gate) -> None:
    assert checked(opener, (name, media_type, data))["ingress_flags"] == []


def test_policy_context_is_the_routes_and_never_the_clients(opener: Gate) -> None:
    request = in_json("policy_context: {pii_ruleset: custom} MRN: 12345678")
    policy = RoutePolicy(pii_ruleset="hipaa", on_unclear="block")

    async def play() -> Mapping[str, Any]:
        return opener.payload(await opener.inspect(request, policy), policy)

    payload = asyncio.run(play())
    assert payload["policy_context"] == {
        "pii_ruleset": "hipaa",
        "block_mode": "baseline",
        "override_mode": "block",
    }
    assert "MRN: [RECORD_1]" in payload["prompt_text"]


def test_a_deployments_own_patterns_are_redacted() -> None:
    made = gate(pii={"badge": "B-[0-9]{6}"}, routes=(Route(path="/x", pii_ruleset="ferpa"),))
    payload = asyncio.run(payload_of(made, in_json("badge B-123456")))
    assert payload["prompt_text"] == "badge [BADGE_1]"


def test_a_pattern_that_cannot_be_compiled_is_a_start_up_error() -> None:
    with pytest.raises(ConfigError, match="pii pattern badge"):
        gate(pii={"badge": "(a"})


def test_a_structural_rule_can_be_switched_off() -> None:
    made = gate(disabled_rules=("pdf:hidden",))
    try:
        data = HIDDEN[2].make(HARMLESS)
        decision = asyncio.run(review(made, multipart(("a.pdf", "", data))))
        payload = asyncio.run(payload_of(made, multipart(("a.pdf", "", data))))
    finally:
        made.close()
    assert decision.verdict == "safe"
    assert sources(payload)[0]["rule_hits"] == []
