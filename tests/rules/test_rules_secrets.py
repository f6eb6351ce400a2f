"""What is taken out of a text before it leaves: secrets and addresses, but no look-alikes."""

import pytest

from abuse_gate.model.extract import Extract, Segment
from abuse_gate.rules.findings import Findings
from abuse_gate.rules.redact import redact
from abuse_gate.rules.tools import ToolRisk


def prompt(text: str) -> str:
    extract = Extract((Segment(text, "user", "vetted"),))
    payload = redact(extract, Findings(), key=b"key", policy_context={}, tool_risk=ToolRisk())
    result = payload["prompt_text"]
    assert isinstance(result, str)
    return result


# Built from parts, so that no scanner of repositories takes them for real ones.
FILL = "A1b2C3d4E5f6G7h8J9k0"
SECRETS = [
    "sk-" + FILL * 2,
    "sk-ant-api03-" + FILL * 3,
    "sk-proj-" + FILL + "_-" + FILL,
    "sk" + "_live_" + FILL,
    "AKIA" + "ABCDEFGHIJKLMNOP",
    "ASIA" + "1234567890ABCDEF",
    "ghp" + "_" + FILL * 2,
    "github" + "_pat_" + FILL + "_" + FILL,
    "xox" + "b-1234567890-" + FILL,
    "AIza" + FILL * 2,
    "ya29." + FILL * 2,
    "glpat-" + FILL,
    "hf" + "_" + FILL * 2,
    "npm" + "_" + FILL * 2,
    "pypi-" + FILL * 3,
    "SG." + FILL + "." + FILL,
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0." + FILL,
    "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4\n" + FILL + "\n-----END RSA PRIVATE KEY-----",
    "-----BEGIN PRIVATE KEY-----\n" + FILL * 4,
]

# text with a value behind a name, the value that must go
ASSIGNED: list[tuple[str, str]] = [
    ("Authorization: Bearer abcdef123456ghijkl7890", "abcdef123456ghijkl7890"),
    ("authorization: basic dXNlcjpwYXNzd29yZA==", "dXNlcjpwYXNzd29yZA=="),
    ("password=hunter2hunter2", "hunter2hunter2"),
    ('{"api_key": "0123456789abcdef"}', "0123456789abcdef"),
    ("AWS_SECRET_ACCESS_KEY = wJalrXUtnFEMI/K7MDENG", "wJalrXUtnFEMI/K7MDENG"),
    ("my password is Tr0ub4dor&3!", "Tr0ub4dor&3!"),
    ("token: abcdefghijklmnopqrstuvwxyz", "abcdefghijklmnopqrstuvwxyz"),
    ("postgres://app:s3cr3tpw@db.internal/main", "s3cr3tpw"),
    ("client_secret=>'8f7d6c5b4a39'", "8f7d6c5b4a39"),
]

EMAILS = ["ann.lee+news@example.com", "jörg@müller-bau.de", "a" * 80 + "@example.org", "x@a.b.co"]

LOOK_ALIKES = [
    "The order number is 4711-0815-2024.",
    "commit 3f786850e387550fdab836ed7e6dc881de23001b",
    "550e8400-e29b-41d4-a716-446655440000",
    "version 1.2.3-beta.4+build.5",
    "How do I reset my password?",
    "The password is incorrect.",
    "password: required",
    "The token expired yesterday.",
    "monkey: banana",
    "a basic understanding of responsibilities",
    "the bearer of this letter",
    "risk-assessment-for-construction-sites",
    "task-oriented-dialogue-systems",
    "Follow @anna on the site, or write to anna at example dot com.",
    "call me @ noon",
    "-----BEGIN CERTIFICATE-----",
    "see https://example.test:8080/path",
    "eyJ is how such tokens start",
    "AKIA is a prefix",
    "2 + 2 = 4; key = value",
]


@pytest.mark.parametrize("secret", SECRETS, ids=range(len(SECRETS)))
def test_a_known_secret_is_replaced(secret: str) -> None:
    assert prompt(f"Here it is: {secret}") == "Here it is: [SECRET_1]"


@pytest.mark.parametrize(("text", "value"), ASSIGNED)
def test_a_value_behind_a_telling_name_is_replaced(text: str, value: str) -> None:
    assert prompt(text) == text.replace(value, "[SECRET_1]")


@pytest.mark.parametrize("address", EMAILS)
def test_an_address_is_replaced(address: str) -> None:
    assert prompt(f"write to {address}, please") == "write to [EMAIL_1], please"


@pytest.mark.parametrize("text", LOOK_ALIKES)
def test_a_look_alike_stays(text: str) -> None:
    assert prompt(text) == text


HOSTILE = [
    "a@" * 50_000,
    "@a.a." * 20_000,
    "a" * 200_000 + "@",
    "sk-" * 50_000,
    "eyJ" * 50_000,
    "eyJaaaaaaaaa." * 10_000,
    "-----BEGIN PRIVATE KEY-----" * 5_000,
    "-----BEGIN " * 10_000,
    "password=" * 20_000,
    "password is " * 20_000,
    "bearer " * 20_000,
    "://a:" * 20_000,
    "ghp_" * 30_000,
    "\ud800@\ud800.com" * 10_000,
]


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_text_is_redacted_to_the_end(text: str) -> None:
    secret = SECRETS[0]
    assert secret not in prompt(f"{text} {secret}")
