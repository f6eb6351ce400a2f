"""The breaker row by row: every transition, stale tickets, lost leases, released probes."""

import itertools
from dataclasses import replace
from typing import Final, get_args

import pytest

from abuse_gate.deciding.breaker import (
    FAILURES_TO_OPEN,
    TRANSITIONS,
    Breaker,
    Outcome,
    Phase,
    Ticket,
)

FRESH: Final = Breaker(open_for=60.0, lease=3.0)
OUTCOMES: Final[tuple[Outcome, ...]] = get_args(Outcome)


def failed(breaker: Breaker, times: int, now: float = 0.0) -> Breaker:
    for _ in range(times):
        breaker, ticket = breaker.admit(now)
        assert ticket is not None
        breaker = breaker.settle(ticket, "failure", now)
    return breaker


def probing(now: float = 60.0) -> tuple[Breaker, Ticket]:
    breaker, ticket = failed(FRESH, FAILURES_TO_OPEN).admit(now)
    assert ticket is not None
    return breaker, ticket


def test_five_consecutive_failures_open_it() -> None:
    assert FAILURES_TO_OPEN == 5
    assert failed(FRESH, 4).phase == "closed"
    opened = failed(FRESH, 5, now=10.0)
    assert (opened.phase, opened.until, opened.failures) == ("open", 70.0, 0)


def test_a_success_between_failures_starts_the_count_again() -> None:
    breaker, ticket = failed(FRESH, 4).admit(0.0)
    assert ticket is not None
    breaker = breaker.settle(ticket, "success", 0.0)
    assert failed(breaker, 4).phase == "closed"
    assert failed(breaker, 5).phase == "open"


def test_a_release_neither_counts_nor_starts_the_count_again() -> None:
    breaker, ticket = failed(FRESH, 4).admit(0.0)
    assert ticket is not None
    assert breaker.settle(ticket, "release", 0.0) == breaker
    assert failed(breaker, 1).phase == "open"


def test_an_open_one_admits_nobody_until_its_time_is_up() -> None:
    opened = failed(FRESH, 5)
    assert opened.admit(59.99) == (opened, None)
    after, ticket = opened.admit(60.0)
    assert (after.phase, after.until) == ("probing", 63.0)
    assert ticket is not None


def test_one_probe_at_a_time() -> None:
    breaker, _ = probing()
    assert breaker.admit(62.9) == (breaker, None)


PROBES: Final[list[tuple[Outcome, Phase, float]]] = [
    ("success", "closed", 63.0),
    ("failure", "open", 121.0),
    ("release", "open", 61.0),
]


@pytest.mark.parametrize(("outcome", "phase", "until"), PROBES)
def test_what_becomes_of_a_probe(outcome: Outcome, phase: Phase, until: float) -> None:
    breaker, ticket = probing()
    settled = breaker.settle(ticket, outcome, 61.0)
    assert (settled.phase, settled.until) == (phase, until)


def test_a_released_probe_lets_the_next_call_probe_at_once() -> None:
    breaker, ticket = probing()
    after, another = breaker.settle(ticket, "release", 61.0).admit(61.0)
    assert after.phase == "probing"
    assert another not in (None, ticket)


def test_one_success_closes_it_and_five_more_failures_are_needed() -> None:
    breaker, ticket = probing()
    closed = breaker.settle(ticket, "success", 61.0)
    assert failed(closed, 4).phase == "closed"
    assert failed(closed, 5).phase == "open"


def test_a_probe_whose_lease_ran_out_gives_way_and_its_answer_is_void() -> None:
    breaker, lost = probing()
    second, ticket = breaker.admit(63.0)
    assert ticket is not None
    for outcome in OUTCOMES:
        assert second.settle(lost, outcome, 64.0) == second
    assert second.settle(ticket, "success", 64.0).phase == "closed"


@pytest.mark.parametrize("outcome", OUTCOMES)
def test_a_ticket_from_before_it_opened_changes_nothing(outcome: Outcome) -> None:
    breaker, stale = FRESH.admit(0.0)
    assert stale is not None
    opened = failed(breaker, 5)
    assert opened.settle(stale, outcome, 1.0) == opened
    probed, ticket = opened.admit(60.0)
    assert ticket is not None
    assert probed.settle(stale, outcome, 61.0) == probed
    closed = probed.settle(ticket, "success", 61.0)
    assert closed.settle(stale, outcome, 62.0) == closed


