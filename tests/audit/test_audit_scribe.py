"""What a scribe writes, when it seals, and how it goes on after a sink has failed."""

import json
import logging
from typing import Any

import pytest

from abuse_gate.contract import ConfigError
from abuse_gate.model.events import BreakerMoved, Event, ModeChanged, Verified
from abuse_gate.telemetry.audit.chain import Head, heads_in, parse
from abuse_gate.telemetry.audit.keys import is_signed, new_key, raw_key, signer_of
from abuse_gate.telemetry.audit.report import Line, Report
from abuse_gate.telemetry.audit.scribe import Rhythm, Scribe, log_head
from abuse_gate.telemetry.audit.verify import Verifier
from abuse_gate.testing import FakeClock
from tests.audit.trails import AT, PRIVATE, PUBLIC, ShakySink, decided


def scribing(sink: ShakySink, **more: Any) -> Scribe:
    more = {"signer": signer_of(PRIVATE), "mirror": list[Head]().append, **more}
    return Scribe(sink, **more)


def kinds(sink: ShakySink) -> list[str]:
    return [parse(line)["kind"] for line in sink.lines]


def report_of(sink: ShakySink, *heads: Head) -> Report:
    lines = [Line("memory", at, data) for at, data in enumerate(sink.lines, start=1)]
    return Verifier(PUBLIC, heads).read(lines)


def test_a_decision_is_a_record_of_codes_and_digests() -> None:
    sink = ShakySink()
    scribing(sink).write([(AT, decided(7))])
    record = json.loads(sink.lines[1])
    assert record["at"] == "2027-01-15T08:00:00.000+00:00"
    expected = {
        "kind": "decision",
        "incident_id": f"{7:032x}",
        "decision": "block",
        "verdict": "unsafe",
        "reason": "model_unsafe",
        "source": "openai",
        "rules": ["a.rule"],
        "policy_version": "f" * 16,
        "prompt_digest": "ab" * 16,
        "calls": [{"tool": "cd" * 16, "arguments": "ef" * 16, "pending": True}],
        "times_ms": {"inspect": 1.0},
        "body_bytes": 10,
    }
    assert {name: record[name] for name in expected} == expected
    assert [step["tier"] for step in record["trail"]] == ["static", "verifier"]
    asked = {"provider": "openai", "model": "m", "input_tokens": 120, "output_tokens": 8}
    assert {name: record["trail"][1][name] for name in asked} == asked
    assert "provider" not in record["trail"][0]


def test_circuits_and_modes_are_on_record_and_questions_are_not() -> None:
    sink = ShakySink()
    events: list[Event] = [
        BreakerMoved("azure", "closed", "open"),
        ModeChanged("digest", "normal", "full_quarantine"),
        Verified("azure", "safe", "model_safe", 1.0, 1),
    ]
    scribing(sink).write([(AT, event) for event in events])
    assert kinds(sink) == ["open", "breaker", "mode"]


def test_it_seals_by_number_by_time_and_at_the_end() -> None:
    sink, clock, heads = ShakySink(), FakeClock(), list[Head]()
    rhythm = Rhythm(seal_seconds=5, seal_records=3, sync_seconds=1)
    scribe = scribing(sink, rhythm=rhythm, clock=clock, mirror=heads.append)
    for _ in range(4):
        scribe.write([(AT, decided())])
        scribe.tick()
    first = ["open", "decision", "seal"]
    assert kinds(sink) == [*first, "decision", "decision", "decision", "seal"]
    scribe.write([(AT, decided())])
    for _ in range(6):
        clock.advance(1)
        scribe.tick()
    assert kinds(sink)[-2:] == ["decision", "seal"]
    scribe.write([(AT, decided())])
    scribe.close()
    scribe.close()
    assert kinds(sink)[-2:] == ["decision", "seal"]
    assert [head.number for head in heads] == [3, 7, 9, 11]
    assert report_of(sink, *heads).intact


@pytest.mark.parametrize("error", [OSError(28, "no space"), RuntimeError("quotes the canary")])
def test_what_a_failing_sink_loses_is_said_in_the_chain_when_it_works_again(
    error: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    sink = ShakySink()
    scribe = scribing(sink)
    scribe.write([(AT, decided(1))])
    sink.failing = error
    for number in range(3):
        scribe.write([(AT, decided(number)), (AT, decided(number))])
        scribe.seal()
    scribe.close()
    assert scribe.lost == 6
    sink.failing = None
    scribe.write([(AT, decided(2))], dropped=4)
    scribe.close()
    gaps = [json.loads(line) for line in sink.lines if b'"gap"' in line]
    assert [(gap["why"], gap["lost"]) for gap in gaps] == [("sink_failed", 6), ("queue_full", 4)]
    report = report_of(sink, scribe.chain.head)
    assert report.intact
    assert report.lost == 10
    (record,) = [each for each in caplog.records if each.levelname == "ERROR"]
    assert "canary" not in record.getMessage()


def test_a_report_passes_over_kinds_that_it_does_not_know() -> None:
    sink = ShakySink()
    scribe = scribing(sink)
    scribe.write([(AT, BreakerMoved("azure", "closed", "open"))])
    scribe.close()
    assert report_of(sink, scribe.chain.head).decisions == 0


def test_a_sink_that_never_began_is_tried_again() -> None:
    sink = ShakySink()
    sink.failing = OSError(13, "no")
    clock = FakeClock()
    scribe = scribing(sink, clock=clock)
    scribe.write([(AT, decided())])
    sink.failing = None
    scribe.write([(AT, decided())])
    assert kinds(sink) == []
    clock.advance(1)
    scribe.write([], dropped=0)
    assert kinds(sink) == ["open", "gap"]
    assert sink.segments == [1]
    assert json.loads(sink.lines[1])["lost"] == 2
    scribe.write([])
    assert kinds(sink) == ["open", "gap"]


def test_a_full_sink_is_sealed_and_another_segment_begins() -> None:
    sink = ShakySink()
    scribe = scribing(sink)
    for full in (True, False):
        scribe.write([(AT, decided())])
        sink.full = full
    scribe.close()
    assert kinds(sink) == ["open", "decision", "seal", "open", "decision", "seal"]
    assert sink.segments == [1, 2]
    assert report_of(sink, scribe.chain.head).intact


def test_a_head_is_mirrored_into_the_log(caplog: pytest.LogCaptureFixture) -> None:
    head = Head("0123456789abcdef", 3, "a" * 64)
    with caplog.at_level(logging.INFO):
        log_head(head)
    (record,) = caplog.records
    (kept,) = heads_in(record.getMessage())
    assert str(kept) == str(head)
    assert abs(kept.at - record.created) < 5
    assert vars(record)["abuse_gate"]["number"] == 3


def test_keys_may_be_written_in_base64_or_hex() -> None:
    private, public = new_key()
    raw = raw_key(private)
    assert raw is not None
    urlsafe = private.replace("+", "-").replace("/", "_").rstrip("=")
    assert [signer_of(each).public for each in (private, raw.hex(), urlsafe)] == [public] * 3
    signature = signer_of(private).sign("head")
    assert is_signed("head", signature, public)
    assert not is_signed("another", signature, public)
    assert not is_signed("head", "no base64!", public)
    assert not is_signed("head", signature, "no key")
    assert not is_signed("head", signature, new_key()[1])


@pytest.mark.parametrize("key", ["", "short", "x" * 44, "z" * 64, "a" * 63])
def test_what_is_no_key_is_a_start_up_error_that_names_the_cure(key: str) -> None:
    with pytest.raises(ConfigError, match="abuse-gate audit keygen"):
        signer_of(key)
