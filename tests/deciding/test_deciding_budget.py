"""The arithmetic of a budget, and of a provider's wish to be left alone."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from abuse_gate.deciding.budget import attempt_seconds, throttle_seconds

ATTEMPTS = [
    # total, left, retries left -> seconds
    (1.5, 1.5, 1, 0.9),
    (1.5, 1.5, 3, 0.9),
    (1.5, 1.5, 0, 1.5),
    (1.5, 0.6, 0, 0.6),
    (1.5, 0.6, 1, 0.6),
    (1.5, 1.0, 1, 0.9),
    (1.5, 0.0199, 0, 0.0199),
    (1.5, 0.0004, 0, 0.0),
    (0.019, 0.019, 1, 0.0114),
    (0.001, 0.001, 1, 0.0006),
    (1.5, 0.0, 1, 0.0),
    (1.5, -3.0, 1, 0.0),
]


@pytest.mark.parametrize(("total", "left", "retries", "seconds"), ATTEMPTS)
def test_while_a_retry_is_left_one_attempt_gets_three_fifths(
    total: float, left: float, retries: int, seconds: float
) -> None:
    assert attempt_seconds(total, left, retries) == pytest.approx(seconds)


@given(st.floats(0.05, 600), st.floats(-1, 600), st.integers(0, 5))
def test_no_attempt_outlives_the_budget(total: float, left: float, retries: int) -> None:
    assert 0.0 <= attempt_seconds(total, left, retries) <= max(left, 0.0)


@pytest.mark.parametrize(
    ("asked", "seconds"),
    [
        (None, 1.0),
        (math.nan, 1.0),
        (0.0, 0.0),
        (-5.0, 0.0),
        (-math.inf, 0.0),
        (2.5, 2.5),
        (60.0, 60.0),
        (61.0, 60.0),
        (86_400.0, 60.0),
        (math.inf, 60.0),
    ],
)
def test_a_throttle_is_what_was_asked_for_within_reason(
    asked: float | None, seconds: float
) -> None:
    assert throttle_seconds(asked) == seconds
