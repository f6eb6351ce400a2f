"""What is done to a pattern's text before the engine sees it."""

import pytest

from abuse_gate.rules.engine import compile_patterns, new_scratch, scan
from abuse_gate.rules.patterns import UnfitPatternError, fold_pattern, unbounded_gap, widen_spaces
from abuse_gate.rules.views import encode, view

# pattern, a text that it must match, a text that it must not match
FOLDED: list[tuple[str, str, str]] = [
    ("ÄRGER", "so ein Ärger", "so ein Berg"),
    ("straße", "Die STRASSE", "Die Stra"),
    ("ｆｕｌｌ", "full", "fool"),
    ("é+x", "ÉÉÉx", "e\u0301y"),
    ("caf\u0065\u0301", "CAFÉ", "caffè"),
    ("colou?r naïve?!", "color NAÏV!", "color naive"),
    (r"\Sé", "xé", " é"),
    ("（a", "(a", "a)"),
    ("日本{2}", "日本本", "日本"),
]

SPACES: list[tuple[str, str]] = [
    ("a b", r"a\s{1,8}b"),
    ("a ?b", r"a(?:\s{1,8})?b"),
    ("a[ b]", "a[ b]"),
    (r"a\ b", r"a\ b"),
    ("a ", r"a\s{1,8}"),
    ("ab", "ab"),
    ("", ""),
]

UNBOUNDED: list[tuple[str, str | None]] = [
    ("a.*b", ".*"),
    ("a.+b", ".+"),
    ("a.{3,}b", ".{3,}"),
    (r"\w+", r"\w+"),
    (r"a\S*b", r"\S*"),
    ("[^x]*", "[^x]*"),
    ("[a-z ]+", "[a-z ]+"),
    ("(?:ab)+", ")+"),
    ("[]a]*", "[]a]*"),
    (r"\x41+", r"\x41+"),
    ("a.{0,80}b", None),
    ("a.{80}b", None),
    (r"\s+", None),
    (r"\d{2,}", None),
    ("a+b*", None),
    (r"\.+", None),
    (r"\*\+", None),
    ("[.*+]", None),
    ("a?", None),
]

UNFIT = ["[äöü]", r"\p{L}", r"\P{Lu}x", r"\X", "(*UTF8)a", "[^\u4e00-\u9fff]"]


@pytest.mark.parametrize(("pattern", "matching", "other"), FOLDED)
def test_a_pattern_is_folded_like_the_texts(pattern: str, matching: str, other: str) -> None:
    database = compile_patterns([fold_pattern(pattern)])
    scratch = new_scratch(database)
    assert scan(database, scratch, encode(view(matching))) == [0]
    assert scan(database, scratch, encode(view(other))) == []


@pytest.mark.parametrize("pattern", [r"\W\D\S\B", "[A-Z]", "(?:A|B){2}", r"\\p"])
def test_ascii_syntax_is_left_as_it_is(pattern: str) -> None:
    assert fold_pattern(pattern) == pattern


@pytest.mark.parametrize(("pattern", "widened"), SPACES)
def test_a_plain_space_is_widened_and_no_other(pattern: str, widened: str) -> None:
    assert widen_spaces(pattern) == widened


@pytest.mark.parametrize(("pattern", "gap"), UNBOUNDED)
def test_unbounded_gaps_on_wide_items_are_found(pattern: str, gap: str | None) -> None:
    assert unbounded_gap(pattern) == gap


@pytest.mark.parametrize("pattern", UNFIT)
def test_what_byte_mode_cannot_express_is_refused_with_a_cure(pattern: str) -> None:
    with pytest.raises(UnfitPatternError, match=r"instead|leave"):
        fold_pattern(pattern)
