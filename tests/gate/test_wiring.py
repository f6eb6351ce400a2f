"""The one place where the parts are put together."""

import asyncio
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, cast

import pytest

from abuse_gate.contract import ConfigError, VerifierAdapter
from abuse_gate.gate import Gate
from abuse_gate.model.events import Event, Reviewed, Verified
from abuse_gate.model.verdict import Assessment, Verdict
from abuse_gate.settings import RoutePolicy, Settings
from abuse_gate.testing import RecordingObserver, ScriptedAdapter
from abuse_gate.verify.guard import Guard, GuardLimits
from abuse_gate.wiring import (
    build_gate,
    check_rule_ids,
    gate_from_env,
    process_gate,
    resolve_adapter_from_env,
)
from tests.gate.standing import ATTACK, BENIGN, prompt


class SyncWord:
    def assess(self, payload: Mapping[str, Any]) -> Verdict:
        return "unsafe"


class AsyncWord:
    name = "async-word"

    async def assess(self, payload: Mapping[str, Any]) -> Verdict:
        return "unsafe"


class AsyncRich:
    async def assess(self, payload: Mapping[str, Any]) -> Assessment:
        return Assessment("unsafe", "own_reason", source="own")


def reviewed(gate: Gate, text: str) -> Any:
    return asyncio.run(gate.review(prompt(text), RoutePolicy()))


@pytest.mark.parametrize("adapter", [SyncWord(), AsyncWord(), AsyncRich()], ids="swr")
def test_an_adapter_given_by_hand_is_guarded_and_asked(adapter: VerifierAdapter) -> None:
    observer = RecordingObserver()
    decision = reviewed(build_gate(Settings(), adapter, observer), BENIGN)
    assert (decision.verdict, decision.decision) == ("unsafe", "block")
    assert [event.provider for event in observer.of(Verified)] == [
        getattr(adapter, "name", "custom")
    ]
    assert len(observer.of(Reviewed)) == 1


def test_a_guard_is_passed_through_as_it_is() -> None:
    watching = RecordingObserver()
    guard = Guard(AsyncWord(), "own", GuardLimits(), watching)
    assert reviewed(build_gate(Settings(), guard), BENIGN).verdict == "unsafe"
    assert [event.provider for event in watching.of(Verified)] == ["own"]


def test_something_that_is_no_adapter_is_a_configuration_error() -> None:
    with pytest.raises(ConfigError, match="adapter custom: needs an instance"):
        build_gate(Settings(), cast("VerifierAdapter", object()))


def test_a_named_adapter_that_is_not_there_is_a_configuration_error() -> None:
    with pytest.raises(ConfigError, match="VERIFIER_ADAPTER='openia': no such adapter"):
        build_gate(Settings(verifier_adapter="openia"))


KNOWN: Final = frozenset({"override.persona", "shell.pipe"})
WRONG_RULES: Final[list[tuple[dict[str, Any], str]]] = [
    ({"disabled_rules": ["overide.persona"]}, "'overide.persona'; did you mean override.persona?"),
    ({"severity_overrides": {"shell.pip": 3}}, "'shell.pip'; did you mean shell.pipe?"),
    ({"disabled_rules": ["zzz"]}, "'zzz'; `abuse-gate rules` lists them"),
    ({"routes": [{"path": "/a", "disabled_rules": ["zzz"]}]}, "'zzz'; `abuse-gate rules`"),
    ({"routes": [{"path": "/a", "severity_overrides": {"zzz": 3}}]}, "'zzz'; `abuse-gate rules`"),
]
RIGHT_RULES: Final[list[dict[str, Any]]] = [
    {},
    {"disabled_rules": ["shell.pipe"], "severity_overrides": {"override.persona": 3}},
    {"routes": [{"path": "/a"}, {"path": "/b", "disabled_rules": ["shell.pipe"]}]},
]


