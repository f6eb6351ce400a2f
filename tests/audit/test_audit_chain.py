"""Lines of a chain: one way to write them, and no other way to read them."""

import hashlib
import json

import pytest

from abuse_gate.telemetry.audit.chain import START, BrokenLine, Chain, Head, heads_in, parse


def forged(body: str) -> bytes:
    """A line whose hash is right, whatever it says."""
    digest = hashlib.sha256(body.encode()).hexdigest()
    return body[:-1].encode() + f',"hash":"{digest}"}}'.encode()


def test_each_line_names_the_one_before_it() -> None:
    chain = Chain("0" * 16)
    lines = [chain.line("decision", "now", {"b": 1, "a": "ä"}) for _ in range(3)]
    records = [parse(line.rstrip(b"\n")) for line in lines]
    assert [record["n"] for record in records] == [1, 2, 3]
    assert [record["prev"] for record in records] == [START, *(r["hash"] for r in records[:2])]
    assert chain.head == Head("0" * 16, 3, records[-1]["hash"])
    assert json.loads(lines[0])["a"] == "ä"
    assert all(line.isascii() and line.endswith(b"}\n") for line in lines)


BROKEN = {
    "nothing": b"",
    "no hash": b'{"n":1,"prev":"x"}',
    "another hash": b'{"n":1,"prev":"x","hash":"' + b"0" * 64 + b'"}',
    "no json": forged("{nonsense}"),
    "a list": forged("[1]"),
    "spaces": forged('{"n": 1,"prev":"x"}'),
    "unsorted": forged('{"prev":"x","n":1}'),
    "twice": forged('{"a":1,"a":2,"n":1,"prev":"x"}'),
    "no number": forged('{"prev":"x"}'),
    "true is no number": forged('{"n":true,"prev":"x"}'),
    "no predecessor": forged('{"n":1}'),
    "not a number": forged('{"a":NaN,"n":1,"prev":"x"}'),
    "too deep": forged('{"a":' + "[" * 100_000 + "]" * 100_000 + ',"n":1,"prev":"x"}'),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_the_gate_would_not_have_written_is_broken(name: str) -> None:
    with pytest.raises(BrokenLine):
        parse(BROKEN[name])


def test_a_forged_line_with_the_right_hash_reads() -> None:
    """Hashes alone prove nothing: that is what seals are for."""
    assert parse(forged('{"n":1,"prev":"x"}'))["n"] == 1


def test_heads_are_found_in_a_log() -> None:
    head = Head("0123456789abcdef", 7, "a" * 64)
    assert heads_in(f"INFO audit head {head} and no head 12:3:x") == [head]
