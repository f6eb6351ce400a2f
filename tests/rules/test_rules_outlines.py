"""What is looked for by its signs first is found wherever it would be found without."""

import re
from typing import Final, get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from abuse_gate.rules.book import RuleBook
from abuse_gate.rules.candidates import CANDIDATES, EVERYWHERE, OUTLINED, Kind
from abuse_gate.rules.codeshelf import CodeScratch
from abuse_gate.rules.outlines import outline, signs
from abuse_gate.work.scanner import build_scanner

FLAGS: Final = re.IGNORECASE | re.DOTALL
WHOLE: Final = {kind: re.compile(text.encode(), FLAGS) for kind, text in OUTLINED.items()}
OUTLINES: Final = {
    kind: re.compile(outline(text).encode(), FLAGS) for kind, text in OUTLINED.items()
}


# Some patterns are long, and what they match takes long to think of.
SLOW: Final = (HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much)


@pytest.fixture(scope="module", name="book")
def shipped_book() -> RuleBook:
    return build_scanner().book


@pytest.fixture(scope="module", name="scratch")
def shipped_scratch(book: RuleBook) -> CodeScratch:
    return book.codes.new_scratch()


LEFT: Final = {
    "words alone": "",
    "a=b": "=",
    "[a-z ]{3}=": "=",
    r"\b1=\b": "1=",
    "x?": "",
    "[0-9]{2,4}": "[0-9]{2,4}",
    "[0-9a-f]": "[0-9a-f]{0,1}",
    "[0-9a-f]?": "[0-9a-f]{0,1}",
    "[ ,]{1,2}": "[ ,]{0,2}",
    r"[^\n]{5}": r"[^\n]{0,5}",
    r"[^\n]{1,90}": r"[^\n]*",
    r"(?:\n\x41[\]a]){4}": r"(?:\n[\]a]{0,1}){4}",
    r"(?:0x|&h|\|)?": r"(?:0|&|\|)?",
}


@pytest.mark.parametrize("pattern", LEFT)
def test_of_a_pattern_is_left_what_is_no_letter(pattern: str) -> None:
    assert outline(pattern) == LEFT[pattern]


def test_of_a_text_are_left_its_signs() -> None:
    assert signs(b"Dear Ann,\nit is 5 o'clock \xc3\xa9.") == b",\n5'\xc3\xa9."


@pytest.mark.parametrize("kind", OUTLINED)
@settings(max_examples=60, suppress_health_check=SLOW, deadline=None)
@given(data=st.data())
def test_where_a_candidate_stands_its_outline_is_left(kind: Kind, data: st.DataObject) -> None:
    before, after = (data.draw(st.binary(max_size=4)) for _ in range(2))
    written = st.from_regex(re.compile(OUTLINED[kind].encode(), re.DOTALL), fullmatch=True)
    found = data.draw(st.sampled_from([bytes.lower, bytes.upper]))(data.draw(written))
    assert OUTLINES[kind].search(signs(before + found + after))


PIECES: Final = (
    *(b"\n", b"\r\n", b" ", b"  ", b"\t", b"a", b"Be", b"face", b"word", b"x", b"key:", b"0", b"1"),
    *(b"12", b"65", b"104", b"2024", b"0x41", b"=", b"=>", b"->", b" --> ", b"'", b'"', b".", b","),
    *(b"-", b"*", b"**", b"__", b"_", b"/", b"|", b"[", b"(", b")", b"<b>", b"&", b";", b":", b"+"),
    *(b"=20", b"!", b"#", b"$", b"~", b"`", b"{", b"}", b"\\", b"\x07", b"aGVs", b"bG8=", b". -"),
    *(b"\xe2\x86\x92", b"\xd0\xb0 ", b"\xe4\xb8\xad|", b"\xf0\x9f\x98\x80a", b"\xe2\x96\xa0"),
)


@settings(max_examples=400, deadline=None)
@given(
    st.lists(st.sampled_from(PIECES), max_size=12).map(b"".join),
    st.integers(1, 12),
    st.lists(st.sampled_from(PIECES), max_size=3).map(b"".join),
)
def test_the_shelf_finds_what_the_patterns_find(
    book: RuleBook, scratch: CodeScratch, unit: bytes, times: int, rest: bytes
) -> None:
    text = unit * times + rest
    found = {*book.codes.find(scratch, text)}
    expected = {kind for kind, whole in WHOLE.items() if whole.search(text)}
    assert expected <= found
    assert found - {*EVERYWHERE} <= expected


def test_every_kind_has_a_pattern_made_of_all_its_parts() -> None:
    assert {*CANDIDATES} == {*get_args(Kind)}
    assert CANDIDATES["signs"] == f"{EVERYWHERE['signs']}|{OUTLINED['signs']}"
    assert CANDIDATES["dense"] == EVERYWHERE["dense"]
    assert CANDIDATES["numbers"] == OUTLINED["numbers"]


ORDINARY: Final = (
    "Could you look over the letter to my landlord? The heating has been out since Thursday.",
    "Mix the flour with the yeast and the salt, add water, and knead for ten minutes.",
    "We met at 9:30, paid 12.50 and were home soon. It's been a good day (at last)!",
)


@pytest.mark.parametrize("text", ORDINARY)
def test_ordinary_text_leaves_nothing_to_look_at_closer(text: str) -> None:
    assert [kind for kind, left in OUTLINES.items() if left.search(signs(text.encode()))] == []
