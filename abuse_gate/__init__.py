"""abuse-gate: reads every request to an LLM app, decides, and blocks abuse before the app sees it.

from abuse_gate import AbuseGateMiddleware
app.add_middleware(AbuseGateMiddleware)
"""

from abuse_gate.asgi.fetch import fetch_verdict
from abuse_gate.asgi.middleware import AbuseGateMiddleware
from abuse_gate.asgi.refusals import Refusal
from abuse_gate.contract import AdapterConfig, ConfigError, Observer, ProviderError, VerifierAdapter
from abuse_gate.gate import Gate
from abuse_gate.model.decision import Decision
from abuse_gate.model.hit import Hit
from abuse_gate.model.payload import Payload
from abuse_gate.model.verdict import Assessment, Verdict
from abuse_gate.settings import Route, Settings
from abuse_gate.verify.guard import Guard
from abuse_gate.verify.local import LocalRuleAdapter
from abuse_gate.wiring import build_gate, gate_from_env, resolve_adapter_from_env

__all__ = [
    "AbuseGateMiddleware",
    "AdapterConfig",
    "Assessment",
    "ConfigError",
    "Decision",
    "Gate",
    "Guard",
    "Hit",
    "LocalRuleAdapter",
    "Observer",
    "Payload",
    "ProviderError",
    "Refusal",
    "Route",
    "Settings",
    "Verdict",
    "VerifierAdapter",
    "build_gate",
    "fetch_verdict",
    "gate_from_env",
    "resolve_adapter_from_env",
]
