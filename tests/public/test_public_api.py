"""The public surface is a list under test."""

import inspect
import typing

import abuse_gate
from abuse_gate.contract import VerifierAdapter
from tests.public import typed_api

EXPECTED = [
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


def test_the_public_names_are_exactly_these_and_sorted() -> None:
    assert abuse_gate.__all__ == EXPECTED == sorted(EXPECTED)
    assert all(hasattr(abuse_gate, name) for name in EXPECTED)


def test_every_public_name_states_its_law() -> None:
    things = {name: getattr(abuse_gate, name) for name in EXPECTED if name != "Verdict"}
    assert [name for name, thing in things.items() if not inspect.getdoc(thing)] == []


def test_the_verdict_is_the_contracts_literal() -> None:
    assert typing.get_args(abuse_gate.Verdict) == ("safe", "unsafe", "unclear")


def test_what_types_as_an_adapter_is_one_at_run_time() -> None:
    assert all(isinstance(adapter, VerifierAdapter) for adapter in typed_api.adapters())


def test_a_verdict_may_be_awaited() -> None:
    assert inspect.iscoroutinefunction(abuse_gate.fetch_verdict)
    assert inspect.iscoroutinefunction(abuse_gate.Guard.assess)
