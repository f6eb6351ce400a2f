"""A digest of what was in force: another for every change that counts, the same for all else."""

from importlib.metadata import PackageNotFoundError
from typing import Any

import pytest

from abuse_gate import Settings
from abuse_gate.settings import Route, Routing
from abuse_gate.telemetry.policy_version import policy_version
from abuse_gate.telemetry.version import package_version
from abuse_gate.work.scanner import build_scanner

SECRET = "canary-0123456789abcdef"


def version(path: str = "/", **settings: Any) -> str:
    chosen = Settings(**settings)
    book = build_scanner(chosen.additional_patterns).book
    return policy_version(book, chosen, Routing(chosen).policy(path))


BASE = version()
COUNTS: dict[str, dict[str, Any]] = {
    "mode": {"mode": "monitor"},
    "plan": {"plan": "paranoid"},
    "a threshold": {"block_threshold": 120},
    "a rule switched off": {"disabled_rules": ("seed.credential_word",)},
    "a rule of one's own": {"additional_patterns": ("custom-org-secret-pattern",)},
    "a weight": {"severity_overrides": {"seed.credential_word": 3}},
    "a place": {"verifier_adapter": "openai", "openai_base_url": "https://eu.example.test/v1"},
    "an odd place": {"openai_base_url": "https://[::1/v1"},
    "a secret where there was none": {"secret": SECRET},
    "a tenant": {"tenants": ({"name": "acme", "model": "m"},)},
    "networks": {"trusted_proxies": "10.0.0.0/8"},
}
COUNTS_NOT: dict[str, dict[str, Any]] = {
    "where the trail goes": {"audit_path": "/elsewhere/audit.jsonl"},
    "a route of another path": {"routes": (Route(path="/v2/*", mode="monitor"),)},
}


@pytest.mark.parametrize("name", COUNTS)
def test_what_counts_changes_it(name: str) -> None:
    assert version(**COUNTS[name]) != BASE


@pytest.mark.parametrize("name", COUNTS_NOT)
def test_what_does_not_count_leaves_it(name: str) -> None:
    assert version(**COUNTS_NOT[name]) == BASE


def test_it_is_short_and_the_same_again() -> None:
    assert version() == BASE
    assert len(BASE) == 16


def test_a_route_with_a_policy_of_its_own_has_a_version_of_its_own() -> None:
    routes = {"routes": (Route(path="/v2/*", mode="monitor"),)}
    assert version("/v2/chat", **routes) != version("/v1/chat", **routes)


def test_no_secret_goes_in() -> None:
    assert version(secret=SECRET) == version(secret=SECRET[::-1])
    one, two = (
        version(openai_base_url=f"https://user:{word}@example.test/v1") for word in ("a", "b")
    )
    assert one == two


@pytest.mark.parametrize("sign", ["?", "#"])
def test_a_pattern_with_an_address_in_it_counts_to_its_end(sign: str) -> None:
    book = build_scanner(()).book
    chosen = [Settings(additional_patterns=(f"https://x.test/{sign}{word}",)) for word in "ab"]
    one, two = (policy_version(book, each, Routing(each).policy("/")) for each in chosen)
    assert one != two


def test_files_that_were_not_installed_have_no_version() -> None:
    def unknown(name: str) -> str:
        raise PackageNotFoundError(name)

    assert package_version(unknown) == "0"
    assert package_version(lambda name: "1.2") == "1.2"


def test_every_policy_of_a_gate_is_stamped() -> None:
    routing = Routing(Settings(routes=(Route(path="/v2/*"),), exclude=("/health",)))
    routing.stamp(lambda policy: f"v{policy.gated}")
    found = [routing.policy(path).version for path in ("/", "/v2/x", "/health")]
    assert found == ["vTrue", "vTrue", "vFalse"]
