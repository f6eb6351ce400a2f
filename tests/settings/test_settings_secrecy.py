"""Secrets stay secret in reprs, dumps, errors and descriptions, whatever else is wrong."""

import subprocess
import sys
import traceback

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from abuse_gate.contract import ConfigError
from abuse_gate.settings import Settings, describe, inert_settings, load_settings
from abuse_gate.settings.names import BY_ENV, BY_FIELD

CANARY = "canary-7f3a-plover"

SECRETS = {
    "ABUSE_GATE_SECRET": CANARY,
    "ABUSE_GATE_AUDIT_KEY": CANARY,
    "ABUSE_GATE_REDIS_URL": f"redis://:{CANARY}@cache",
    "OPENAI_API_KEY": CANARY,
    "ANTHROPIC_API_KEY": CANARY,
    "AZURE_OPENAI_API_KEY": CANARY,
    "OPENAI_BASE_URL": f"https://me:{CANARY}@proxy.example",
    "ANTHROPIC_BASE_URL": f"https://me:{CANARY}@proxy.example",
    "AZURE_OPENAI_ENDPOINT": f"https://proxy.example?key={CANARY}",
}

# Broken in every way that its kind can be broken, each still holding the canary.
BROKEN = [
    ("ABUSE_GATE_SECRET", f"{CANARY}\x00"),
    ("ABUSE_GATE_SECRET", f"{CANARY}\udc80"),
    ("ABUSE_GATE_AUDIT_KEY", f"{CANARY}\x1b"),
    ("ABUSE_GATE_REDIS_URL", f"http://:{CANARY}@cache"),
    ("ABUSE_GATE_REDIS_URL", f"redis://:{CANARY}@"),
    ("ABUSE_GATE_REDIS_URL", CANARY),
    ("OPENAI_API_KEY", f"{CANARY} x"),
    ("OPENAI_BASE_URL", f"http://me:{CANARY}@proxy.example"),
    ("OPENAI_BASE_URL", f"http://proxy.example/?key={CANARY}"),
]


@pytest.mark.parametrize("adapter", ["none", "openai", "anthropic", "azure"])
def test_no_secret_in_any_text_of_good_settings(adapter: str) -> None:
    settings = load_settings(SECRETS | {"VERIFIER_ADAPTER": adapter})
    texts = [repr(settings), str(settings), describe(settings), str(inert_settings(settings))]
    assert CANARY not in "".join(texts)
    assert settings.secret is not None
    assert settings.secret.get_secret_value() == CANARY


@pytest.mark.parametrize(("name", "value"), BROKEN)
def test_no_secret_in_the_error_about_it(name: str, value: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load_settings({"VERIFIER_ADAPTER": "openai", name: value})
    assert str(caught.value).startswith(f"{name}: ")
    assert CANARY not in "".join(traceback.format_exception(caught.value))


@pytest.mark.parametrize("value", [[CANARY], {"key": CANARY}, CANARY.encode()])
@pytest.mark.parametrize(
    "field", ["secret", "redis_url", "openai_api_key", "include", "routes", "mode"]
)
def test_nothing_of_a_container_is_shown(field: str, value: object) -> None:
    with pytest.raises(ConfigError) as caught:
        load_settings({}, {field: value})
    assert CANARY not in str(caught.value)


@pytest.mark.parametrize("wrong", ["ABUSE_GATE_MODE", "ABUSE_GATE_NONSENSE", "VERIFIER_TIMEOUT_MS"])
def test_no_secret_in_the_error_about_something_else(wrong: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load_settings(SECRETS | {wrong: "nonsense"})
    assert CANARY not in "".join(traceback.format_exception(caught.value))


def test_no_secret_from_a_file_in_errors_about_the_file() -> None:
    text = f'[abuse_gate]\nsecret = "{CANARY}"\naudit_key = "{CANARY}\n'
    with pytest.raises(ConfigError, match="line 3") as caught:
        load_settings({"ABUSE_GATE_CONFIG": "f"}, read_text=lambda _: text)
    assert CANARY not in "".join(traceback.format_exception(caught.value))


def test_a_long_value_is_shortened() -> None:
    with pytest.raises(ConfigError) as caught:
        load_settings({"ABUSE_GATE_MODE": "x" * 100_000})
    assert len(str(caught.value)) < 120


def test_configuration_is_checked_under_optimized_python() -> None:
    script = (
        "from abuse_gate.contract import ConfigError\n"
        "from abuse_gate.settings import load_settings\n"
        "try:\n    load_settings({'ABUSE_GATE_MODE': 'x'})\n"
        "except ConfigError as error:\n    print(error)\n"
    )
    done = subprocess.run([sys.executable, "-O", "-c", script], capture_output=True, check=True)
    assert done.stdout.decode().startswith("ABUSE_GATE_MODE = 'x': not one of")


HIDDEN = sorted(SECRETS)
VISIBLE = sorted(set(BY_ENV) - set(SECRETS))
NAMES = st.sampled_from(VISIBLE) | st.text(max_size=20).map(lambda text: f"ABUSE_GATE_{text}")
VALUES = st.text(max_size=60) | st.sampled_from(
    ["on", "1500", "/v1/*", "openai", "10.0.0.0/8", "f"]
)
WRAPS = st.sampled_from(
    ["{}", "{}\n", "redis://:{}@h", "http://a:{}@h", "x {}", "\x00{}", "https://h?{}"]
)
TOML_LINES = st.lists(
    st.sampled_from(
        [
            "[abuse_gate]",
            "[[abuse_gate.route]]",
            "[supervision]",
            "mode = 'monitor'",
            "path = '/v1/*'",
            "model = 'm'",
            f"secret = '{CANARY}'",
            f"redis_url = ['{CANARY}']",
            f"openai_api_key = '''{CANARY}",
            "block_threshold = 60",
            "[abuse_gate.severity_overrides]",
            "a.b = 3",
        ]
    )
    | st.text(max_size=12)
).map("\n".join)


@hypothesis_settings(max_examples=150, deadline=None)
@given(
    environ=st.dictionaries(NAMES | st.text(max_size=12), VALUES, max_size=5),
    secrets=st.dictionaries(st.sampled_from(HIDDEN), WRAPS.map(lambda wrap: wrap.format(CANARY))),
    text=TOML_LINES,
)
def test_any_environment_gives_settings_or_one_line_without_secrets(
    environ: dict[str, str], secrets: dict[str, str], text: str
) -> None:
    try:
        found = load_settings(environ | secrets, read_text=lambda _: text)
    except ConfigError as error:
        line = str(error)
        assert line.splitlines() == [line]
        assert CANARY not in line
    else:
        assert isinstance(found, Settings)
        assert CANARY not in repr(found)


SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
ANYTHING = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
)


@hypothesis_settings(max_examples=150, deadline=None)
@given(overrides=st.dictionaries(st.sampled_from(sorted(BY_FIELD)), ANYTHING, max_size=3))
def test_any_keyword_values_give_settings_or_one_line(overrides: dict[str, object]) -> None:
    try:
        text = repr(load_settings({}, overrides, read_text=lambda _: ""))
    except ConfigError as error:
        text = str(error)
    assert text.splitlines() == [text]
