"""What each ruleset takes out, what it leaves, and that no text makes it slow."""

from collections.abc import Callable

import pytest

from abuse_gate.rules.custom import CustomPatternError, compile_custom
from abuse_gate.rules.placeholders import Placeholders, Redaction, find
from abuse_gate.rules.rulesets import RULESETS, Ruleset
from tests.growth import spent, times
from tests.rules.planted import look_alikes, planted

# How many look-alikes may be taken for what they are not.
MISTAKEN = 0.05


def cleaned(text: str, ruleset: Ruleset = "default", custom: dict[str, str] | None = None) -> str:
    redaction = Redaction(RULESETS[ruleset], compile_custom(custom or {}))
    return Placeholders(redaction).replaced(text, 0, len(text))


def leaks(value: str, text: str) -> bool:
    """Whether a value or a telling piece of it is in a text."""
    pieces = [value] if len(value) <= 12 else [value[i : i + 12] for i in range(len(value) - 11)]
    return any(piece in text for piece in pieces)


def test_no_planted_value_stays() -> None:
    stayed = [text for text, value in planted(400) if leaks(value, cleaned(text))]
    assert stayed == []


def test_look_alikes_stay_untouched() -> None:
    alike = look_alikes(400)
    touched = [text for text in alike if cleaned(text) != text]
    assert len(touched) <= len(alike) * MISTAKEN, touched


ADDED: list[tuple[Ruleset, str, str]] = [
    ("hipaa", "admitted on 03/14/2025", "admitted on [DATE_1]"),
    ("hipaa", "seen 2025-03-14 and March 3rd, 2024", "seen [DATE_1] and [DATE_2]"),
    ("hipaa", "born 3 May 1961", "born [DATE_1]"),
    ("hipaa", "MRN: 00482913", "MRN: [RECORD_1]"),
    ("hipaa", "health plan number H-2231908", "health plan number [RECORD_1]"),
    ("hipaa", "Patient: John Q. Smith was seen", "Patient: [NAME_1] was seen"),
    ("hipaa", "referred by Dr. Müller-Lind", "referred by Dr. [NAME_1]"),
    ("hipaa", "a 93 year old man", "a [AGE_1] man"),
    ("hipaa", "VIN 1HGCM82633A004352 parked", "VIN [VEHICLE_1] parked"),
    ("hipaa", "see https://clinic.example/p/17", "see [URL_1]"),
    ("hipaa", "lives in Boston, MA 02134", "lives in Boston, MA [ZIP_1]"),
    ("hipaa", "zip code: 02134", "zip code: [ZIP_1]"),
    ("hipaa", "at 12 Main Street", "at [ADDRESS_1]"),
    ("ferpa", "student id: S1234567", "student id: [STUDENT_1]"),
    ("ferpa", "GPA: 3.85 this term", "GPA: [GRADE_1] this term"),
    ("ferpa", "grade of B+ in history", "grade of [GRADE_1] in history"),
    ("ferpa", "date of birth: 12.04.2009", "date of birth: [DATE_1]"),
    ("ferpa", "parent: Maria Lopez called", "parent: [NAME_1] called"),
]


@pytest.mark.parametrize(("ruleset", "text", "expected"), ADDED)
def test_a_ruleset_adds_its_own_identifiers(ruleset: Ruleset, text: str, expected: str) -> None:
    assert cleaned(text, ruleset) == expected
    assert cleaned(text) == text


PLAIN = [
    "The patient felt better and the record heat ended.",
    "Students read three books; the grade level was fine.",
    "He is 45 years old and 180 cm tall.",
    "Call it a day: 12 apples, 30 pears.",
    "ISBN 978-3-16-148410-0 is a book.",
    "It was 12:30:45 in the log, and again at 10::",
    "The tax rate is 19 percent of 1000000 in total.",
]


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("text", PLAIN)
def test_plain_sentences_stay_as_they_are(ruleset: Ruleset, text: str) -> None:
    assert cleaned(text, ruleset) == text


def test_a_valid_number_inside_a_longer_run_is_found() -> None:
    assert cleaned("ref 12 4111 1111 1111 1111 99") == "ref 12 [CARD_1] 99"
    assert cleaned("call +49 30 12345678 - 2026 was good") == "call [PHONE_1] - 2026 was good"


def test_our_own_machine_is_nobody() -> None:
    assert cleaned("on 127.0.0.1 and 0.0.0.0 and ::1") == "on 127.0.0.1 and 0.0.0.0 and ::1"
    assert cleaned("on 999.1.1.1") == "on 999.1.1.1"


def test_custom_patterns_come_first_and_count_characters() -> None:
    custom = {"badge": "B-[0-9]{6}", "site": "Werk [A-Z]"}
    assert cleaned("müller B-123456, Werk Ä, Werk X", "custom", custom) == (
        "müller [BADGE_1], Werk Ä, [SITE_1]"
    )
    assert cleaned("B-123456 B-654321 B-123456", "custom", custom) == (
        "[BADGE_1] [BADGE_2] [BADGE_1]"
    )


@pytest.mark.parametrize("pattern", ["(unclosed", r"(a)\1", "a*"])
def test_a_custom_pattern_that_cannot_be_used_is_told_by_its_name(pattern: str) -> None:
    with pytest.raises(CustomPatternError, match="pii pattern badge"):
        compile_custom({"site": "ok", "badge": pattern})


HOSTILE = [
    "4111 ",
    "1.1.",
    "a:",
    "Patient: Ab ",
    "a@",
    "1-",
    "key=",
    "+1 ",
    "1",
    "A",
    "-----BEGIN ",
]


@pytest.mark.parametrize("piece", HOSTILE)
def test_redaction_is_linear_on_hostile_text(piece: str) -> None:
    def redacting(size: int) -> Callable[[], float]:
        text = piece * (size // len(piece))
        return lambda: spent(lambda: [find(text, Redaction(each)) for each in RULESETS.values()])

    # Four times the text may cost four times the work; a quadratic pattern costs sixteen.
    assert times(redacting(4_000), redacting(16_000), 10) <= 10
