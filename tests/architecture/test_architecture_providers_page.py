"""The page about providers says what the constants say."""

import re
from pathlib import Path

from abuse_gate.model.verdict import UNASKED_REASONS
from abuse_gate.verify.failures import FAILURES, UNKNOWN, Failure
from abuse_gate.verify.kit.clients import LIMITS
from abuse_gate.verify.kit.faults import STATUS_FAULTS
from abuse_gate.verify.kit.lines import MAX_LINE_BYTES, MOST_AHEAD
from abuse_gate_adapters.anthropic import DEFAULT_MODEL as ANTHROPIC_MODEL
from abuse_gate_adapters.openai import DEFAULT_MODEL, NAMED_WAYS, WAYS
from abuse_gate_adapters.openai_decisions import MIN_CONFIDENCE

PAGE = (Path(__file__).parents[2] / "docs" / "providers.md").read_text("utf-8")


def table(name: str) -> list[str]:
    """The rows of a marked table, without its two lines of heading."""
    found = re.search(rf"<!-- {name}:begin -->\n(.*?)<!-- {name}:end -->", PAGE, re.DOTALL)
    assert found is not None
    return found[1].splitlines()[2:]


def failure_row(raised: str, failure: Failure) -> str:
    again = "yes" if failure.retry else "no"
    return f"| {raised} | unclear | `{failure.reason}` | {failure.outcome} | {again} |"


def test_the_table_of_failures_is_the_guards() -> None:
    rows = [failure_row(f"`{kind.__name__}`", failure) for kind, failure in FAILURES]
    assert table("failures") == [*rows, failure_row("any other exception", UNKNOWN)]


def test_the_table_of_statuses_is_the_kits() -> None:
    rows: list[str] = []
    for held, kind in STATUS_FAULTS:
        last = held.stop - 1
        name = str(held.start) if last == held.start else f"{held.start}–{last}"
        rows.append(f"| {name} | `{kind.__name__}` |")
    assert table("statuses") == [*rows, "| any other | `ProviderBadReply` |"]


def test_the_table_of_models_is_the_adapters() -> None:
    names = {make: name for name, make in NAMED_WAYS.items()}
    assert table("models") == [f"| `{pattern}` | {names[make]} |" for pattern, make in WAYS]
    for name in NAMED_WAYS:
        assert f"`{name}/" in PAGE
        assert f"**{name}**" in PAGE


def test_every_reason_for_which_nobody_was_asked_is_explained() -> None:
    assert [reason for reason in UNASKED_REASONS if f"`{reason}`" not in PAGE] == []


def test_the_figures_of_the_page_are_the_constants() -> None:
    assert (MAX_LINE_BYTES, MOST_AHEAD) == (320 * 1024, 8)
    assert "320 KiB" in PAGE
    assert "up to eight connections" in PAGE
    assert LIMITS.max_keepalive_connections == 0
    assert f"confidence of {MIN_CONFIDENCE}" in PAGE
    assert f"`{DEFAULT_MODEL}` when unset" in PAGE
    assert f"`{ANTHROPIC_MODEL}` when unset" in PAGE
