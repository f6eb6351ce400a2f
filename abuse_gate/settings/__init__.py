"""What an operator wrote, read once into frozen values.

The only room that reads the environment. Knows nothing of requests, rules or verifiers.
"""

from abuse_gate.settings.document import describe, settings_table
from abuse_gate.settings.inert import INERT, inert_settings
from abuse_gate.settings.load import load_settings, settings_from_env
from abuse_gate.settings.model import (
    Enforcement,
    HeaderSet,
    Plan,
    Route,
    Settings,
    Tenant,
    WireRoles,
)
from abuse_gate.settings.routing import RoutePolicy, Routing
from abuse_gate.settings.secrets import environment_secret

__all__ = [
    "INERT",
    "Enforcement",
    "HeaderSet",
    "Plan",
    "Route",
    "RoutePolicy",
    "Routing",
    "Settings",
    "Tenant",
    "WireRoles",
    "describe",
    "environment_secret",
    "inert_settings",
    "load_settings",
    "settings_from_env",
    "settings_table",
]
