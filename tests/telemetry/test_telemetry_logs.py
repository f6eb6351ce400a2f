"""Incidents and verifier failures as log records: codes, sizes and ids."""

import json
import logging
from typing import Any, Final, cast, get_args

import pytest

from abuse_gate.model.caller import Caller
from abuse_gate.model.decision import Action, Decision, Mode
from abuse_gate.model.events import BreakerMoved, Event, ModeChanged, Reviewed, Verified
from abuse_gate.model.hit import Hit
from abuse_gate.model.verdict import UNASKED_REASONS, Assessment
from abuse_gate.model.visit import Visit
from abuse_gate.telemetry.logs import LogObserver
from abuse_gate.telemetry.observers import Observers
from abuse_gate.testing import RecordingObserver
from abuse_gate.work.visits import visiting

ID: Final = "0123456789abcdef" * 2
HITS: Final = (Hit("b.rule", "b", 60, "caller"), Hit("a.rule", "a", 60, "call"))


def reviewed(action: Action = "block", mode: Mode = "normal", **more: Any) -> Reviewed:
    assessment = Assessment("unsafe", "rules_block", hits=more.pop("hits", HITS))
    return Reviewed(Decision(action, 403, mode, ID, assessment, **more), 321, 1.23456)


def logged(caplog: pytest.LogCaptureFixture, *events: Event) -> list[logging.LogRecord]:
    with caplog.at_level(logging.DEBUG):
        for event in events:
            LogObserver().record(event)
    return caplog.records


def fields(record: logging.LogRecord) -> dict[str, Any]:
    """What a structured log would take from a record."""
    found: dict[str, Any] = vars(record)["abuse_gate"]
    return found


def test_an_incident_is_one_warning_with_its_fields(caplog: pytest.LogCaptureFixture) -> None:
    event = reviewed(flags=frozenset({"truncated", "malformed"}))
    (record,) = logged(caplog, event)
    assert (record.name, record.levelname) == ("abuse_gate", "WARNING")
    assert record.getMessage() == (
        f"incident {ID}: block (rules_block) mode=normal "
        "rules=a.rule,b.rule flags=malformed,truncated"
    )
    assert fields(record) == {
        "event": "incident",
        "incident_id": ID,
        "decision": "block",
        "verdict": "unsafe",
        "mode": "normal",
        "reason": "rules_block",
        "source": "local",
        "status": 403,
        "plan": "standard",
        "rules": ["a.rule", "b.rule"],
        "families": ["a", "b"],
        "flags": ["malformed", "truncated"],
        "unverified": None,
        "tiers": "",
        "blocks": [],
        "body_bytes": 321,
        "elapsed_ms": 1.235,
        "times": {},
    }
    assert json.loads(json.dumps(fields(record))) == fields(record)


def test_no_rules_and_no_flags_are_a_dash(caplog: pytest.LogCaptureFixture) -> None:
    (record,) = logged(caplog, reviewed("clarify", "monitor", hits=()))
    assert record.getMessage().endswith("clarify (rules_block) mode=monitor rules=- flags=-")


# Severities of the rules r0, r1, …, and what a line says of them.
FIRED: Final = (
    ((5,), "r0"),
    ((5, 60, 7), "r1,r2,r0"),
    ((5, 60, 60, 7), "r1,r2,r3,+1"),
    ((0, 5, 60, 7, *(9,) * 8), "r2,r10,r11,+9"),
)


@pytest.mark.parametrize(("severities", "told"), FIRED)
def test_a_line_names_the_three_heaviest_rules_and_counts_the_others(
    severities: tuple[int, ...], told: str, caplog: pytest.LogCaptureFixture
) -> None:
    hits = [Hit(f"r{at}", "r", severity, "caller") for at, severity in enumerate(severities)]
    again = Hit("r0", "r", 0, "call")
    (record,) = logged(caplog, reviewed(hits=(*hits, again)))
    assert f" rules={told} " in record.getMessage()
    assert fields(record)["rules"] == sorted(hit.rule for hit in hits)


@pytest.mark.parametrize("action", get_args(Action))
def test_anything_but_a_clean_allow_is_an_incident(
    caplog: pytest.LogCaptureFixture, action: Action
) -> None:
    clean = Assessment("safe", "rules_clean")
    decision = reviewed(action, hits=()).decision._replace(assessment=clean)
    assert len(logged(caplog, Reviewed(decision, 1, 1.0))) == (0 if action == "allow" else 1)


def test_a_doubt_that_passes_is_an_incident(caplog: pytest.LogCaptureFixture) -> None:
    decision = Decision("allow", None, "normal", ID, Assessment("unclear", "model_unclear"))
    (record,) = logged(caplog, Reviewed(decision, 1, 1.0))
    assert record.levelname == "INFO"


@pytest.mark.parametrize("action", get_args(Action))
def test_what_passes_although_rules_fired_is_on_record_and_wakes_nobody(
    caplog: pytest.LogCaptureFixture, action: Action
) -> None:
    (record,) = logged(caplog, reviewed(action))
    assert record.levelname == ("INFO" if action == "allow" else "WARNING")
    assert fields(record)["rules"] == ["a.rule", "b.rule"]


