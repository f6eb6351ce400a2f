"""Whole chains and files that were invented, taken away or put in: a key and heads find them."""

import hashlib
from pathlib import Path

import pytest

from abuse_gate.telemetry.audit.chain import Chain, Head, canonical, heads_in, parse
from abuse_gate.telemetry.audit.heads import chains_gone
from abuse_gate.telemetry.audit.keys import new_key, signer_of
from abuse_gate.telemetry.audit.report import Line
from abuse_gate.telemetry.audit.scribe import Rhythm, Scribe
from abuse_gate.telemetry.audit.verify import LONGEST_TAIL, LONGEST_TAIL_SECONDS, Verifier
from tests.audit.trails import AT, PRIVATE, PUBLIC, ShakySink, decided, written
from tests.audit.verified import verified

DAY = 86_400
CHAIN = "0" * 16


def tailed(times: list[str]) -> list[Line]:
    """A sealed and signed beginning, and records after it that nobody sealed."""
    made = Chain(CHAIN)
    lines = [made.line("open", "2026-01-01T00:00:00+00:00", {"chain": CHAIN, "segment": 1})]
    sig = signer_of(PRIVATE).sign(str(made.head))
    lines.append(made.line("seal", "2026-01-01T00:00:00+00:00", {"key": PUBLIC, "sig": sig}))
    lines += [made.line("decision", at, {}) for at in times]
    return [Line("memory", at, line[:-1]) for at, line in enumerate(lines, start=1)]


def test_with_a_key_a_chain_without_a_signed_seal_is_no_chain_of_the_gate(tmp_path: Path) -> None:
    (path,), _ = written(tmp_path, 1, signed=False)
    invented = [line for line in path.read_bytes().splitlines() if b'"seal"' not in line]
    path.write_bytes(b"\n".join(invented) + b"\n")
    assert "no seal of this chain is signed" in verified([path], key=PUBLIC).findings[0].what
    assert verified([path]).intact


MINUTE = "2026-01-01T00:{:02d}:{:02d}.000+00:00"
TAILS: dict[str, tuple[list[str], bool]] = {
    "none": ([], True),
    "a short one": ([MINUTE.format(0, second) for second in range(5)], True),
    "a long one": ([MINUTE.format(0, 0)] * (LONGEST_TAIL + 1), False),
    "a slow one": ([MINUTE.format(0, 0), MINUTE.format(1, 1)], False),
    "one out of time": (["whenever"], False),
}


@pytest.mark.parametrize("name", TAILS)
def test_with_a_key_only_a_short_tail_may_be_unsealed(name: str) -> None:
    times, intact = TAILS[name]
    report = Verifier(PUBLIC).read(tailed(times))
    assert report.intact is intact
    assert intact or "should long have been" in report.findings[0].what
    assert Verifier().read(tailed(times)).intact


def test_no_tail_of_a_gate_is_as_long_as_one_that_is_found() -> None:
    rhythm = Rhythm()
    assert rhythm.seal_records < LONGEST_TAIL
    assert rhythm.seal_seconds < LONGEST_TAIL_SECONDS


def test_the_first_batch_of_a_chain_is_sealed_at_once() -> None:
    sink = ShakySink()
    scribe = Scribe(sink, signer_of(PRIVATE), mirror=lambda head: None)
    scribe.write([(AT, decided())])
    scribe.tick()
    assert parse(sink.lines[-1])["kind"] == "seal"


def test_two_keys_in_one_chain_are_found_without_any_key() -> None:
    sink = ShakySink()
    scribe = Scribe(sink, signer_of(PRIVATE), mirror=lambda head: None)
    for private in (PRIVATE, new_key()[0]):
        vars(scribe)["_signer"] = signer_of(private)
        scribe.write([(AT, decided())])
        scribe.seal()
    lines = [Line("memory", at, data) for at, data in enumerate(sink.lines, start=1)]
    assert "another key" in Verifier().read(lines).findings[0].what


def test_a_hole_in_the_middle_is_one_finding_however_many_heads_name_it(tmp_path: Path) -> None:
    files, head = written(tmp_path, 40, max_bytes=5000)
    heads = [
        Head(head.chain, record["n"], record["hash"])
        for path in files
        for record in map(parse, path.read_bytes().splitlines())
        if record["kind"] == "seal"
    ]
    report = verified([files[0], *files[2:]], *heads, key=PUBLIC)
    assert [finding.what.split(" are ")[1] for finding in report.findings] == [
        "missing before this line"
    ]


@pytest.mark.parametrize(
    ("keep_days", "age_days", "intact"),
    [(0, 100, False), (30, 31, True), (30, 29, False), (30, None, False)],
)
def test_only_retention_explains_a_missing_beginning(
    tmp_path: Path, keep_days: int, age_days: int | None, intact: bool
) -> None:
    files, head = written(tmp_path, 40, max_bytes=5000, keep_days=keep_days)
    at = 0 if age_days is None else int(AT) - age_days * DAY
    old = Head(head.chain, 2, "0" * 64, at)
    verifier = Verifier(PUBLIC, [old, head], now=lambda: AT)
    report = verifier.read(
        Line(str(path), number, line)
        for path in files[1:]
        for number, line in enumerate(path.read_bytes().splitlines(), start=1)
    )
    assert report.intact is intact
    assert intact or "the beginning was taken away" in report.findings[0].what
    gone = Head("f" * 16, 7, "0" * 64, at)
    assert list(chains_gone([report], [gone, Head("f" * 16, 5, "1" * 64, at)], AT)) == (
        [] if intact else [gone]
    )


def test_a_head_may_say_when_it_was_one() -> None:
    digest = "a" * 64
    told = heads_in(f"audit head {CHAIN}:3:{digest}@1794725953\n{CHAIN}:4:{digest} ")
    assert told == [Head(CHAIN, 3, digest, 1794725953), Head(CHAIN, 4, digest)]
    assert str(told[0]) == f"{CHAIN}:3:{digest}"


@pytest.mark.parametrize("number", [0, -1, 10**18, 10**4299, True, "1", None])
def test_a_number_that_no_gate_would_write_is_found(number: object) -> None:
    body = canonical({"n": number, "prev": "0" * 64, "kind": "open", "chain": CHAIN})
    digest = hashlib.sha256(body).hexdigest().encode()
    line = Line("memory", 1, body[:-1] + b',"hash":"' + digest + b'"}')
    assert "has no number" in str(Verifier().read([line]).findings[0])
