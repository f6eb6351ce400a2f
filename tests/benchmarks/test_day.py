"""The simulated day runs, ends where it says, and judges no time."""

import asyncio
import logging
from collections.abc import Iterator

import pytest

from benchmarks import day


def test_a_day_is_mixed_as_the_table_says_and_the_same_every_time() -> None:
    checks = day.day(1000)
    assert checks == day.day(1000)
    for name, (_, weight) in day.PATHS.items():
        share = sum(check.path == name for check in checks) / len(checks)
        assert abs(share - weight) < 0.05


# The tier at which each path is meant to end.
ENDS = {
    "no untrusted content": "static",
    "untrusted + low-risk tool": "static",
    "untrusted + high-risk, no flags": "static",
    "untrusted + suspicious pattern": "triage",
    "triage says suspicious": "supervisor",
}


@pytest.mark.parametrize("path", ENDS)
def test_each_path_is_the_one_it_is_called(path: str) -> None:
    gate = day.agents_gate(day.Models(pace=0.0))
    checks = [check for check in day.day(400) if check.path == path][:10]
    asyncio.run(day.live(gate, checks))
    assert gate.tiers.ended.get(ENDS[path], 0) >= 0.9 * len(checks)


@pytest.fixture
def quiet() -> Iterator[None]:
    """The day silences the log of the house; a test gives it back."""
    log = logging.getLogger("abuse_gate")
    before = log.level
    yield
    log.setLevel(before)


@pytest.mark.usefixtures("quiet")
def test_the_day_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert day.main(["--actions", "60", "--samples", "1", "--pace", "0.001"]) == 0
    shown = capsys.readouterr().out
    assert "a day of 60 agent actions" in shown
    assert all(name in shown for name in (*day.PATHS, *day.DOCUMENT, day.PARANOID))
