"""A pack of the operator's own is tried alone and by its own examples, before it is in force."""

import pytest

from abuse_gate.rules.book import build_book, check_alone
from abuse_gate.rules.examples import check_examples
from abuse_gate.rules.packs import PackError

RULE = "[[rule]]\nid='mine.frog'\nseverity=70\npattern='frog'\n"

RULE_OF_MINE = RULE.replace("frog", "toad")

FINE = [
    RULE,
    RULE + "hits=['a frog']\nmisses=['a toad']\n",
    RULE + "places=['call']\nhits=['a frog']\n",
    # Without weight it is looked for only beside others, and cannot be tried alone.
    RULE.replace("70", "0") + "hits=['a frog']\n",
]
WRONG = [
    (RULE + "hits=['a frog', 'a toad']\n", r"^mine\.toml: rule mine\.frog: hits\[1\] is not found"),
    (RULE + "misses=['a frog']\n", r"^mine\.toml: rule mine\.frog: misses\[0\] is found"),
]


@pytest.mark.parametrize("pack", FINE)
def test_a_pack_that_keeps_its_word_is_in_force(pack: str) -> None:
    packs = [("mine.toml", pack)]
    check_examples(build_book(packs), packs)


@pytest.mark.parametrize(("pack", "said"), WRONG)
def test_an_example_that_is_not_kept_is_one_line(pack: str, said: str) -> None:
    packs = [("mine.toml", pack)]
    with pytest.raises(PackError, match=said) as caught:
        check_examples(build_book(packs), packs)
    assert "\n" not in str(caught.value)


def test_others_examples_are_not_asked_for() -> None:
    check_examples(build_book([("theirs.toml", WRONG[0][0])]), [("mine.toml", RULE_OF_MINE)])


@pytest.mark.parametrize("pattern", ["foo(", "(?=foo)"])
def test_a_pattern_that_the_engine_cannot_take_is_told_alone(pattern: str) -> None:
    with pytest.raises(PackError, match=r"^mine\.toml: rule mine\.frog"):
        check_alone([("mine.toml", RULE.replace("'frog'", f"'{pattern}'"))])
