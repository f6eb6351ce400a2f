"""The parts of the demo: what fits on which paper, which port is taken, what is different."""

import io
import socket
from contextlib import closing
from dataclasses import replace

import pytest

from abuse_gate import Assessment, Decision
from abuse_gate.model.events import BreakerMoved, Reviewed
from examples.show.scenes import INSPECTED_BYTES, SCENES, Expected, Scene
from examples.show.stage import HOST, Notebook, StageError, listen
from examples.show.table import Paper, differences, duration, foot, head, lines_of, paper_for
from examples.show.visitor import Answer, Row

INCIDENT = "0123456789abcdef" * 2
SCENE = Scene("A scene", "/chat", b"{}", Expected(403, "block", mark="b.second"))
ROW = Row(SCENE, Answer(403, "block", "normal", INCIDENT), "unsafe", ("a", "b.second", "c"), 0.0002)


class Terminal(io.TextIOWrapper):
    def isatty(self) -> bool:
        return True


def test_the_script_shows_what_a_visitor_should_see() -> None:
    assert {scene.expected.decision for scene in SCENES} == {"allow", "clarify", "block"}
    assert {scene.expected.mode for scene in SCENES} == {"normal", "monitor"}
    assert {"/chat", "/mcp", "/upload", "/v1/chat/completions"} <= {s.path for s in SCENES}
    assert any(len(scene.body) > INSPECTED_BYTES for scene in SCENES)


WIDTHS = [50, 60, 80, 103, 104, 140]


@pytest.mark.parametrize("width", WIDTHS)
def test_every_line_fits_the_paper(width: int) -> None:
    paper = Paper(width, fancy=True)
    rows = [replace(ROW, scene=scene) for scene in SCENES]
    lines = [*head(paper), *(line for row in rows for line in lines_of(row, paper))]
    assert max(map(len, [*lines, *foot(paper, 30)])) <= width


def test_a_wide_paper_has_the_whole_id_and_every_reason() -> None:
    narrow, wide = ("\n".join(lines_of(ROW, Paper(width))) for width in (80, 120))
    assert f" {INCIDENT[:8]}.. " in narrow
    assert "b.second, a and 1 more" in narrow
    assert f" {INCIDENT} " in wide
    assert "b.second, a, c" in wide


def test_a_row_without_headers_is_still_a_row() -> None:
    bare = Row(SCENE, Answer(200, "", "", ""), "unknown", (), 0.0)
    assert "no rule fired" in "\n".join(lines_of(bare, Paper(80)))


def test_ascii_paper_gets_ascii_only() -> None:
    lines = [*head(Paper(80)), *lines_of(ROW, Paper(80)), *foot(Paper(80), 30)]
    assert "\n".join(lines).isascii()


PAPERS: list[tuple[dict[str, str], str, bool, tuple[bool, bool]]] = [
    ({}, "utf-8", True, (True, True)),
    ({"NO_COLOR": "1"}, "utf-8", True, (True, False)),
    ({"NO_COLOR": ""}, "utf-8", True, (True, True)),
    ({"TERM": "dumb"}, "utf-8", True, (True, False)),
    ({}, "ascii", True, (False, True)),
    ({}, "latin-1", False, (False, False)),
    ({}, "utf-8", False, (True, False)),
]


@pytest.mark.parametrize(("environ", "encoding", "tty", "expected"), PAPERS)
def test_the_paper_is_what_the_stream_can_show(
    environ: dict[str, str], encoding: str, tty: bool, expected: tuple[bool, bool]
) -> None:
    kind = Terminal if tty else io.TextIOWrapper
    paper = paper_for(kind(io.BytesIO(), encoding=encoding), environ)
    assert (paper.fancy, paper.colour) == expected


def test_an_unknown_encoding_is_taken_for_ascii() -> None:
    assert not paper_for(io.StringIO(), {}).fancy


COLUMNS = [("20", 50), ("97", 97), ("400", 140)]


@pytest.mark.parametrize(("columns", "width"), COLUMNS)
def test_the_paper_is_as_wide_as_the_terminal_within_reason(
    columns: str, width: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    assert paper_for(io.StringIO(), {}).width == width


def test_colours_do_not_change_the_words() -> None:
    plain, coloured = (lines_of(ROW, Paper(80, colour=colour)) for colour in (False, True))
    assert coloured == [f"\x1b[31m{plain[0]}\x1b[0m", f"\x1b[2m{plain[1]}\x1b[0m"]


DURATIONS = [
    (0.0, "+0 us"),
    (0.000_312_4, "+312 us"),
    (-0.000_05, "-50 us"),
    (0.001_26, "+1.3 ms"),
    (-0.0021, "-2.1 ms"),
    (0.0123, "+12 ms"),
]


@pytest.mark.parametrize(("seconds", "words"), DURATIONS)
def test_a_duration_has_the_unit_that_suits_it(seconds: float, words: str) -> None:
    assert duration(seconds, Paper()) == words


def test_micro_is_spelled_properly_where_it_can_be() -> None:
    assert duration(0.0001, Paper(fancy=True)) == "+100 µs"


DIFFERENT: list[tuple[Row, str]] = [
    (replace(ROW, answer=replace(ROW.answer, status=200)), "got 200 block normal"),
    (replace(ROW, answer=replace(ROW.answer, decision="")), "got 403 nothing normal"),
    (replace(ROW, answer=replace(ROW.answer, mode="monitor")), "got 403 block monitor"),
    (replace(ROW, answer=replace(ROW.answer, incident_id="")), "the incident id is missing"),
    (replace(ROW, reasons=("a",)), "expected b.second among the reasons"),
]


@pytest.mark.parametrize(("row", "words"), DIFFERENT)
def test_a_row_that_is_not_as_expected_is_named(row: Row, words: str) -> None:
    (line,) = differences([ROW, row])
    assert line.startswith("row 2 (A scene) differs: ")
    assert line.endswith(words)


def test_a_port_that_is_taken_is_said_and_the_next_one_used() -> None:
    with closing(socket.socket()) as other:
        other.bind((HOST, 0))
        other.listen()
        port: int = other.getsockname()[1]
        listener, taken = listen(port)
        with closing(listener):
            assert taken[0] == port
            assert listener.getsockname()[1] == port + len(taken)


def test_when_no_port_is_free_the_demo_says_so() -> None:
    with closing(socket.socket()) as other:
        other.bind((HOST, 0))
        other.listen()
        port: int = other.getsockname()[1]
        with pytest.raises(StageError, match=f"between {port} and {port}"):
            listen(port, tried=1)


def test_the_notebook_finds_a_decision_and_forgets_the_oldest() -> None:
    notebook = Notebook(remembered=2)
    decisions = [
        Decision("allow", None, "normal", name, Assessment("safe", "rules_clean"))
        for name in ("first", "second", "third")
    ]
    for decision in decisions:
        notebook.record(Reviewed(decision, 0, 0.0))
    notebook.record(BreakerMoved("any", "closed", "open"))
    assert notebook.decision("first") is None
    assert [notebook.decision(d.incident_id) for d in decisions[1:]] == decisions[1:]
