"""Files that nobody's gate wrote, actions beside requests, and questions put in other ways."""

import asyncio
import json
import os
import threading
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from abuse_gate import Settings, build_gate
from abuse_gate.cli.incidents import moment, newest
from abuse_gate.cli.main import main
from abuse_gate.cli.records import Told
from abuse_gate.contract import ConfigError
from abuse_gate.telemetry.otel.names import GUARDRAIL_SPAN
from abuse_gate.testing import ScriptedAdapter
from tests.audit.trails import written

ID = "ab" * 16
GOOD = {"kind": "decision", "at": "2026-01-01T00:00:00+00:00", "incident_id": ID}


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str]:
    status = main([str(argument) for argument in arguments])
    shown = capsys.readouterr()
    return status, shown.out + shown.err


def span(**fields: Any) -> dict[str, Any]:
    told: dict[str, Any] = {"name": GUARDRAIL_SPAN, "attributes": [], **fields}
    return {"resourceSpans": [{"scopeSpans": [{"spans": [told]}]}]}


ODD: list[object] = [
    {"kind": "decision", "trail": 7, "times_ms": [], "at": 5, "rules": 3},
    {"kind": "decision", "trail": [1, {"tier": 4, "elapsed_ms": "x"}], "times_ms": {"read": "y"}},
    {"kind": "decision", "trail": [{"elapsed_ms": 1e400}], "families": {"a": 1}, "flags": None},
    {"kind": "decision", "at": "yesterday", "incident_id": [[]], "tenant": {}},
    {"resourceSpans": 7},
    {"resourceSpans": [7, {"scopeSpans": {}}, {"scopeSpans": [{"spans": "x"}]}]},
    span(endTimeUnixNano="9" * 30, attributes={"a": 1}),
    span(endTimeUnixNano="9" * 19, attributes=[7, {}, {"key": 4}, {"key": "a", "value": "x"}]),
    span(attributes=[{"key": "abuse_gate.rules", "value": {"arrayValue": []}}]),
    span(attributes=[{"key": "abuse_gate.rules", "value": {"arrayValue": {"values": 4}}}]),
    span(attributes=[{"key": "abuse_gate.status", "value": {"intValue": "many"}}], traceId=7),
    span(
        spanId="a", attributes=[{"key": "abuse_gate.time.read_ms", "value": {"doubleValue": "x"}}]
    ),
    "text",
    None,
]


def test_one_odd_line_hides_no_good_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "odd.jsonl"
    lines = [json.dumps(each) for each in (*ODD, GOOD)]
    path.write_bytes("\n".join(["{" * 5000, *lines]).encode() + b"\n\xff\xfe\n")
    filters = ("--rule", "--family", "--flag", "--since", "--tenant")
    for more in ((), ("--json",), *((name, "2026-01-01") for name in filters)):
        status, said = run(capsys, "incidents", "--all", path, *more)
        assert status == 0
        assert (ID in said) is (more in ((), ("--json",), ("--since", "2026-01-01")))
    assert run(capsys, "explain", ID, path)[0] == 0


TIMES = {
    "2026-01-31": "2026-01-31T00:00:00+00:00",
    "2026-01-31T12:00+02:00": "2026-01-31T10:00:00+00:00",
    "2026-01-31T12:00:00Z": "2026-01-31T12:00:00+00:00",
    "90m": "2026-01-30T22:30:00+00:00",
    "1h": "2026-01-30T23:00:00+00:00",
    "2d": "2026-01-29T00:00:00+00:00",
    "1w": "2026-01-24T00:00:00+00:00",
}
NOW = datetime(2026, 1, 31, tzinfo=UTC)


@pytest.mark.parametrize("text", TIMES)
def test_a_time_may_be_written_as_people_write_it(text: str) -> None:
    assert moment(text, NOW).astimezone(UTC).isoformat() == TIMES[text]


