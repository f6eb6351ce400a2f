"""kill -9 at any moment: what was sealed verifies; only the tail can be lost, and it is said."""

import os
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from abuse_gate.telemetry.audit.chain import heads_in
from tests.audit.trails import PRIVATE, PUBLIC
from tests.audit.verified import verified

MOMENTS = 200 if os.environ.get("SOAK") else 3
ROOT = Path(__file__).resolve().parents[2]


def killed(folder: Path, seconds: float) -> str:
    """What a process had mirrored when it was killed so long after its first head."""
    command = [sys.executable, "-m", "tests.audit.crashing", str(folder / "audit.jsonl"), PRIVATE]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        first = process.stdout.readline()
        time.sleep(seconds)
        process.kill()
        return first + process.stdout.read()


@pytest.mark.parametrize("moment", range(MOMENTS))
def test_a_kill_loses_nothing_that_was_sealed(moment: int, tmp_path: Path) -> None:
    heads = heads_in(killed(tmp_path, random.Random(moment).uniform(0, 0.3)))
    files = sorted(tmp_path.glob("audit-*"))
    report = verified(files, *heads, key=PUBLIC)
    assert heads
    assert report.findings == []
    assert report.sealed >= heads[-1].number
    said = " ".join(report.notes)
    assert report.unsealed == 0 or "not sealed" in said
    torn = bool(files[-1].read_bytes()) and not files[-1].read_bytes().endswith(b"\n")
    assert torn is ("torn" in said)
