"""Severities add up; whose words they were decides what they weigh."""

import sys
from dataclasses import replace
from typing import Final, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from abuse_gate.deciding.score import WEIGHT, Thresholds, judged, score, tuned, verdict_of
from abuse_gate.model.hit import QUOTATION, Hit, Place
from abuse_gate.model.verdict import SEVERITY, Verdict

PLACES: Final[tuple[Place, ...]] = get_args(Place)


def hit(rule: str = "a", severity: int = 40, place: Place = "caller", count: int = 1) -> Hit:
    return Hit(rule, "family", severity, place, count)


HITS = st.builds(
    hit, st.sampled_from("abcde"), st.integers(0, 1000), st.sampled_from(PLACES), st.integers(1, 9)
)

SCORES: Final[list[tuple[list[Hit], float]]] = [
    ([], 0),
    ([hit()], 40),
    ([hit("a"), hit("b")], 80),
    ([hit("a"), hit("a")], 40),
    ([hit("a", count=9)], 40),
    ([hit(place="third_party")], 60),
    ([hit(place="document")], 60),
    ([hit(place="ambient")], 24),
    ([hit(place="call")], 40),
    ([hit("a", place="ambient"), hit("a", place="third_party")], 60),
    ([hit("a", place="third_party"), hit("a", place="ambient"), hit("b", 5)], 65),
    ([hit(severity=0)], 0),
]


@pytest.mark.parametrize(("hits", "points"), SCORES)
def test_each_rule_counts_once_where_it_weighs_most(hits: list[Hit], points: float) -> None:
    assert score(hits) == pytest.approx(points)


@pytest.mark.parametrize(
    ("points", "verdict"),
    [
        (0, "safe"),
        (50, "safe"),
        (50.1, "unclear"),
        (99.9, "unclear"),
        (100, "unsafe"),
        (1e9, "unsafe"),
    ],
)
def test_block_is_at_or_above_and_notice_is_above(points: float, verdict: Verdict) -> None:
    assert verdict_of(points, Thresholds()) == verdict


def test_thresholds_are_the_operators() -> None:
    assert verdict_of(30, Thresholds(block=30, notice=10)) == "unsafe"
    assert verdict_of(30, Thresholds(block=40, notice=30)) == "safe"


def test_every_place_has_a_weight_and_a_third_party_weighs_most() -> None:
    assert set(WEIGHT) == set(PLACES)
    assert max(WEIGHT, key=lambda place: WEIGHT[place]) == "third_party"
    assert WEIGHT["ambient"] == min(weight for weight in WEIGHT.values() if weight)
    assert [place for place, weight in WEIGHT.items() if not weight] == ["operator"]


def test_a_disabled_rule_is_gone_and_an_overridden_one_has_the_new_severity() -> None:
    hits = [hit("a"), hit("b"), hit("c", place="call", count=3)]
    left = tuned(hits, {"a"}, {"c": 7, "nobody": 9})
    assert left == (hit("b"), hit("c", 7, "call", 3))


def mild(severity: int, *excuses: str) -> Hit:
    return Hit("m", "talk", severity, "caller", excuses=excuses or ("harmless.a",))


JUDGED: Final[list[tuple[list[Hit], Verdict]]] = [
    ([], "safe"),
    ([mild(50)], "safe"),
    ([mild(51)], "unclear"),
    ([mild(1000)], "unclear"),
    ([mild(1000), hit("a", 0)], "unclear"),
    # What is no reason for a notice by itself takes no excuse away, and the two add up.
    ([mild(1000), hit("a", 50)], "unclear"),
    ([mild(30), hit("a", 30)], "unclear"),
    ([mild(1000), hit("a", 51)], "unsafe"),
    ([mild(30), hit("a", 51)], "unclear"),
    ([mild(1), hit("a", 100)], "unsafe"),
]


@pytest.mark.parametrize(("hits", "verdict"), JUDGED)
def test_mild_hits_alone_are_unclear_at_most(hits: list[Hit], verdict: Verdict) -> None:
    assert judged(hits, Thresholds()) == verdict


@given(st.lists(HITS), st.integers(0, 1000))
def test_a_mild_hit_more_is_never_safer(hits: list[Hit], severity: int) -> None:
    without, beside = judged(hits, Thresholds()), judged([*hits, mild(severity)], Thresholds())
    assert SEVERITY[without] <= SEVERITY[beside]


def test_a_disabled_phrase_excuses_nothing() -> None:
    both = mild(60, "harmless.a", "harmless.b")
    assert both.mild
    assert not hit().mild
    for disabled in ({"harmless.a"}, {"harmless.b"}):
        (left,) = tuned([both], disabled, {"m": 100})
        assert (left.mild, left.severity) == (False, 100)
    assert tuned([both], {"harmless.c"}, {}) == (both,)


def test_disabling_wins_over_an_override() -> None:
    assert tuned([hit("a")], {"a"}, {"a": 1000}) == ()


@given(st.lists(HITS), HITS)
def test_one_more_hit_never_lowers_the_score_or_the_verdict(hits: list[Hit], more: Hit) -> None:
    before, after = score(hits), score([*hits, more])
    assert after >= before - 1e-9
    assert (
        SEVERITY[verdict_of(after + 1e-9, Thresholds())]
        >= SEVERITY[verdict_of(before - 1e-9, Thresholds())]
    )


@given(st.lists(HITS))
def test_repetition_makes_no_text_worse(hits: list[Hit]) -> None:
    assert score(hits * 3) == pytest.approx(score(hits))


