"""Characters written one by one, and runs of data: what is spelled, and what is merely a list."""

import base64
import binascii
import gzip
import zlib

import pytest

from abuse_gate.rules import escapes
from abuse_gate.rules.budget import Budget, Layer
from abuse_gate.rules.candidates import CANDIDATES, Kind
from abuse_gate.rules.codes import morse, numbers, spelling
from abuse_gate.rules.decode import decode
from abuse_gate.rules.readable import MAX_UNPACKED, as_text
from abuse_gate.rules.runs import base32, base85
from abuse_gate.rules.runs import base64 as base64_run

PLAIN = "follow the white rabbit tonight"
ALL: frozenset[Kind] = frozenset(CANDIDATES)


def codes(form: str, between: str) -> str:
    return between.join(form.format(byte) for byte in PLAIN.encode())


NUMBERS: list[str] = [
    codes("{:08b}", " "),
    codes("{:08b}", ""),
    codes("{}", " "),
    codes("{}", ", "),
    codes("chr({})", "+"),
    codes("{:02x}", " "),
    codes("{:02X}", ":"),
    codes("0x{:02x}", ", "),
    codes("{:03o}", " "),
]


@pytest.mark.parametrize("text", NUMBERS, ids=range(len(NUMBERS)))
def test_character_codes_are_spelled(text: str) -> None:
    assert PLAIN in list(numbers(text))


@pytest.mark.parametrize("text", ["36 38 40 42 44 46 48 50", "12 12 12", "999 " * 9, "call 0800"])
def test_a_list_of_numbers_is_a_list_of_numbers(text: str) -> None:
    assert list(numbers(text)) == []


def test_morse_is_spelled_and_a_border_is_not() -> None:
    assert list(morse("--- -... . -.-- / -- . / -. --- .--")) == ["obey me now"]
    assert (
        list(morse("---------- / ------ / ------ / ----- / ------ / ---- / ------- / ------")) == []
    )


def test_the_radio_alphabet_is_spelled() -> None:
    assert list(spelling("Oscar Bravo Echo Yankee")) == ["obey"]
    assert list(spelling("Oscar met Charlie in the hotel")) == []


DECODED: list[tuple[str, str]] = [
    ("base32", base64.b32encode(PLAIN.encode()).decode()),
    ("base32 lower", base64.b32encode(PLAIN.encode()).decode().lower()),
    ("base32 unpadded", base64.b32encode(PLAIN.encode()).decode().rstrip("=")),
    ("ascii85", base64.a85encode(PLAIN.encode()).decode()),
    ("ascii85 adobe", base64.a85encode(PLAIN.encode(), adobe=True).decode()),
    ("base85", base64.b85encode(PLAIN.encode()).decode()),
    ("uu", "begin 644 x\n" + binascii.b2a_uu(PLAIN.encode()).decode() + "`\nend\n"),
    ("gzip", base64.b64encode(gzip.compress(PLAIN.encode(), mtime=0)).decode()),
    ("zlib", base64.b64encode(zlib.compress(PLAIN.encode())).decode()),
    ("backwards", base64.b64encode(PLAIN.encode()).decode()[::-1]),
    ("utf-16-be", base64.b64encode(PLAIN.encode("utf-16-be")).decode()),
    (
        "in short lines",
        "\n".join(base64.b64encode(PLAIN.encode()).decode()[at : at + 8] for at in range(0, 44, 8)),
    ),
    (
        "between words",
        "user\n"
        + "\n".join(
            base64.b64encode(PLAIN.encode() * 2).decode()[at : at + 24] for at in range(0, 84, 24)
        )
        + "\ncompletions",
    ),
    ("octal", "".join(f"\\{byte:03o}" for byte in PLAIN.encode())),
    ("style sheet", "".join(f"\\{byte:x} " for byte in PLAIN.encode())),
    ("code points", " ".join(f"U+{byte:04X}" for byte in PLAIN.encode())),
    ("wide percent", "".join(f"%u{byte:04x}" for byte in PLAIN.encode())),
    ("quoted", "".join(f"={byte:02X}" for byte in PLAIN.encode())),
    ("soft breaks", "follow the wh=\nite rabbit=20tonight"),
    ("tags", "fol<b></b>low the white rab<i></i>bit tonight"),
    ("comments", "fol<!-- x -->low the white rabbit tonight"),
    ("emphasis", "fol**low the white rab**bit tonight"),
    ("joints", "fol' + 'low the white rab' + 'bit tonight"),
    ("hyphens", "fol-\nlow the white rabbit tonight"),
]


@pytest.mark.parametrize(("name", "text"), DECODED, ids=[row[0] for row in DECODED])
def test_an_encoding_is_undone(name: str, text: str) -> None:
    found = decode(text, ALL, Budget()).texts
    assert any(PLAIN.replace(" ", "") in one.replace(" ", "") for one in found), found


def test_broken_data_is_no_text_and_no_error() -> None:
    layer = Layer()
    base32("ABCDEFGH" * 3 + "A", layer, Budget())
    base32("EEEEEEEEEEEEEEEEEEEEEEEEE", layer, Budget())
    base85("<~zzzzz!!zz!z!uuuuu~>", layer, Budget())
    base85("A~~~~" * 6 + "~~~~", layer, Budget())
    base64_run("Qq" * 30, layer, Budget(), disguise=False)
    assert all(isinstance(text, str) for text in layer.texts)
    assert decode("begin 644 x\n!!!!AAAA\n", frozenset({"uu"}), Budget()).texts == []


def test_what_is_seen_twice_is_paid_once() -> None:
    budget, layer = Budget(), Layer()
    text = base64.b32encode(PLAIN.encode()).decode()
    a85 = base64.a85encode(PLAIN.encode()).decode()
    b85 = base64.b85encode(PLAIN.encode()).decode()
    uu = "begin 644 x\n" + binascii.b2a_uu(PLAIN.encode()).decode()
    for _ in range(2):
        base32(text, layer, budget)
        base85(a85, layer, budget)
        base85(b85, layer, budget)
        layer.texts += decode(uu, frozenset({"uu"}), budget).texts
    assert layer.texts.count(PLAIN) == 4


def test_packed_data_is_unpacked_as_far_as_the_bound() -> None:
    bomb = gzip.compress(b"tick tock " * 1_000_000)
    text = as_text(bomb)
    assert text is not None
    assert len(text) <= MAX_UNPACKED
    assert as_text(b"\x1f\x8b\x08broken") is None


def test_a_wide_percent_escape_is_one_character() -> None:
    assert escapes.percent("%u0041%42") == ("AB", False)
