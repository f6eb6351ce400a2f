"""`abuse-gate incidents` and `explain`, over audit files and OTLP JSON exports alike."""

import asyncio
import base64
import json
import sys
from pathlib import Path
from typing import Any, cast

import pytest
from google.protobuf.json_format import MessageToDict
from opentelemetry.exporter.otlp.proto.common.trace_encoder import encode_spans
from starlette.types import ASGIApp

from abuse_gate import AbuseGateMiddleware
from abuse_gate.cli import paper
from abuse_gate.cli.main import main
from abuse_gate.contract import ProviderUnavailable
from abuse_gate.testing import ScriptedAdapter
from tests.telemetry.watching import (
    ATTACK,
    BENIGN,
    DOUBTFUL,
    SETTINGS,
    Spans,
    ask,
    starlette_app,
)

Sources = dict[str, Path]


def hexed(value: object) -> Any:
    """OTLP in JSON writes ids in hex, where protocol buffers would write base64."""
    if isinstance(value, dict):
        ids = {"traceId", "spanId", "parentSpanId"}
        return {
            key: base64.b64decode(str(each)).hex() if key in ids else hexed(each)
            for key, each in cast("dict[str, object]", value).items()
        }
    if isinstance(value, list):
        return [hexed(each) for each in cast("list[object]", value)]
    return value


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> tuple[Sources, list[str]]:
    """The same traffic as an audit trail and as an export, and its incident ids."""
    folder, spans = tmp_path_factory.mktemp("sources"), Spans()
    settings = SETTINGS.model_copy(update={"audit_path": str(folder / "audit.jsonl")})
    answers = ScriptedAdapter(["safe", "unsafe", ProviderUnavailable()])
    app = AbuseGateMiddleware(
        starlette_app(), settings=settings, adapter=answers, tracer_provider=spans.provider
    )
    ids = asyncio.run(traffic(app))
    (audit,) = folder.glob("audit-*")
    export = folder / "export.json"
    document = hexed(MessageToDict(encode_spans(spans.all())))
    export.write_text(json.dumps(document) + "\n")
    return {"audit": audit, "otlp": export}, ids


async def traffic(app: ASGIApp) -> list[str]:
    texts = (BENIGN, BENIGN, BENIGN, ATTACK, DOUBTFUL)
    talks = [await ask(app, text) for text in texts]
    doorman: Any = vars(app)["_doorman"]
    await doorman.gate.aclose()
    return [talk.headers[b"x-guardrail-incident-id"].decode() for talk in talks]


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    status = main([str(argument) for argument in arguments])
    shown = capsys.readouterr()
    return status, shown.out, shown.err


FILTERED: list[tuple[tuple[str, ...], set[int]]] = [
    ((), {1, 2, 3, 4}),
    (("--all",), {0, 1, 2, 3, 4}),
    (("--decision", "block"), {1, 3}),
    (("--verdict", "safe"), set()),
    (("--all", "--verdict", "safe"), {0}),
    (("--reason", "rules_block"), {3}),
    (("--rule", "seed.ignore_previous_instruction"), {3}),
    (("--family", "override"), {3}),
    (("--flag", "truncated"), set()),
    (("--route", "/chat/{room}"), {1, 2, 3, 4}),
    (("--all", "--route", "/chat/{room}"), {0, 1, 2, 3, 4}),
    (("--mode", "monitor"), set()),
    (("--unverified",), {2, 4}),
    (("--decision", "block", "--reason", "rules_block"), {3}),
    (("--since", "2099-01-01"), set()),
    (("--until", "2099-01-01T00:00:00+02:00"), {1, 2, 3, 4}),
    (("--since", "1h"), {1, 2, 3, 4}),
    (("--until", "1h"), set()),
    (("--trace", "zz"), set()),
    (("--tool", "zz"), set()),
    (("--limit", "0"), {1, 2, 3, 4}),
    (("--tenant", "acme"), set()),
    (("--subject", "zz"), set()),
    (("--policy", "zz"), set()),
    (("--prompt", "zz"), set()),
    (("--limit", "1"), {4}),
]


