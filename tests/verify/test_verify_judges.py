"""Who judges actions: by default, by name, by hand, or nobody."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from abuse_gate.contract import ConfigError
from abuse_gate.settings import Settings
from abuse_gate.testing import RecordingObserver
from abuse_gate.verify.judges import GROUP, TRIAGE_MODELS, judge_by_hand, resolve_judge
from abuse_gate.verify.resolve import GROUP as ADAPTERS
from abuse_gate.verify.tenants import Guards

KEYS: dict[str, dict[str, Any]] = {
    "openai": {"openai_api_key": "sk-1"},
    "anthropic": {"anthropic_api_key": "sk-1"},
    "azure": {
        "azure_openai_api_key": "k",
        "azure_openai_endpoint": "https://r.example",
        "azure_openai_deployment": "judge",
    },
}


def resolved(tier: Any, name: str, **more: Any) -> Guards | None:
    given = {"verifier_adapter": name, **KEYS.get(name, {}), **more}
    return resolve_judge(tier, Settings.model_validate(given), RecordingObserver())


@pytest.mark.parametrize(
    ("name", "named", "model"),
    [
        ("openai", None, TRIAGE_MODELS["openai"]),
        ("anthropic", None, TRIAGE_MODELS["anthropic"]),
        ("azure", None, "judge"),
        ("openai", "gpt-6-sol", "gpt-6-sol"),
        ("openai", "responses/gpt-6-sol", "gpt-6-sol"),
        ("anthropic", "claude-haiku", "claude-haiku-5-5"),
        ("azure", "small", "small"),
    ],
)
def test_the_triage_is_the_named_model_or_the_small_one_of_the_provider(
    name: str, named: str | None, model: str
) -> None:
    guards = resolved("triage", name, triage_model=named)
    assert guards is not None
    assert (guards.common.name, guards.common.model) == (f"{name}.triage", model)
    assert guards.common.limits.timeout_seconds == 1.5
    assert guards.common.judges is None


@pytest.mark.parametrize("name", KEYS)
def test_there_is_a_supervisor_only_where_supervision_names_a_model(name: str) -> None:
    assert resolved("supervisor", name) is None
    guards = resolved("supervisor", name, supervisor_model="large", supervisor_timeout_ms=4000)
    assert guards is not None
    assert (guards.common.name, guards.common.model) == (f"{name}.supervisor", "large")
    assert guards.common.limits.timeout_seconds == 4.0


@pytest.mark.parametrize("model", ["omni-moderation-latest", "gpt-6-luna", "moderations/x"])
def test_a_model_that_only_sorts_is_no_judge(model: str) -> None:
    with pytest.raises(ConfigError, match="cannot be asked a judge's question; name a chat"):
        resolved("triage", "openai", triage_model=model)


def test_a_model_without_a_provider_is_warned_of(caplog: pytest.LogCaptureFixture) -> None:
    assert resolved("triage", "none", triage_model="claude-haiku") is None
    assert (
        "triage_model in [security.verification] is set, but VERIFIER_ADAPTER=none" in caplog.text
    )
    caplog.clear()
    assert resolved("triage", "none") is None
    assert resolved("supervisor", "none") is None
    assert caplog.text == ""


@pytest.fixture
def acme(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A third party's distribution: one adapter with a judge, one without."""
    info = tmp_path / "acme_judge-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: acme-judge\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        f"[{ADAPTERS}]\nacme-word = acme_judge:build\nacme-judge = acme_judge:build\n"
        f"[{GROUP}]\nacme-judge = acme_judge:build\n"
    )
    (tmp_path / "acme_judge.py").write_text(
        "class Both:\n"
        "    def __init__(self, config):\n"
        "        self.model = config.model or 'own'\n"
        "    async def assess(self, payload):\n"
        "        return 'safe'\n"
        "    def ask(self, payload):\n"
        "        return payload['question']['kind'] == 'triage'\n"
        "def build(config):\n"
        "    return Both(config)\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))  # pyright: ignore[reportUnknownMemberType]


@pytest.mark.usefixtures("acme")
def test_a_third_party_may_register_a_judge() -> None:
    guards = resolved("triage", "acme-judge", tenants=[{"name": "t", "api_key": "k"}])
    assert guards is not None
    assert guards.common.model == "own"
    answer = asyncio.run(guards.of("t").assess({"question": {"kind": "triage"}}))
    assert (answer.verdict, answer.reason) == ("unsafe", "triage_suspicious")


@pytest.mark.usefixtures("acme")
def test_one_that_registers_none_is_a_verifier_only() -> None:
    assert resolved("triage", "acme-word") is None
    with pytest.raises(ConfigError, match=r"model in \[supervision\]: the adapter acme-word regis"):
        resolved("supervisor", "acme-word", supervisor_model="x")


async def test_a_judge_by_hand_is_guarded_under_its_own_name() -> None:
    class Mine:
        name = "mine"

        def ask(self, payload: Any) -> Any:
            raise ValueError("canary")

    guards = judge_by_hand("supervisor", Mine(), Settings(), RecordingObserver())
    answer = await guards.common.assess({})
    assert guards.common.name == "mine.supervisor"
    assert (answer.verdict, answer.reason) == ("unclear", "provider_error")
    with pytest.raises(ConfigError, match="needs a function"):
        judge_by_hand("triage", Mine, Settings(), RecordingObserver())  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