@pytest.mark.parametrize(("given", "lesson"), WRONG_RULES)
def test_a_rule_to_be_weighed_must_exist(given: dict[str, Any], lesson: str) -> None:
    with pytest.raises(ConfigError) as caught:
        check_rule_ids(Settings.model_validate(given), KNOWN)
    assert lesson in str(caught.value)


@pytest.mark.parametrize("given", RIGHT_RULES)
def test_rules_that_exist_are_taken(given: dict[str, Any]) -> None:
    check_rule_ids(Settings.model_validate(given), KNOWN)


class Failing:
    def record(self, event: Event, /) -> None:
        raise RuntimeError


def test_with_none_nobody_is_asked_and_a_failing_observer_hurts_nobody() -> None:
    gate = build_gate(Settings(), observer=Failing())
    assert reviewed(gate, BENIGN).assessment.reason == "rules_clean"
    assert reviewed(gate, ATTACK).decision == "block"


def _digest_seen(secret: str | None) -> str:
    """The digest that a verifier sees where a long text was cut."""
    adapter = ScriptedAdapter("safe")
    settings = Settings.model_validate({"secret": secret})
    reviewed(build_gate(settings, cast("VerifierAdapter", adapter)), "word " * 10_000)
    return str(adapter.payloads[0]["prompt_text"]).partition("digest ")[2][:32]


def test_digests_are_keyed_by_the_deployments_secret_and_else_by_chance() -> None:
    keyed = _digest_seen("a-long-enough-secret")
    assert len(keyed) == 32
    assert _digest_seen("a-long-enough-secret") == keyed
    assert _digest_seen(None) != keyed


@pytest.fixture
def fresh_process() -> Iterator[None]:
    """No singleton of an earlier test, and none left for a later one."""
    resolve_adapter_from_env.cache_clear()
    process_gate.cache_clear()
    yield
    resolve_adapter_from_env.cache_clear()
    process_gate.cache_clear()


@pytest.mark.usefixtures("fresh_process")
def test_the_adapter_of_the_environment_is_one_per_process_until_it_is_forgotten() -> None:
    first = resolve_adapter_from_env()
    assert resolve_adapter_from_env() is first
    assert (first.name, asyncio.run(first.assess({"prompt_text": ATTACK})).verdict) == (
        "local",
        "unsafe",
    )
    resolve_adapter_from_env.cache_clear()
    assert resolve_adapter_from_env() is not first


SLOW_PLUGIN: Final = """
import time

class Fine:
    async def assess(self, payload):
        return "safe"

def build(config):
    time.sleep(0.3)
    return Fine()
"""


@pytest.mark.usefixtures("fresh_process")
def test_threads_that_ask_at_once_get_the_same_adapter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two guards would be two breakers and two throttles for one provider."""
    info = tmp_path / "slow_guard-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: slow-guard\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[abuse_gate.adapters]\nslow = slow_plugin:build\n")
    (tmp_path / "slow_plugin.py").write_text(SLOW_PLUGIN)
    monkeypatch.syspath_prepend(str(tmp_path))  # pyright: ignore[reportUnknownMemberType]
    monkeypatch.setenv("VERIFIER_ADAPTER", "slow")
    start, found = threading.Barrier(4), list[Guard]()

    def ask() -> None:
        start.wait()
        found.append(resolve_adapter_from_env())

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4
    assert len(set(map(id, found))) == 1


@pytest.mark.usefixtures("fresh_process")
def test_the_environment_names_the_adapter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VERIFIER_ADAPTER", "nonesuch")
    with pytest.raises(ConfigError, match="VERIFIER_ADAPTER='nonesuch': no such adapter"):
        resolve_adapter_from_env()


def test_keywords_win_over_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ABUSE_GATE_PLAN", "thrifty")
    monkeypatch.setenv("ABUSE_GATE_MODE", "monitor")
    settings = gate_from_env({"plan": "paranoid"}).settings
    assert (settings.plan, settings.mode) == ("paranoid", "monitor")


@pytest.mark.usefixtures("fresh_process")
def test_callers_that_ask_by_hand_share_one_gate() -> None:
    assert process_gate() is process_gate()
