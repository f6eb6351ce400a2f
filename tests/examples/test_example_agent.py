"""The example agent: its hijacked call is stopped in process, and the incident is in the trace."""

import logging

import pytest

from abuse_gate import Gate
from examples import agent


def scripted_gate() -> Gate:
    return Gate.from_env(triage=agent.triage, supervisor=agent.supervisor)


def test_an_honest_page_is_summarised() -> None:
    assert agent.run(scripted_gate(), agent.HONEST) == (
        ["read release-notes.html", "wrote notes.md"],
        [],
    )


def test_the_command_that_a_page_wanted_never_runs() -> None:
    done, (stopped,) = agent.run(scripted_gate(), agent.HOSTILE)
    assert done == ["read release-notes.html"]
    assert (stopped.outcome, stopped.decision.assessment.path) == (
        "PAUSE",
        "static→triage→supervisor",
    )


def test_a_supervisor_may_also_send_the_agent_another_way() -> None:
    payload = {"tool_calls": [{"arguments": "ls"}]}
    assert agent.supervisor(payload)["verdict"] == "REORIENT"


def test_the_incident_is_visible_in_the_console_trace(
    capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "abuse_gate")
    agent.main()
    shown = capsys.readouterr().out
    (incident,) = [line.split()[-1] for line in shown.splitlines() if "stopped:" in line]
    assert f"for a person to look at: {incident}" in shown
    assert "ended at: {'static': 3, 'supervisor': 1}" in shown
    (record,) = [record for record in caplog.records if incident in record.getMessage()]
    assert "supervisor_pause" in record.getMessage()
    assert "seed.pipe_to_shell" in vars(record)["abuse_gate"]["rules"]
