"""Packs and a deployment's own patterns, parsed, checked and compiled into one book."""

from collections.abc import Sequence

import pytest

from abuse_gate.rules.book import CUSTOM_SEVERITY, build_book, teaching_line
from abuse_gate.rules.engine import Database, Job, PatternError
from abuse_gate.rules.packs import PackError
from abuse_gate.rules.scan import scan_text

PACK = "[[rule]]\nid = 'demo.x'\nseverity = 7\npattern = 'frog'\n"

# additional patterns, the line that refuses them
REFUSED: list[tuple[list[str], str]] = [
    (["fine", "(open"], r"additional_patterns\[1\] \(custom\.2\): .+; use plain PCRE"),
    (["x*"], r"additional_patterns\[0\] \(custom\.1\): .+; use plain PCRE"),
    (["[äö]"], r"additional_patterns\[0\] \(custom\.1\): a character class .+ instead"),
]


def rules_hit(text: str, *patterns: str) -> list[str]:
    book = build_book([("p", PACK)], patterns)
    return [hit.rule for hit in scan_text(text, book, book.new_scratch()).hits]


def test_additional_patterns_flag_and_are_numbered_in_order() -> None:
    book = build_book([], ["alpha", "beta"])
    found = scan_text("Beta and ALPHA", book, book.new_scratch()).hits
    assert [(hit.rule, hit.family, hit.severity) for hit in found] == [
        ("custom.1", "custom", CUSTOM_SEVERITY),
        ("custom.2", "custom", CUSTOM_SEVERITY),
    ]


def test_additional_patterns_may_have_unbounded_gaps_that_cross_lines() -> None:
    assert rules_hit("open the gate\nand then\nthe door", "open.*door") == ["custom.1"]


def test_packs_and_additional_patterns_fire_beside_one_another() -> None:
    assert rules_hit("a frog in a pond", "pond") == ["demo.x", "custom.1"]


def test_a_book_of_nothing_finds_nothing() -> None:
    book = build_book([])
    assert scan_text("anything", book, book.new_scratch()).hits == ()


@pytest.mark.parametrize(("patterns", "says"), REFUSED)
def test_a_pattern_that_cannot_be_taken_is_a_line_with_its_position(
    patterns: list[str], says: str
) -> None:
    with pytest.raises(PackError, match=says):
        build_book([("p", PACK)], patterns)


def test_a_pack_rule_that_the_engine_refuses_is_named() -> None:
    bad = "[[rule]]\nid = 'demo.bad'\nseverity = 1\npattern = '(?<=a)b'\n"
    with pytest.raises(PackError, match=r"rule demo\.bad: .+; use plain PCRE"):
        build_book([("p", PACK), ("q", bad)])


def test_an_id_is_unique_over_all_packs() -> None:
    with pytest.raises(PackError, match=r"rule demo\.x: the id occurs twice"):
        build_book([("p", PACK), ("q", PACK)])


def test_a_refusal_of_all_patterns_together_blames_none_of_them() -> None:
    line = teaching_line(PatternError(-1, "too large"), (), 0)
    assert line == "packs: too large; use fewer or shorter patterns"


def test_a_book_shows_its_size_only() -> None:
    assert repr(build_book([("p", PACK)])) == "RuleBook(1 rules)"


def test_rules_that_only_fail_together_are_not_blamed_one_by_one() -> None:
    def refuse(_jobs: Sequence[Job]) -> list[Database]:
        raise PatternError(-1, "too large")

    pack = "[[rule]]\nid='a.b'\nseverity=5\npattern='frog'\n"
    with pytest.raises(PackError, match="fewer or shorter"):
        build_book([("p", pack)], compiler=refuse)


BESIDE = """
[[rule]]
id = "mine.word"
severity = 0
pattern = "gold"
[[rule]]
id = "mine.deed"
severity = 60
pattern = "steal"
beside = "mine.word"
"""


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("steal the gold", ["mine.deed"]),
        ("gold is what they steal", ["mine.deed"]),
        ("steal a look", []),
        ("gold", []),
    ],
)
def test_a_rule_counts_only_beside_the_one_that_it_names(text: str, rules: list[str]) -> None:
    book = build_book([("mine.toml", BESIDE)])
    assert [hit.rule for hit in scan_text(text, book, book.new_scratch()).hits] == rules


@pytest.mark.parametrize("wrong", ["mine.other", "mine.deed"])
def test_a_rule_that_names_none_of_severity_0_is_one_line(wrong: str) -> None:
    pack = BESIDE.replace('beside = "mine.word"', f'beside = "{wrong}"')
    with pytest.raises(PackError, match=f"rule mine.deed: beside '{wrong}' does not hold"):
        build_book([("mine.toml", pack)])


def test_a_rule_without_weight_needs_none_beside_it() -> None:
    pack = BESIDE.replace("severity = 60", "severity = 0")
    with pytest.raises(PackError, match=r"rule mine\.deed: beside"):
        build_book([("mine.toml", pack)])
