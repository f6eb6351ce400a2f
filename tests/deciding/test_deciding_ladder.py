"""The ladder: thresholds, windows, terms that only grow, one message once, clocks that step."""

from dataclasses import replace

import pytest

from abuse_gate.deciding.ladder import (
    EMPTY,
    FREE_GROWTHS,
    FREE_TURNS,
    MOST_INCIDENTS,
    MOST_STRIKES,
    Ladder,
    Record,
    imposed,
    keep_for,
    lifted,
    noted,
    rebased,
    record_unsafe,
    standing_of,
)
from abuse_gate.model.decision import Mode
from abuse_gate.model.standing import FREE, MOST_MARKS, Offence, Standing, stricter

LADDER = Ladder()


def struck(
    *times: float, ladder: Ladder = LADDER, record: Record = EMPTY, first: int = 0
) -> Record:
    """The record after one offence, of its own each, at every given time."""
    for number, at in enumerate(times, first):
        record, _ = record_unsafe(record, Offence((f"m{number}",)), at, ladder)
    return record


def mode(record: Record, now: float) -> Mode:
    return standing_of(record, now, LADDER.window).mode


@pytest.mark.parametrize(
    ("times", "now", "expected"),
    [
        ((), 0.0, "normal"),
        ((0, 1), 1.0, "normal"),
        ((0, 1, 2), 2.0, "execute_locked"),
        ((0, 1, 599.9), 600.0, "execute_locked"),
        ((0, 1, 600), 600.0, "normal"),
        ((0, 1, 2, 3), 3.0, "execute_locked"),
        ((0, 1, 2, 3, 4), 4.0, "full_quarantine"),
        ((0, 1, 2), 3601.9, "execute_locked"),
        ((0, 1, 2), 3602.0, "normal"),
        ((0, 1, 2, 3, 4), 21603.9, "full_quarantine"),
        ((0, 1, 2, 3, 4), 21604.0, "normal"),
        # Two in every window go unnoticed without a decay.
        ((0, 1, 700, 701, 1400, 1401), 1401.0, "normal"),
    ],
)
def test_strikes_of_one_window_lead_to_a_mode(
    times: tuple[float, ...], now: float, expected: Mode
) -> None:
    assert mode(struck(*times), now) == expected


def test_a_later_strike_never_makes_a_mode_milder_or_shorter() -> None:
    record = struck(0, 1, 2, 3, 4)
    later = struck(10_000, 10_001, 10_002, record=record, first=10)
    assert later.quarantined_until == record.quarantined_until
    assert mode(later, 10_002) == "full_quarantine"
    # A lock that outlasts the quarantine holds after it.
    long = replace(LADDER, lock_for=50_000)
    locked = struck(0, 1, 2, 3, 4, ladder=long)
    assert [mode(locked, at) for at in (100, 22_000, 51_000)] == [
        "full_quarantine",
        "execute_locked",
        "normal",
    ]


def test_one_message_strikes_once_in_a_window() -> None:
    record, new = record_unsafe(EMPTY, Offence(("a",)), 0, LADDER)
    assert new
    for at in (1, 2, 599):
        record, new = record_unsafe(record, Offence(("a",)), at, LADDER)
        assert not new
    assert standing_of(record, 599, LADDER.window).strikes == 1
    record, new = record_unsafe(record, Offence(("a",)), 600, LADDER)
    assert new


@pytest.mark.parametrize(
    ("offence", "new"),
    [
        (Offence(("a", "b")), False),
        (Offence(("a", "c")), True),
        (Offence(("d",), ("a",)), False),
        (Offence(("d",), ("x", "y")), True),
        (Offence(("b",)), False),
    ],
)
def test_an_offence_is_known_by_all_its_marks_or_any_prefix(offence: Offence, new: bool) -> None:
    record, _ = record_unsafe(EMPTY, Offence(("a", "b")), 0, LADDER)
    assert record_unsafe(record, offence, 1, LADDER)[1] is new


def test_an_address_is_never_quarantined() -> None:
    record = struck(*range(20), ladder=replace(LADDER, quarantine_at=None))
    assert mode(record, 20) == "execute_locked"


def test_with_a_decay_slow_repetition_is_noticed() -> None:
    slow = replace(LADDER, decay=86_400)
    assert mode(struck(0, 1, 700, 701, ladder=slow), 701) == "execute_locked"
    assert mode(struck(0, 86_400, 2 * 86_400, ladder=slow), 2 * 86_400) == "normal"
    assert keep_for(struck(0, 1, ladder=slow), 1, slow) > 86_400


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0), (0, 2, 1)])
def test_strikes_that_arrive_late_count_where_they_were_made(order: tuple[int, ...]) -> None:
    """Whatever the order in which several workers hand theirs over."""
    record, now = EMPTY, 5000.0
    for number in order:
        offence = Offence((f"m{number}",))
        record, _ = record_unsafe(record, offence, now, LADDER, age=1000.0 - number)
    assert record.locked_until == 4002 + 3600
    assert mode(record, now) == "execute_locked"


@pytest.mark.parametrize("step", [-1e9, -86_400.0, -1.0])
def test_a_clock_that_steps_back_makes_nothing_eternal(step: float) -> None:
    record, now = struck(1e9, 1e9 + 1, 1e9 + 2, 1e9 + 3, 1e9 + 4), 1e9 + 4
    back = rebased(record, now + step)
    assert mode(back, now + step) == "full_quarantine"
    assert standing_of(record, now + step, LADDER.window).seconds <= LADDER.quarantine_for
    assert mode(back, now + step + LADDER.quarantine_for) == "normal"
    assert standing_of(back, now + step + LADDER.window, LADDER.window).strikes == 0
    assert keep_for(back, now + step, LADDER) <= LADDER.quarantine_for
    again, new = record_unsafe(record, Offence(("m4",)), now + step, LADDER)
    assert not new
    assert again == back


