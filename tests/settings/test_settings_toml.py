"""The TOML file: its tables, its unknown keys, and every way in which it cannot be read."""

from collections.abc import Callable
from pathlib import Path

import pytest

from abuse_gate.contract import ConfigError
from abuse_gate.settings import Route, Settings, load_settings

FILE = "gate.toml"
IN_FILE = {"ABUSE_GATE_CONFIG": FILE}


def _reads(text: str) -> Callable[[str], str]:
    return lambda path: {FILE: text}[path]


def _from(text: str) -> Settings:
    return load_settings(IN_FILE, read_text=_reads(text))


def _refused(text: str) -> str:
    with pytest.raises(ConfigError) as caught:
        _from(text)
    line = str(caught.value)
    assert line.splitlines() == [line]
    assert caught.value.__context__ is None
    return line


def test_the_three_tables_are_read_and_the_rest_belongs_to_the_app() -> None:
    settings = _from(
        """
        title = "my app"
        [app]
        mode = "nonsense"
        [security]
        owner = "me"
        [security.verification]
        triage_model = "claude-haiku"
        additional_patterns = ["custom-org-secret-pattern"]
        additional_high_risk_tools = ["custom_dangerous_tool"]
        [supervision]
        model = "claude-opus"
        [abuse_gate]
        mode = "monitor"
        exclude = ["/health"]
        disabled_rules = ["inj.a"]
        severity_overrides = { "inj.b" = 7 }
        block_threshold = 90
        [[abuse_gate.route]]
        path = "/v1/*"
        plan = "paranoid"
        [[abuse_gate.route]]
        path = "/v2/*"
        """
    )
    assert settings == Settings(
        triage_model="claude-haiku",
        additional_patterns=("custom-org-secret-pattern",),
        additional_high_risk_tools=("custom_dangerous_tool",),
        supervisor_model="claude-opus",
        mode="monitor",
        exclude=("/health",),
        disabled_rules=("inj.a",),
        severity_overrides={"inj.b": 7},
        block_threshold=90,
        routes=(Route(path="/v1/*", plan="paranoid"), Route(path="/v2/*")),
    )


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('[abuse_gate]\nmode = "off"', "mode = 'off' in [abuse_gate] of gate.toml: not one of"),
        (
            "[abuse_gate]\nmodus = 1",
            "modus in [abuse_gate] of gate.toml: there is no such key; did",
        ),
        (
            "[abuse_gate]\nqqqq = 1",
            "qqqq in [abuse_gate] of gate.toml: there is no such key; the keys",
        ),
        ("[abuse_gate]\nconfig = 1", "config in [abuse_gate] of gate.toml: there is no such key"),
        ("[[abuse_gate.routes]]", "routes in [abuse_gate] of gate.toml: there is no such key; did"),
        (
            "[abuse_gate.route]",
            "route = a table in [abuse_gate] of gate.toml: not a list of tables",
        ),
        (
            "[abuse_gate]\ntriage_model = 'x'",
            "triage_model in [abuse_gate] of gate.toml: there is no",
        ),
        ("[security.verification]\nmodel = 'x'", "model in [security.verification] of gate.toml"),
        ("[supervision]\nmodle = 'x'", "modle in [supervision] of gate.toml: there is no such key"),
        (
            "[[abuse_gate.route]]\npath='/'\nplan='x'",
            "route 1 plan = 'x' in [abuse_gate] of gate.toml",
        ),
        ("[abuse_gate]\nmode = 2026-01-01", "mode = a value of type date in [abuse_gate]"),
        ("abuse_gate = 1", "abuse_gate in gate.toml: not a table; write it as [abuse_gate]"),
        ("[security]\nverification = 1", "verification in gate.toml: not a table"),
        ("security = []", "security in gate.toml: not a table"),
        ("[abuse-gate]", "[abuse-gate] in gate.toml: write it as [abuse_gate]"),
        ("[AbuseGate]", "[AbuseGate] in gate.toml: write it as [abuse_gate]"),
        ("a = 1\n[abuse_gate\n", "gate.toml: not valid TOML at line 2, column 12"),
        ("a = 1\nb = '", "gate.toml: not valid TOML at its end, line 2"),
        pytest.param(
            "a = " + "[" * 9000,
            "gate.toml: not valid TOML because a number is too long or the nesting",
            id="deep",
        ),
        pytest.param(
            "a = " + "9" * 9000,
            "gate.toml: not valid TOML because a number is too long or the nesting",
            id="long",
        ),
        pytest.param(
            "[abuse_gate]\nmax_in_flight = 0x" + "f" * 9000,
            "max_in_flight = a very large number in",
            id="huge",
        ),
        ("[abuse_gate]\ninclude = 'v1'", "include = 'v1' in [abuse_gate] of gate.toml"),
    ],
)
def test_a_wrong_file_is_one_line_that_names_the_place(text: str, line: str) -> None:
    assert _refused(text).startswith(line)


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (FileNotFoundError(), "there is no such file"),
        (IsADirectoryError(), "this is a directory"),
        (PermissionError(), "may not read it"),
        (OSError(), "it cannot be read"),
        (ValueError("embedded null byte"), "it cannot be read"),
        (UnicodeDecodeError("utf-8", b"a\nb\n\xff", 4, 5, "x"), "line 3 is not UTF-8"),
    ],
)
def test_a_file_that_cannot_be_read_is_one_line(error: Exception, says: str) -> None:
    def read_text(path: str) -> str:
        raise error

    with pytest.raises(ConfigError) as caught:
        load_settings(IN_FILE, read_text=read_text)
    assert str(caught.value).startswith("ABUSE_GATE_CONFIG = gate.toml: ")
    assert says in str(caught.value)
    assert caught.value.__context__ is None


def test_real_files_are_read_with_or_without_a_byte_order_mark(tmp_path: Path) -> None:
    for mark in ("", "\ufeff"):
        file = tmp_path / "gate.toml"
        file.write_text(f"{mark}[abuse_gate]\r\nmode = 'monitor'\r\n", encoding="utf-8")
        assert load_settings({"ABUSE_GATE_CONFIG": f" {file} "}).mode == "monitor"
        assert load_settings({}, {"config": file}).mode == "monitor"
    with pytest.raises(ConfigError, match="this is a directory"):
        load_settings({"ABUSE_GATE_CONFIG": str(tmp_path)})


def test_the_keyword_config_beats_the_variable() -> None:
    read_text = {"a": "", "b": "[abuse_gate]\nmode='monitor'"}.__getitem__
    settings = load_settings({"ABUSE_GATE_CONFIG": "a"}, {"config": "b"}, read_text=read_text)
    assert settings.mode == "monitor"


@pytest.mark.parametrize(("config", "shown"), [(3, "3"), ("", "''"), (["a"], "a list")])
def test_a_config_that_is_no_path_is_refused(config: object, shown: str) -> None:
    with pytest.raises(ConfigError, match=f"^keyword argument config = {shown}: not a path"):
        load_settings({}, {"config": config})


def test_a_path_that_cannot_be_printed_is_escaped() -> None:
    with pytest.raises(ConfigError, match=r"ABUSE_GATE_CONFIG = 'a\\nb': there is no such file"):
        load_settings({"ABUSE_GATE_CONFIG": "a\nb"})
