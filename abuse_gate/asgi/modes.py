"""What the app may ask about a request that the gate has let in."""

from starlette.requests import Request

from abuse_gate.asgi.scopes import decision_in
from abuse_gate.model.decision import Mode


def guardrail_mode(request: Request) -> Mode:
    """The caller's mode, as a FastAPI dependency: drop your tools when it is `execute_locked`.

    A request that was not gated is `normal`.
    """
    decision = decision_in(request.scope)
    return "normal" if decision is None else decision.mode
