"""Of workers that start together one compiles, and the others find what it made."""

import os
import threading
from pathlib import Path

import pytest

from abuse_gate.rules.engine import compile_patterns, dump
from abuse_gate.work.alone import LOOK_SECONDS, alone, waited
from abuse_gate.work.rulecache import RuleCache, key_of, write

PATTERNS = ["giraffe", "zebra"]


def test_whoever_comes_second_takes_what_the_first_has_compiled(tmp_path: Path) -> None:
    folder, begun = tmp_path / "cache", threading.Event()

    def clock() -> float:
        begun.set()
        return 0.0

    cache = RuleCache(folder, clock)
    second = threading.Thread(target=cache.compile, args=(PATTERNS,))
    with alone(folder, 1.0) as had_to_wait:
        second.start()
        assert begun.wait(10)
        second.join(4 * LOOK_SECONDS)
        assert second.is_alive()
        write(folder / f"{key_of(PATTERNS)}.rules", dump(compile_patterns(PATTERNS)))
    second.join(10)
    assert (had_to_wait, cache.compiled) == (False, 0)


@pytest.mark.parametrize("seconds", [0.0, 2 * LOOK_SECONDS])
def test_nobody_waits_for_ever(tmp_path: Path, seconds: float) -> None:
    folder = tmp_path / "cache"
    cache = RuleCache(folder, patience=seconds)
    with alone(folder, 1.0):
        cache.compile(PATTERNS)
    assert cache.compiled == 1


def test_without_a_lock_everybody_compiles(tmp_path: Path) -> None:
    with alone(tmp_path / "gone", 1.0) as had_to_wait:
        assert not had_to_wait
    closed = os.open(tmp_path, os.O_RDONLY)
    os.close(closed)
    assert not waited(closed, float("inf"))
