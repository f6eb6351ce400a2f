"""Why a score is what it is: what each hit is worth, and what cut the sum or the verdict."""

from typing import Final, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from abuse_gate.deciding.account import MEANINGS, SIGNS, Cut, Kind, account
from abuse_gate.deciding.score import Thresholds, judged, score
from abuse_gate.model.hit import QUOTATION, Hit, Place

BOUNDS: Final = Thresholds()
BLOCK: Final = Hit("override.a", "override", 100, "caller")
SAME: Final = Hit("override.b", "override", 60, "caller")
OTHER: Final = Hit("shell.a", "shell", 60, "caller")
MILD: Final = Hit("override.a", "override", 100, "caller", excuses=("harmless.x",))
QUOTED: Final = Hit(QUOTATION, "about", 0, "caller")
SPOKEN: Final = Hit("about.subject", "about", 0, "caller")
IN_DISGUISE: Final = Hit("override.a", "override", 100, "caller", decoded=True)
DOCUMENT: Final = Hit("shell.a", "shell", 60, "document")
REMARK: Final = Hit("roleplay.a", "roleplay", 80, "document")


def sign(name: str) -> Hit:
    return Hit(f"{name}.sign", name, 30, "caller")


# Hits, what each is worth, and what was cut.
TOLD: Final[tuple[tuple[tuple[Hit, ...], tuple[float, ...], tuple[Cut, ...]], ...]] = (
    ((), (), ()),
    ((BLOCK,), (100,), ()),
    ((DOCUMENT,), (90,), ()),
    ((SAME, OTHER), (60, 60), ()),
    ((BLOCK, SAME), (100, 60), (Cut("family", "override", 160, 100),)),
    ((BLOCK, BLOCK), (100, 0), ()),
    ((BLOCK, IN_DISGUISE), (0, 125), ()),
    ((BLOCK, QUOTED, SPOKEN), (100, 0, 0), (Cut("quoted", QUOTATION, 100, 50),)),
    ((BLOCK, SPOKEN), (100, 0), (Cut("about", "about.subject", 100, 75),)),
    ((SAME, SPOKEN), (60, 0), ()),
    ((IN_DISGUISE, SPOKEN), (125, 0), ()),
    ((*map(sign, "abcd"),), (30,) * 4, (Cut("signs", SIGNS, 0, 70),)),
    ((REMARK,), (120,), (Cut("remark", "roleplay", 80, 100),)),
    ((MILD,), (100,), (Cut("mild", "harmless.x", 0, 50),)),
    ((MILD, OTHER), (100, 60), (Cut("mild_refused", "harmless.x", 60, 50),)),
)


@pytest.mark.parametrize(("hits", "worths", "cuts"), TOLD)
def test_what_each_hit_is_worth_and_what_was_cut(
    hits: tuple[Hit, ...], worths: tuple[float, ...], cuts: tuple[Cut, ...]
) -> None:
    told = account(hits, BOUNDS)
    assert told.points == pytest.approx(score(hits))
    softened = told.points >= BOUNDS.block and {cut.kind for cut in cuts} & {
        "signs",
        "remark",
        "mild",
    }
    assert (judged(hits, BOUNDS) == "unsafe") is (told.points >= BOUNDS.block and not softened)
    assert told.worths == pytest.approx(worths)
    assert [cut.kind for cut in told.cuts] == [cut.kind for cut in cuts]
    assert [cut.about for cut in told.cuts] == [cut.about for cut in cuts]
    for found, expected in zip(told.cuts, cuts, strict=True):
        assert found[2:] == pytest.approx(expected[2:])


def test_every_kind_of_cut_has_a_meaning_and_a_case() -> None:
    assert {*MEANINGS} == {*get_args(Kind)} == {cut.kind for _, _, cuts in TOLD for cut in cuts}
    assert str(Cut("quoted", QUOTATION, 100, 50)) == (
        "about.quotation: 100 cut to 50; it is quoted, reported or asked about"
    )


HITS = st.builds(
    Hit,
    st.sampled_from(("about.quotation", "override.a", "override.b", "coaxing.a", "shell.a")),
    st.sampled_from(("about", "override", "coaxing", "shell")),
    st.sampled_from((0, 27, 45, 60, 100)),
    st.sampled_from(get_args(Place)),
    st.just(1),
    st.booleans(),
    st.none(),
    st.sampled_from(((), ("harmless.x",))),
)


@given(st.lists(HITS, max_size=8))
def test_the_worths_less_the_cuts_are_the_score(hits: list[Hit]) -> None:
    told = account(hits, BOUNDS)
    lost = sum(
        cut.before - cut.after for cut in told.cuts if cut.kind in ("family", "quoted", "about")
    )
    assert sum(told.worths) - lost == pytest.approx(told.points)
    softened = {cut.kind for cut in told.cuts} & {"signs", "remark", "mild"}
    assert bool(softened) is (told.points >= BOUNDS.block and judged(hits, BOUNDS) == "unclear")
