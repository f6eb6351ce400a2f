"""Where values come from: precedence, unknown names, near misses."""

import itertools
from collections.abc import Callable

import pytest

from abuse_gate.contract import ConfigError
from abuse_gate.settings import Settings, environment_secret, load_settings, settings_from_env
from abuse_gate.settings.sources import Given

FILE = "gate.toml"
IN_FILE = {"ABUSE_GATE_CONFIG": FILE}


def _reads(text: str) -> Callable[[str], str]:
    return lambda path: {FILE: text}[path]


def _variable(name: str) -> str:
    with pytest.raises(ConfigError) as caught:
        load_settings({name: "x"})
    return str(caught.value)


@pytest.mark.parametrize(
    ("keyword", "variable", "filed"), list(itertools.product((True, False), repeat=3))
)
@pytest.mark.parametrize("field", ["plan", "verifier_timeout_ms"])
def test_keyword_beats_variable_beats_file_beats_default(
    field: str, keyword: bool, variable: bool, filed: bool
) -> None:
    values = {"plan": ("thrifty", "paranoid", "thrifty"), "verifier_timeout_ms": (1, 2, 3)}[field]
    env = {"plan": "ABUSE_GATE_PLAN", "verifier_timeout_ms": "VERIFIER_TIMEOUT_MS"}[field]
    environ = IN_FILE | ({env: str(values[1])} if variable else {})
    text = f"[abuse_gate]\n{field} = {values[2]!r}\n" if filed else ""
    settings = load_settings(
        environ, {field: values[0]} if keyword else None, read_text=_reads(text)
    )
    given = [v for v, was in zip(values, (keyword, variable, filed), strict=True) if was]
    assert getattr(settings, field) == [*given, getattr(Settings(), field)][0]
    assert (field in settings.model_fields_set) == bool(given)


def test_nothing_given_is_every_default() -> None:
    assert load_settings({}) == Settings()
    assert load_settings({"PATH": "/bin", "HOME": "/"}).model_fields_set == set()


@pytest.mark.parametrize("blank", ["", " ", "\t\n"])
def test_a_blank_variable_is_unset(blank: str) -> None:
    environ = {"ABUSE_GATE_MODE": blank, "ABUSE_GATE_CONFIG": blank, "ABUSE_GATE_NONSENSE": blank}
    assert load_settings(environ).model_fields_set == set()


def test_a_keyword_of_none_is_not_given() -> None:
    settings = load_settings({"ABUSE_GATE_MODE": "monitor"}, {"mode": None, "config": None})
    assert settings.mode == "monitor"


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("ABUSE_GATE_MOD", "did you mean 'ABUSE_GATE_MODE'?"),
        ("ABUSE_GATE_ON_UNCLEER", "did you mean 'ABUSE_GATE_ON_UNCLEAR'?"),
        ("ABUSE_GATE_SOAK", "there is no such variable"),
        ("ABUSE_GATE_QQQQ", "remove it"),
        ("ABUSE_GATE_", "remove it"),
        ("abuse_gate_mode", "write ABUSE_GATE_MODE"),
        ("ABUSE_GATE_VERIFIER_ADAPTER", "write VERIFIER_ADAPTER"),
        ("ABUSE_GATE_TRIAGE_MODEL_EMBEDDED", "write ABUSE_GATE_TRIAGE_MODEL"),
        ("ABUSE_GATE_BLOCK_THRESHOLD", "set block_threshold in [abuse_gate] of the file"),
        ("ABUSE_GATE_ROUTES", "set route in [abuse_gate]"),
        ("VERIFIER_TIMEOUT", "did you mean 'VERIFIER_TIMEOUT_MS'?"),
        ("VERIFIER_ADAPTOR", "did you mean 'VERIFIER_ADAPTER'?"),
        ("verifier_adapter", "did you mean 'VERIFIER_ADAPTER'?"),
    ],
)
def test_an_unknown_variable_of_ours_is_refused_with_the_nearest_name(name: str, says: str) -> None:
    line = _variable(name)
    assert line.startswith(f"{name}: there is no such variable")
    assert says in line


