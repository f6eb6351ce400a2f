"""Numbers that name a person: candidates by shape, certainty by their checksum.

Checksums and national formats come from python-stdnum. A bare run of digits passes many of them
by chance, so such a run counts only beside the word for what it is.
"""

import ipaddress
import re
import string
from collections.abc import Callable
from typing import Final

from stdnum import iban, luhn
from stdnum.at import vnr
from stdnum.au import tfn
from stdnum.be import nn
from stdnum.br import cpf
from stdnum.ca import sin
from stdnum.ch import ssn as ahv
from stdnum.cl import rut
from stdnum.cn import ric
from stdnum.de import idnr
from stdnum.dk import cpr
from stdnum.es import dni, nie
from stdnum.fi import hetu
from stdnum.fr import nir
from stdnum.gb import nhs
from stdnum.ie import pps
from stdnum.in_ import aadhaar, pan
from stdnum.it import codicefiscale
from stdnum.kr import rrn
from stdnum.mx import curp
from stdnum.nl import bsn
from stdnum.no import fodselsnummer
from stdnum.pl import pesel
from stdnum.se import personnummer
from stdnum.us import itin, ssn
from stdnum.za import idnr as za_idnr

from abuse_gate.rules.detectors import Detector, detector

Check = Callable[[str], bool]

# The first digits and the lengths of the card schemes that are in use.
_CARDS: Final = re.compile(
    r"4\d{15}(?:\d{3})?|(?:5[1-5]|2[2-7])\d{14}|3[47]\d{13}|(?:6011|65\d\d|64[4-9]\d)\d{12}"
    r"|3(?:0[0-5]|[68]\d)\d{11}|35(?:2[89]|[3-8]\d)\d{12}|62\d{14,17}"
)
# Written with their own marks or letters, these are told by shape and checksum alone.
SPELT: Final[tuple[tuple[str, Check], ...]] = (
    (r"\d{3}-\d{2}-\d{4}", ssn.is_valid),
    (r"\d{3}\ \d{2}\ \d{4}", lambda text: ssn.is_valid(text.replace(" ", "-"))),
    (r"9\d{2}-\d{2}-\d{4}", itin.is_valid),
    (r"\d{3}\.\d{3}\.\d{3}-\d{2}", cpf.is_valid),
    (r"756\.\d{4}\.\d{4}\.\d{2}", ahv.is_valid),
    (r"(?i:[A-Z]{6}\d{2}[A-Z]\d{2}[A-Z]\d{3}[A-Z])", codicefiscale.is_valid),
    (r"(?i:\d{8}-?[A-Z])", dni.is_valid),
    (r"(?i:[XYZ]-?\d{7}-?[A-Z])", nie.is_valid),
    (r"[12]\ ?\d{2}\ ?\d{2}\ ?\d[\dAB]\ ?\d{3}\ ?\d{3}\ ?\d{2}", nir.is_valid),
    (r"\d{6}[-+A]\d{3}[0-9A-Z]", hetu.is_valid),
    (r"(?i:[A-Z]{4}\d{6}[HM][A-Z]{5}[A-Z0-9]\d)", curp.is_valid),
    (r"[A-Z]{3}[PCAFHT][A-Z]\d{4}[A-Z]", pan.is_valid),
    (r"\d{17}[\dX]", ric.is_valid),
    (r"\d{6}-[1-8]\d{6}", rrn.is_valid),
    (r"\d{1,2}\.\d{3}\.\d{3}-[\dK]", rut.is_valid),
    (r"\d{6}-\d{4}", lambda text: cpr.is_valid(text) or personnummer.is_valid(text)),
    (r"\d{2}\.\d{2}\.\d{2}-\d{3}\.\d{2}", nn.is_valid),
    (r"\d{7}[A-W][A-IW]?", pps.is_valid),
    # The British number has a shape and no checksum.
    (
        r"(?i:[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]\ ?\d{2}\ ?\d{2}\ ?\d{2}\ ?[A-D])",
        lambda _: True,
    ),
)
_ANY: Final[tuple[Check, ...]] = (
    aadhaar.is_valid,
    ahv.is_valid,
    bsn.is_valid,
    cpf.is_valid,
    cpr.is_valid,
    fodselsnummer.is_valid,
    idnr.is_valid,
    itin.is_valid,
    nhs.is_valid,
    nn.is_valid,
    personnummer.is_valid,
    pesel.is_valid,
    rut.is_valid,
    sin.is_valid,
    ssn.is_valid,
    tfn.is_valid,
    vnr.is_valid,
    za_idnr.is_valid,
)
# The words for a national number; beside one of them a valid run of digits is that number.
_WORDS: Final = (
    "aadhaar ahv bsn burgerservicenummer cpf cpr fødselsnummer identifikationsnummer identity "
    "idnr itin national nhs nin pesel personnummer rijksregister rut sin sozialversicherung ssn "
    "social steuer-id steuerid svnr tax taxpayer tfn"
)


def is_card(text: str) -> bool:
    """Whether digits are a card number of a known scheme with a right check digit."""
    digits = "".join(filter(str.isdigit, text))
    return bool(_CARDS.fullmatch(digits)) and luhn.is_valid(digits)


# No country has shorter ones.
_SHORTEST_ACCOUNT: Final = 15
_UNGROUPED: Final = dict.fromkeys(code for code in range(0x3001) if not chr(code).isalnum())
_VALUES: Final = {ord(sign): str(int(sign, 36)) for sign in string.ascii_letters}


