"""Every setting, wrongly written: one line that names it, says what is wrong and how to cure it."""

from typing import Any

import pytest
from pydantic import ValidationError

from abuse_gate.contract import ConfigError
from abuse_gate.settings import Settings, load_settings
from abuse_gate.settings.names import BY_FIELD

# field -> (what may not be written, what the line must say)
WRONG: dict[str, list[tuple[object, str]]] = {
    "verifier_adapter": [
        ("my judge", "not the name of an adapter"),
        (3, "not text"),
        ("a\nb", "printed"),
    ],
    "verifier_timeout_ms": [
        ("0", "1 to 600000"),
        ("600001", "out of range"),
        ("1.5", "not a whole"),
    ],
    "verifier_max_retries": [("-1", "0 to 5"), ("6", "0 to 5"), (True, "not a whole number")],
    "verifier_circuit_open_sec": [
        ("0.9", "1 to 86400"),
        ("nan", "out of range"),
        ("inf", "out of range"),
        ("soon", "not a number"),
        (True, "not a number"),
        ([], "not a number"),
        (10**400, "not a number"),
    ],
    "mode": [
        ("montor", "enforce, monitor; did you mean 'monitor'?"),
        ("x", "not one of"),
        (1, "= 1:"),
    ],
    "on_unclear": [("blok", "did you mean 'block'?")],
    "on_unread": [("", "allow, clarify, block"), (None.__class__, "not one of")],
    "plan": [("cheap", "standard, thrifty, paranoid")],
    "strikes": [("maybe", "on, off"), (2, "on, off"), (1.0, "on, off")],
    "headers": [("ful", "did you mean 'full'?")],
    "wire_roles": [("claim", "did you mean 'claimed'?")],
    "unknown_tools": [("medium", "high, low")],
    "triage_model_embedded": [("claude-haiku", "triage_model in [security.verification]")],
    "pii_ruleset": [("hippa", "did you mean 'hipaa'?")],
    "include": [("v1/*", "starts with /"), (3, "neither text nor a list"), ([1], "not text")],
    "exclude": [("/a,health", "starts with /")],
    "max_body_bytes": [("1023", "1024 to 104857600"), ("1MiB", "not a whole number")],
    "max_upload_bytes": [("104857601", "out of range")],
    "body_timeout_ms": [("0", "out of range")],
    "document_timeout_ms": [("0", "out of range")],
    "secret": [
        ("hunter2", "at least 16"),
        (b"0123456789abcdef", "not text"),
        ("é\x00" * 9, "printed"),
    ],
    "strike_window_sec": [("0", "out of range"), ("soon", "not a number")],
    "strike_decay_sec": [("-1", "out of range")],
    "lock_after": [("0", "out of range"), ("three", "not a whole number"), (6, "raise quarantine")],
    "lock_sec": [("0.5", "out of range")],
    "quarantine_after": [("61", "out of range"), (2, "lower lock_after")],
    "quarantine_sec": [("never", "not a number")],
    "proxy_header": [("x-real-ip", "x-forwarded-for, forwarded")],
    "verdict_cache": [("disk", "off, memory, redis")],
    "verdict_cache_sec": [("0", "out of range")],
    "trusted_proxies": [("10.0.0.1/8", "bits set"), ("proxy", "not a network"), (9, "neither")],
    "redis_url": [
        ("http://h", "redis://"),
        ("redis://", "names no host"),
        ("unix://", "names no host or socket"),
        ("redis://h:port", "not the address"),
        ("redis://[", "not the address"),
    ],
    "store_timeout_ms": [("fast", "not a whole number")],
    "max_in_flight": [("0", "1 to 10000"), (2**200, "a very large number"), ({}, "in quotes")],
    "subject_budget": [("-1", "0 to 100000")],
    "data_residency": [(3, "not text")],
    "supervisor_timeout_ms": [("0", "out of range")],
    "context_messages": [("0", "out of range"), (31, "out of range")],
    "context_chars": [("999", "out of range")],
    "audit_path": [(3, "not text; give the path of a file"), (" ", "empty")],
    "audit_key": [("short", "too short")],
    "audit_max_bytes": [("1", "4096 to")],
    "audit_keep_days": [("-1", "0 to 36500")],
    "openai_api_key": [
        ("sk 1", "no header can carry"),
        ("sk-\u00e9", "no header"),
        (5, "not text"),
    ],
    "openai_verifier_model": [("a\x00b", "printed"), (7, "not text")],
    "openai_base_url": [
        ("http://models.example", "plain http"),
        ("http://127.0.0.1.models.example", "plain http"),
        ("http://localhost@models.example", "plain http"),
        ("http://127.0.0.1\\@models.example", "not a web address"),
        ("https://a b", "not a web address"),
        ("ftp://models.example", "not a web address"),
        ("https://", "not a web address"),
        ("https://h:99999", "not a web address"),
    ],
    "anthropic_api_key": [("a\nb", "printed")],
    "anthropic_verifier_model": [("\x1b[0m", "printed")],
    "anthropic_base_url": [("claude", "not a web address")],
    "azure_openai_api_key": [("a b", "header")],
    "azure_openai_endpoint": [("http://x.example", "plain http")],
    "azure_openai_deployment": [("\udc80", "printed")],
    "azure_openai_api_version": [("\x07", "printed")],
    "triage_model": [(True, "not text; give the name of a model")],
    "additional_patterns": [("a|b", "not a list"), ([1], "not text"), (["ok", " "], "empty")],
    "additional_high_risk_tools": [({"a": 1}, "not a list")],
    "rule_packs": [("mine.toml", "not a list")],
    "supervisor_model": [([], "not text")],
    "disabled_rules": [("inj.a", "not a list")],
    "pii": [
        (["a"], "not a table"),
        ({"Badge": "B"}, "lower-case word"),
        ({"badge": 3}, "not text"),
    ],
    "severity_overrides": [
        (["inj.a"], "not a table"),
        ({"inj.a": 1001}, "0 to 1000"),
        ({"inj.a": "high"}, "inj.a = 'high'"),
        ({"a": {"b": {"c": 1}}}, "a.b = a table"),
        ({3: 1}, "a name for every key"),
    ],
    "block_threshold": [(0, "1 to 10000"), (50, "below the block threshold")],
    "notice_threshold": [(0, "out of range"), (100, "notice threshold (100) must lie below")],
    "routes": [
        ({"path": "/"}, "double brackets"),
        (["/v1"], "not a table"),
        ([{"plan": "thrifty"}], "1 path: is missing"),
        ([{"path": "/"}, {"path": "v1"}], "2 path = 'v1'"),
        ([{"path": "/", "plans": "x"}], "has no such key; did you mean 'plan'?"),
        ([{"path": "/", "zzz": "x"}], "it may have path, mode"),
        ([{"path": "/", "mode": "of"}], "1 mode = 'of'"),
        ([{"path": "/", "severity_overrides": {"a": -1}}], "1 severity_overrides a = -1"),
        ([Settings()], "instance of Route"),
    ],
    "tenants": [
        ([{"model": "m"}], "1 name: is missing; every tenant has a name"),
        ([{"name": "a", "modle": "m"}], "a tenant has no such key; did you mean 'model'?"),
        ([{"name": "a", "endpoint": "http://x.example"}], "plain http"),
        ([{"name": "a", "api_key": "a b"}], "header"),
    ],
    "moderation_thresholds": [({"hate": 1.1}, "0 to 1"), ("hate", "not a table")],
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


def test_the_table_of_wrong_values_covers_every_setting() -> None:
    assert set(WRONG) == set(Settings.model_fields) - {"tenant_variables"}


@pytest.mark.parametrize(("field", "wrote", "says"), _written(WRONG))
def test_a_wrong_keyword_is_one_line_with_its_name(field: str, wrote: object, says: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load_settings({}, _selecting(field) | {field: wrote})
    line = str(caught.value)
    assert line.startswith(f"keyword argument {field}")
    assert says in line
    assert line.splitlines() == [line]


@pytest.mark.parametrize(("field", "wrote", "says"), _in_env(WRONG))
def test_a_wrong_variable_is_one_line_with_its_name(field: str, wrote: str, says: str) -> None:
    name = str(BY_FIELD[field].env)
    with pytest.raises(ConfigError) as caught:
        load_settings({name: wrote}, _selecting(field))
    line = str(caught.value)
    assert line.startswith((f"{name} = ", f"{name}: "))
    assert says in line
    assert line.splitlines() == [line]
    assert caught.value.__context__ is None


@pytest.mark.parametrize(("field", "wrote", "says"), _written(WRONG))
def test_built_by_hand_a_wrong_value_is_refused_without_being_shown(
    field: str, wrote: object, says: str
) -> None:
    with pytest.raises(ValidationError) as caught:
        Settings.model_validate(_selecting(field) | {field: wrote})
    assert "input_value" not in str(caught.value)


@pytest.mark.parametrize("adapter", ["none", "my-judge"])
def test_provider_variables_are_other_tools_business_until_selected(adapter: str) -> None:
    environ = {
        "VERIFIER_ADAPTER": adapter,
        "OPENAI_BASE_URL": "http://10.0.0.9",
        "OPENAI_API_KEY": "a b",
    }
    assert load_settings(environ).openai_base_url == "http://10.0.0.9"
    with pytest.raises(ConfigError, match=r"^OPENAI_"):
        load_settings(environ | {"VERIFIER_ADAPTER": "openai"})


def test_a_clash_of_thresholds_blames_what_was_written() -> None:
    with pytest.raises(ConfigError, match=r"^keyword argument block_threshold: .*\(50\).*\(40\)"):
        load_settings({}, {"block_threshold": 40})
