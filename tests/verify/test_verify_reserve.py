"""What we need for ourselves does not eat the time in which somebody would be asked."""

from dataclasses import replace
from typing import Final

import pytest

from abuse_gate.testing import FakeClock
from abuse_gate.verify.brief import Evidence
from abuse_gate.verify.hearing import Hearing
from abuse_gate.verify.tiered import Tiered
from tests.verify.tiering import FLAGGED, PAYLOAD, Judging, brief, triage

# What tier 1 left, the reserve, seconds that making the question takes; whether one is asked.
CASES: Final[list[tuple[float, float, float, bool]]] = [
    (-9.0, 0.75, 0.0, True),
    (-9.0, 0.75, 5.0, True),
    (1.5, 0.0, 0.1, True),
    (1.5, 0.0, 5.0, False),
    (-9.0, 0.0, 0.0, False),
]


@pytest.mark.parametrize(("left", "reserve", "making", "asked"), CASES)
async def test_our_own_work_leaves_tier_2_its_share(
    left: float, reserve: float, making: float, asked: bool
) -> None:
    clock, judge = FakeClock(), Judging(answer=True)

    def evidence() -> Evidence:
        clock.advance(making)
        return Evidence(PAYLOAD)

    case = replace(brief(FLAGGED, left=left, reserve=reserve), evidence=evidence)
    judged = await Tiered(None, triage(judge), clock=clock).judge(case)
    assert (len(judge.asked), judged.assessment.reason) == (
        (1, "triage_suspicious") if asked else (0, "budget_spent")
    )


def test_the_time_of_the_asked_is_taken_from_the_reserve() -> None:
    clock = FakeClock()
    hearing = Hearing(brief(FLAGGED, left=-1.0, reserve=0.75), clock)
    clock.advance(0.5)
    assert hearing.left == pytest.approx(0.25)