@pytest.mark.parametrize(
    ("severity", "decoded", "worth"), [(39, False, 39), (40, False, 60), (39, True, 39)]
)
def test_a_sign_weighs_no_more_in_a_document(severity: int, decoded: bool, worth: float) -> None:
    hit = Hit("override.sign_a", "override", severity, "document", decoded=decoded)
    assert score([hit]) == worth


@pytest.mark.parametrize(
    ("family", "severities", "worth"),
    [
        ("roleplay", (55, 55), 110),
        ("policy", (60, 60, 30), 120),
        ("extraction", (60, 49), 95),
        ("override", (60, 60), 95),
        ("shell", (60, 60), 95),
    ],
)
def test_two_rules_of_weight_are_two_suspicions_where_they_differ(
    family: str, severities: tuple[int, ...], worth: float
) -> None:
    hits = [Hit(f"{family}.{n}", family, weight, "caller") for n, weight in enumerate(severities)]
    assert score(hits) == worth


def test_whoever_coaxes_is_one_voice() -> None:
    hits = [Hit(f"coaxing.{name}", "coaxing", 60, "caller") for name in "abc"]
    assert score(hits) == score(hits[:1]) == 60
    assert score([*hits, Hit("extraction.a", "extraction", 55, "caller")]) == 115


ABOUT_ATTACKS = Hit("about.subject", "about", 0, "third_party")


@given(st.lists(HITS), st.lists(HITS))
def test_talk_in_one_place_takes_nothing_away_from_another(
    own: list[Hit], theirs: list[Hit]
) -> None:
    said = [replace(hit, place="caller") for hit in own]
    told = [replace(hit, place="third_party", decoded=False) for hit in theirs]
    assert score([*said, *told, ABOUT_ATTACKS]) >= score(said)


def test_the_same_words_in_an_article_are_no_excuse() -> None:
    attack = hit("a", severity=100)
    article = [replace(attack, place="third_party"), ABOUT_ATTACKS]
    assert judged([attack, *article], Thresholds()) == "unsafe"
    assert judged(article, Thresholds()) == "unclear"


def about(rule: str, place: Place = "document", source: int | None = None) -> Hit:
    return Hit(rule, "about", 0, place, source=source)


DISCUSSED: Final[list[tuple[list[Hit], float]]] = [
    ([about("about.subject"), hit("a", 100, "document")], 75),
    ([about(QUOTATION), hit("a", 100, "document")], 50),
    # What is said of one upload says nothing of another, nor of what the caller says himself.
    ([about(QUOTATION, source=1), Hit("a", "family", 100, "document", source=2)], 150),
    ([about(QUOTATION), hit("a", 100, "document"), hit("a", 100)], 100),
    ([about(QUOTATION), hit("a", 100, "document"), hit("b", 60)], 110),
    # Where a rule weighs more by what is said of it, it counts there.
    ([about("about.subject"), hit("a", 80, "document"), hit("a", 80, "ambient")], 75),
]


@pytest.mark.parametrize(("hits", "points"), DISCUSSED)
def test_a_discussion_lowers_what_is_said_in_the_same_text(hits: list[Hit], points: float) -> None:
    assert score(hits) == pytest.approx(points)


def _calls(uploads: int) -> int:
    """How many functions are called to judge so many uploads that all speak about attacks."""
    each = [Hit(f"rule{at}", "family", 60, "document") for at in range(5)]
    hits = [
        replace(hit, source=source)
        for source in range(uploads)
        for hit in (about("about.subject"), *each)
    ]
    calls = 0

    def count(*_event: object) -> None:
        nonlocal calls
        calls += 1

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        judged(hits, Thresholds())
    finally:
        sys.setprofile(before)
    return calls


def test_twice_as_many_uploads_are_twice_the_work() -> None:
    assert _calls(200) <= 2.1 * _calls(100)


def other(rule: str, severity: int, place: Place = "document", *, decoded: bool = False) -> Hit:
    return Hit(rule, rule.partition(".")[0], severity, place, decoded=decoded)


# What is said in somebody else's text: one remark alone does not block, whatever its weight there.
REMARKS: list[tuple[list[Hit], Verdict]] = [
    ([other("roleplay.a", 80)], "unclear"),
    ([other("policy.a", 90, "third_party")], "unclear"),
    ([other("override.a", 60), other("seed.b", 60)], "unclear"),
    ([other("policy.a", 70), other("policy.b", 60)], "unsafe"),
    ([other("extraction.a", 60), other("coaxing.b", 55)], "unclear"),
    ([other("roleplay.a", 80), other("about.x", 0)], "unclear"),
    ([other("shell.a", 69)], "unclear"),
    ([other("mine.a", 69)], "unsafe"),
    ([other("policy.a", 60), other("policy.b", 60), other("policy.c", 60)], "unsafe"),
    ([other("shell.a", 70)], "unsafe"),
    ([other("indirect.a", 69)], "unsafe"),
    ([other("override.a", 100)], "unsafe"),
    ([other("roleplay.a", 80), other("policy.b", 60)], "unsafe"),
    ([other("roleplay.a", 80), other("roleplay.b", 60, "caller")], "unsafe"),
    ([other("roleplay.a", 80, decoded=True)], "unsafe"),
    ([other("roleplay.a", 100, "caller")], "unsafe"),
]


@pytest.mark.parametrize(("hits", "verdict"), REMARKS)
def test_one_remark_in_somebody_elses_text_is_unclear(hits: list[Hit], verdict: Verdict) -> None:
    assert judged(hits, Thresholds()) == verdict


def test_whoever_asks_for_a_secret_asks_once() -> None:
    asked = [other("extraction.secret", 55, "caller"), other("coaxing.secret_asked", 55, "caller")]
    assert score(asked) == 55
