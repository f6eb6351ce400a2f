"""Which tools are dangerous, by every way of writing their names."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from abuse_gate.rules.tools import HIGH_RISK, HIGH_RISK_WORDS, LOW_RISK, MAX_NAME, ToolRisk

HIGH = [
    "bash",
    "write",
    "web_fetch",
    "spawn_agent",
    "Bash",
    "  BASH ",
    "ｂａｓｈ",
    "ba\u200bsh",
    "mcp__server__bash",
    "mcp__shell__list",
    "functions.bash",
    "tools/run_command",
    "server:send_email",
    "web-fetch",
    "web fetch",
    "WebFetch",
    "webfetch",
    "sendEmail",
    "runCommand",
    "delete_customer_record",
    "read_and_delete",
    "list_then_exec",
    "something_nobody_knows",
    "mcp__search__purge_index",
    "search.purge_index",
    "list/format_disk",
    "find:wipe",
    "now__launch",
    "",
    "read" * MAX_NAME,
]

LOW = [
    "read",
    "Read",
    "read_file",
    "read-file",
    "readFile",
    "glob",
    "grep",
    "list",
    "search",
    "web_search",
    "webSearch",
    "mcp__filesystem__read_file",
    "functions.grep",
    "ｇｒｅｐ",
]


@pytest.mark.parametrize("name", HIGH)
def test_dangerous_and_unknown_tools_are_high(name: str) -> None:
    assert ToolRisk().is_high(name)


@pytest.mark.parametrize("name", LOW)
def test_tools_that_only_look_are_low(name: str) -> None:
    assert not ToolRisk().is_high(name)


@pytest.mark.parametrize("name", sorted(HIGH_RISK | HIGH_RISK_WORDS))
def test_the_high_list_is_high_even_where_the_unknown_is_low(name: str) -> None:
    assert ToolRisk(unknown="low").is_high(name)


@pytest.mark.parametrize("name", sorted(LOW_RISK))
def test_the_low_list_is_low_even_where_the_unknown_is_high(name: str) -> None:
    assert not ToolRisk(unknown="high").is_high(name)


def test_no_name_is_on_both_lists() -> None:
    assert not HIGH_RISK & LOW_RISK
    assert not any(HIGH_RISK_WORDS & set(name.split("_")) for name in LOW_RISK)


def test_the_unknown_is_a_choice() -> None:
    assert not ToolRisk(unknown="low").is_high("something_nobody_knows")


@pytest.mark.parametrize(
    "name", ["Custom_Dangerous_Tool", "custom-dangerous-tool", "mcp__x__custom_dangerous_tool"]
)
def test_a_deployment_adds_names(name: str) -> None:
    assert ToolRisk(["custom_dangerous_tool"], unknown="low").is_high(name)


def test_an_added_name_wins_over_the_low_list() -> None:
    assert ToolRisk(["READ"]).is_high("read")


def test_added_names_may_be_globs() -> None:
    risk = ToolRisk(["crm_*", "mcp__bank__*"], unknown="low")
    assert risk.is_high("crm_lookup")
    assert risk.is_high("mcp__bank__balance")
    assert not risk.is_high("lookup_crm")


@given(st.text())
def test_any_name_has_a_risk(name: str) -> None:
    assert ToolRisk(["*a*b*c*"]).is_high(name) in {True, False}
