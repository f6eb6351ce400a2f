"""`abuse-gate audit` at a terminal: what it prints, and what its exit status says."""

import importlib
import logging
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from abuse_gate.cli.main import main
from abuse_gate.contract import ConfigError
from abuse_gate.telemetry.audit.chain import Chain
from abuse_gate.telemetry.audit.keys import MISSING, signer_of
from tests.audit.trails import PRIVATE, PUBLIC, written


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str]:
    status = main([str(argument) for argument in arguments])
    shown = capsys.readouterr()
    return status, shown.out + shown.err


def test_an_intact_trail_is_0(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (path,), head = written(tmp_path)
    status, said = run(capsys, "audit", "verify", path, "--key", PUBLIC, "--head", head)
    assert status == 0
    assert f"chain {head.chain}: records 1 to {head.number}, 20 decisions" in said
    assert said.endswith("intact\n")
    assert " - " not in said


def test_the_path_that_a_gate_writes_to_stands_for_its_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    written(tmp_path, 30, max_bytes=5000)
    path = tmp_path / "audit.jsonl"
    for arguments in ((path,), (tmp_path,)):
        assert run(capsys, "audit", "verify", *arguments)[0] == 0
    monkeypatch.setenv("ABUSE_GATE_AUDIT_PATH", str(path))
    status, said = run(capsys, "audit", "verify")
    assert status == 0
    assert said.count("chain ") == 1
    assert "cut-off end could not be noticed" in said


def test_a_tampered_trail_is_1_and_names_the_record(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (path,), _ = written(tmp_path)
    path.write_bytes(path.read_bytes().replace(b'"block"', b'"allow"', 1))
    status, said = run(capsys, "audit", "verify", path)
    assert status == 1
    assert f"! {path}:2 (record 2): the line was edited" in said
    assert said.endswith("NOT intact\n")


def test_heads_may_lie_in_a_log(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (path,), head = written(tmp_path)
    log = tmp_path / "app.log"
    log.write_text(f"INFO abuse_gate.audit: audit head {head}\nother lines\n")
    assert run(capsys, "audit", "verify", path, "--heads", log)[0] == 0
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-2]))
    status, said = run(capsys, "audit", "verify", path, "--heads", log)
    assert status == 1
    assert "the end was cut off" in said


def test_a_chain_that_is_gone_is_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (path,), _ = written(tmp_path)
    status, said = run(capsys, "audit", "verify", path, "--head", f"{'a' * 16}:3:{'b' * 64}")
    assert status == 1
    assert "nothing of it is left" in said