def is_account(text: str) -> bool:
    """Whether a text is an account number with right check digits, however it is grouped."""
    plain = text.translate(_UNGROUPED)
    if not plain.isascii() or not plain.isalnum() or len(plain) < _SHORTEST_ACCOUNT:
        return False
    # The check digits first: they are cheap, and refuse all but one in a hundred.
    number = int((plain[4:] + plain[:4]).translate(_VALUES))
    return number % 97 == 1 and iban.is_valid(plain)


def is_national(text: str) -> bool:
    """Whether digits are a valid number of any of the countries that have plain ones."""
    return any(check(text) for check in _ANY)


def is_address(text: str) -> bool:
    """Whether a text is an IP address that may stand for somebody."""
    try:
        found = ipaddress.ip_address(text)
    except ValueError:
        return False
    # Without a digit it is more likely a name of a program: a::b, dead::beef.
    spelt = any(map(str.isdigit, text))
    return spelt and not (found.is_loopback or found.is_unspecified)


def is_international(text: str) -> bool:
    """Whether digits are as many as an international number has; two zeros need more of them."""
    least, most = (8, 15) if text.startswith("+") else (12, 17)
    return least <= sum(map(str.isdigit, text)) <= most


def is_trunk(text: str) -> bool:
    """Whether digits are as many as a national number with its leading zero has."""
    return 9 <= sum(map(str.isdigit, text)) <= 12  # noqa: PLR2004 - the shortest and the longest


def _spelt(pattern: str, check: Check) -> Detector:
    return detector(
        "NATIONAL_ID",
        "",
        rf"{_ALONE}(?:{pattern})(?![A-Za-z0-9]|-\w|\.\d)",
        check=check,
        wraps="-" in pattern,
    )


# Not in the middle of a longer word or number; a file's name may have a dash in front of it.
_ALONE: Final = r"(?<![A-Za-z0-9])(?<![0-9][.-])"
_NUMBER: Final = r"(?P<value>\d(?:[\ .-]?\d){7,14})(?![\w])"

IDENTIFIERS: Final[tuple[Detector, ...]] = (
    detector(
        "IBAN",
        "",
        # Blanks of any kind, for an account is printed in groups and lines end between them.
        r"(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?:(?:[\ .-]|\ ?\r?\n)?[A-Z0-9]{4}){2,7}"
        r"(?:(?:[\ .-]|\ ?\r?\n)?[A-Z0-9]{1,3})?(?!\w)",
        re.IGNORECASE,
        check=is_account,
    ),
    detector("CARD", "", rf"{_ALONE}\d(?:[\ -]?\d){{11,18}}(?![A-Za-z0-9]|-\w)", check=is_card),
    # In groups of their own lengths, whatever stands between them.
    detector(
        "CARD",
        "",
        rf"{_ALONE}(?:\d{{4}}(?:[\s._/-]{{1,3}}\d{{4}}){{3}}"
        r"|3[47]\d{2}[\s._/-]{1,3}\d{6}[\s._/-]{1,3}\d{5})(?![A-Za-z0-9]|-\w)",
        check=is_card,
    ),
    *(_spelt(pattern, check) for pattern, check in SPELT),
    detector(
        "NATIONAL_ID",
        _WORDS,
        rf"(?<![^\W\d_])(?:{'|'.join(map(re.escape, _WORDS.split()))})(?![^\W\d_])"
        rf"[^\d\n]{{0,40}}\n?[^\d\n]{{0,4}}{_NUMBER}",
        re.IGNORECASE,
        check=is_national,
    ),
    detector(
        "PHONE",
        "+ 00",
        r"(?<![\w+.])(?:\+|00)[1-9]\d{0,2}(?:[\ ./-]{0,2}\(?\d{1,5}\)?){2,6}(?!\w)",
        check=is_international,
    ),
    detector(
        "PHONE", "", r"(?<![\w.-])(?:1[ .-])?\(?[2-9]\d{2}\)?[\ .-]{1,2}\d{3}[\ .-]\d{4}(?![\w-])"
    ),
    detector(
        "PHONE",
        "phone tel mobile cell call fax whatsapp handy",
        r"(?<![^\W\d_])(?:tele)?(?:phone|tel|mobile|cell|call|fax|whatsapp|handy)(?![^\W\d_])"
        r"[^\d\n+]{0,20}\n?[^\d\n+]{0,4}"
        r"(?P<value>\(?\d(?:[\ ./()-]{0,2}\d){6,14})(?!\w)",
        re.IGNORECASE,
    ),
    # National numbers with the zero in front, in the groups that are usual for them.
    detector(
        "PHONE",
        "",
        r"(?<![\w.+/-])(?:0\d(?:[\ .-]\d\d){4}|0\d{2,4}[\ /]\d{5,8}"
        r"|0\d{2,4}[\ /-]\d{3,4}[\ -]\d{3,4})(?![\w.-])",
        check=is_trunk,
    ),
    # A version of four numbers looks the same; only the word before it tells.
    detector(
        "IP",
        "",
        r"(?<![\w.-])(?<!ersion\ )(?<!elease\ )(?<!uild\ )"
        r"\d{1,3}(?:\.\d{1,3}){3}(?![\w-]|\.\d)",
        check=is_address,
    ),
    detector(
        "IP",
        ":",
        r"(?<![\w:.])(?:(?:[0-9a-f]{0,4}:){2,7}[0-9a-f]{1,4}|(?:[0-9a-f]{1,4}:){2,7}:)(?![\w:])",
        re.IGNORECASE,
        check=is_address,
    ),
)
