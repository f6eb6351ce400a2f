"""Questions that cannot be meant are told so, and changes of modes can be looked up."""

import json
from pathlib import Path
from typing import Any

import pytest

from abuse_gate.cli.main import main
from abuse_gate.model.events import ModeChanged
from abuse_gate.telemetry.audit.files import FileSink
from abuse_gate.telemetry.audit.scribe import Scribe

ID = "ab" * 16
KEY = "key-" + "1" * 32
GOOD: dict[str, Any] = {
    "kind": "decision",
    "at": "2026-01-01T00:00:00+00:00",
    "incident_id": ID,
    "decision": "block",
    "verdict": "unclear",
    "reason": "rules_notice",
    "mode": "execute_locked",
}


def run(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str]:
    try:
        status = main([str(word) for word in words])
    except SystemExit as ended:
        status = int(str(ended.code))
    shown = capsys.readouterr()
    return status, shown.out + shown.err


@pytest.fixture
def trail(tmp_path: Path) -> Path:
    path = tmp_path / "audit.jsonl"
    odd = {**GOOD, "incident_id": "cd" * 16, "reason": "reviewer_said_no", "mode": "normal"}
    path.write_text("\n".join(map(json.dumps, (GOOD, odd))))
    return path


WRONG: tuple[tuple[tuple[str, ...], str], ...] = (
    (("explain", "424f"), "give six digits or more"),
    (("explain", ""), "give six digits or more"),
    (("incidents", "--mode", "quarantine"), "invalid choice: 'quarantine'"),
    (("incidents", "--decision", "blocked"), "invalid choice: 'blocked'"),
    (("incidents", "--reason", "rule_block"), "known are"),
    (("incidents", "--all", "--reason", "reviewer"), "reviewer_said_no"),
)


@pytest.mark.parametrize(("words", "said"), WRONG)
def test_a_question_that_cannot_be_meant_is_told_so(
    words: tuple[str, ...], said: str, trail: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, told = run(capsys, *words, trail)
    assert status == 2
    assert said in told


@pytest.mark.parametrize("reason", ["rules_block", "model_unsafe", "timeout", "reviewer_said_no"])
def test_a_reason_that_a_gate_may_give_is_a_question(
    reason: str, trail: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(capsys, "incidents", "--reason", reason, trail)[0] == 0
    assert run(capsys, "incidents", "--reason", reason, "--until", "2020-01-01", trail)[0] == 0


def test_a_folder_without_a_trail_is_told_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for words in (("audit", "verify"), ("incidents",)):
        status, said = run(capsys, *words, tmp_path)
        assert (status, "no file of a trail in this folder" in said) == (2, True)


def test_a_block_for_the_callers_mode_is_explained(
    trail: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    held = "blocked because the caller is execute_locked"
    assert held in run(capsys, "explain", ID, trail)[1]
    for other in ({"verdict": "unsafe"}, {"decision": "clarify"}, {"mode": "normal"}):
        trail.write_text(json.dumps({**GOOD, **other}))
        assert "because the caller" not in run(capsys, "explain", ID, trail)[1]


CHANGED = (
    ModeChanged(KEY, "normal", "execute_locked", "strikes", 3600.0),
    ModeChanged(KEY, "execute_locked", "normal", "operator", 0.0, "ticket 7", "eve"),
)


def test_changes_of_modes_are_listed_with_who_made_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scribe = Scribe(FileSink(str(tmp_path / "audit.jsonl"), 1 << 20), mirror=lambda _: None)
    scribe.write([(1.0 + at, event) for at, event in enumerate(CHANGED)])
    scribe.close()
    status, shown = run(capsys, "incidents", "--changes", tmp_path)
    header, first, second, count = shown.splitlines()
    assert (status, count) == (0, "2 of 2")
    assert header.split() == [
        *("at", "subject", "before", "after", "cause", "seconds", "actor", "reason")
    ]
    assert first.split()[1:] == [KEY, "normal", "execute_locked", "strikes", "3600.0"]
    assert second.split()[1:] == [
        *(KEY, "execute_locked", "normal", "operator", "0.0", "eve", "ticket", "7")
    ]
    for words, expected in (
        (("--mode", "normal"), "1 of 1"),
        (("--subject", "key-2"), "0 of 0"),
        (("--reason", "ticket 8"), "0 of 0"),
        (("--since", "1h"), "0 of 0"),
    ):
        assert expected in run(capsys, "incidents", "--changes", *words, tmp_path)[1]
    (lifted,) = run(capsys, "incidents", "--changes", "--json", "--reason", "ticket 7", tmp_path)[
        1
    ].splitlines()
    assert json.loads(lifted)["actor"] == "eve"
    # A trail in which nothing was decided is a trail.
    assert run(capsys, "incidents", tmp_path) == run(capsys, "incidents", "--all", tmp_path)


def test_a_change_is_one_line_with_whose_it_was() -> None:
    assert [str(event).partition(": ")[2] for event in CHANGED] == [
        "normal -> execute_locked (strikes)",
        "execute_locked -> normal (operator) by eve: ticket 7",
    ]
    assert "\n" not in str(ModeChanged(KEY, "a", "b", "operator", 0.0, "r", "eve\nsubject key-2"))