@pytest.mark.parametrize("content", [b"", b"rubbish\n", b'{"n":1}\n'])
def test_a_file_that_is_no_trail_is_told(
    content: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "audit.jsonl"
    path.write_bytes(content)
    status, said = run(capsys, "audit", "verify", path)
    assert status == 1
    assert "chain ?" in said


WRONG = {
    "no such file": (("audit", "verify", "/nowhere/audit.jsonl"), "no such file"),
    "no head": (("audit", "verify", ".", "--head", "x"), "--head"),
    "no key": (("audit", "verify", ".", "--key", "x"), "--key"),
    "no path": (("audit", "verify"), "ABUSE_GATE_AUDIT_PATH"),
    "no log": (("audit", "verify", ".", "--heads", "/nowhere.log"), "/nowhere.log"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_question_is_2_and_one_line(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    arguments, said = WRONG[name]
    status, shown = run(capsys, *arguments)
    assert status == 2
    assert said in shown
    assert shown.count("\n") == 1


def test_a_key_is_made_that_signs(capsys: pytest.CaptureFixture[str]) -> None:
    status, said = run(capsys, "audit", "keygen")
    assert status == 0
    private = said.splitlines()[0].removeprefix("ABUSE_GATE_AUDIT_KEY=")
    assert signer_of(private).public in said.splitlines()[1]
    assert logging.getLogger("abuse_gate").handlers == []


def test_somebody_who_leaves_a_pipe_is_no_error(tmp_path: Path) -> None:
    (path,), _ = written(tmp_path, 200)
    command = [sys.executable, "-m", "abuse_gate.cli", "incidents", "--limit", "0", "--json"]
    with subprocess.Popen(
        [*command, str(path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert b'"decision": "block"' in process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0


@pytest.mark.parametrize(("raised", "status"), [(KeyboardInterrupt(), 130), (OSError(), 2)])
def test_how_a_command_ends_is_told_by_its_status(
    raised: BaseException, status: int, capfd: pytest.CaptureFixture[str]
) -> None:
    def run(_given: object) -> int:
        raise raised

    class Raising:
        @staticmethod
        def register(parser: Any) -> None:
            parser.set_defaults(run=run)

    assert main(["raise"], {"raise": ""}, lambda _: Raising) == status


def test_without_the_package_a_key_cannot_be_made_and_the_cure_is_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "cryptography.hazmat.primitives.asymmetric", None)
    assert run(capsys, "audit", "keygen") == (2, f"abuse-gate: {MISSING}\n")
    with pytest.raises(ConfigError, match="abuse-gate\\[audit\\]"):
        signer_of("a" * 64)


def test_it_runs_as_a_module_too() -> None:
    assert importlib.import_module("abuse_gate.cli.__main__").main is main


def test_the_version_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--version"])
    assert capsys.readouterr().out.startswith("abuse-gate ")


def test_a_file_of_the_configured_name_hides_no_trail(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (path,), _ = written(tmp_path)
    path.write_bytes(path.read_bytes().replace(b'"block"', b'"allow"', 1))
    decoy = tmp_path / "audit.jsonl"
    decoy.touch()
    status, said = run(capsys, "audit", "verify", decoy)
    assert status == 1
    assert "was edited" in said


def test_files_are_put_in_order_by_their_segments(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files, head = written(tmp_path, 40, max_bytes=5000)
    for number, path in enumerate(files):
        path.rename(path.with_name(f"{len(files) - number}.jsonl"))
    status, said = run(capsys, "audit", "verify", tmp_path, "--head", head)
    assert (status, said.count("chain ")) == (0, 1)


def test_a_file_whose_opening_is_broken_is_known_by_its_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files, _ = written(tmp_path, 40, max_bytes=5000)
    files[1].write_bytes(b"rubbish" + files[1].read_bytes())
    status, said = run(capsys, "audit", "verify", tmp_path)
    assert (status, said.count("chain "), said.count(" ! ")) == (1, 1, 1)


def test_a_terminal_obeys_no_name_and_no_record(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "\x1b[31mx.jsonl"
    path.write_text("rubbish\n")
    chain = Chain("\x1b[2J")
    (tmp_path / "y.jsonl").write_bytes(chain.line("open", "now", {"chain": "\x1b[2J"}))
    for arguments in ((tmp_path,), (tmp_path / "\x1b[31mnowhere",)):
        _, said = run(capsys, "audit", "verify", *arguments)
        assert "\x1b" not in said
        assert "?[31m" in said


def test_a_log_without_heads_is_a_wrong_question_with_its_cure(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (path,), _ = written(tmp_path)
    log = tmp_path / "app.log"
    log.write_text("WARNING something else\n")
    status, said = run(capsys, "audit", "verify", path, "--heads", log)
    assert status == 2
    assert "INFO of the logger abuse_gate.audit" in said


def test_without_the_package_a_signed_trail_is_a_wrong_question(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (path,), _ = written(tmp_path)
    (tmp_path / "plain").mkdir()
    (unsealed,), _ = written(tmp_path / "plain", signed=False)
    monkeypatch.setitem(sys.modules, "cryptography.exceptions", None)
    assert run(capsys, "audit", "verify", path) == (2, f"abuse-gate: {MISSING}\n")
    assert run(capsys, "audit", "verify", unsealed)[0] == 0


@pytest.mark.parametrize("page", ["README.md", "docs/review.md"])
def test_the_pages_name_the_same_cure_as_the_message(page: str) -> None:
    cure = MISSING.partition("run: ")[2]
    told = (Path(__file__).parents[2] / page).read_text()
    assert f"ealing, and checking seals, needs `{cure}`" in " ".join(told.split())
    assert MISSING.startswith("sealing, and checking seals, needs ")


def test_the_public_key_of_a_private_one_is_told(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run(capsys, "audit", "keygen", "--public")[0] == 2
    monkeypatch.setenv("ABUSE_GATE_AUDIT_KEY", PRIVATE)
    assert run(capsys, "audit", "keygen", "--public") == (0, f"{PUBLIC}\n")