@pytest.mark.parametrize("kind", ["audit", "otlp"])
@pytest.mark.parametrize(("filters", "expected"), FILTERED)
def test_a_table_of_what_was_decided(
    sources: tuple[Sources, list[str]],
    capsys: pytest.CaptureFixture[str],
    kind: str,
    filters: tuple[str, ...],
    expected: set[int],
) -> None:
    files, ids = sources
    status, shown, _ = run(capsys, "incidents", files[kind], *filters)
    assert status == 0
    assert {at for at, incident in enumerate(ids) if incident in shown} == expected
    assert shown.splitlines()[0].split()[:3] == ["at", "incident_id", "decision"]


@pytest.mark.parametrize("kind", ["audit", "otlp"])
def test_rows_may_be_json(
    sources: tuple[Sources, list[str]], capsys: pytest.CaptureFixture[str], kind: str
) -> None:
    files, ids = sources
    _, shown, _ = run(capsys, "incidents", "--json", files[kind], "--decision", "block")
    rows = [json.loads(line) for line in shown.splitlines()]
    assert [row["incident_id"] for row in rows] == [ids[1], ids[3]]


@pytest.mark.parametrize("kind", ["audit", "otlp"])
def test_an_incident_is_explained_step_by_step(
    sources: tuple[Sources, list[str]], capsys: pytest.CaptureFixture[str], kind: str
) -> None:
    files, ids = sources
    status, blocked, _ = run(capsys, "explain", ids[3].upper(), files[kind])
    assert status == 0
    words = [line.split()[2] for line in blocked.splitlines()[1:4]]
    assert words == ["read", "rules", "decision"]
    assert "seed.ignore_previous_instruction" in blocked
    assert "block (403), verdict unsafe, mode normal" in blocked
    assert "policy " in blocked
    assert "POST /chat/{room}" in blocked
    _, failed, _ = run(capsys, "incidents", "explain", ids[2], files[kind])
    assert "triage" in failed
    assert "provider_error" in failed
    assert "nobody could be asked: provider_error" in failed
    _, judged, _ = run(capsys, "explain", ids[1], files[kind])
    assert "unsafe (model_unsafe)" in judged


def test_an_incident_that_is_not_there_is_1(
    sources: tuple[Sources, list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    status, _, said = run(capsys, "explain", "0" * 32, sources[0]["audit"])
    assert status == 1
    assert "no incident 0000" in said


def test_an_export_may_be_one_document_over_many_lines(
    sources: tuple[Sources, list[str]], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    files, ids = sources
    wide = tmp_path / "wide.json"
    wide.write_text(json.dumps(json.loads(files["otlp"].read_text()), indent=2))
    assert ids[3] in run(capsys, "incidents", wide)[1]


@pytest.mark.parametrize("content", ["", "rubbish", "[1]", '{"a":1}', "{" * 9])
def test_a_file_of_neither_kind_is_told_so(
    content: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "x.json"
    path.write_text(content)
    status, _, said = run(capsys, "incidents", path)
    assert status == 2
    assert "no record of a gate in these files" in said


def test_a_terminal_obeys_nothing_that_a_file_says(capsys: pytest.CaptureFixture[str]) -> None:
    paper.table(["a", "b"], [["\x1b[31mred", "x\r\n"], ["[bold]x[/]", "y"]])
    shown = capsys.readouterr().out
    assert "\x1b" not in shown
    assert "\r" not in shown
    assert "?[31mred" in shown


class Terminal:
    """Standard output as if somebody looked at it."""

    def __init__(self) -> None:
        self.text = ""
        self.encoding = "utf-8"

    def write(self, text: str) -> int:
        self.text += text
        return len(text)

    def flush(self) -> None: ...

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("fancy", [True, False])
def test_at_a_terminal_the_table_is_the_same(fancy: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setitem(vars(sys), "stdout", terminal)
    paper.table(["decision"], [["block"], ["[bold]x"]], fancy=fancy)
    assert "block" in terminal.text
    assert "[bold]x" in terminal.text


def test_without_rich_the_columns_are_plain(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    terminal = Terminal()
    monkeypatch.setitem(vars(sys), "stdout", terminal)
    monkeypatch.setitem(sys.modules, "rich.console", None)
    paper.table(["a", "b"], [["1", "2"]])
    assert terminal.text == "a  b\n1  2\n"
