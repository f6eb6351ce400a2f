"""Every setting, rightly written: one table, read by the same door that people use."""

from ipaddress import ip_network
from pathlib import PurePath
from typing import Any

import pytest
from pydantic import SecretStr, ValidationError

from abuse_gate.settings import Route, Settings, Tenant, load_settings
from abuse_gate.settings.names import BY_ENV, BY_FIELD, CONFIG, NAMES

LONG_SECRET = "0123456789abcdef"
MASKED = SecretStr(LONG_SECRET)

# field -> (what may be written, what it means)
RIGHT: dict[str, list[tuple[object, object]]] = {
    "verifier_adapter": [("OpenAI", "openai"), (" none ", "none"), ("My.Judge-2", "My.Judge-2")],
    "verifier_timeout_ms": [("1", 1), ("600000", 600000), (" +20 ", 20), (7, 7)],
    "verifier_max_retries": [("0", 0), ("5", 5)],
    "verifier_circuit_open_sec": [("1", 1.0), ("0.5e2", 50.0), (86400, 86400.0), (1.5, 1.5)],
    "mode": [("Monitor ", "monitor"), ("enforce", "enforce")],
    "on_unclear": [("BLOCK", "block"), ("clarify", "clarify")],
    "on_unread": [("allow", "allow")],
    "plan": [("thrifty", "thrifty"), ("paranoid", "paranoid")],
    "strikes": [
        ("off", "off"),
        ("True", "on"),
        ("no", "off"),
        ("1", "on"),
        (False, "off"),
        (1, "on"),
    ],
    "strike_window_sec": [("1", 1.0), ("604800", 604800.0)],
    "strike_decay_sec": [("0", 0.0), (86400, 86400.0)],
    "lock_after": [("1", 1), (5, 5)],
    "lock_sec": [("60", 60.0)],
    "quarantine_after": [("60", 60), (3, 3)],
    "quarantine_sec": [("0.5e2", 50.0)],
    "headers": [("minimal", "minimal")],
    "wire_roles": [("trusted", "trusted")],
    "unknown_tools": [("low", "low")],
    "triage_model_embedded": [("off", "off"), ("yes", "on"), ("0", "off"), (True, "on")],
    "pii_ruleset": [("hipaa", "hipaa"), ("custom", "custom")],
    "include": [("/v1/*, *.json,", ("/v1/*", "*.json")), (["/a,b"], ("/a,b",))],
    "exclude": [("/health", ("/health",)), ((), ())],
    "max_body_bytes": [("1024", 1024), ("104857600", 104857600)],
    "max_upload_bytes": [("1024", 1024)],
    "body_timeout_ms": [("1", 1)],
    "document_timeout_ms": [("250", 250)],
    "secret": [
        (f" {LONG_SECRET}\n", MASKED),
        (MASKED, MASKED),
    ],
    "trusted_proxies": [
        ("10.0.0.0/8, ::1", (ip_network("10.0.0.0/8"), ip_network("::1/128"))),
        ([ip_network("192.0.2.0/24")], (ip_network("192.0.2.0/24"),)),
    ],
    "proxy_header": [("Forwarded", "forwarded"), ("x-forwarded-for", "x-forwarded-for")],
    "redis_url": [
        ("redis://:pw@cache:6379/0", SecretStr("redis://:pw@cache:6379/0")),
        ("rediss://cache", SecretStr("rediss://cache")),
        ("unix:///run/redis.sock", SecretStr("unix:///run/redis.sock")),
    ],
    "store_timeout_ms": [("50", 50)],
    "verdict_cache": [("Memory", "memory"), ("redis", "redis"), ("off", "off")],
    "verdict_cache_sec": [("60", 60.0)],
    "max_in_flight": [("1", 1), ("10000", 10000)],
    "subject_budget": [("0", 0), ("100", 100)],
    "data_residency": [("eu", "eu")],
    "supervisor_timeout_ms": [("5000", 5000)],
    "context_messages": [("20", 20), (30, 30)],
    "context_chars": [("1000", 1000)],
    "audit_path": [("/var/log/a.jsonl", "/var/log/a.jsonl"), (PurePath("a.log"), "a.log")],
    "audit_key": [(LONG_SECRET, MASKED)],
    "audit_max_bytes": [("4096", 4096)],
    "audit_keep_days": [("30", 30), (0, 0)],
    "openai_api_key": [("sk-1", SecretStr("sk-1")), (SecretStr("sk-2"), SecretStr("sk-2"))],
    "openai_verifier_model": [(" omni ", "omni")],
    "openai_base_url": [("https://eu.example", "https://eu.example")],
    "anthropic_api_key": [("sk-ant", SecretStr("sk-ant"))],
    "anthropic_verifier_model": [("m", "m")],
    "anthropic_base_url": [("http://127.0.0.1:9", "http://127.0.0.1:9")],
    "azure_openai_api_key": [("k", SecretStr("k"))],
    "azure_openai_endpoint": [("http://[::1]:9", "http://[::1]:9")],
    "azure_openai_deployment": [("d", "d")],
    "azure_openai_api_version": [("2026-06-01", "2026-06-01")],
    "triage_model": [("claude-haiku", "claude-haiku")],
    "additional_patterns": [(["a{1,3}b", "line\nbreak"], ("a{1,3}b", "line\nbreak")), ([], ())],
    "additional_high_risk_tools": [(("deploy",), ("deploy",))],
    "rule_packs": [(["mine.toml"], ("mine.toml",))],
    "supervisor_model": [("claude-opus", "claude-opus")],
    "disabled_rules": [({"inj.a"}, ("inj.a",))],
    "pii": [({"badge": "B-[0-9]{6}"}, {"badge": "B-[0-9]{6}"}), ({}, {})],
    "severity_overrides": [
        ({"inj.a": 0, "b": "1000"}, {"inj.a": 0, "b": 1000}),
        ({"inj": {"a": 3}}, {"inj.a": 3}),
    ],
    "block_threshold": [(10000, 10000), (51, 51)],
    "notice_threshold": [(1, 1), (99, 99)],
    "routes": [
        ([{"path": "/v1/*", "plan": "Thrifty"}], (Route(path="/v1/*", plan="thrifty"),)),
        ((Route(path="*"),), (Route(path="*"),)),
    ],
    "tenants": [
        ([{"name": "acme", "model": "m"}], (Tenant(name="acme", model="m"),)),
        ((Tenant(name="acme"),), (Tenant(name="acme"),)),
    ],
    "moderation_thresholds": [
        ({"hate": 0.5, "violence/graphic": "1"}, {"hate": 0.5, "violence/graphic": 1.0})
    ],
}

