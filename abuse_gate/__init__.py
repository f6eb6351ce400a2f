"""abuse-gate: reads every request to an LLM app, decides, and blocks abuse before the app sees it.

from abuse_gate import AbuseGateMiddleware
app.add_middleware(AbuseGateMiddleware)

Names are loaded when they are first used: a document worker imports this package too, and needs
neither a web framework nor a rule engine.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from abuse_gate.agents import ActionResult, ActionStopped, Gate, build_gate, gate_from_env
    from abuse_gate.asgi.admin import admin_app
    from abuse_gate.asgi.fetch import fetch_verdict
    from abuse_gate.asgi.middleware import AbuseGateMiddleware
    from abuse_gate.asgi.modes import guardrail_mode
    from abuse_gate.asgi.refusals import Refusal
    from abuse_gate.contract import (
        AdapterConfig,
        ConfigError,
        Judge,
        Observer,
        ProviderError,
        VerifierAdapter,
    )
    from abuse_gate.model.context import Block, Context
    from abuse_gate.model.decision import Decision
    from abuse_gate.model.hit import Hit
    from abuse_gate.model.payload import Payload
    from abuse_gate.model.verdict import Assessment, Verdict
    from abuse_gate.remembering import redis_store
    from abuse_gate.settings import Route, Settings
    from abuse_gate.store_contract import Store
    from abuse_gate.stores.memory import MemoryStore
    from abuse_gate.stores.operators import Subjects
    from abuse_gate.tools import guarded_tool
    from abuse_gate.verify.guard import Guard
    from abuse_gate.verify.local import LocalRuleAdapter
    from abuse_gate.wiring import Judges, resolve_adapter_from_env

_HOMES: Final = {
    "AbuseGateMiddleware": "asgi.middleware",
    "ActionResult": "agents",
    "ActionStopped": "agents",
    "AdapterConfig": "contract",
    "Assessment": "model.verdict",
    "Block": "model.context",
    "ConfigError": "contract",
    "Context": "model.context",
    "Decision": "model.decision",
    "Gate": "agents",
    "Guard": "verify.guard",
    "Hit": "model.hit",
    "Judge": "contract",
    "Judges": "wiring",
    "LocalRuleAdapter": "verify.local",
    "MemoryStore": "stores.memory",
    "Observer": "contract",
    "Payload": "model.payload",
    "ProviderError": "contract",
    "Refusal": "asgi.refusals",
    "Route": "settings",
    "Settings": "settings",
    "Store": "store_contract",
    "Subjects": "stores.operators",
    "Verdict": "model.verdict",
    "VerifierAdapter": "contract",
    "admin_app": "asgi.admin",
    "build_gate": "agents",
    "fetch_verdict": "asgi.fetch",
    "gate_from_env": "agents",
    "guarded_tool": "tools",
    "guardrail_mode": "asgi.modes",
    "redis_store": "remembering",
    "resolve_adapter_from_env": "wiring",
}

__all__ = [
    "AbuseGateMiddleware",
    "ActionResult",
    "ActionStopped",
    "AdapterConfig",
    "Assessment",
    "Block",
    "ConfigError",
    "Context",
    "Decision",
    "Gate",
    "Guard",
    "Hit",
    "Judge",
    "Judges",
    "LocalRuleAdapter",
    "MemoryStore",
    "Observer",
    "Payload",
    "ProviderError",
    "Refusal",
    "Route",
    "Settings",
    "Store",
    "Subjects",
    "Verdict",
    "VerifierAdapter",
    "admin_app",
    "build_gate",
    "fetch_verdict",
    "gate_from_env",
    "guarded_tool",
    "guardrail_mode",
    "redis_store",
    "resolve_adapter_from_env",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
