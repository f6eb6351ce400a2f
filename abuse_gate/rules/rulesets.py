"""Which detectors a ruleset has: what is always taken out, and what health and school data add.

Tables only. Of HIPAA's Safe Harbor list the identifiers that a pattern can find; of FERPA the
student's numbers and records. A name or an address without a word beside it is beyond a pattern.
"""

import re
from typing import Final, Literal

from abuse_gate.rules.detectors import SECRETS_AND_MAIL, Detector, detector
from abuse_gate.rules.identifiers import IDENTIFIERS

Ruleset = Literal["default", "hipaa", "ferpa", "custom"]

_MONTH: Final = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_NAME: Final = r"(?P<value>[^\W\d_a-z][\w'-]{1,30}(?:\ [^\W\d_a-z][\w'.-]{0,30}){0,3})"
_CODE: Final = (
    r"[\s:#._-]{1,4}(?:(?:no|number|id|is)\b[\s:#.]{0,3}){0,2}(?P<value>[A-Z]{0,4}-?\d[\w-]{3,24})"
)

DATES: Final[tuple[Detector, ...]] = (
    detector("DATE", "", r"(?<![\w.-])(?:19|20)\d\d-[01]\d-[0-3]\d(?!\w)"),
    detector("DATE", "", r"(?<![\w.-])[0-3]?\d[/.-][0-3]?\d[/.-](?:19|20)?\d\d(?![\w.-])"),
    detector(
        "DATE",
        "",
        rf"\b{_MONTH}\.?\ [0-3]?\d(?:st|nd|rd|th)?(?:,?\ (?:19|20)\d\d)?\b",
        re.IGNORECASE,
    ),
    detector(
        "DATE",
        "",
        rf"\b[0-3]?\d(?:st|nd|rd|th|\.)?\ {_MONTH}\.?(?:\ (?:19|20)\d\d)?\b",
        re.IGNORECASE,
    ),
)

HEALTH: Final[tuple[Detector, ...]] = (
    detector(
        "RECORD",
        "mrn medical patient chart record health member policy subscriber beneficiary account "
        "license licence certificate plate serial device prescription rx npi dea",
        r"\b(?:mrn|medical\ record|patient|chart|record|health\ plan|member|policy|subscriber"
        rf"|beneficiary|account|licen[sc]e|certificate|plate|serial|device|prescription|rx|npi|dea)"
        rf"{_CODE}",
        re.IGNORECASE,
    ),
    # Names are written with capitals, so only the word in front may be in any case.
    detector(
        "NAME",
        "patient name doctor dr. mr. mrs. ms. physician guardian mother father spouse",
        r"\b(?i:patient(?:'s\ name|[\ _]name)?|name|doctor|dr\.|mr\.|mrs\.|ms\.|physician|guardian"
        rf"|mother|father|spouse)(?:\ is|:)?\s{{1,3}}{_NAME}",
    ),
    *DATES,
    detector(
        "AGE",
        "year old aged",
        r"\b(?:9\d|1[01]\d)[\ -]years?[\ -]old\b|\baged?:?\ (?:9\d|1[01]\d)\b",
        re.IGNORECASE,
    ),
    detector(
        "VEHICLE",
        "",
        r"(?<!\w)(?=[A-Z0-9]{0,16}\d)[A-HJ-NPR-Z0-9]{3}[A-HJ-NPR-Z0-9]{5}[\dX][A-HJ-NPR-Z0-9]{4}\d{4}(?!\w)",
    ),
    detector("URL", "://", r"\bhttps?://[^\s<>\"']{3,500}", re.IGNORECASE),
    detector(
        "ZIP",
        "",
        r"\b(?:A[KLRZ]|C[AOT]|D[CE]|FL|GA|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]|N[CDEHJMVY]"
        r"|O[HKR]|PA|RI|S[CD]|T[NX]|UT|V[AT]|W[AIVY])\ (?P<value>\d{5}(?:-\d{4})?)(?!\d)",
    ),
    detector(
        "ZIP",
        "zip postal",
        r"\b(?:zip|postal)(?:\ code)?[:\s]{1,3}(?P<value>[A-Z]{0,2}\d[\w\ -]{2,8}\d)",
        re.IGNORECASE,
    ),
    detector(
        "ADDRESS",
        "",
        r"(?<![\w.-])\d{1,5}\ (?:[A-Z][a-z]{1,20}\ ){1,3}"
        r"(?:Street|St|Avenue|Ave|Road|Rd|Lane|Ln|Drive|Dr|Court|Ct|Boulevard|Blvd|Way)\b",
    ),
)

SCHOOL: Final[tuple[Detector, ...]] = (
    detector(
        "STUDENT",
        "student pupil enrolment enrollment matric learner campus",
        r"\b(?:student|pupil|enrol?lment|matric(?:ulation)?|learner|campus)"
        rf"{_CODE}",
        re.IGNORECASE,
    ),
    detector(
        "GRADE",
        "gpa grade transcript score class rank",
        r"\b(?:gpa|grade(?:\ point\ average)?|class\ rank|final\ score|transcript)"
        r"(?:\ is|\ of|:)?\s{1,3}"
        r"(?P<value>\d{1,3}(?:[.,]\d{1,2})?(?:\ ?/\ ?\d{1,3})?|[A-F][+-]?(?![\w]))",
        re.IGNORECASE,
    ),
    detector(
        "NAME",
        "student pupil parent guardian mother father name",
        r"\b(?i:student(?:'s\ name|[\ _]name)?|pupil|parent|guardian|mother|father|name)(?:\ is|:)?"
        rf"\s{{1,3}}{_NAME}",
    ),
    detector(
        "DATE",
        "born birth dob",
        r"\b(?:born(?:\ on)?|date\ of\ birth|dob|birthday)[:\s]{1,3}"
        r"(?P<value>[\w.,/\ -]{6,20}\d)",
        re.IGNORECASE,
    ),
)

_DEFAULT: Final = (*SECRETS_AND_MAIL, *IDENTIFIERS)

RULESETS: Final[dict[Ruleset, tuple[Detector, ...]]] = {
    "default": _DEFAULT,
    "hipaa": (*_DEFAULT, *HEALTH),
    "ferpa": (*_DEFAULT, *SCHOOL),
    "custom": _DEFAULT,
}