ADAPTERS = ("openai", "anthropic", "azure")


def _selecting(field: str) -> dict[str, object]:
    adapter = next((name for name in ADAPTERS if field.startswith(name)), None)
    return {"verifier_adapter": adapter} if adapter else {}


def _written(table: dict[str, list[tuple[Any, Any]]]) -> list[tuple[str, Any, Any]]:
    return [(field, wrote, meant) for field, rows in table.items() for wrote, meant in rows]


def _in_env(table: dict[str, list[tuple[Any, Any]]]) -> list[tuple[str, Any, Any]]:
    rows = _written(table)
    return [
        row for row in rows if BY_FIELD[row[0]].env and isinstance(row[1], str) and row[1].strip()
    ]


def test_the_table_covers_every_setting() -> None:
    # What the variables of tenants hold is no setting that a person writes under that name.
    fields = set(Settings.model_fields) - {"tenant_variables"}
    assert set(RIGHT) == fields
    assert {name.field for name in NAMES} == fields | {CONFIG.field}
    assert len(BY_FIELD) == len(NAMES)
    assert all(name.env == env for env, name in BY_ENV.items())


@pytest.mark.parametrize(("field", "wrote", "meant"), _written(RIGHT))
def test_a_right_keyword_is_read(field: str, wrote: object, meant: object) -> None:
    settings = load_settings({}, _selecting(field) | {field: wrote})
    assert getattr(settings, field) == meant


@pytest.mark.parametrize(("field", "wrote", "meant"), _in_env(RIGHT))
def test_a_right_variable_is_read(field: str, wrote: str, meant: object) -> None:
    settings = load_settings({str(BY_FIELD[field].env): wrote}, _selecting(field))
    assert getattr(settings, field) == meant


def test_settings_are_frozen() -> None:
    with pytest.raises(ValidationError):
        Settings().mode = "monitor"  # pyright: ignore[reportAttributeAccessIssue] # the law under test
