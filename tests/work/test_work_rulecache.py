"""Compiled rules on disk: used when they are ours alone, ignored with a warning otherwise."""

import logging
import os
import re
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from abuse_gate.contract import ConfigError
from abuse_gate.rules.engine import Job, new_scratch, scan
from abuse_gate.settings import Settings
from abuse_gate.wiring import scanner_of
from abuse_gate.work import rulecache
from abuse_gate.work.rulecache import RuleCache, default_directory, key_of
from abuse_gate.work.scanner import build_scanner, read_packs

PATTERNS = ["giraffe", "zebra"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "cache"


def filed(folder: Path) -> Path:
    return folder / f"{key_of(PATTERNS)}.rules"


def finds(cache: RuleCache) -> list[int]:
    database = cache.compile(PATTERNS)
    return scan(database, new_scratch(database), b"a zebra")


def test_the_second_start_compiles_nothing(folder: Path) -> None:
    first, second = RuleCache(folder), RuleCache(folder)
    assert finds(first) == finds(second) == [1]
    assert (first.compiled, second.compiled) == (1, 0)
    assert folder.stat().st_mode & 0o777 == 0o700
    assert filed(folder).stat().st_mode & 0o777 == 0o600
    assert [entry.name for entry in folder.iterdir()] == [filed(folder).name]


def aged(path: Path) -> Path:
    """The file as if nobody had read it for longer than it is kept."""
    long_ago = time.time() - rulecache.KEPT_SECONDS - 60
    os.utime(path, (long_ago, long_ago))
    return path


def test_what_nobody_has_read_for_long_makes_room(folder: Path) -> None:
    RuleCache(folder).compile(["lion"])
    (lion,) = map(aged, folder.iterdir())
    finds(RuleCache(folder))
    assert [*folder.iterdir()] == [filed(folder)]
    RuleCache(folder).compile(["lion"])
    aged(lion)
    # Read again, it is young again.
    aged(filed(folder))
    finds(RuleCache(folder))
    RuleCache(folder).compile(["tiger"])
    assert lion not in folder.iterdir()
    assert filed(folder) in folder.iterdir()


def test_whoever_waits_for_many_rules_is_told_why(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    many = [f"word{number}" for number in range(rulecache.MANY)]
    RuleCache(folder).compile(many)
    assert "compiling 100 rules" in caplog.text
    caplog.clear()
    RuleCache(folder).compile(many)
    assert caplog.text == ""


def test_a_damaged_file_is_said_to_be_ignored(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    finds(RuleCache(folder))
    filed(folder).write_bytes(b"half of it")
    assert finds(RuleCache(folder)) == [1]
    assert "ignored: damaged" in caplog.text


def test_what_is_no_file_is_left_alone(folder: Path) -> None:
    finds(RuleCache(folder))
    (folder / "other.rules").mkdir()
    aged(folder / "other.rules")
    (folder / "somebody's").write_text("own")
    aged(folder / "somebody's")
    RuleCache(folder).compile(["lion"])
    assert (folder / "other.rules").is_dir()
    assert (folder / "somebody's").exists()


def test_several_are_compiled_at_the_same_time_and_each_is_kept(folder: Path) -> None:
    jobs = [Job(("lion",)), Job(("lion",), phrases=True), Job(("tiger",)), Job(("lion",))]
    first, second = RuleCache(folder), RuleCache(folder)
    for cache in (first, second):
        assert len(cache.compile_all(jobs)) == len(jobs)
    assert (first.compiled, second.compiled) == (3, 0)


def test_time_is_counted(folder: Path) -> None:
    ticks = iter([1.0, 3.5])
    cache = RuleCache(folder, clock=lambda: next(ticks))
    cache.compile(PATTERNS)
    assert cache.seconds == 2.5


def open_to_others(folder: Path) -> None:
    filed(folder).chmod(0o644)


def a_link(folder: Path) -> None:
    other = folder / "other"
    filed(folder).rename(other)
    filed(folder).symlink_to(other)


def too_large(folder: Path) -> None:
    with filed(folder).open("ab") as file:
        file.truncate(rulecache.MAX_BYTES + 1)


def a_directory(folder: Path) -> None:
    filed(folder).unlink()
    filed(folder).mkdir(mode=0o600)


def an_open_directory(folder: Path) -> None:
    folder.chmod(0o755)


SPOILED: list[Callable[[Path], None]] = [
    open_to_others,
    a_link,
    too_large,
    a_directory,
    an_open_directory,
]


@pytest.mark.parametrize("spoil", SPOILED, ids=lambda spoil: spoil.__name__)
def test_what_others_could_have_written_is_ignored_with_a_warning(
    spoil: Callable[[Path], None], folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    RuleCache(folder).compile(PATTERNS)
    spoil(folder)
    again = RuleCache(folder)
    with caplog.at_level(logging.WARNING, "abuse_gate"):
        assert finds(again) == [1]
    assert again.compiled == 1
    assert caplog.records


def test_bytes_that_are_no_database_are_compiled_anew(folder: Path) -> None:
    RuleCache(folder).compile(PATTERNS)
    filed(folder).write_bytes(b"not a database")
    again = RuleCache(folder)
    assert finds(again) == [1]
    assert again.compiled == 1


def test_a_directory_that_cannot_be_made_is_no_fault(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    cache = RuleCache(tmp_path / "file" / "cache")
    assert finds(cache) == [1]


def test_without_a_directory_nothing_is_kept() -> None:
    assert finds(RuleCache(None)) == [1]


def test_the_key_tells_patterns_apart() -> None:
    assert key_of(["ab", "c"]) != key_of(["a", "bc"])
    assert key_of(["\ud800"])


def test_the_cache_is_this_users_own() -> None:
    def nobody() -> Path:
        raise RuntimeError

    directory = default_directory()
    assert directory is not None
    assert directory.name == "abuse-gate"
    assert default_directory(nobody) is None
    assert default_directory(has_owners=False) is None


def test_a_folder_that_went_away_is_no_fault(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    rulecache.write(folder / "gone" / "x.rules", b"")
    assert "ignored" in caplog.text


def test_a_pack_is_added_by_its_path(tmp_path: Path) -> None:
    pack = tmp_path / "mine.toml"
    rule = "[[rule]]\nid='mine.word'\nseverity=70\npattern='custom-org-secret-pattern'\n"
    pack.write_text(rule, "utf-8")
    scanner = build_scanner(rule_packs=[str(pack)])
    found = scanner.scan_text("a custom-org-secret-pattern").hits
    assert [hit.rule for hit in found] == ["seed.credential_word", "mine.word"]


def test_rules_switched_off_or_weighed_anew_are_not_compiled_again() -> None:
    tuned = Settings(
        disabled_rules=("seed.forget_previous",), severity_overrides={"seed.function_call": 5}
    )
    assert scanner_of(tuned).book is scanner_of(Settings()).book


LOST = "[[rule]]\nid='mine.a'\nseverity=1\npattern='(a'\n"


@pytest.mark.parametrize("content", ["[[rule]]\nid='x'", "= not toml", LOST])
def test_a_wrong_pack_is_said_at_start_up(content: str, tmp_path: Path) -> None:
    pack = tmp_path / "mine.toml"
    pack.write_text(content, "utf-8")
    with pytest.raises(ConfigError, match=re.escape(str(pack))):
        build_scanner(rule_packs=[str(pack)])


@pytest.mark.parametrize("name", ["missing.toml", "latin.toml"])
def test_a_pack_that_cannot_be_read_is_said_at_start_up(name: str, tmp_path: Path) -> None:
    (tmp_path / "latin.toml").write_bytes(b"\xff\xfe\xff")
    with pytest.raises(ConfigError, match=r"rule_packs\[0\]"):
        read_packs([str(tmp_path / name)])
