"""The words that a pattern cannot match without: never claimed where they could be missing."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from abuse_gate.rules.anchors import anchors
from abuse_gate.rules.book import RuleBook, build_book
from abuse_gate.rules.packs import Rule, parse_pack
from abuse_gate.rules.scan import scan_text
from abuse_gate.rules.views import view
from abuse_gate.work.scanner import shipped_packs

CLAIMS: list[tuple[str, tuple[set[str], ...]]] = [
    ("giraffe", ({"giraffe"},)),
    ("(?:giraffe|zebra)", ({"giraffe", "zebra"},)),
    ("giraffe.{1,9}zebra", ({"giraffe"}, {"zebra"})),
    ("giraffes?", ({"giraffe"},)),
    ("giraffe+", ({"giraffe"},)),
    ("(?:giraffe)?", ()),
    ("(?:giraffe){0,2}zebra", ({"zebra"},)),
    ("(?:giraffe|.)", ()),
    ("[a-z]{5}", ()),
    ("the", ()),
    ("a.c", ()),
    (r"giraffe\.html", ({"giraffe.html"},)),
    (r"\bzebra\b", ({"zebra"},)),
    ("指令", ({"指令"},)),
    ("(?:one (?:giraffe|zebra)|an okapi)", ({"giraffe", "zebra", "an okapi"},)),
]


@pytest.mark.parametrize(("pattern", "sets"), CLAIMS)
def test_the_words_of_a_pattern(pattern: str, sets: tuple[set[str], ...]) -> None:
    found = anchors(pattern)
    assert sorted(map(sorted, found)) == sorted(map(sorted, sets))


RULES = [rule for name, text in shipped_packs() for rule in parse_pack(name, text)]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_every_example_holds_the_words_of_its_rule(rule: Rule) -> None:
    for text in rule.hits:
        folded = view(text)
        for words in anchors(rule.pattern):
            assert any(word in folded for word in words), text


ALPHABET = st.sampled_from(["giraffe", "zebra", "(?:okapi|a)", "x?", "b{0,2}", ".", "[cd]", "|e"])


@given(st.lists(ALPHABET, min_size=1, max_size=6).map("".join), st.data())
def test_whatever_matches_holds_one_word_of_each_set(pattern: str, data: st.DataObject) -> None:
    text = data.draw(st.from_regex(re.compile(pattern, re.DOTALL), fullmatch=True))
    assert all(any(word in text.lower() for word in words) for words in anchors(pattern))


def one_rule_book(pattern: str) -> RuleBook:
    return build_book([("p", f"[[rule]]\nid='a.b'\nseverity=5\npattern='{pattern}'\n")])


@pytest.mark.parametrize("pattern", ["giraffe", "[gh]iraff", "(?:giraffe|zebra).{0,9}okapi"])
def test_a_rule_is_found_behind_the_sieve_or_in_it(pattern: str) -> None:
    book = one_rule_book(pattern)
    text = "A giraffe met an okapi."
    assert [hit.rule for hit in scan_text(text, book, book.new_scratch()).hits] == ["a.b"]
    assert scan_text("An okapi alone.", book, book.new_scratch()).hits == ()
