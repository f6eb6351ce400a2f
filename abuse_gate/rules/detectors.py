"""What a secret looks like: a table of detectors, each linear on any text.

Every pattern starts at a literal or at the start of a run (look-behind) and repeats possessively,
so that no run of characters is walked twice. Hints are looked for first: without one of them in
the lower-cased text a pattern cannot match and is not tried.
"""

import re
from dataclasses import dataclass
from typing import Final, Literal

Kind = Literal["SECRET", "EMAIL"]


@dataclass(frozen=True, slots=True)
class Detector:
    """One kind of value to take out of a text: group `value` where there is one, else all."""

    kind: Kind
    hints: tuple[str, ...]
    pattern: re.Pattern[str]


def _detector(kind: Kind, hints: str, pattern: str, flags: int = 0) -> Detector:
    return Detector(kind, tuple(hints.split()), re.compile(pattern, flags | re.VERBOSE))


DETECTORS: Final[tuple[Detector, ...]] = (
    # Key blocks, cut off or whole. Five dashes end the body; fewer are part of its headers.
    _detector(
        "SECRET",
        "-----begin",
        r"-----BEGIN\ [A-Z0-9\ ]{0,40}PRIVATE\ KEY(?:\ BLOCK)?-----(?:[^-]|-(?!----))*+"
        r"(?:-----END\ [A-Z0-9\ ]{0,40}PRIVATE\ KEY(?:\ BLOCK)?-----)?",
    ),
    # Signed tokens: two parts of base64 JSON and a signature that may be missing.
    _detector("SECRET", "eyj", r"(?<![\w-])eyJ[\w-]{8,}+\.[\w-]{2,}+\.[\w-]*+", re.ASCII),
    # Keys that say whose they are.
    _detector(
        "SECRET",
        "sk- pk- rk-",
        r"(?<![A-Za-z0-9_-])[spr]k-(?=[A-Za-z0-9_-]{0,64}[0-9A-Z])[A-Za-z0-9_-]{16,}+",
    ),
    _detector(
        "SECRET", "_live_ _test_", r"(?<![A-Za-z0-9_])[spr]k_(?:live|test)_[A-Za-z0-9]{10,}+"
    ),
    _detector("SECRET", "akia asia", r"(?<![A-Za-z0-9])A[KS]IA[A-Z0-9]{16}(?![A-Za-z0-9])"),
    _detector(
        "SECRET",
        "ghp_ gho_ ghu_ ghs_ ghr_ github_pat_",
        r"(?<![A-Za-z0-9])(?:gh[pousr]|github_pat)_[A-Za-z0-9_]{20,}+",
    ),
    _detector("SECRET", "xox xapp-", r"(?<![A-Za-z0-9])(?:xox[a-z]|xapp)-[A-Za-z0-9-]{10,}+"),
    _detector("SECRET", "aiza", r"(?<![A-Za-z0-9])AIza[A-Za-z0-9_-]{30,}+"),
    _detector("SECRET", "ya29.", r"(?<![A-Za-z0-9])ya29\.[A-Za-z0-9_-]{20,}+"),
    _detector("SECRET", "glpat-", r"(?<![A-Za-z0-9])glpat-[A-Za-z0-9_-]{16,}+"),
    _detector(
        "SECRET",
        "hf_ npm_ dop_v1_ shpat_ whsec_",
        r"(?<![A-Za-z0-9])(?:hf|npm|dop_v1|shpat|whsec)_[A-Za-z0-9]{20,}+",
    ),
    _detector("SECRET", "pypi-", r"(?<![A-Za-z0-9])pypi-[A-Za-z0-9_-]{40,}+"),
    _detector("SECRET", "sg.", r"(?<![A-Za-z0-9])SG\.[A-Za-z0-9_-]{16,}+\.[A-Za-z0-9_-]{16,}+"),
    # An authorization header's credential; words follow "bearer" too, so it must hold a digit.
    _detector(
        "SECRET",
        "bearer basic",
        r"\b(?:bearer|basic)\s{1,4}(?=[^\s]{0,64}[0-9=])(?P<value>[\w.~+/=-]{16,}+)",
        re.IGNORECASE | re.ASCII,
    ),
    # A password inside an address.
    _detector("SECRET", "://", r"://[^\s:/@]{0,64}:(?P<value>[^\s:/@]{3,128})@"),
    # name = value, name: value, "name": "value", "name is value"; the value must not be a word.
    _detector(
        "SECRET",
        "key secret token passw pwd credential passphrase",
        r"(?:(?:api|access|secret|private|auth|signing|account|master|encryption)[_\ -]?key"
        r"|secret|token|passw(?:or)?d|passphrase|pwd|credentials?)"
        r"[\"'`]{0,2}\s{0,3}(?:[:=]{1,2}>?|\bis\b)\s{0,3}[\"'`]{0,2}"
        r"(?!\[SECRET_)(?=[^\s\"'`]{0,40}[0-9!@\#$%^&*]|[^\s\"'`]{20})"
        r"(?P<value>[^\s\"'`,;]{8,}+)",
        re.IGNORECASE,
    ),
    # Last, so that a password in an address is already gone.
    _detector(
        "EMAIL",
        "@",
        r"(?<![\w.%+-])[\w.%+-]++@(?:[\w-]{1,63}\.){1,8}[^\W\d_]{2,24}(?![\w-])",
    ),
)
