"""The benchmarks run, and compare what they say they compare. No time is ever judged."""

import asyncio
import json
from collections.abc import Callable
from typing import get_args

import pytest
from starlette.testclient import TestClient
from starlette.types import ASGIApp

from benchmarks import costs, overhead, telemetry, uploads
from benchmarks.measure import Caller, Client, InTests, New, Outcome, Ratio, compare
from benchmarks.subjects import (
    PATH,
    Floor,
    Wrap,
    chat_body,
    dependent_app,
    fastapi_app,
    gated,
    least_app,
    same,
    starlette_app,
)

APPS = [fastapi_app, dependent_app, least_app, starlette_app]
SIZES = [1_000, 10_000, 100_000]


@pytest.mark.parametrize("build", APPS)
@pytest.mark.parametrize("wrap", [same, Floor])
def test_a_subject_answers_the_body_it_is_measured_with(
    build: Callable[[], ASGIApp], wrap: Wrap
) -> None:
    json_body = {"content-type": "application/json", "authorization": "Bearer x"}
    client = TestClient(wrap(build()))
    answer = client.post(PATH, content=chat_body(1_000), headers=json_body)
    assert answer.status_code == 200
    assert answer.json()["turns"] > 0
    assert ("x-guardrail-decision" in answer.headers) is (wrap is Floor)


@pytest.mark.parametrize("size", SIZES)
def test_a_body_is_an_ordinary_chat_of_about_its_size(size: int) -> None:
    body = chat_body(size)
    assert size * 0.95 < len(body) < size * 1.15
    assert {turn["role"] for turn in json.loads(body)["messages"]} == {"user", "assistant"}


def test_an_attack_is_the_last_turn() -> None:
    last = json.loads(chat_body(1_000, overhead.ATTACK))["messages"][-1]
    assert last == {"role": "user", "content": overhead.ATTACK}


def test_every_case_is_measured_against_a_control() -> None:
    assert all(any(wrap is same for wrap in case.wraps.values()) for case in overhead.CASES)


def test_the_floor_replays_a_body_in_pieces() -> None:
    answer = TestClient(Floor(starlette_app())).post(PATH, content=iter((b'{"messages"', b": []}")))
    assert answer.json()["turns"] == 0


@pytest.mark.parametrize("rounds", [1, 3])
def test_a_comparison_has_a_ratio_for_each_subject(rounds: int) -> None:
    app = starlette_app()
    outcome = compare(app, {"itself": app}, Caller(chat_body(200)), rounds)
    ratio = outcome.ratios["itself"]
    assert outcome.micros > 0
    assert 0 < ratio.low <= ratio.middle <= ratio.high


def test_a_report_is_made_of_ratios() -> None:
    outcome = Outcome(100.0, {"gated": Ratio(1.1, 1.05, 1.2)})
    lines = overhead.report(overhead.CASES[0], outcome)
    assert "1.100   (1.050 to 1.200)" in lines[1]


@pytest.mark.parametrize("through", [Caller, Client, InTests])
def test_a_chat_is_let_in_and_an_attack_is_not(through: type[Caller]) -> None:
    app = gated(fastapi_app())
    bodies = (chat_body(1_000), chat_body(1_000, overhead.ATTACK), b"no chat")
    assert [asyncio.run(through(body).call(app)) for body in bodies] == [200, 403, 422]


def test_bodies_are_alike_only_where_they_are_to_be() -> None:
    body = chat_body(10_000)
    again, at_the_end, first = (Caller(body, new) for new in get_args(New))
    assert again.body() == again.body() == body
    for caller in (at_the_end, first):
        one, other = caller.body(), caller.body()
        assert len(one) == len(other) == len(body)
        assert one != other
        assert json.loads(one).keys() == json.loads(body).keys()
    assert at_the_end.body()[:8_000] == body[:8_000] != first.body()[:8_000]
    assert at_the_end.body()[8_000:] != body[8_000:] == first.body()[8_000:]


def test_the_table_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert overhead.main(["--rounds", "1", "--only", "Starlette"]) == 0
    shown = capsys.readouterr().out
    assert [case.title in shown for case in overhead.CASES] == [False] * (
        len(overhead.CASES) - 1
    ) + [True]
    assert "control" in shown


def test_the_costs_name_functions_of_the_gate(capsys: pytest.CaptureFixture[str]) -> None:
    assert costs.main(["--calls", "5", "--top", "400"]) == 0
    assert "cleared" in capsys.readouterr().out


def test_the_costs_of_telemetry_are_ratios(capsys: pytest.CaptureFixture[str]) -> None:
    assert telemetry.main(["--rounds", "1", "--records", "50"]) == 0
    shown = capsys.readouterr().out
    assert "SDK, sampled out" in shown
    assert "0 lost; a request waits" in shown


def test_the_lag_is_measured_with_uploads_that_are_read(capsys: pytest.CaptureFixture[str]) -> None:
    assert uploads.main(["--uploads", "3"]) == 0
    assert "worst busy / worst idle" in capsys.readouterr().out
