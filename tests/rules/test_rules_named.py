"""Encodings and calls by name, letters by their places: undone there, and nowhere else."""

import codecs
from collections.abc import Callable

import pytest

from abuse_gate.rules import escapes
from abuse_gate.rules.bases import named_bases
from abuse_gate.rules.budget import Budget
from abuse_gate.rules.calls import called
from abuse_gate.rules.candidates import Kind
from abuse_gate.rules.ciphers import announced
from abuse_gate.rules.codes import morse, numbers
from abuse_gate.rules.decode import decode
from abuse_gate.rules.frames import marked, positioned
from abuse_gate.rules.rotations import named_turns
from abuse_gate.rules.signals import pictured, places, said

PLAIN = "follow the white rabbit tonight"
BYTES = PLAIN.encode()


def digits(alphabet: str) -> str:
    number, found = int.from_bytes(BYTES, "big"), ""
    while number:
        number, rest = divmod(number, len(alphabet))
        found = alphabet[rest] + found
    return found


LOWER = "abcdefghijklmnopqrstuvwxyz"
NAMED: dict[str, str] = {
    "EBCDIC": f"ebcdic {PLAIN.encode('cp037').hex()}",
    "nibbles": f"nibbles swapped: {' '.join(f'{byte:02x}'[::-1] for byte in BYTES)}",
    "XOR by a byte": f"xor with 0x2a: {bytes(byte ^ 42 for byte in BYTES).hex()}",
    "XOR by a number": f"xor 42: {bytes(byte ^ 42 for byte in BYTES).hex()}",
    "XOR by a letter": f"xor with 'K': {bytes(byte ^ 75 for byte in BYTES).hex()}",
    "XOR by a key": f"XORed, key K: {bytes(byte ^ 75 for byte in BYTES).hex()}",
    "base32hex": "base32hex: CPNMOR3FESG78Q3541RMGQBKCKG74OB2C9KN883KDTN6IPR8EG",
    "base36": f"base36: {digits('0123456789' + LOWER)}",
    "base62": f"base-62 {digits('0123456789' + LOWER.upper() + LOWER)}",
    "base62, small letters first": f"base62 {digits('0123456789' + LOWER + LOWER.upper())}",
    "base64 in groups": "base64: Zm9s bG93 IHRo ZSB3 aGl0 ZSBy YWJi aXQg dG9u aWdo dA==",
    "base45": "Base45: X.C VD54ES44+8DV44:8D7WEQ440EC%JCSUEHWE5/DC3DQ2",
    "base91": "base91: drwJh>4CmU40R@&km5^IY@jNc!%/nuRnwaIJ?[A",
    "Z85": "Z85: w]zH4z*9sCxK@rgxLzN1aAy[1vRG{bBz(5hxj#xf",
}


@pytest.mark.parametrize("name", NAMED)
def test_what_a_text_names_is_undone(name: str) -> None:
    assert any(PLAIN[:-1] in reading for reading in list(named_bases(NAMED[name])))


@pytest.mark.parametrize(
    "text",
    [
        "We keep base32hex ZZZZZZZZZZZZZZZZZZZZ",
        "Z85 ~~~~~~~~~~~~~~~~~~~~",
        "xor is an operation: 6f626579206d65206e6f7700",
        "the same bytes without a name: 6f626579206d65206e6f77",
    ],
)
def test_nothing_comes_of_what_is_no_text(text: str) -> None:
    assert list(named_bases(text)) == []


def test_numbers_are_words_of_base_36() -> None:
    assert any("obey 0 me" in reading for reading in named_bases("base36: 1134538 0 806"))


TURNS: dict[str, str] = {
    "rot13": f"rot13: {codecs.encode(PLAIN, 'rot13')}",
    "atbash": f"atbash {PLAIN.translate(str.maketrans(LOWER, LOWER[::-1]))}",
    "backwards": f"read it backwards: {PLAIN[::-1]}",
    "a slice": f"'{PLAIN[::-1]}'[::-1]",
    "steps": f"'{'x'.join(PLAIN)}'[::2]",
    "affine": "affine cipher, a=5 and b=8: "
    + "".join(LOWER[(5 * LOWER.index(c) + 8) % 26] if c in LOWER else c for c in PLAIN),
}


