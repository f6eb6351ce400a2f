"""Events as audit records: what was decided and why, with digests of what it was decided on."""

from typing import Any, Final

from abuse_gate.model.events import BreakerMoved, Event, ModeChanged, Reviewed
from abuse_gate.model.verdict import Step
from abuse_gate.telemetry.facts import facts_of, times_of

_MODE: Final = ("subject", "before", "after", "cause", "seconds", "reason", "actor")


def record_of(event: Event) -> tuple[str, dict[str, Any]] | None:
    """The kind and the fields of an event's record; None for what is no matter of audit."""
    match event:
        case Reviewed():
            return "decision", _decision(event)
        case BreakerMoved():
            moved = {"provider": event.provider, "before": event.before, "after": event.after}
            return "breaker", moved
        case ModeChanged():
            return "mode", {name: getattr(event, name) for name in _MODE}
        case _:
            return None


def _decision(event: Reviewed) -> dict[str, Any]:
    facts: dict[str, Any] = facts_of(event)
    facts["trail"] = [_step(step) for step in event.decision.assessment.trail]
    facts["times_ms"] = times_of(event)
    calls = event.visit.evidence.calls if event.visit else ()
    facts["calls"] = [
        {"tool": tool, "arguments": arguments, "pending": pending}
        for tool, arguments, pending in calls
    ]
    return facts


def _step(step: Step) -> dict[str, Any]:
    """A tier of the trail with everything that is known of it."""
    # By hand: `asdict` copies deeply, and takes ten times as long.
    told: dict[str, Any] = {
        "tier": step.tier,
        "matter": step.matter,
        "verdict": step.verdict,
        "reason": step.reason,
        "elapsed_ms": round(step.elapsed_ms, 3),
    }
    usage = step.usage
    if usage is None:
        return told
    tokens = {"input_tokens": usage.input_tokens, "output_tokens": usage.output_tokens}
    return {**told, "provider": usage.provider, "model": usage.model, **tokens}
