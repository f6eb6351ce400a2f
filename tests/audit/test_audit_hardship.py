"""A trail under hardship: values that cannot be written, disks without room, neighbours' files."""

import json
import os
import resource
import signal
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from abuse_gate.contract import ConfigError
from abuse_gate.telemetry.audit.files import DAY, FileSink, named_in, trail_files
from abuse_gate.telemetry.audit.report import Line
from abuse_gate.telemetry.audit.scribe import Rhythm, Scribe
from abuse_gate.telemetry.audit.trail import AuditTrail
from abuse_gate.telemetry.audit.verify import Verifier
from tests.audit.trails import AT, ShakySink, decided

CHAIN = "c" * 16


def test_an_event_that_cannot_be_written_is_a_gap_and_costs_no_other(
    caplog: pytest.LogCaptureFixture,
) -> None:
    sink = ShakySink()
    scribe = Scribe(sink, mirror=lambda head: None)
    bad = replace(decided(2), elapsed_ms=float("nan"), policy_version="canary")
    for _ in range(2):
        scribe.write([(AT, decided(1)), (AT, bad), (float("inf"), decided(3)), (AT, decided(4))])
    scribe.close()
    records = [json.loads(line) for line in sink.lines]
    kinds = ["decision", "gap", "gap", "decision"]
    assert [record["kind"] for record in records] == ["open", *kinds, *kinds, "seal"]
    assert {record.get("why", "unwritable") for record in records} == {"unwritable"}
    lines = [Line("memory", at, data) for at, data in enumerate(sink.lines, start=1)]
    assert Verifier("", [scribe.chain.head]).read(lines).intact
    assert scribe.lost == 4
    assert caplog.text.count("could not be written") == 1
    assert "canary" not in caplog.text


@contextmanager
def cramped() -> Generator[None]:
    """A limit on the size of files stands for a disk without room."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, ignored)


def test_a_full_disk_is_left_without_empty_files(tmp_path: Path) -> None:
    sink = FileSink(str(tmp_path / "audit.jsonl"), 10_000)
    scribe = Scribe(sink, None, Rhythm(rest_seconds=0), mirror=lambda head: None)
    with cramped():
        for number in range(5):
            scribe.write([(AT, decided(number))])
            assert list(tmp_path.iterdir()) == []
    scribe.write([(AT, decided(6))])
    scribe.close()
    (path,) = tmp_path.iterdir()
    assert named_in(path) == (scribe.chain.head.chain, 1)
    assert json.loads(path.read_bytes().splitlines()[1])["lost"] == 5


NAMES = {
    "audit-20260101T000000Z-1-cccccccccccccccc.0001.jsonl": True,
    "audit-20260101T000000Z-1-cccccccccccccccc.12345.jsonl": True,
    "audit-billing-20260101T000000Z-1-cccccccccccccccc.0001.jsonl": False,
    "audit-20260101T000000Z-1-cccccccccccccccc.0001.jsonl.gz": False,
    "audit-20260101T000000Z-1-cccccccccccccccc.0001.json": False,
    "audit-20260101T000000Z-1-notes.0001.jsonl": False,
    "audit-xZ-1-cccccccccccccccc.0001.jsonl": False,
}


def test_only_files_of_this_trail_are_ever_deleted(tmp_path: Path) -> None:
    for name in NAMES:
        (tmp_path / name).touch()
        os.utime(tmp_path / name, (0, 0))
    assert {path.name for path in trail_files(tmp_path / "audit.jsonl")} == {
        name for name, ours in NAMES.items() if ours
    }
    FileSink(str(tmp_path / "audit.jsonl"), 1000, keep_days=1).begin(CHAIN, 1)
    assert {name for name in NAMES if not (tmp_path / name).exists()} == {
        name for name, ours in NAMES.items() if ours
    }


def test_a_path_with_the_signs_of_a_glob_is_a_path(tmp_path: Path) -> None:
    path = tmp_path / "log[prod]*.jsonl"
    FileSink(str(path), 1000).begin(CHAIN, 1)
    (found,) = trail_files(path)
    assert named_in(found) == (CHAIN, 1)
    assert named_in(path) is None
    assert list(trail_files(tmp_path / "nowhere" / "audit.jsonl")) == []


@pytest.mark.parametrize(("keep_days", "full"), [(0, False), (7, True)])
def test_where_files_go_by_age_none_grows_for_longer_than_a_day(
    tmp_path: Path, keep_days: int, full: bool
) -> None:
    sink = FileSink(str(tmp_path / "audit.jsonl"), 1000, keep_days)
    sink.begin(CHAIN, 1)
    assert not sink.is_full()
    vars(sink)["_begun"] = time.monotonic() - DAY
    assert sink.is_full() is full


def test_a_directory_is_no_path_of_a_trail(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"is a directory; name a file in it: .*audit\.jsonl"):
        FileSink(str(tmp_path), 1000).check()


def test_a_chain_has_one_writer_however_many_ask_for_one() -> None:
    sink = ShakySink()
    trail = AuditTrail(lambda: Scribe(sink, mirror=lambda head: None))
    before = threading.active_count()
    for _ in range(5):
        vars(type(trail))["_run_again"](trail)
    assert threading.active_count() == before
    trail.close()
