"""Identifiers in disguise: other digits, marks, cases, names and lines; and what is none."""

import pytest

from abuse_gate.rules.placeholders import REDACTIONS, Placeholders
from abuse_gate.rules.rulesets import Ruleset

B64 = "aB3dE5fG7h" * 4
HEX = "0a1b2c3d" * 4


def redacted(text: str, ruleset: Ruleset = "default") -> str:
    return Placeholders(REDACTIONS[ruleset]).replaced(text, 0, len(text))


# A text, and what is left of it.
DISGUISED: list[tuple[str, str]] = [
    ("card 4111.1111.1111.1111", "card [CARD_1]"),
    ("4111_1111_1111_1111", "[CARD_1]"),
    ("4111\n1111\n1111\n1111", "[CARD_1]"),
    ("4111\xa01111\xa01111\xa01111", "[CARD_1]"),
    ("4111\u20131111\u20131111\u20131111", "[CARD_1]"),
    ("4111\u200b1111\u200b1111\u200b1111!", "[CARD_1]!"),
    ("\uff14" + "\uff11" * 15, "[CARD_1]"),
    ("\u0664" + "\u0661" * 15, "[CARD_1]"),
    ("3782/822463/10005", "[CARD_1]"),
    ("scan_4111111111111111.pdf", "scan_[CARD_1].pdf"),
    ("card-4111111111111111", "card-[CARD_1]"),
    ("4111 1111 1111 1111, 4111111111111111", "[CARD_1], [CARD_1]"),
    ("de89 3704 0044 0532 0130 00", "[IBAN_1]"),
    ("DE89-3704-0044-0532-0130-00", "[IBAN_1]"),
    ("ssn\n536904399", "ssn\n[NATIONAL_ID_1]"),
    ("ssn_number=536904399", "ssn_number=[NATIONAL_ID_1]"),
    ("536 90 4399", "[NATIONAL_ID_1]"),
    ("ssn_536-90-4399.pdf", "ssn_[NATIONAL_ID_1].pdf"),
    ("rssmra85t10a562s", "[NATIONAL_ID_1]"),
    ("12345678z", "[NATIONAL_ID_1]"),
    ("ab 12 34 56 c", "[NATIONAL_ID_1]"),
    ("password\nTr0ub4dor&3", "password\n[SECRET_1]"),
    ("api_key\nAbCd1234EfGh5678IjKl", "api_key\n[SECRET_1]"),
    ("Passwort: Tr0ub4dor&3", "Passwort: [SECRET_1]"),
    ("contraseña: Tr0ub4dor&3", "contraseña: [SECRET_1]"),
    ("x_conf\nAbCd1234EfGh5678IjKlMn90Q", "x_conf\n[SECRET_1]"),
    ("john%40example.com", "[EMAIL_1]"),
    ("john.doe\uff20example.com", "[EMAIL_1]"),
    ("A@b.com and a@B.com", "[EMAIL_1] and [EMAIL_1]"),
    ("06 12 34 56 78", "[PHONE_1]"),
    ("030/12345678", "[PHONE_1]"),
    ("0171 1234567", "[PHONE_1]"),
    ("tel\n5551234567", "tel\n[PHONE_1]"),
    ("2001:db8::", "[IP_1]"),
    *(
        (key, "[SECRET_1]")
        for key in (
            f"gsk_{B64}",
            f"xai-{B64}",
            f"hvs.{B64}",
            f"GOCSPX-{B64}",
            f"sq0atp-{B64}",
            f"dapi{HEX}",
            f"SK{HEX}",
            f"123456789:AA{B64[:33]}",
        )
    ),
    (f"hooks.slack.com/services/T0/B0/{B64}", "hooks.slack.com/services/[SECRET_1]"),
]


@pytest.mark.parametrize(("text", "left"), DISGUISED)
def test_a_value_is_taken_out_however_it_is_written(text: str, left: str) -> None:
    assert redacted(text) == left


@pytest.mark.parametrize(
    ("ruleset", "text", "left"),
    [
        ("ferpa", "student_id\n12345678", "student_id\n[STUDENT_1]"),
        ("hipaa", "patient_name\nJohn Smith", "patient_name\n[NAME_1]"),
        ("hipaa", "mrn\n1234567", "mrn\n[RECORD_1]"),
    ],
)
def test_a_key_and_its_value_on_two_lines_belong_together(
    ruleset: Ruleset, text: str, left: str
) -> None:
    assert redacted(text, ruleset) == left


@pytest.mark.parametrize(
    "text",
    [
        "the password\nis asked for later",
        "version 10.2.3.4",
        "std::vector and a::b",
        "order 4111 1111 1111 1112",
        "12.50 13.75 14.20 15.99 16.01",
        "0123",
        "1234-5678-9012-3456",
        "deadbeef" * 5,
        "it opens at 09:30:00 on day 06",
        "\u200bnothing\u200b here, 文字 only",
        "\uff21\uff22 wide letters",
    ],
)
def test_what_is_no_value_stays(text: str) -> None:
    assert redacted(text) == text
