"""An attempt as observers see it: current while the adapter is asked, so that its spans nest."""

from collections.abc import Mapping
from typing import Any, Final

from abuse_gate.contract import Observer, stepping
from abuse_gate.model.verdict import Assessment
from abuse_gate.verify.lift import Asked

# What is asked of a provider where an adapter has no other word for it.
OPERATION: Final = "assess"


def stepped(ask: Asked, adapter: object, name: str, observer: Observer) -> Asked:
    """The same question, announced to the observer as one attempt."""
    step = stepping(observer)
    facts = call_facts(adapter)

    async def asked(payload: Mapping[str, Any]) -> Assessment:
        with step("attempt", provider=name, **facts) as notes:
            answer = await ask(payload)
            notes.note(verdict=answer.verdict, reason=answer.reason, **usage_facts(answer))
        return answer

    return asked


def usage_facts(answer: Assessment) -> dict[str, int]:
    """What an answer cost, where the provider says so."""
    usage = answer.usage
    if usage is None:
        return {}
    return {"input_tokens": usage.input_tokens, "output_tokens": usage.output_tokens}


def call_facts(adapter: object) -> dict[str, str]:
    """What a record may say of a call to this adapter: model and operation, where it tells them."""
    # Judges and providers of the kit keep their model themselves, others their configuration.
    model = getattr(adapter, "model", None) or getattr(
        getattr(adapter, "config", None), "model", None
    )
    told = {"operation": OPERATION, "model": model}
    named = getattr(adapter, "operation", None)
    if isinstance(named, str) and named:
        told["operation"] = named
    return {name: value for name, value in told.items() if isinstance(value, str) and value}
