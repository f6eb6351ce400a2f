"""Packs as data: every fault is one line that names the pack, the rule and the cure."""

import pytest

from abuse_gate.rules.packs import PLACES, PackError, Rule, parse_pack

GOOD = """
[[rule]]
id = "demo.first"
severity = 40
pattern = '''
  one\\s{1,4}
  two
'''
places = ["caller", "call"]
hits = ["one two"]
misses = ["two one"]

[[rule]]
id = "demo.second"
family = "demo"
severity = 0
pattern = "three"
"""


def one(line: str = "", *, rule_id: str = "demo.x", severity: str = "1", pattern: str = "a") -> str:
    return (
        f"[[rule]]\nid = {rule_id!r}\nseverity = {severity}\npattern = {pattern!r}\n{line}\n"
    ).replace("\\\\", "\\")


# text of the pack, what its error line must say
FAULTS: list[tuple[str, str]] = [
    ("[[rule", "pack p: not TOML"),
    ("title = 'x'", r"pack p: unknown table; .*\[\[rule\]\]"),
    ("rule = 3", r"pack p: 'rule' is no list of tables; write \[\[rule\]\]"),
    ("rule = [3]", r"pack p: 'rule' is no list of tables"),
    ("[[rule]]\nseverity = 1\npattern = 'a'", "pack p, rule 1: bad id; write"),
    ("[[rule]]\nid = 3", "pack p, rule 1: bad id"),
    (one(rule_id="Demo.X"), "pack p, rule 1: bad id"),
    (one(rule_id="demo"), "pack p, rule 1: bad id"),
    (one("colour = 1"), "rule demo.x: unknown key 'colour'; known keys are .*pattern"),
    ("[[rule]]\nid = 'demo.x'\nseverity = 1", "rule demo.x: no pattern; add the line"),
    ("[[rule]]\nid = 'demo.x'\npattern = 'a'", "rule demo.x: no severity; add the line"),
    (one("family = 'other'"), "rule demo.x: the family is not .*; write 'demo'"),
    (one(severity="1001"), "rule demo.x: bad severity; write a whole number from 0 to 1000"),
    (one(severity="-1"), "rule demo.x: bad severity"),
    (one(severity="true"), "rule demo.x: bad severity"),
    (one(severity="1.5"), "rule demo.x: bad severity"),
    (one(pattern="  "), "rule demo.x: bad pattern"),
    ("[[rule]]\nid = 'demo.x'\nseverity = 1\npattern = 3", "rule demo.x: bad pattern"),
    (one(pattern="a.*b"), r"rule demo.x: unbounded gap \.\*; bound it"),
    (one(pattern="[éè]"), "rule demo.x: a character class holds non-ASCII"),
    (one("beside = 3"), "rule demo.x: bad beside; write the id of a rule of severity 0"),
    (one("beside = 'Upper'"), "rule demo.x: bad beside"),
    (one("places = []"), "rule demo.x: bad places; choose from caller, third_party"),
    (one("places = ['nowhere']"), "rule demo.x: bad places"),
    (one("places = ['caller', 'caller']"), "rule demo.x: bad places"),
    (one("places = 'caller'"), "rule demo.x: places is no list"),
    (one("endings = 'b'"), "rule demo.x: endings is no list"),
    (one("endings = ['b.*']"), r"rule demo.x: unbounded gap \.\*"),
    (one("hits = 'one'"), "rule demo.x: hits is no list"),
    (one("misses = [1]"), "rule demo.x: misses holds something other than strings"),
    (one() + one(), "pack p, rule demo.x: the id occurs twice; rename"),
]


def test_a_good_pack_is_read_in_order_with_defaults() -> None:
    assert parse_pack("p", GOOD) == (
        Rule(
            id="demo.first",
            family="demo",
            severity=40,
            pattern="one\\s{1,4}two",
            places=frozenset({"caller", "call"}),
            hits=("one two",),
            misses=("two one",),
        ),
        Rule(id="demo.second", family="demo", severity=0, pattern="three"),
    )


def test_a_rule_speaks_for_every_place_unless_told() -> None:
    assert parse_pack("p", one())[0].places == frozenset(PLACES)


def test_a_plain_space_stands_for_any_short_run_of_white_space() -> None:
    assert parse_pack("p", one(pattern="one two"))[0].pattern == r"one\s{1,8}two"


def test_an_empty_pack_has_no_rules() -> None:
    assert parse_pack("p", "") == ()


@pytest.mark.parametrize(("text", "says"), FAULTS)
def test_every_fault_is_one_teaching_line(text: str, says: str) -> None:
    with pytest.raises(PackError, match=says) as caught:
        parse_pack("p", text)
    assert "\n" not in str(caught.value)


def test_a_pattern_with_endings_is_one_rule_for_each_of_them() -> None:
    (rule,) = parse_pack("p", one("endings = ['red', 'dark blue']"))
    assert rule.pattern == r"(?:a)red|(?:a)dark\s{1,8}blue"
