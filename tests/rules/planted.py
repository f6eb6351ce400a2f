"""Secrets and identifiers to plant, each in a sentence, and look-alikes that are neither.

All of them are made up here with a fixed seed; keys are put together from parts, so that no scanner
of repositories takes one for real.
"""

import random
import string
import uuid
from collections.abc import Callable

from stdnum import iban, luhn
from stdnum.br import cpf
from stdnum.de import idnr
from stdnum.es import dni
from stdnum.fr import nir
from stdnum.gb import nhs
from stdnum.nl import bsn
from stdnum.pl import pesel

CHANCE = random.Random(4711)
LETTERS = string.ascii_letters + string.digits


def letters(number: int, among: str = LETTERS) -> str:
    return "".join(CHANCE.choice(among) for _ in range(number))


def digits(number: int) -> str:
    return CHANCE.choice("123456789") + letters(number - 1, string.digits)


def until(make: Callable[[], str], valid: Callable[[str], bool]) -> str:
    """The first made-up number that passes its checksum."""
    while not valid(number := make()):
        pass
    return number


def card() -> str:
    body = "4" + letters(14, string.digits)
    return body + luhn.calc_check_digit(body)


def grouped(number: str, size: int = 4, mark: str = " ") -> str:
    return mark.join(number[start : start + size] for start in range(0, len(number), size))


def account() -> str:
    def make() -> str:
        body = letters(18, string.digits)
        check = 98 - int(body + "131400") % 97
        return f"DE{check:02d}{body}"

    return until(make, iban.is_valid)


def spanish() -> str:
    number = letters(8, string.digits)
    return number + dni.calc_check_digit(number)


def french() -> str:
    body = f"{CHANCE.choice('12')}{CHANCE.randrange(50, 99)}{CHANCE.randrange(1, 12):02d}75"
    body += letters(6, string.digits)
    return body + nir.calc_check_digits(body)


def american() -> str:
    area = CHANCE.choice([f"{number:03d}" for number in (*range(1, 665), *range(667, 899))])
    return f"{area}-{CHANCE.randrange(10, 99)}-{CHANCE.randrange(1000, 9999)}"


def brazilian() -> str:
    return cpf.format(until(lambda: letters(11, string.digits), cpf.is_valid))


def pem() -> str:
    lines = "\n".join(letters(64) for _ in range(4))
    return f"-----BEGIN RSA PRIVATE KEY-----\n{lines}\n-----END RSA PRIVATE KEY-----"


# What to plant: the sentence around it, and how it is made.
KINDS: list[tuple[str, Callable[[], str]]] = [
    ("use {} for the api", lambda: "sk-" + letters(40)),
    ("the key {} expired", lambda: "sk-ant-" + "api03-" + letters(60)),
    ("aws {} is mine", lambda: "AKIA" + letters(16, string.ascii_uppercase + string.digits)),
    ("push with {}", lambda: "ghp" + "_" + letters(36)),
    ("slack {}", lambda: "xox" + "b-" + digits(11) + "-" + letters(24)),
    ("google {}", lambda: "AI" + "za" + letters(35)),
    ("header Authorization: Bearer {}", lambda: letters(12) + "7" + letters(20)),
    ("session {}", lambda: f"eyJ{letters(20)}.eyJ{letters(30)}.{letters(40)}"),
    ("password: {}", lambda: letters(10) + "9!"),
    ("GATEWAY_BLOB={}", lambda: "aB3" + letters(45)),
    ("{}", pem),
    ("mail {} today", lambda: f"{letters(8).lower()}@example.com"),
    ("write to {}, please", lambda: f"{letters(5).lower()}.{letters(6).lower()}@mail.example.org"),
    ("card {} was declined", lambda: grouped(card())),
    ("card number {}", card),
    ("charge {} 12/27", lambda: grouped(card(), mark="-")),
    ("wire it to {}", account),
    ("IBAN {} BIC COBADEFF", lambda: grouped(account())),
    ("her SSN is {}", american),
    ("CPF {}", brazilian),
    ("the DNI {} was copied", spanish),
    ("NIR {} on file", french),
    ("BSN: {}", lambda: until(lambda: digits(9), bsn.is_valid)),
    ("PESEL number {}", lambda: until(lambda: digits(11), pesel.is_valid)),
    ("Steuer-ID {}", lambda: until(lambda: digits(11), idnr.is_valid)),
    ("NHS number {}", lambda: grouped(until(lambda: digits(10), nhs.is_valid), 3)),
    ("call me at {}", lambda: f"+49 30 {digits(4)} {digits(4)}"),
    ("reach me on {}", lambda: f"(415) 555-{digits(4)}"),
    ("or {} after six", lambda: f"212-555-{digits(4)}"),
    ("phone: {}", lambda: "0" + digits(10)),
    ("from {} last night", lambda: ".".join(str(CHANCE.randrange(5, 254)) for _ in range(4))),
    (
        "peer {}",
        lambda: "2001:db8:" + ":".join(f"{CHANCE.randrange(1, 65535):x}" for _ in range(6)),
    ),
    ("db at postgres://app:{}@db.internal/main", lambda: letters(14)),
]
ALIKE: list[Callable[[], str]] = [
    lambda: f"order {digits(10)}",
    lambda: f"order number {digits(3)}-{digits(7)}-{digits(7)}",
    lambda: f"version {CHANCE.randrange(20)}.{CHANCE.randrange(30)}.{CHANCE.randrange(90)}",
    lambda: f"version {digits(1)}.{digits(1)}.{digits(2)}.{digits(3)}",
    lambda: f"v{digits(1)}.{digits(2)}.{digits(1)}.{digits(1)}",
    lambda: f"commit {letters(40, '0123456789abcdef')}",
    lambda: f"sha256 {letters(64, '0123456789abcdef')}",
    lambda: f"md5 = {letters(32, '0123456789abcdef')}",
    lambda: f"id {uuid.UUID(int=CHANCE.getrandbits(128), version=4)}",
    lambda: f"invoice INV-{digits(6)}",
    lambda: f"ticket ABC-{digits(4)}",
    lambda: f"part {digits(4)}-{letters(3, string.ascii_uppercase)}-{digits(2)}",
    lambda: f"at 2026-{CHANCE.randrange(10, 12)}-{CHANCE.randrange(10, 28)}T12:{digits(2)}:07Z",
    lambda: f"about {digits(3)},{digits(3)},{digits(3)} people",
    lambda: f"{digits(2)}.{digits(6)}, {digits(2)}.{digits(6)}",
    lambda: f"timestamp {digits(13)}",
    lambda: f"colour #{letters(6, '0123456789abcdef')}",
    lambda: f"tracking {letters(2, string.ascii_uppercase)}{digits(9)}XX",
    lambda: f"ratio {digits(2)}:{digits(2)}:{digits(2)}",
    lambda: f"width={digits(4)} height={digits(4)}",
]


def planted(number: int) -> list[tuple[str, str]]:
    """Sentences, and the value in each that must not be sent."""
    found: list[tuple[str, str]] = []
    for index in range(number):
        frame, make = KINDS[index % len(KINDS)]
        value = make()
        found.append((frame.format(value), value))
    return found


def look_alikes(number: int) -> list[str]:
    """Sentences that must stay as they are."""
    return [ALIKE[index % len(ALIKE)]() for index in range(number)]