def test_a_clock_that_stands_changes_nothing() -> None:
    record = struck(0, 1, 2)
    assert rebased(record, 2) is record


def test_everything_is_bounded() -> None:
    ladder = replace(LADDER, window=1e9)
    record = struck(*range(MOST_STRIKES + 20), ladder=ladder)
    assert len(record.strikes) == MOST_STRIKES
    many = tuple(f"m{n}" for n in range(50))
    record, _ = record_unsafe(EMPTY, Offence(many), 0, LADDER)
    assert len(record.strikes[0].marks) == MOST_MARKS
    assert record.strikes[0].marks[1:] == many[1 - MOST_MARKS :]
    for number in range(MOST_INCIDENTS + 5):
        record = noted(record, f"i{number}")
    assert record.incidents[-1] == f"i{MOST_INCIDENTS + 4}"
    assert len(record.incidents) == MOST_INCIDENTS


def test_an_operator_can_lift_and_impose() -> None:
    record = noted(struck(0, 1, 2, 3, 4), "i")
    clean = lifted(record, "a mistake", 5)
    assert (mode(clean, 5), clean.epoch, clean.incidents, clean.note) == (
        "normal",
        5000,
        ("i",),
        "a mistake",
    )
    assert clean.strikes == ()
    # What arrives late and was done before is forgiven with the rest.
    assert record_unsafe(clean, Offence(("m",)), 9, LADDER, age=5) == (clean, False)
    assert record_unsafe(clean, Offence(("m",)), 9, LADDER, age=4)[1]
    assert rebased(clean, 1).changed_at == 1
    assert keep_for(clean, 5, LADDER) == LADDER.quarantine_for
    assert mode(imposed(clean, "execute_locked", 60, 5), 64) == "execute_locked"
    longer = imposed(imposed(clean, "full_quarantine", 600, 5), "full_quarantine", 60, 5)
    assert standing_of(longer, 5, LADDER.window) == Standing("full_quarantine", 600.0, 0, 5000)
    assert imposed(imposed(clean, "execute_locked", 600, 5), "execute_locked", 60, 5).locked_until
    assert keep_for(struck(0), 0, LADDER) == 2 * LADDER.window
    assert keep_for(noted(struck(0), "i"), 0, LADDER) == LADDER.quarantine_for


LOCK, LONG_LOCK = Standing("execute_locked", 10.0), Standing("execute_locked", 20.0)
QUARANTINE = Standing("full_quarantine", 1.0)


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (FREE, FREE, FREE),
        (FREE, LOCK, LOCK),
        (LOCK, FREE, LOCK),
        (LOCK, LONG_LOCK, LONG_LOCK),
        (LONG_LOCK, LOCK, LONG_LOCK),
        (LONG_LOCK, QUARANTINE, QUARANTINE),
        (QUARANTINE, LOCK, QUARANTINE),
    ],
)
def test_the_stricter_standing_holds(first: Standing, second: Standing, expected: Standing) -> None:
    assert stricter(first, second) == expected


def test_a_condemned_conversation_goes_on_in_a_few_branches_only() -> None:
    """Else whoever has one strike could try wordings behind it for as long as the window lasts."""
    record, _ = record_unsafe(EMPTY, Offence(("a",)), 0, LADDER)
    found: list[bool] = []
    for number in range(FREE_GROWTHS + 4):
        record, new = record_unsafe(record, Offence((f"w{number}",), ("a",)), 1, LADDER)
        # Sent again it is the same, free or not.
        assert not record_unsafe(record, Offence((f"w{number}",), ("a",)), 2, LADDER)[1]
        found.append(new)
    assert found == [False] * FREE_GROWTHS + [True] * 4
    assert mode(record, 2) == "full_quarantine"


def test_a_condemned_conversation_may_grow_for_some_turns() -> None:
    """Else one strike would pay for a new attack in every turn that is added behind it."""
    record, _ = record_unsafe(EMPTY, Offence(("t0",)), 0, LADDER)
    said, found = ["t0"], list[bool]()
    for number in range(1, FREE_TURNS + 5):
        offence = Offence((f"t{number}",), tuple(said))
        record, new = record_unsafe(record, offence, 1, LADDER)
        assert not record_unsafe(record, offence, 2, LADDER)[1]
        found.append(new)
        said.append(f"t{number}")
    assert found == [False] * FREE_TURNS + [True] * 4
    assert len(record.strikes[0].marks) == FREE_TURNS + 1
    assert mode(record, 2) == "full_quarantine"
    # Another window, as many turns.
    assert not record_unsafe(record, Offence(("t99",), tuple(said)), LADDER.window, LADDER)[1]


def test_turns_are_free_in_all_branches_together() -> None:
    record, _ = record_unsafe(EMPTY, Offence(("a",)), 0, LADDER)
    free = 0
    for number in range(FREE_TURNS + 3):
        branch = f"{number % 2}-"
        said = ("a", *(f"{branch}{n}" for n in range(number % 2, number, 2)))
        record, new = record_unsafe(record, Offence((f"{branch}{number}",), said), 1, LADDER)
        free += not new
    assert free == FREE_TURNS
