"""Files of a trail: whose they are, when one ends, what a full disk leaves, what is deleted."""

import os
import resource
import signal
import stat
import time
from pathlib import Path

import pytest

from abuse_gate import Settings
from abuse_gate.contract import ConfigError
from abuse_gate.telemetry.audit.build import audit_trail
from abuse_gate.telemetry.audit.files import FileSink, trail_files
from tests.audit.trails import PRIVATE, ShakySink, written


def sink_in(folder: Path, **more: int) -> FileSink:
    return FileSink(str(folder / "audit.jsonl"), more.pop("max_bytes", 1000), **more)


def test_a_file_is_this_users_alone_and_made_anew(tmp_path: Path) -> None:
    sink = sink_in(tmp_path)
    sink.begin("c" * 16, 1)
    assert sink.current is not None
    assert stat.S_IMODE(sink.current.stat().st_mode) == 0o600
    assert sink.current.name.startswith("audit-")
    assert f"-{os.getpid()}-{'c' * 16}.0001" in sink.current.name
    with pytest.raises(FileExistsError):
        sink.begin("c" * 16, 1)
    sink.close()


def test_nothing_is_written_before_a_segment_has_begun(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="no segment"):
        sink_in(tmp_path).append(b"x")


def test_a_file_that_somebody_deleted_counts_as_full(tmp_path: Path) -> None:
    sink = sink_in(tmp_path)
    sink.begin("c" * 16, 1)
    sink.append(b"x" * 10)
    sink.sync()
    assert not sink.is_full()
    assert sink.current is not None
    sink.current.unlink()
    assert sink.is_full()
    sink.close()
    sink.close()


def test_a_full_disk_leaves_no_half_a_line(tmp_path: Path) -> None:
    """A limit on the size of files stands for a disk without room."""
    sink = sink_in(tmp_path, max_bytes=10_000)
    sink.begin("c" * 16, 1)
    sink.append(b"whole\n")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, before[1]))
    try:
        with pytest.raises(OSError, match="too large"):
            sink.append(b"x" * 500 + b"\n")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, ignored)
    sink.append(b"after\n")
    assert sink.current is not None
    assert sink.current.read_bytes() == b"whole\nafter\n"
    sink.close()


def test_a_file_that_cannot_even_be_cut_is_left_for_another(tmp_path: Path) -> None:
    sink = sink_in(tmp_path)
    sink.begin("c" * 16, 1)
    assert sink.current is not None
    held = os.open(sink.current, os.O_RDONLY)
    os.dup2(held, vars(sink)["_fd"])
    with pytest.raises(OSError, match="Bad file descriptor"):
        sink.append(b"x")
    assert sink.is_full()
    os.close(held)
    sink.close()


def test_what_is_older_than_is_to_be_kept_is_deleted(tmp_path: Path) -> None:
    (old,), _ = written(tmp_path)
    ancient = time.time() - 10 * 86_400
    os.utime(old, (ancient, ancient))
    other = tmp_path / "audit-notes.jsonl"
    other.write_text("not ours")
    os.utime(other, (ancient, ancient))
    for keep, left in ((0, True), (30, True), (7, False)):
        sink = sink_in(tmp_path, keep_days=keep)
        sink.begin(f"{keep:016x}", 1)
        sink.close()
        assert old.exists() is left
    assert other.exists()
    assert other not in list(trail_files(tmp_path / "audit.jsonl"))


def test_a_path_that_cannot_be_written_is_a_start_up_error(tmp_path: Path) -> None:
    nowhere = Settings(audit_path=str(tmp_path / "none" / "audit.jsonl"))
    with pytest.raises(ConfigError, match=r"ABUSE_GATE_AUDIT_PATH.*is no directory"):
        audit_trail(nowhere)


def test_a_directory_of_somebody_else_is_a_start_up_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="may not be written to"):
        sink_in(tmp_path).check(may=lambda _path, _how: False)


def test_no_path_and_no_sink_is_no_trail(tmp_path: Path) -> None:
    assert audit_trail(Settings()) is None
    key = Settings(audit_key=PRIVATE)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType] as written
    assert audit_trail(key) is None
    trail = audit_trail(key, ShakySink())
    assert trail is not None
    trail.close()
