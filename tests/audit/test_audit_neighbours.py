"""Several writers beside one path, with files that come and go: no chain suffers by another."""

import os
import threading
from itertools import groupby
from pathlib import Path

from abuse_gate.cli.main import main
from abuse_gate.telemetry.audit.files import FileSink, named_in, trail_files
from abuse_gate.telemetry.audit.keys import signer_of
from abuse_gate.telemetry.audit.scribe import Rhythm, Scribe
from tests.audit.trails import AT, PRIVATE, PUBLIC, decided
from tests.audit.verified import verified

WRITERS, RECORDS = 4, 60


def _write(path: Path, heads: list[object], start: threading.Barrier) -> None:
    sink = FileSink(str(path), 4000, keep_days=1)
    scribe = Scribe(sink, signer_of(PRIVATE), Rhythm(seal_records=7), mirror=lambda head: None)
    start.wait(20)
    for number in range(RECORDS):
        scribe.write([(AT, decided(number))])
        scribe.tick()
    scribe.close()
    heads.append(scribe.chain.head)


def test_writers_that_rotate_at_once_keep_their_chains_apart(tmp_path: Path) -> None:
    path, heads, start = tmp_path / "audit.jsonl", list[object](), threading.Barrier(WRITERS)
    old = tmp_path / "audit-20200101T000000Z-1-cccccccccccccccc.0001.jsonl"
    old.write_bytes(b"of another time\n")
    os.utime(old, (0, 0))
    threads = [threading.Thread(target=_write, args=(path, heads, start)) for _ in range(WRITERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not old.exists()
    files = sorted(trail_files(path), key=lambda each: named_in(each) or ("", 0))
    chains = [list(found) for _, found in groupby(files, lambda each: (named_in(each) or ("",))[0])]
    assert len(chains) == len(heads) == WRITERS
    for found in chains:
        report = verified(found, key=PUBLIC)
        assert (report.findings, report.decisions, report.lost) == ([], RECORDS, 0)
        assert len(found) > 5
    arguments = [word for head in heads for word in ("--head", str(head))]
    assert main(["audit", "verify", str(path), "--key", PUBLIC, *arguments]) == 0
    (chains[0][2]).unlink()
    assert main(["audit", "verify", str(path), "--key", PUBLIC, *arguments]) == 1
