"""What may be told of one request, by name: the one table behind spans, logs and the audit trail.

Codes, ids, keyed digests, sizes and times. Whatever is empty is left out.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from abuse_gate.model.events import Reviewed
from abuse_gate.model.verdict import Step
from abuse_gate.model.visit import ACTION

Told = str | int | float | bool | list[str] | list[int]

# A tenant's name is the app's own, of any length.
_LONGEST: Final = 128
_PRECISION: Final = 3


def _visit(name: str) -> Callable[[Reviewed], Any]:
    return lambda event: getattr(event.visit, name, None)


def _caller(name: str) -> Callable[[Reviewed], Any]:
    def told(event: Reviewed) -> Any:
        return getattr(event.visit.caller, name) if event.visit else None

    return told


def _tenant(event: Reviewed) -> str | None:
    tenant = event.visit.caller.tenant if event.visit else None
    return tenant[:_LONGEST] if tenant else None


def _tool(event: Reviewed) -> str | None:
    """The digest of the tool that an agent's action would call."""
    if event.visit is None or event.visit.route != ACTION:
        return None
    return next((tool for tool, _, pending in event.visit.evidence.calls if pending), None)


def _families(event: Reviewed) -> list[str]:
    return sorted({hit.family for hit in event.decision.assessment.hits})


def step_line(step: Step) -> str:
    """One tier of the trail in a word: who, what, why, how long."""
    return f"{step.tier}:{step.verdict}:{step.reason}:{step.elapsed_ms:.1f}ms"


FACTS: Final[Mapping[str, Callable[[Reviewed], Any]]] = {
    "incident_id": lambda event: event.decision.incident_id,
    "decision": lambda event: event.decision.decision,
    "verdict": lambda event: event.decision.verdict,
    "mode": lambda event: event.decision.mode,
    "reason": lambda event: event.decision.assessment.reason,
    "source": lambda event: event.decision.assessment.source,
    "status": lambda event: event.decision.status,
    "rules": lambda event: list(event.decision.rule_ids),
    "families": _families,
    "flags": lambda event: sorted(event.decision.flags),
    "unverified": lambda event: event.unverified,
    "plan": lambda event: event.plan,
    "tiers": lambda event: event.decision.assessment.path,
    "blocks": lambda event: list(event.decision.assessment.blocks),
    "trail": lambda event: [step_line(step) for step in event.decision.assessment.trail],
    "policy_version": lambda event: event.policy_version,
    "modalities": lambda event: list(event.modalities),
    "route": _visit("route"),
    "method": _visit("method"),
    "subject": _caller("subject"),
    "address": _caller("address"),
    "tenant": _tenant,
    "tool": _tool,
    "prompt_digest": lambda event: event.visit.evidence.prompt if event.visit else None,
    "body_bytes": lambda event: event.body_bytes,
    "elapsed_ms": lambda event: round(event.elapsed_ms, _PRECISION),
    "trace_id": _visit("trace_id"),
    "span_id": _visit("span_id"),
}


def facts_of(event: Reviewed) -> dict[str, Told]:
    """All that may be told of a request."""
    told: dict[str, Any] = {name: read(event) for name, read in FACTS.items()}
    return {name: value for name, value in told.items() if not _empty(value)}


def times_of(event: Reviewed) -> dict[str, float]:
    """What each step of the way took, in milliseconds."""
    times = event.visit.times if event.visit else {}
    return {step: round(ms, _PRECISION) for step, ms in times.items()}


def is_incident(event: Reviewed) -> bool:
    """Whether somebody may have to look: anything but an allow that was safe, clean, verified."""
    decision = event.decision
    doubtful = decision.decision != "allow" or decision.verdict != "safe"
    return bool(doubtful or decision.assessment.hits or event.unverified)


def _empty(value: object) -> bool:
    return value is None or value in ("", [])