@pytest.mark.parametrize("name", TURNS)
def test_letters_are_turned_back(name: str) -> None:
    assert any(PLAIN in reading for reading in list(named_turns(TURNS[name])))


def test_letters_that_nobody_named_are_left_alone() -> None:
    assert list(named_turns(PLAIN[::-1])) == []
    assert list(named_turns("an affine function")) == []


CALLS: dict[str, tuple[str, str]] = {
    "base64": ("b64(b2JleQ==) me", "obey me"),
    "atob": ('atob("b2JleQ") me', "obey me"),
    "hexadecimal": ("unhex('6f626579') me", "obey me"),
    "rot13": ("rot13(borl) me", "obey me"),
    "turned": ("reverse: yebo me", "obey me"),
    "characters": ('Chr(111) & ChrW(98) & "ey"', "obey"),
    "hexadecimal characters": ("chr(0x6f)+chr(&h62)+'ey'", "obey"),
    "sums": ("chr(112-1)+chr(97+1)+chr(100^1)+'y'", "obey"),
    "code points": ("fromCodePoint(111)+fromCharCode(0x62)+'ey'", "obey"),
    "of a shell": ("[char]111+[char]0x62+'ey'", "obey"),
}


@pytest.mark.parametrize("name", CALLS)
def test_calls_are_answered(name: str) -> None:
    text, plain = CALLS[name]
    reading, disguised = called(text)
    assert plain in reading
    assert disguised


@pytest.mark.parametrize(
    "text", ["hex: zzzz", "b64(abc)", "unhex(6f6)", "char(9999999)", "chr(1114200)", "varchar(20)"]
)
def test_other_calls_stay_as_they_are(text: str) -> None:
    assert called(text)[0] == text


READ: list[tuple[Callable[[str], tuple[str, bool]], str, str]] = [
    (escapes.tags, "ob[b]e[/b]y [color=red]m[/color]e", "obey me"),
    (escapes.tags, r"ob\textit{e}{y} \emph{me}", "obey me"),
    (escapes.tags, "ob/* x */ey {# y #}me", "obey {# y #}me"),
    (escapes.tags, "ob{# y #}ey", "obey"),
    (escapes.tags, "ob'''ey m''e", "obey me"),
    (escapes.tags, 'ob${""}ey m{{}}e', "obey me"),
    (escapes.backslash, r"\N{LATIN SMALL LETTER O}bey", "obey"),
    (escapes.backslash, r"\N{NO SUCH CHARACTER}", r"\N{NO SUCH CHARACTER}"),
    (escapes.backslash, r"\00006f\000062\0065\000079", "obey"),
    (escapes.backslash, r"\157\142ey", "obey"),
    (escapes.quoted, "b2JleQ==\nnext", "b2JleQ==\nnext"),
]


@pytest.mark.parametrize(("undo", "text", "plain"), READ, ids=range(len(READ)))
def test_words_come_together(
    undo: Callable[[str], tuple[str, bool]], text: str, plain: str
) -> None:
    assert undo(text)[0] == plain


def test_morse_has_stops_and_forgives_a_sign() -> None:
    dots = "--- -... . -.-- --..-- / -- . / -. --- .-- .-.-.-"
    assert list(morse(dots)) == ["obey, me now."]
    assert list(morse(f"{dots} ......--")) == ["obey, me now."]
    assert list(morse("...... ------ " * 8)) == []


def test_morse_is_said() -> None:
    heard = "dah-dah-dah dah-di-di-dit dit dah-di-dah-dah // dah-dah dit // dah-di dah-dah-dah dah"
    assert list(said(heard)) == ["obey me not"]
    assert list(said("dash dash dash, dot")) == []


def test_pictures_are_bits() -> None:
    bits = " ".join(f"{byte:08b}" for byte in BYTES)
    assert PLAIN in list(pictured(bits.translate({48: "\u26aa", 49: "\u26ab"})))
    assert PLAIN in list(pictured(bits.translate({48: "\u26ab", 49: "\u26aa"})))
    assert list(pictured("\u26aa\u26ab\u26bd" * 20)) == []


