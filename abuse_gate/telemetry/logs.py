"""Incidents and verifier failures as structured log records: codes, sizes and ids, never text.

Never configures the app's logging.
"""

import logging
from typing import Any

from abuse_gate.model.events import BreakerMoved, Event, ModeChanged, Reviewed, Verified
from abuse_gate.model.verdict import UNASKED_REASONS

_log = logging.getLogger("abuse_gate")


class LogObserver:
    """One record per incident (anything but a clean allow) and one per verifier failure."""

    def record(self, event: Event, /) -> None:
        """Logs what an operator may have to look at; the rest is for metrics."""
        match event:
            case Reviewed():
                _reviewed(event)
            case Verified():
                _verified(event)
            case ModeChanged():
                _mode(event)
            case BreakerMoved():
                _log.warning(
                    "verifier %s: circuit %s -> %s",
                    event.provider,
                    event.before,
                    event.after,
                    extra={
                        "abuse_gate": {
                            "event": "breaker",
                            "provider": event.provider,
                            "before": event.before,
                            "after": event.after,
                        }
                    },
                )
            case _:
                # A store that comes and goes says so itself, once; the rest is for metrics.
                pass


def _mode(event: ModeChanged) -> None:
    fields = {
        "event": "mode",
        "subject": event.subject,
        "before": event.before,
        "after": event.after,
        "cause": event.cause,
    }
    if event.cause == "operator":
        fields |= {"reason": event.reason, "actor": event.actor}
    _log.warning(
        "subject %s: mode %s -> %s (%s)",
        event.subject,
        event.before,
        event.after,
        event.cause,
        extra={"abuse_gate": fields},
    )


def _reviewed(event: Reviewed) -> None:
    decision = event.decision
    # A low-risk tool passes beside untrusted content, and leaves a record.
    noted = any(step.reason == "low_risk" for step in decision.assessment.trail)
    clean = not decision.assessment.hits and event.unverified is None and not noted
    if decision.decision == "allow" and clean:
        return
    # What passes although rules fired or nobody could be asked is on record, and wakes nobody.
    level = logging.INFO if decision.decision == "allow" else logging.WARNING
    fields: dict[str, Any] = {
        "event": "incident",
        "incident_id": decision.incident_id,
        "decision": decision.decision,
        "verdict": decision.verdict,
        "mode": decision.mode,
        "reason": decision.assessment.reason,
        "rules": list(decision.rule_ids),
        "flags": sorted(decision.flags),
        "unverified": event.unverified,
        "tiers": decision.assessment.path,
        "blocks": list(decision.assessment.blocks),
        "body_bytes": event.body_bytes,
        "elapsed_ms": round(event.elapsed_ms, 3),
    }
    _log.log(
        level,
        "incident %s: %s (%s) mode=%s rules=%s flags=%s",
        decision.incident_id,
        decision.decision,
        decision.assessment.reason,
        decision.mode,
        ",".join(decision.rule_ids) or "-",
        ",".join(sorted(decision.flags)) or "-",
        extra={"abuse_gate": fields},
    )


def _verified(event: Verified) -> None:
    if event.reason not in UNASKED_REASONS:
        return
    fields: dict[str, Any] = {
        "event": "verifier_failure",
        "provider": event.provider,
        "reason": event.reason,
        "attempts": event.attempts,
        "elapsed_ms": round(event.elapsed_ms, 3),
    }
    _log.warning(
        "verifier %s could not answer: %s after %d attempt(s)",
        event.provider,
        event.reason,
        event.attempts,
        extra={"abuse_gate": fields},
    )