@pytest.mark.parametrize(
    "name",
    ["ABUSE_GATE_A\nB", pytest.param("ABUSE_GATE_" + "X" * 5000, id="long"), "ABUSE_GATE_\udc80"],
)
def test_a_strange_name_still_gives_one_short_line(name: str) -> None:
    line = _variable(name)
    assert line.splitlines() == [line]
    assert line.isprintable()
    assert len(line) < 200


@pytest.mark.parametrize(
    "name",
    [
        "ABUSE_GATE_SERVICE_HOST",
        "ABUSE_GATE_SERVICE_PORT",
        "ABUSE_GATE_SERVICE_PORT_HTTP",
        "ABUSE_GATE_PORT",
        "ABUSE_GATE_PORT_8000_TCP",
        "ABUSE_GATE_PORT_8000_TCP_ADDR",
        "ABUSE_GATE_REDIS_SERVICE_HOST",
        "ABUSE_GATE_REDIS_PORT_6379_TCP_PROTO",
        "ABUSE_GATE_NAME",
        "ABUSE_GATE_ENV_LANG",
        "VERIFIER_COLOUR",
        "VERIFIER_",
        "ABUSE_GATES_MODE",
        "MODE",
        "OPENAI_API_KEYS",
    ],
)
def test_names_that_are_not_ours_are_left_alone(name: str) -> None:
    assert load_settings({name: "tcp://10.0.0.1:80"}) == Settings()


@pytest.mark.parametrize(
    ("name", "says"),
    [("modee", "did you mean 'mode'?"), ("qqqq", "remove it"), ("a\nb", r"'a\nb'")],
)
def test_an_unknown_keyword_is_refused(name: str, says: str) -> None:
    with pytest.raises(ConfigError, match=r"^keyword argument") as caught:
        load_settings({}, {name: "x"})
    assert says in str(caught.value)
    assert str(caught.value).splitlines() == [str(caught.value)]


def test_what_was_given_shows_its_name_only() -> None:
    assert repr(Given("canary", "ABUSE_GATE_SECRET", " in x")) == "Given(ABUSE_GATE_SECRET in x)"


def test_the_environment_of_the_process_is_the_default_source(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("ABUSE_GATE_SOAK", raising=False)
    monkeypatch.setenv("ABUSE_GATE_PLAN", "thrifty")
    assert settings_from_env(mode="monitor").plan == "thrifty"
    assert settings_from_env(plan="paranoid").plan == "paranoid"


@pytest.mark.parametrize(("held", "found"), [(" sk-1\n", "sk-1"), (" ", None), ("", None)])
def test_a_secret_is_read_by_name_and_blank_is_unset(
    monkeypatch: pytest.MonkeyPatch, held: str, found: str | None
) -> None:
    monkeypatch.setenv("MY_JUDGE_KEY", held)
    assert environment_secret("MY_JUDGE_KEY") == found
    monkeypatch.delenv("MY_JUDGE_KEY")
    assert environment_secret("MY_JUDGE_KEY") is None


def test_a_variable_with_a_tenant_behind_it_belongs_to_that_tenant() -> None:
    settings = load_settings(
        {
            "OPENAI_API_KEY__ACME": " sk-acme ",
            "OPENAI_BASE_URL__ACME": "https://eu.example",
            "ANTHROPIC_API_KEY__Globex_Corp": "sk-g",
            "OPENAI_API_KEY__": "nobody's",
            "SOMETHING__ELSE": "not ours",
        }
    )
    assert settings.tenant_variables == {
        "acme": {"openai_api_key": "sk-acme", "openai_base_url": "https://eu.example"},
        "globex_corp": {"anthropic_api_key": "sk-g"},
    }
    assert "sk-acme" not in repr(settings)
