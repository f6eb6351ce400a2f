"""The payload: the contract's shape, nothing secret in it, and the same placeholder everywhere."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from abuse_gate.model.extract import PLACE_OF, Extract, Origin, Segment, ToolCall
from abuse_gate.model.hit import Hit
from abuse_gate.model.payload import Payload
from abuse_gate.rules.findings import Findings
from abuse_gate.rules.redact import MAX_PROMPT, redact
from abuse_gate.rules.showing import MAX_CONTEXT, MAX_ENTRIES
from abuse_gate.rules.tools import ToolRisk

KEY = b"a key of the deployment"
POLICY = {"pii_ruleset": "default", "block_mode": "baseline", "override_mode": "allow"}
NOTHING = Findings()


def payload_of(extract: Extract, findings: Findings = NOTHING, key: bytes = KEY) -> Payload:
    return redact(extract, findings, key=key, policy_context=POLICY, tool_risk=ToolRisk())


def said(*texts: str, origin: Origin = "user") -> Extract:
    return Extract(tuple(Segment(text, origin, "vetted") for text in texts))


def prompt(text: str) -> str:
    result = payload_of(said(text))["prompt_text"]
    assert isinstance(result, str)
    return result


# Built from parts, so that no scanner of repositories takes it for a real one.
SECRET = "sk-ant-api03-" + "A1b2C3d4E5f6G7h8J9k0" * 3


def test_the_same_value_has_the_same_placeholder_in_every_field() -> None:
    extract = Extract(
        segments=(
            Segment("ann@example.com and bob@example.com", "user", "vetted"),
            Segment("bob@example.com wrote", "tool", "untrusted"),
        ),
        calls=(ToolCall("send_email", ("to", "ann@example.com", SECRET)),),
    )
    payload = payload_of(extract)
    assert payload["prompt_text"] == "[EMAIL_1] and [EMAIL_2]"
    assert payload["context"][0]["text"] == "[EMAIL_2] wrote"
    assert payload["tool_calls"][0]["arguments"] == "to\n[EMAIL_1]\n[SECRET_1]"


def test_the_payload_has_the_contracts_shape() -> None:
    extract = Extract(
        segments=(
            Segment("hello", "user", "vetted"),
            Segment("world", "field", "vetted"),
            Segment("a document", "document", "untrusted"),
            Segment("session=1", "cookie", "vetted"),
        ),
        calls=(
            ToolCall("read_file", ("path",), pending=False),
            ToolCall("bash", ("ls", "-l")),
        ),
        flags=frozenset({"truncated"}),
        modalities=("text", "pdf"),
    )
    hits = (
        Hit("b.two", "b", 1, "caller"),
        Hit("a.one", "a", 1, "caller"),
        Hit("c.x", "c", 1, "call"),
    )
    payload = payload_of(extract, Findings(hits, frozenset({"scan_budget"})))
    assert dict(payload) == {
        "prompt_text": "hello\nworld",
        "modalities": ["text", "pdf"],
        "policy_context": POLICY,
        "ingress_flags": ["scan_budget", "truncated"],
        "debug": {
            "sources": [
                source("caller", ["a.one", "b.two"], segments=2, chars=10),
                source("document", [], segments=1, chars=10),
                source("ambient", [], segments=1, chars=9),
                source("call", ["c.x"], segments=3, chars=8),
            ]
        },
        "context": [{"origin": "document", "trust": "untrusted", "text": "a document"}],
        "tool_calls": [
            {"name": "bash", "arguments": "ls\n-l", "risk": "high", "pending": True},
            {"name": "read_file", "arguments": "path", "risk": "low", "pending": False},
        ],
    }
    assert payload.hits == hits


def source(place: str, rules: list[str], *, segments: int, chars: int) -> dict[str, Any]:
    meta = {"place": place, "segments": segments, "chars": chars}
    return {"type": "text", "rule_hits": rules, "meta": meta}


def test_cookies_and_headers_stay_at_home() -> None:
    payload = payload_of(said("canary-4711", origin="cookie"))
    assert "canary-4711" not in json.dumps(dict(payload))


def test_a_long_prompt_keeps_head_and_tail_and_a_keyed_digest() -> None:
    text = "head " + "x" * 50_000 + " tail"
    first, other = (payload_of(said(text), key=key)["prompt_text"] for key in (KEY, b"other"))
    assert first.startswith("head ")
    assert first.endswith(" tail")
    assert f"[… {len(text) - MAX_PROMPT} characters left out, digest " in first
    assert len(first) < MAX_PROMPT + 100
    assert first != other
    assert first == payload_of(said(text))["prompt_text"]


def test_a_secret_is_gone_before_the_middle_is_left_out() -> None:
    text = "x" * (MAX_PROMPT // 2 - 20) + " " + SECRET + " " + "y" * MAX_PROMPT
    assert SECRET[:12] not in prompt(text)


def test_context_is_bounded_in_length_and_number() -> None:
    texts = [f"{number} " + "z" * 10_000 for number in range(MAX_ENTRIES + 5)]
    context = payload_of(said(*texts, origin="tool"))["context"]
    assert len(context) == MAX_ENTRIES + 1
    assert all(len(entry["text"]) < MAX_CONTEXT + 100 for entry in context)
    assert context[-1]["text"].startswith(f"{MAX_ENTRIES} z")


def test_calls_beyond_the_limit_are_summed_up_as_risky_as_their_worst() -> None:
    calls = [ToolCall("read", ("a",)) for _ in range(MAX_ENTRIES + 1)]
    for last, risk in (("read", "low"), ("bash", "high")):
        extract = Extract(calls=(*calls, ToolCall(last, ("b",), pending=False)))
        summed_up = payload_of(extract)["tool_calls"][-1]
        assert summed_up == {
            "name": "[… 2 more calls]",
            "arguments": f"read\na\n{last}\nb",
            "risk": risk,
            "pending": True,
        }


def test_an_empty_request_has_an_empty_payload() -> None:
    payload = payload_of(Extract())
    assert payload["prompt_text"] == ""
    assert payload["debug"] == {"sources": []}
    assert payload["context"] == []
    assert payload["tool_calls"] == []


ODD = st.text(alphabet=st.sampled_from("ak-sy=@.:/ \n'\"eJB\ud800é0")) | st.text()


@given(st.lists(st.tuples(ODD, st.sampled_from(list(PLACE_OF))), max_size=5), st.lists(ODD))
def test_any_payload_is_plain_json_that_utf8_can_carry(
    segments: list[tuple[str, Origin]], arguments: list[str]
) -> None:
    extract = Extract(
        tuple(Segment(text, origin, "untrusted") for text, origin in segments),
        (ToolCall("tool\ud800", tuple(arguments)),),
    )
    fields = dict(payload_of(extract))
    assert json.loads(json.dumps(fields, ensure_ascii=False).encode("utf-8")) == fields
