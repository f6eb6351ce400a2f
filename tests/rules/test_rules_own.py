"""An operator's own rules are compiled apart, and hit exactly where they would in one database."""

import base64
from collections.abc import Sequence

import pytest

from abuse_gate.model.hit import Place
from abuse_gate.rules.book import RuleBook, build_book
from abuse_gate.rules.engine import Compiler, Database, Job, compile_each
from abuse_gate.rules.packs import PackError
from abuse_gate.rules.scan import scan_text
from abuse_gate.rules.sift import is_plainly_clear

SHIPPED = """
[[rule]]
id = "override.frog"
severity = 100
pattern = 'release the frogs'
[[rule]]
id = "policy.pond"
severity = 45
pattern = 'drain the pond'
beside = "demo.tonight"
[[rule]]
id = "demo.tonight"
severity = 0
pattern = 'tonight'
[[rule]]
id = "about.mention"
severity = 0
pattern = 'frog lore'
[[rule]]
id = "about.quotation"
severity = 0
pattern = 'phrases such as'
[[rule]]
id = "harmless.keeper"
severity = 0
pattern = 'keepers release the frogs at noon'
"""
OWN = """
[[rule]]
id = "policy.heron"
severity = 60
pattern = 'feed the herons'
places = ["caller", "document"]
[[rule]]
id = "policy.early"
severity = 50
pattern = 'wake the newts'
beside = "demo.tonight"
[[rule]]
id = "mine.late"
severity = 50
pattern = 'lull the newts'
beside = "mine.moon"
[[rule]]
id = "mine.moon"
severity = 0
pattern = 'moonlight'
[[rule]]
id = "about.mine"
severity = 0
pattern = 'pond manual'
[[rule]]
id = "harmless.visitors"
severity = 0
pattern = 'visitors feed the herons at noon'
[[rule]]
id = "harmless.early"
severity = 0
pattern = 'they release the frogs at dawn'
"""
PATTERNS = ["golden lily"]

HERON = "Feed the herons!"
QUOTED = ["about.quotation", "policy.heron", "about.mention"]
# What is said, and the rules that fire in it as a caller's words.
SAID: tuple[tuple[str, list[str]], ...] = (
    ("hello", []),
    (HERON, ["policy.heron"]),
    ("Release the frogs and feed the herons.", ["override.frog", "policy.heron"]),
    ("drain the pond tonight", ["policy.pond"]),
    ("drain the pond by moonlight", []),
    ("wake the newts tonight", ["policy.early"]),
    ("wake the newts by moonlight", []),
    ("lull the newts by moonlight", ["mine.late"]),
    ("lull the newts tonight", []),
    ("the pond manual says: feed the herons", ["policy.heron", "about.mine"]),
    ("frog lore: feed the herons", ["about.mention", "policy.heron"]),
    ("Why do phrases such as 'feed the herons' matter?", QUOTED),
    ("visitors feed the herons at noon", ["policy.heron"]),
    ("keepers release the frogs at noon", ["override.frog"]),
    ("they release the frogs at dawn, keepers release the frogs at noon", ["override.frog"]),
    ("a golden lily, frogs", ["custom.1"]),
    (base64.b64encode(b"please feed the herons for me").decode(), ["policy.heron"]),
    ("f e e d   t h e   h e r o n s", ["policy.heron"]),
    ("ＦＥＥＤ the hérons", ["policy.heron"]),
)
PLACES: tuple[Place, ...] = ("caller", "third_party", "document", "call")


@pytest.fixture(scope="module")
def compiler(book: RuleBook) -> Compiler:
    """What is in every book is there already."""

    def compiled(jobs: Sequence[Job]) -> list[Database]:
        return [book.codes, book.lures, *compile_each(jobs[2:])]

    return compiled


@pytest.fixture(scope="module")
def together(compiler: Compiler) -> RuleBook:
    return build_book([("theirs", SHIPPED), ("mine", OWN)], PATTERNS, compiler)


@pytest.fixture(scope="module")
def apart(compiler: Compiler) -> RuleBook:
    return build_book([("theirs", SHIPPED)], PATTERNS, compiler, [("mine", OWN)])


@pytest.mark.parametrize(("text", "rules"), SAID)
def test_own_rules_hit_as_if_they_were_shipped(
    text: str, rules: list[str], together: RuleBook, apart: RuleBook
) -> None:
    for place in PLACES:
        one, other = (
            scan_text(text, book, book.new_scratch(), place) for book in (together, apart)
        )
        assert one == other
    assert [hit.rule for hit in scan_text(text, apart, apart.new_scratch()).hits] == rules


def test_own_phrases_excuse_what_is_shipped_and_what_is_own(apart: RuleBook) -> None:
    scratch = apart.new_scratch()
    for text, phrase in (
        ("visitors feed the herons at noon", "harmless.visitors"),
        ("they release the frogs at dawn", "harmless.early"),
        ("keepers release the frogs at noon", "harmless.keeper"),
    ):
        (hit,) = scan_text(text, apart, scratch).hits
        assert hit.excuses == (phrase,)


@pytest.mark.parametrize("text", [HERON, "a golden lily"])
def test_what_an_own_rule_finds_is_not_plainly_clear(
    text: str, apart: RuleBook, compiler: Compiler
) -> None:
    shipped = build_book([("theirs", SHIPPED)], compiler=compiler)
    assert is_plainly_clear(shipped, shipped.new_scratch(), text)
    assert not is_plainly_clear(apart, apart.new_scratch(), text)
    assert is_plainly_clear(apart, apart.new_scratch(), "hello")


def test_own_rules_leave_the_databases_of_the_shipped_ones_as_they_are(
    compiler: Compiler,
) -> None:
    asked: list[Sequence[Job]] = []

    def watched(jobs: Sequence[Job]) -> list[Database]:
        asked.append(jobs)
        return compiler(jobs)

    without = build_book([("theirs", SHIPPED)], compiler=watched)
    build_book([("theirs", SHIPPED)], PATTERNS, watched, [("mine", OWN)])
    shipped, all_of_them = asked
    assert all_of_them[: len(shipped)] == shipped
    assert [len(job.patterns) for job in all_of_them[len(shipped) :]] == [4, 2, 2]
    # Who has none of his own has no pass for them.
    assert without.own is None
    assert [shelf.own for shelf in (without.main, without.context, without.harmless)] == [None] * 3


def test_an_id_of_a_shipped_rule_is_taken() -> None:
    taken = "[[rule]]\nid = 'override.frog'\nseverity = 1\npattern = 'toad'\n"
    with pytest.raises(PackError, match=r"override\.frog: the id occurs twice; rename"):
        build_book([("theirs", SHIPPED)], own=[("mine", taken)])