@pytest.mark.parametrize("text", ["2099", "yesterday", "1y", "-1h", "h", "999999w", "2026-13-01"])
def test_what_is_no_time_is_a_wrong_question(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(ConfigError, match="is no time"):
        moment(text, NOW)
    written(tmp_path, 1)
    status, said = run(capsys, "incidents", tmp_path, f"--since={text}")
    assert (status, said.count("\n")) == (2, 1)


def test_the_last_ones_are_kept_in_their_order() -> None:
    told = [Told(at, {"n": number}) for number, at in enumerate(["c", "a", "b", "b", "a"])]
    last, count = newest(told, 3)
    assert ([each.facts["n"] for each in last], count) == ([2, 3, 0], 5)
    assert [each.facts["n"] for each in newest(told, 0)[0]] == [1, 4, 2, 3, 0]
    assert newest([], 3) == ([], 0)


@pytest.fixture
def actions(tmp_path: Path) -> tuple[Path, list[str]]:
    """Two actions of one agent in a trail, under one trace."""
    path = tmp_path / "audit.jsonl"
    gate = build_gate(Settings(audit_path=str(path)), ScriptedAdapter("unsafe"))

    async def ask() -> list[str]:
        asked = [
            await gate.check_action(tool, {"a": 1}, context=["page"]) for tool in ("bash", "b")
        ]
        await gate.aclose()
        return [each.incident_id for each in asked]

    ids = asyncio.run(ask())
    (trail,) = tmp_path.glob("audit-*")
    records = [json.loads(line) for line in trail.read_bytes().splitlines()]
    export = tmp_path / "traced.jsonl"
    export.write_text("\n".join(json.dumps({**each, "trace_id": "cd" * 16}) for each in records))
    return export, ids


def test_an_action_is_explained_as_one_with_its_like(
    actions: tuple[Path, list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    path, (first, second) = actions
    status, said = run(capsys, "explain", first[:12], path)
    assert status == 0
    head = said.splitlines()[0]
    assert " action, tool " in head
    digest = head.split()[-1]
    assert len(digest) == 32
    (beside,) = [line for line in said.splitlines() if "beside" in line]
    assert second in beside
    assert "action, tool" in beside
    assert (
        first in run(capsys, "incidents", path, "--all", "--route", "action", "--tool", digest)[1]
    )
    both = run(capsys, "incidents", path, "--all", "--trace", "CDCD")[1]
    assert first in both
    assert second in both


def test_an_explanation_may_be_json(
    actions: tuple[Path, list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    path, (first, _) = actions
    told = json.loads(run(capsys, "explain", "--json", first, path)[1])
    assert (told["incident_id"], told["route"]) == (first, "action")
    assert {step["tier"] for step in told["trail"]} == {"static"}
    assert "inspect" in told["times_ms"]


def test_the_beginning_of_an_id_must_tell_one_from_another(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "x.jsonl"
    others = [{**GOOD, "incident_id": f"{number:032x}"} for number in range(3)]
    path.write_text("\n".join(map(json.dumps, [GOOD, GOOD, *others])))
    assert run(capsys, "explain", ID[:6], path)[0] == 0
    assert run(capsys, "explain", ID[:5], path)[0] == 2
    status, said = run(capsys, "explain", "0" * 10, path)
    assert status == 2
    assert "begins several incidents" in said


def test_a_pipe_is_read_once_and_never_verified(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pipe = tmp_path / "pipe.jsonl"
    os.mkfifo(pipe)
    status, said = run(capsys, "audit", "verify", pipe)
    assert (status, "a pipe cannot be verified" in said) == (2, True)
    assert run(capsys, "audit", "verify", tmp_path)[0] == 2
    writing = threading.Thread(target=pipe.write_text, args=("rubbish\n",), daemon=True)
    writing.start()
    assert run(capsys, "incidents", "--reason", "rubbish", pipe)[0] == 2
    writing.join(10)
