"""The settings in words: the table, the start-up line, and what has no effect yet."""

import pytest

from abuse_gate.settings import (
    INERT,
    Settings,
    describe,
    inert_settings,
    load_settings,
    settings_table,
)
from abuse_gate.settings.names import BY_FIELD, NAMES


def _rows() -> dict[str, list[str]]:
    lines = settings_table().splitlines()[2:]
    cells = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]
    return {row[0]: row for row in cells}


def test_the_table_has_one_full_row_for_every_name() -> None:
    rows = _rows()
    assert len(rows) == len(NAMES)
    assert all(len(row) == 4 and all(row) for row in rows.values())


@pytest.mark.parametrize(
    ("name", "values", "default"),
    [
        ("`ABUSE_GATE_MODE`", "enforce, monitor", "enforce"),
        ("`VERIFIER_TIMEOUT_MS`", "a whole number from 1 to 600000", "1500"),
        ("`VERIFIER_CIRCUIT_OPEN_SEC`", "a number from 1 to 86400", "60"),
        ("`ABUSE_GATE_INCLUDE`", "globs that start with / or *, comma separated", "everything"),
        ("`ABUSE_GATE_SECRET`", "a secret of at least 16 characters", "random per process"),
        ("`ABUSE_GATE_CONFIG`", "a path", "none"),
        ("`OPENAI_API_KEY`", "the key as the provider shows it", "none"),
        ("`model` in `[supervision]`", "the name of a model", "none"),
        ("`notice_threshold` in `[abuse_gate]`", "a whole number from 1 to 10000", "50"),
    ],
)
def test_the_table_says_values_and_default(name: str, values: str, default: str) -> None:
    assert _rows()[name][1:3] == [values, default]


def test_the_description_is_one_line_of_the_effective_policy() -> None:
    settings = Settings(mode="monitor", include=("/v1/*", "/v2/*"), verifier_adapter="my-judge")
    assert describe(settings) == (
        "verifier=my-judge mode=monitor plan=standard on_unclear=allow on_unread=clarify "
        "headers=full wire_roles=claimed include=2 globs exclude=nothing routes=0"
    )


def test_settings_that_nobody_set_are_not_called_inert() -> None:
    assert inert_settings(Settings()) == ()
    assert inert_settings(load_settings({"ABUSE_GATE_MODE": "monitor"})) == ()


@pytest.mark.parametrize(
    ("environ", "names"),
    [
        ({"ABUSE_GATE_REDIS_URL": "redis://h"}, ()),
        ({"ABUSE_GATE_TRIAGE_MODEL": "on"}, ("ABUSE_GATE_TRIAGE_MODEL",)),
        ({"ABUSE_GATE_TRIAGE_MODEL": "off"}, ()),
        ({"ABUSE_GATE_AUDIT_PATH": "a"}, ()),
    ],
)
def test_what_was_set_and_does_nothing_yet_is_named(
    environ: dict[str, str], names: tuple[str, ...]
) -> None:
    assert inert_settings(load_settings(environ)) == names


def test_a_name_without_a_variable_is_named_by_its_place() -> None:
    assert BY_FIELD["supervisor_model"].written == "model in [supervision]"


def test_the_table_of_inert_settings_names_real_ones() -> None:
    assert set(INERT) <= set(BY_FIELD)
