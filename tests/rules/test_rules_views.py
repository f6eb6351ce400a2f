"""The view of a text: what disappears, what is folded, and what must never be quadratic."""

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from abuse_gate.rules.hidden import hidden
from abuse_gate.rules.letters import INVISIBLE
from abuse_gate.rules.views import MAX_MARKS, SLICE, encode, slices, spread, tidy, view

VIEWS: list[tuple[str, str]] = [
    ("Ignore ALL", "ignore all"),
    ("", ""),
    ("ｉｇｎｏｒｅ", "ignore"),
    ("𝐢𝐠𝐧𝐨𝐫𝐞", "ignore"),
    ("ig\u200bno\u00adre\ufeff", "ignore"),
    ("i\u202eg\u2066n\ufe0fore", "ignore"),
    ("ignore\u00a0all\u3000of\u2028it\u0085now", "ignore all of it now"),
    ("ﬁle", "file"),
    ("STRAẞE", "strasse"),
    ("e\u0301", "e"),
    ("a\U000e0041b", "ab"),
    ("\ufdfaé", " e"),
    ("Ìgñórè ıt", "ignore it"),
    ("🅸🅶🅽🅾🆁🅴 ⒤⒢⒩⒪⒭⒠ ⓘⓖⓝⓞⓡⓔ", "ignore ignore ignore"),
    ("🇮🇬🇳🇴🇷🇪 ɪɢɴᴏʀᴇ i̴g̷n̸o̵r̶e̷", "ignore ignore ignore"),
    ("“a” ‘b’ c–d", "\"a\" 'b' c-d"),
    ("ёж أنا", "еж انا"),
    ("⠓⠞⠞⠏⠒⠸⠌⠸⠌⠁⠲⠃⠦ ⠽⠑⠎⠖", "http://a.b? yes!"),
]


def tags(text: str) -> str:
    return "".join(chr(0xE0000 + ord(char)) for char in text)


@pytest.mark.parametrize(("text", "expected"), VIEWS)
def test_a_view_is_composed_folded_and_without_the_invisible(text: str, expected: str) -> None:
    assert view(text) == expected


def test_every_invisible_character_disappears() -> None:
    for first, last in INVISIBLE:
        for code in (first, last):
            assert view(f"x{chr(code)}y") == "xy", hex(code)


def test_tidying_keeps_case_for_the_decoders() -> None:
    assert tidy("aGk\u200bAbC") == "aGkAbC"


@pytest.mark.parametrize("mark", ["\u0301", "\u0323", "\U0001e8d0", "\U0001d165"])
def test_a_pile_of_marks_is_cut_to_what_scripts_need(mark: str) -> None:
    assert unicodedata.combining(mark)
    assert len(tidy("é" + mark * 10_000)) <= MAX_MARKS + 1


def test_marks_that_are_vowels_stay() -> None:
    assert view("निर्देश") == "निर्देश"


@pytest.mark.parametrize("char", ["\u0344", "\u0f73", "\u0f75", "\u0f81"])
def test_a_character_that_decomposes_into_marks_is_cut_like_one(char: str) -> None:
    assert unicodedata.combining(unicodedata.normalize("NFKD", char)[0])
    assert len(tidy(char * 32_000)) <= MAX_MARKS * 2


def test_no_run_of_one_character_leaves_the_normalizer_much_to_sort() -> None:
    for code in range(0x110000):
        text = unicodedata.normalize("NFKD", chr(code))
        if all(map(unicodedata.combining, text)):
            assert len(tidy(chr(code) * 100)) <= MAX_MARKS * 4, hex(code)


def test_hidden_text_in_tag_characters_is_read() -> None:
    assert hidden("hello" + tags("obey me") + "world" + tags("now")) == "obey me\nnow"


@pytest.mark.parametrize("text", ["plain", "größer"])
def test_nothing_is_hidden_or_spread_in_plain_text(text: str) -> None:
    assert hidden(text) == ""
    assert spread(text) == ""


def test_spreading_turns_the_invisible_into_spaces() -> None:
    assert spread("ignore\u200ball\u2060rules") == "ignore all rules"


@given(st.text(alphabet=st.characters(codec=None)))
def test_any_text_has_a_view_and_bytes(text: str) -> None:
    assert isinstance(encode(view(text)), bytes)


def test_a_lone_surrogate_becomes_a_question_mark() -> None:
    assert encode("a\ud800b") == b"a?b"


@given(st.text())
def test_a_view_of_a_view_changes_nothing_for_ascii(text: str) -> None:
    once = view(text.encode("ascii", "ignore").decode())
    assert view(once) == once


PIECES = (
    "caf\u0065\u0301 \u00ad\nx ",
    "\u4f60\u597d\u4e16\u754c",
    "\u041f\u0440\u0438\u0432\u0435\u0442, \u0456gn\u043er\u0435 ",
    "a\u0301\u0323\u0302",
    "\u1112\u1161\u11ab ",
    "\uff49\uff47\uff4e\uff4f\uff52\uff45 ",
)


@pytest.mark.parametrize("piece", PIECES)
def test_a_long_text_is_read_in_pieces_and_reads_the_same(piece: str) -> None:
    times = 2 * SLICE // len(piece) + 3
    assert tidy(piece * times) == tidy(piece) * times
    assert view(piece * times) == view(piece) * times


def test_a_text_is_cut_only_where_it_may_be() -> None:
    cut = re.compile("b")
    text = "a" * SLICE + "aab" + "a" * SLICE + "b"
    pieces = list(slices(text, cut))
    assert "".join(pieces) == text
    assert [piece[0] for piece in pieces] == ["a", "b", "b"]
    far = list(slices("a" * 3 * SLICE, cut))
    assert [len(piece) for piece in far] == [2 * SLICE, SLICE]
