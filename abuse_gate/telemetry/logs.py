"""Incidents and verifier failures as structured log records: codes, sizes and ids, never text.

Never configures the app's logging.
"""

import logging
from collections.abc import Iterable
from typing import Any, Final

from abuse_gate.model.events import BreakerMoved, Event, ModeChanged, Reviewed, Verified
from abuse_gate.model.hit import Hit
from abuse_gate.model.verdict import UNASKED_REASONS, as_code
from abuse_gate.telemetry.facts import facts_of, is_incident, times_of
from abuse_gate.telemetry.observers import never
from abuse_gate.work.visits import current_visit

_log = logging.getLogger("abuse_gate")

# Rules that a line names; an attack in many words makes a dozen of them fire.
MOST_NAMED: Final = 3


class LogObserver:
    """One record per incident (anything but a clean allow) and one per verifier failure."""

    hears_passes = staticmethod(never)

    def record(self, event: Event, /) -> None:
        """Logs what an operator may have to look at; the rest is for metrics."""
        match event:
            case Reviewed():
                if is_incident(event) or _is_noted(event):
                    _reviewed(event)
            case Verified():
                if event.reason in UNASKED_REASONS:
                    _verified(event)
            case BreakerMoved():
                _breaker(event)
            case ModeChanged():
                _mode(event)
            case _:
                # A store that comes and goes says so itself, once; the rest is for metrics.
                pass


def _is_noted(event: Reviewed) -> bool:
    """What passes by a low-risk tool leaves a record."""
    return any(step.reason == "low_risk" for step in event.decision.assessment.trail)


def _reviewed(event: Reviewed) -> None:
    decision = event.decision
    # What passes although rules fired or nobody could be asked is on record, and wakes nobody.
    level = logging.INFO if decision.decision == "allow" else logging.WARNING
    if not _log.isEnabledFor(level):
        return
    fields: dict[str, Any] = {"event": "incident", "rules": [], "flags": [], "unverified": None}
    fields |= {"tiers": decision.assessment.path, "blocks": []}
    fields |= {**facts_of(event), "times": times_of(event)}
    _log.log(
        level,
        "incident %s: %s (%s) mode=%s rules=%s flags=%s",
        decision.incident_id,
        decision.decision,
        decision.assessment.reason,
        decision.mode,
        _heaviest(decision.assessment.hits) or "-",
        ",".join(sorted(decision.flags)) or "-",
        extra={"abuse_gate": fields},
    )


def _heaviest(hits: Iterable[Hit]) -> str:
    """The rules of most weight, and how many others fired; a record's fields name all of them."""
    weights: dict[str, int] = {}
    for hit in hits:
        weights[hit.rule] = max(hit.severity, weights.get(hit.rule, 0))
    rules = sorted(weights, key=lambda rule: (-weights[rule], rule))
    more = [f"+{len(rules) - MOST_NAMED}"] if len(rules) > MOST_NAMED else []
    return ",".join([*rules[:MOST_NAMED], *more])


def _verified(event: Verified) -> None:
    fields: dict[str, Any] = {
        "event": "verifier_failure",
        "provider": event.provider,
        "reason": event.reason,
        "attempts": event.attempts,
        "elapsed_ms": round(event.elapsed_ms, 3),
    }
    visit = current_visit()
    if visit is not None:
        fields |= {"incident_id": visit.incident_id, "trace_id": visit.trace_id}
    if event.detail:
        fields["detail"] = event.detail
    _log.warning(
        "verifier %s%s could not answer: %s%s after %d attempt(s)",
        event.provider,
        _for_tenant(fields),
        event.reason,
        f" ({event.detail})" if event.detail else "",
        event.attempts,
        extra={"abuse_gate": fields},
    )


def _breaker(event: BreakerMoved) -> None:
    fields: dict[str, Any] = {
        "event": "breaker",
        "provider": event.provider,
        "before": event.before,
        "after": event.after,
    }
    _log.warning(
        "verifier %s%s: circuit %s -> %s",
        event.provider,
        _for_tenant(fields),
        event.before,
        event.after,
        extra={"abuse_gate": fields},
    )


def _for_tenant(fields: dict[str, Any]) -> str:
    """The words that name the tenant whose request it is, if there is one; a field beside them."""
    visit = current_visit()
    tenant = visit.caller.tenant if visit is not None else None
    if not tenant:
        return ""
    fields["tenant"] = as_code(tenant)
    return f" for tenant {fields['tenant']}"


def _mode(event: ModeChanged) -> None:
    fields = {
        "event": "mode",
        "subject": event.subject,
        "before": event.before,
        "after": event.after,
        "cause": event.cause,
        "seconds": event.seconds,
        "reason": event.reason,
        "actor": event.actor,
    }
    _log.warning("%s", event, extra={"abuse_gate": fields})
