"""Values that the end of a line cuts in two are taken out whole; lines that only meet stay."""

import asyncio
from io import BytesIO
from typing import Any

import pytest
from reportlab.pdfgen.canvas import Canvas

from abuse_gate.gate import Gate
from abuse_gate.rules.placeholders import REDACTIONS, Placeholders
from abuse_gate.rules.views import view
from tests.documents.gates import gate, multipart, payload_of

HYPHEN = "\ufffe"
KEY = "sk-" + "ant-api03-AbCdEfGhIjKlMnOpQrStUvWxYz0123456789-AbCdEfGhIj-AA"
TOKEN = "eyJhbGciOiJIUzI1NiJ9." + "eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFU"
AMAZON = "AKIA" + "IOSF0DNN7EXAMPLE"
HUB = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"
PAYMENT = "sk_live_" + "4eC39HqLyjWDarjtT1zdp7dc"


def cleaned(text: str) -> str:
    return Placeholders(REDACTIONS["default"]).replaced(text, 0, len(text))


@pytest.mark.parametrize("end", ["\n", "\r\n", " \n"])
@pytest.mark.parametrize("secret", [KEY, TOKEN, AMAZON, HUB, PAYMENT])
@pytest.mark.parametrize("at", [8, 10, 12])
def test_a_key_is_one_value_across_lines(secret: str, at: int, end: str) -> None:
    text = f"the key is\n{secret[:at]}{end}{secret[at:]} now"
    assert cleaned(text) == "the key is\n[SECRET_1] now"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"{TOKEN[:30]}\n{TOKEN[30:60]}\n{TOKEN[60:]}\nok", "[SECRET_1]\nok"),
        (f"{HUB[:30]}\n{HUB[30:]} and {HUB}", "[SECRET_1] and [SECRET_1]"),
        ("Bearer 8f14e45fceea167a5\na36dedd4bea2543", "Bearer [SECRET_1]"),
        ("IBAN DE89 3704 0044\n0532 0130 00 ok", "IBAN [IBAN_1] ok"),
        ("IBAN DE89 3704 0044 0532\r\n0130 00\nok", "IBAN [IBAN_1]\nok"),
        ("SSN 536-90-\n4399 ok", "SSN [NATIONAL_ID_1] ok"),
        ("SSN 536-\r\n90-4399 ok", "SSN [NATIONAL_ID_1] ok"),
        ("to anna.schmidt@big-\ncompany.example ok", "to [EMAIL_1] ok"),
        ("to anna.schmidt@exam-\nple.com ok", "to [EMAIL_1] ok"),
        (f"the key sk-ant{HYPHEN}{KEY[7:]} ok", "the key [SECRET_1] ok"),
        (f"to anna@big{HYPHEN}company.example ok", "to [EMAIL_1] ok"),
        ("the key sk-ant-\u00ad\n" + KEY[7:] + " ok", "the key [SECRET_1] ok"),
    ],
)
def test_a_broken_value_is_taken_out_whole(text: str, expected: str) -> None:
    assert cleaned(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "4111\n1111\n2222\n3334",
        "12345678\n90123456\n12345678\n90123456",
        "order 536-90\n4399 pieces",
        "call 536-90-\nmany",
        "a list -\n2024-10-11-report",
        "sk-\nlearn is a library",
        "a risk-\n2030 strategy for all of us",
        "DE89 3704 0044\n0532 0130 01",
        "DE89 3704 \u212a\u017f44\n0532 0130 00",
        "Regards\nbob2000 of the other team",
        "version_12\n20240101 build",
        "pre-\nexisting",
        "",
    ],
)
def test_lines_that_only_meet_stay_as_they_are(text: str) -> None:
    assert cleaned(text) == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"{HUB}\nPlease rotate it", "[SECRET_1]\nPlease rotate it"),
        (f"{AMAZON}\n20240101", "[SECRET_1]\n20240101"),
        ("Regards-\nbob2000@example.com", "[EMAIL_1]"),
        ("Regards\nbob2000@example.com", "Regards\n[EMAIL_1]"),
    ],
)
def test_the_next_line_is_no_part_of_a_whole_value(text: str, expected: str) -> None:
    assert cleaned(text) == expected


@pytest.mark.parametrize("end", [HYPHEN, "\u00ad\n", "\u00ad\r\n", "\u00ad"])
def test_a_word_is_one_word_across_a_hyphen_of_its_line(end: str) -> None:
    assert view(f"earlier instruc{end}tions") == "earlier instructions"


def lines_of_a_pdf(*lines: str) -> bytes:
    buffer = BytesIO()
    canvas: Any = Canvas(buffer)
    for number, line in enumerate(lines):
        canvas.drawString(40, 800 - 14 * number, line)
    canvas.save()
    return buffer.getvalue()


@pytest.fixture(scope="module")
def reader() -> Gate:
    return gate()


def test_a_pdf_leaves_no_value_that_its_lines_cut(reader: Gate) -> None:
    data = lines_of_a_pdf(
        "key sk-ant-", KEY[7:], "mail anna@big-", "company.example or co-", "operate"
    )
    payload = asyncio.run(payload_of(reader, multipart(("a.pdf", "", data))))
    text = payload["context"][0]["text"]
    assert text.split() == ["key", "[SECRET_1]", "mail", "[EMAIL_1]", "or", "co-", "operate"]