@pytest.mark.parametrize("outcome", OUTCOMES)
def test_a_released_probe_that_answers_twice_is_heard_once(outcome: Outcome) -> None:
    breaker, ticket = probing()
    released = breaker.settle(ticket, "release", 61.0)
    assert released.settle(ticket, outcome, 62.0) == released


def test_the_transition_table_has_a_row_for_every_admitting_phase() -> None:
    admitting: tuple[Phase, ...] = ("closed", "probing")
    assert set(TRANSITIONS) == set(itertools.product(admitting, OUTCOMES))


def test_it_is_a_value() -> None:
    before = replace(FRESH)
    failed(FRESH, 5)
    assert before == FRESH


# Every state, each looked at when its time is not up and when it is, and all that can happen in it.
NOW: Final = 100.0
STATES: Final[dict[str, Breaker]] = {
    "closed": replace(FRESH, generation=7),
    "closed, four failed": replace(FRESH, generation=7, failures=4),
    "open": replace(FRESH, generation=7, phase="open", until=NOW + 1),
    "open, time is up": replace(FRESH, generation=7, phase="open", until=NOW),
    "probing": replace(FRESH, generation=7, phase="probing", until=NOW + 1),
    "probing, lease is up": replace(FRESH, generation=7, phase="probing", until=NOW),
}
# "=" is no change; otherwise phase, failures, until and generation. A settled ticket is this
# generation's; one of the generation before never changes anything.
CALLED: Final[dict[str, object]] = {
    "closed": "=",
    "closed, four failed": "=",
    "open": "=",
    "open, time is up": ("probing", 0, NOW + 3, 8),
    "probing": "=",
    "probing, lease is up": ("probing", 0, NOW + 3, 8),
}
ADMITTED: Final = {"closed", "closed, four failed", "open, time is up", "probing, lease is up"}
SETTLED: Final[dict[tuple[str, Outcome], object]] = {
    ("closed", "success"): "=",
    ("closed", "failure"): ("closed", 1, 0.0, 7),
    ("closed", "release"): "=",
    ("closed, four failed", "success"): ("closed", 0, 0.0, 7),
    ("closed, four failed", "failure"): ("open", 0, NOW + 60, 8),
    ("closed, four failed", "release"): "=",
    ("open", "success"): "=",
    ("open", "failure"): "=",
    ("open", "release"): "=",
    ("open, time is up", "success"): "=",
    ("open, time is up", "failure"): "=",
    ("open, time is up", "release"): "=",
    ("probing", "success"): ("closed", 0, NOW + 1, 7),
    ("probing", "failure"): ("open", 0, NOW + 60, 8),
    ("probing", "release"): ("open", 0, NOW, 7),
    # Nobody else has probed meanwhile, so a late answer still counts.
    ("probing, lease is up", "success"): ("closed", 0, NOW, 7),
    ("probing, lease is up", "failure"): ("open", 0, NOW + 60, 8),
    ("probing, lease is up", "release"): ("open", 0, NOW, 7),
}


def shape(breaker: Breaker) -> tuple[object, ...]:
    return breaker.phase, breaker.failures, breaker.until, breaker.generation


def expected(state: str, row: object) -> object:
    return shape(STATES[state]) if row == "=" else row


def test_the_tables_of_this_page_are_whole() -> None:
    assert CALLED.keys() == STATES.keys()
    assert SETTLED.keys() == set(itertools.product(STATES, OUTCOMES))


@pytest.mark.parametrize("state", STATES)
def test_what_a_call_does_in_every_state(state: str) -> None:
    after, ticket = STATES[state].admit(NOW)
    assert shape(after) == expected(state, CALLED[state])
    assert ticket == (Ticket(after.generation) if state in ADMITTED else None)


@pytest.mark.parametrize(("state", "outcome"), SETTLED)
def test_what_an_answer_does_in_every_state(state: str, outcome: Outcome) -> None:
    after = STATES[state].settle(Ticket(7), outcome, NOW)
    assert shape(after) == expected(state, SETTLED[state, outcome])
    assert STATES[state].settle(Ticket(6), outcome, NOW) == STATES[state]
