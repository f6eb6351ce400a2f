"""Strict reading: one value, bounded, unambiguous; anything else is a bad reply."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from abuse_gate.contract import AdapterConfig, ProviderBadReply, ProviderError
from abuse_gate.verify.kit.provider import ProviderAdapter
from abuse_gate.verify.kit.replies import (
    MAX_DEPTH,
    MAX_REPLY_BYTES,
    VERDICT_SCHEMA,
    strict_json,
    tokens_of,
    verdict_of,
)
from abuse_gate_adapters import anthropic, azure, openai


def config(model: str | None = None, **fields: Any) -> AdapterConfig:
    return AdapterConfig(name="x", timeout_ms=100, model=model, **fields)


ADAPTERS: list[ProviderAdapter[Any]] = [
    openai.build(config()),
    openai.build(config("gpt-6-luna")),
    openai.build(config("gpt-5-mini")),
    anthropic.build(config()),
    azure.build(config("judge", endpoint="https://r.example")),
]
WIRES = [
    b"",
    b"\xff\xfe",
    b"<html>safe</html>",
    b"{",
    b"[" * 9999,
    b"{} {}",
    b"\x1f\x8b\x08",
    b"1" * 9999,
    b"[1e999]",
    b"[-1e999]",
    b"[NaN]",
    b"[Infinity]",
    b'{"a": 1, "a": 1}',
    b'[{"a": {"b": 1, "b": 2}}]',
    b" " * (MAX_REPLY_BYTES + 1),
    b"[" * (MAX_DEPTH + 1) + b"]" * (MAX_DEPTH + 1),
]


@pytest.mark.parametrize("wire", WIRES)
def test_bytes_that_are_no_answer_are_a_bad_reply_that_quotes_nothing(wire: bytes) -> None:
    with pytest.raises(ProviderBadReply) as caught:
        strict_json(wire)
    assert (caught.value.args, caught.value.__context__) == ((), None)
    for adapter in ADAPTERS:
        with pytest.raises(ProviderBadReply):
            adapter.read_reply(wire)


@pytest.mark.parametrize(
    ("wire", "value"),
    [
        (b" {} ", {}),
        (b"[1.5, 1e3, -2]", [1.5, 1000.0, -2]),
        ('{"a": "\u2603"}'.encode(), {"a": "\u2603"}),
        (b"[" * MAX_DEPTH + b"]" * MAX_DEPTH, None),
    ],
)
def test_plain_json_is_read(wire: bytes, value: object) -> None:
    read = strict_json(wire)
    assert read == value or value is None


@given(st.binary() | st.text().map(str.encode))
def test_no_bytes_raise_anything_else_and_none_of_them_clears(wire: bytes) -> None:
    for adapter in ADAPTERS:
        with pytest.raises(ProviderError):
            adapter.read_reply(wire)


@given(st.text())
def test_no_prose_is_a_verdict(text: str) -> None:
    with pytest.raises(ProviderBadReply):
        verdict_of(text)


@pytest.mark.parametrize("verdict", VERDICT_SCHEMA["properties"]["verdict"]["enum"])
def test_exactly_the_schema_is_a_verdict(verdict: str) -> None:
    assert verdict_of(f' {{"verdict" : "{verdict}"}}\n') == verdict


COSTS: list[tuple[bytes, tuple[int, int]]] = [
    (b'{"usage": {"input_tokens": 12, "output_tokens": 3}}', (12, 3)),
    (b'{"usage": {"prompt_tokens": 12, "completion_tokens": 3}}', (12, 3)),
    (b'{"usage": {"prompt_tokens": 12}}', (12, 0)),
    (b'{"usage": {"prompt_tokens": -1, "completion_tokens": 1e9}}', (0, 0)),
    (b'{"usage": {"prompt_tokens": true, "completion_tokens": "3"}}', (0, 0)),
    (b'{"usage": {"prompt_tokens": 99999999999}}', (0, 0)),
    (b'{"usage": null}', (0, 0)),
    (b"[]", (0, 0)),
    (b"not json", (0, 0)),
]


@pytest.mark.parametrize(("wire", "cost"), COSTS)
def test_what_an_answer_cost_is_read_in_any_spelling_or_not_at_all(
    wire: bytes, cost: tuple[int, int]
) -> None:
    assert tokens_of(wire) == cost
