"""The ladder knows an offence again: among many, late, and after its conversation has grown."""

from dataclasses import replace

import pytest

from abuse_gate.deciding.ladder import EMPTY, FREE_TURNS, Ladder, record_unsafe
from abuse_gate.model.standing import MOST_MARKS, Offence

LADDER = Ladder()


def test_a_new_offence_hides_behind_no_number_of_known_ones() -> None:
    many = tuple(f"m{n}" for n in range(MOST_MARKS + 3))
    record, _ = record_unsafe(EMPTY, Offence(many), 0, LADDER)
    assert not record_unsafe(record, Offence(many), 1, LADDER)[1]
    for place in (0, 2, len(many)):
        more = (*many[:place], "new", *many[place:])
        struck_again, new = record_unsafe(record, Offence(more), 1, LADDER)
        assert new
        assert not record_unsafe(struck_again, Offence(more), 2, LADDER)[1]


def test_a_late_copy_of_an_excused_turn_is_no_strike() -> None:
    record, turns = EMPTY, [f"t{number}" for number in range(FREE_TURNS + 1)]
    for number, turn in enumerate(turns):
        offence = Offence((turn,), tuple(turns[:number]))
        record, new = record_unsafe(record, offence, number, LADDER)
        assert new is (number == 0)
    for number, turn in enumerate(turns):
        offence = Offence((turn,), tuple(turns[:number]))
        assert not record_unsafe(record, offence, 20, LADDER, age=20 - number)[1]
    assert record_unsafe(record, Offence(("other",), tuple(turns)), 20, LADDER)[1]


@pytest.mark.parametrize(
    ("decay", "age", "expected"),
    [(3600, 1301, False), (3600, 650, True), (0, 1301, False), (0, 650, True), (1250, 1301, False)],
)
def test_a_copy_that_is_late_by_two_windows_counts_once(
    decay: float, age: float, expected: bool
) -> None:
    ladder = replace(LADDER, decay=decay)
    record = record_unsafe(EMPTY, Offence(("m0",)), 0, ladder)[0]
    record, _ = record_unsafe(record, Offence(("m1",)), 1300, ladder)
    again, new = record_unsafe(record, Offence(("m0",)), 1301, ladder, age=age)
    assert new is expected
    assert (again.level > record.level) is (expected and decay > 0)