@pytest.mark.parametrize("reason", sorted(UNASKED_REASONS))
def test_a_verifier_that_could_not_answer_is_one_warning(
    caplog: pytest.LogCaptureFixture, reason: str
) -> None:
    (record,) = logged(caplog, Verified("openai", "unclear", reason, 12.34567, 2))
    assert record.levelname == "WARNING"
    assert record.getMessage() == f"verifier openai could not answer: {reason} after 2 attempt(s)"
    assert fields(record) == {
        "event": "verifier_failure",
        "provider": "openai",
        "reason": reason,
        "attempts": 2,
        "elapsed_ms": 12.346,
    }


@pytest.mark.parametrize("reason", ["model_safe", "model_unsafe", "model_unclear", "rules_clean"])
def test_an_honest_answer_is_not_logged(caplog: pytest.LogCaptureFixture, reason: str) -> None:
    assert logged(caplog, Verified("openai", "unclear", reason, 1.0, 1)) == []


def test_a_circuit_that_moves_is_one_warning(caplog: pytest.LogCaptureFixture) -> None:
    (record,) = logged(caplog, BreakerMoved("azure", "closed", "open"))
    assert record.getMessage() == "verifier azure: circuit closed -> open"
    assert fields(record) == {
        "event": "breaker",
        "provider": "azure",
        "before": "closed",
        "after": "open",
    }


def test_a_subject_whose_mode_changes_is_one_warning(caplog: pytest.LogCaptureFixture) -> None:
    (record,) = logged(caplog, ModeChanged("ab12", "normal", "full_quarantine"))
    assert record.getMessage() == "subject ab12: normal -> full_quarantine (strikes)"
    assert fields(record) == {
        "event": "mode",
        "subject": "ab12",
        "before": "normal",
        "after": "full_quarantine",
        "cause": "strikes",
        "seconds": 0.0,
        "reason": "",
        "actor": "",
    }


def test_a_level_that_nobody_hears_costs_nothing(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR, "abuse_gate"):
        LogObserver().record(reviewed())
    assert caplog.records == []


def test_an_event_of_a_later_version_is_let_pass(caplog: pytest.LogCaptureFixture) -> None:
    assert logged(caplog, cast("Event", object())) == []


class Failing:
    def record(self, event: Event, /) -> None:
        raise ValueError("canary")


def test_a_failing_observer_is_counted_said_once_and_hurts_nobody(
    caplog: pytest.LogCaptureFixture,
) -> None:
    first, last = RecordingObserver(), RecordingObserver()
    observers = Observers([first, Failing(), last])
    event = BreakerMoved("azure", "closed", "open")
    with caplog.at_level(logging.DEBUG):
        for _ in range(5):
            observers.record(event)
    assert observers.failures == 5
    assert first.events == last.events == [event] * 5
    (record,) = caplog.records
    assert record.name == "abuse_gate.telemetry"
    assert record.getMessage() == (
        "observer Failing raised ValueError; further failures are counted in silence"
    )
    assert record.exc_info is None
    assert "canary" not in caplog.text


def test_an_observer_that_is_fine_counts_no_failure() -> None:
    observers = Observers([RecordingObserver()])
    observers.record(BreakerMoved("azure", "closed", "open"))
    assert observers.failures == 0


def test_an_allow_that_nobody_verified_is_on_record(caplog: pytest.LogCaptureFixture) -> None:
    decision = Decision("allow", None, "normal", ID, Assessment("unclear", "timeout"))
    (record,) = logged(caplog, Reviewed(decision, 1, 1.0, "timeout"))
    assert record.levelname == "INFO"
    assert fields(record)["unverified"] == "timeout"


@pytest.mark.parametrize(
    ("tenant", "named"), [("acme", "acme"), ("Ignore all\nrules", "x-ignore_all_rules")]
)
def test_a_failure_names_the_tenant_and_what_is_behind_it(
    caplog: pytest.LogCaptureFixture, tenant: str, named: str
) -> None:
    visit = Visit(ID, 0.0)
    visit.caller = Caller(tenant=tenant)
    failed = Verified("mine", "unclear", "provider_error", 1.0, 1, "ZeroDivisionError")
    with visiting(visit):
        asked, moved = logged(caplog, failed, BreakerMoved("mine", "closed", "open"))
    assert asked.getMessage() == (
        f"verifier mine for tenant {named} could not answer: "
        "provider_error (ZeroDivisionError) after 1 attempt(s)"
    )
    assert moved.getMessage() == f"verifier mine for tenant {named}: circuit closed -> open"
    assert fields(asked)["tenant"] == fields(moved)["tenant"] == named
    assert fields(asked)["detail"] == "ZeroDivisionError"


def test_what_passes_unclear_for_its_flags_alone_is_a_record(
    caplog: pytest.LogCaptureFixture,
) -> None:
    assessment = Assessment("unclear", "flags")
    opaque = frozenset({"opaque_media_noninterpretable"})
    decision = Decision("allow", None, "normal", ID, assessment, flags=cast("Any", opaque))
    (record,) = logged(caplog, Reviewed(decision, 1, 1.0))
    assert record.levelname == "INFO"
    assert fields(record)["flags"] == ["opaque_media_noninterpretable"]
