"""Of two matters that are equally bad, the one stands whose reason asks for more."""

import itertools
from typing import Final

import pytest

from abuse_gate.deciding.planner import Climb, Matter, Static, together
from abuse_gate.deciding.policy import FLOORS, for_unclear
from abuse_gate.model.verdict import Assessment, Verdict

LENIENT: Final = ("model_unclear", "timeout", "rules_notice")


def done(matter: Matter, verdict: Verdict, reason: str) -> Climb:
    assessment = Assessment(verdict, reason)
    return Climb("standard", Static(matter, "flagged", assessment), frozenset(), None, assessment)


@pytest.mark.parametrize(("floor", "lenient"), list(itertools.product(FLOORS, LENIENT)))
def test_the_strictest_floor_of_all_matters_holds(floor: str, lenient: str) -> None:
    climbs = [done("prompt", "unclear", lenient), done("action", "unclear", floor)]
    for order in (climbs, climbs[::-1]):
        joined = together(order, (), ())
        assert joined.reason == floor
        assert for_unclear("allow", joined.reason) == "clarify"


@pytest.mark.parametrize("floor", FLOORS)
def test_a_floor_never_lifts_a_worse_verdict(floor: str) -> None:
    climbs = [done("prompt", "unsafe", "model_unsafe"), done("action", "unclear", floor)]
    for order in (climbs, climbs[::-1]):
        assert together(order, (), ()).reason == "model_unsafe"