def test_knocks_and_squares_keep_their_words() -> None:
    assert "obey me obey" in list(places("34 12 15 54  32 15  34 12 15 54"))
    knocks = "... .... . .. . ..... ..... .... / ... .. . ..... / ... .... ... .. ... .."
    assert any(spelled.startswith("obey me") for spelled in places(knocks))


def test_places_in_the_alphabet_keep_their_words() -> None:
    assert "obey me ok" in list(numbers("15-2-5-25  13-5  15-11"))
    assert "obeymeok" in list(numbers("15-2-5-25  13-5  15-11"))
    assert "obeyame" in list(numbers("14-1-4-24-0-12-4 14-10"))[-1]


def test_letters_stand_where_they_were_put() -> None:
    letters = [(at, char) for at, char in enumerate(PLAIN) if char != " "]
    drawn = [f'<text x="{at * 9}">{char}</text>' for at, char in letters]
    assert list(positioned("".join(drawn))) == [PLAIN]
    assert list(positioned("".join(drawn[:4]))) == []


MARKED: list[str] = [
    "so **obey** and **me** or **right** but **now**",
    "so __obey__ and __me__ or __right__ but __now__",
    "so ==obey== and ==me== or ==right== but ==now==",
    "so *obey* and *me* or *right* but *now*",
    "so _obey_ and _me_ or _right_ but _now_",
    "so <b>obey</b> and <b>me</b> or <b>right</b> but <b>now</b>",
    "in brackets: so [obey] and [me] or [right] but [now]",
]


@pytest.mark.parametrize("text", MARKED)
def test_marked_words_are_read_without_the_others(text: str) -> None:
    assert "obey me right now" in list(marked(text))


@pytest.mark.parametrize(
    "text",
    [
        "so [obey] and [me] or [right] but [now]",
        "**Who may come with us** **What you should bring** **Where we will meet** **When we go**",
        "**one** of **three**",
        "____ (1) ____ (2) ____ (3) ____ (4) ____",
    ],
)
def test_headings_and_references_are_no_message(text: str) -> None:
    assert list(marked(text)) == []


def test_a_grid_is_read_downwards() -> None:
    grid = "Read it column by column:\no_o\nbmk\neeo\ny_n\n"
    assert any("obey me okon" in reading for reading in announced(grid))
    assert any("abcdef" in reading for reading in announced("top to bottom\na d x\nb e x\nc f x\n"))


def test_a_shift_that_is_announced_is_undone() -> None:
    assert "obey" in " ".join(announced("shift back by 5: tgjd"))
    assert "obey" in " ".join(announced("shifted by 21: tgjd"))


BYTES_IN_GUISE: list[tuple[Kind, str]] = [
    ("dump", " ".join(f"0x{BYTES[at : at + 4][::-1].hex()}" for at in range(0, 28, 4))),
    ("dump", ", ".join(f"#{BYTES[at : at + 3].hex()}" for at in range(0, 30, 3))),
    ("dump", " ".join(word.encode().hex() for word in PLAIN.split())),
    ("dense", "".join(f"{byte:03}" for byte in BYTES)),
    ("dense", BYTES.hex()[::-1]),
]


@pytest.mark.parametrize(("kind", "text"), BYTES_IN_GUISE, ids=range(len(BYTES_IN_GUISE)))
def test_bytes_are_told_by_what_they_spell(kind: Kind, text: str) -> None:
    budget = Budget()
    layer = decode(text, frozenset({kind}), budget)
    assert any("follow the white rabbit" in reading for reading in layer.texts)
    assert layer.encoded
    assert decode(text, frozenset({kind}), budget).texts == []


def test_colours_and_digits_that_spell_nothing_are_colours_and_digits() -> None:
    colours = "#0a1b2c, #1d2e3f, #0f0e0d, #112233, #445566"
    assert decode(colours, frozenset({"dump"}), Budget()).texts == []
    digits_only = "314159265358979323846264338327950288"
    assert decode(digits_only, frozenset({"dense"}), Budget()).texts == []
