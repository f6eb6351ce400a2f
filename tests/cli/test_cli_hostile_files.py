"""Files that are made to hurt whoever reads them: endless, binary, linked, larger than a record."""

import json
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

from abuse_gate.cli.main import main
from abuse_gate.cli.records import told_in
from abuse_gate.telemetry.audit.report import lines_of
from abuse_gate.telemetry.otel.names import GUARDRAIL_SPAN
from tests.audit.trails import PUBLIC, written

ID = "ab" * 16


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str]:
    status = main([str(argument) for argument in arguments])
    shown = capsys.readouterr()
    return status, shown.out + shown.err


LINES: dict[str, tuple[bytes, list[tuple[bytes, bool]]]] = {
    "short": (b"ab\ncd\n", [(b"ab", True), (b"cd", True)]),
    "torn": (b"ab\ncd", [(b"ab", True), (b"cd", False)]),
    "as long as may be": (b"123456789\nab\n", [(b"123456789", True), (b"ab", True)]),
    "too long by its end": (b"1234567890\nab\n", [(b"1234567890", True), (b"ab", True)]),
    "far too long": (b"1" * 35 + b"\nab\n", [(b"1" * 10, True), (b"ab", True)]),
    "far too long and torn": (b"ab\n" + b"1" * 35, [(b"ab", True), (b"1" * 10, False)]),
    "torn where it is too long": (b"1" * 10, [(b"1" * 10, False)]),
    "nothing": (b"", []),
}


@pytest.mark.parametrize("name", LINES)
def test_no_more_of_a_line_is_held_than_a_record_could_have(name: str, tmp_path: Path) -> None:
    content, expected = LINES[name]
    path = tmp_path / "lines"
    path.write_bytes(content)
    lines = list(lines_of(path, 10))
    assert [(line.data, line.whole) for line in lines] == expected
    assert [line.number for line in lines] == list(range(1, len(expected) + 1))


def test_a_line_larger_than_memory_should_be_is_one_finding(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (path,), head = written(tmp_path)
    good = path.read_bytes()
    with path.open("ab") as file:
        # Holes, not bytes: it takes no room on the disk.
        file.truncate(len(good) + (150 << 20))
        file.seek(0, 2)
        file.write(b"\n")
    tracemalloc.start()
    status, said = run(capsys, "audit", "verify", path, "--key", PUBLIC, "--head", head)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (status, said.count("  ! ")) == (1, 1)
    assert "does not end with a hash" in said
    assert peak < 100 << 20


DIRT = {
    "NUL": b"\0" * 100 + b"\n",
    "no UTF-8": b"\xff\xfe\xed\xa0\x80{}\n",
    "deep": b"[" * 100_000 + b"\n",
    "a long number": b'{"kind":"decision","n":' + b"9" * 5000 + b"}\n",
    "terminal": b'{"kind":"decision","incident_id":"\\u001b[2J\\u0007","route":"\\u202e"}\n',
}


@pytest.mark.parametrize("name", DIRT)
def test_dirt_among_records_is_found_and_hides_none(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (path,), head = written(tmp_path)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:7], DIRT[name], *lines[7:]]))
    status, said = run(capsys, "audit", "verify", path, "--key", PUBLIC, "--head", head)
    assert status == 1
    assert f"{path}:8" in said
    status, said = run(capsys, "incidents", path, "--json")
    assert status == 0
    assert sum('"model_unsafe"' in line for line in said.splitlines()) == 20
    status, said = run(capsys, "incidents", path)
    assert status == 0
    assert not {"\x1b", "\x07", "\u202e"} & set(said)


def test_a_link_is_what_it_leads_to(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (path,), _ = written(tmp_path)
    link, lost, loop = tmp_path / "link", tmp_path / "lost", tmp_path / "loop"
    link.symlink_to(path)
    lost.symlink_to(tmp_path / "nowhere")
    loop.symlink_to(loop)
    assert run(capsys, "audit", "verify", link)[0] == 0
    assert run(capsys, "incidents", link)[0] == 0
    for name in (lost, loop):
        for command in (("audit", "verify"), ("incidents",), ("explain", ID)):
            status, said = run(capsys, *command, name)
            assert (status, said.count("\n")) == (2, 1)


@pytest.mark.parametrize("device", ["/dev/zero", "/dev/urandom", "/dev/null"])
def test_a_device_is_no_file(device: str, capsys: pytest.CaptureFixture[str]) -> None:
    for command in (("audit", "verify"), ("incidents",), ("explain", ID)):
        status, said = run(capsys, *command, device)
        assert (status, said.count("\n")) == (2, 1)
        assert device in said


def _span(name: str, own: str, parent: str, **facts: str) -> dict[str, Any]:
    told = [{"key": f"abuse_gate.{key}", "value": {"stringValue": facts[key]}} for key in facts]
    return {"name": name, "spanId": own, "parentSpanId": parent, "attributes": told}


@pytest.mark.parametrize("scope", [{"name": "abuse_gate"}, None, 7])
@pytest.mark.parametrize("indent", [None, 2])
def test_steps_come_before_their_request_and_the_apps_own_spans_are_none(
    scope: object, indent: int | None, tmp_path: Path
) -> None:
    ours = [
        _span("tier static", "b", "a", tier="static"),
        _span("tier triage", "c", "a", tier="triage"),
        _span(GUARDRAIL_SPAN, "a", "0", incident_id=ID),
    ]
    foreign = {"scope": {"name": "fastapi"}, "spans": [_span("child", "d", "a", tier="app")]}
    export = {"resourceSpans": [{"scopeSpans": [{"scope": scope, "spans": ours}, foreign]}]}
    path = tmp_path / "export.json"
    path.write_text(json.dumps(export, indent=indent))
    (told,) = told_in([path])
    assert told.fact("incident_id") == ID
    assert [step["tier"] for step in told.steps] == ["static", "triage"]
