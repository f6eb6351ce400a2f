"""What a secret looks like: a table of detectors, each linear on any text.

Every pattern starts at a literal or at the start of a run (look-behind) and repeats possessively,
so that no run of characters is walked twice. Hints are looked for first: without one of them in
the lower-cased text a pattern cannot match and is not tried.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from math import log2
from typing import Final


@dataclass(frozen=True, slots=True)
class Detector:
    """One kind of value to take out of a text: group `value` where there is one, else all.

    Without hints it is always tried; with a check, only what passes it is taken. What wraps is
    looked for across the ends of lines too: its own first letters tell it, so that no neighbour
    is taken for a part of it.
    """

    kind: str
    hints: tuple[str, ...]
    pattern: re.Pattern[str]
    check: Callable[[str], bool] | None = None
    wraps: bool = False


def detector(
    kind: str,
    hints: str,
    pattern: str,
    flags: int = 0,
    check: Callable[[str], bool] | None = None,
    *,
    wraps: bool = False,
) -> Detector:
    """A detector out of its table row; patterns are laid out with blanks that do not count."""
    compiled = re.compile(pattern, flags | re.VERBOSE)
    return Detector(kind, tuple(hints.split()), compiled, check, wraps)


def _key(hints: str, pattern: str, flags: int = 0) -> Detector:
    """A secret that says by its first letters what it is."""
    return detector("SECRET", hints, pattern, flags, wraps=True)


def looks_random(value: str) -> bool:
    """Whether a value has the letters of chance: three kinds of them, and few repeats.

    A hash in hex has two kinds at most, and so has a word or a number.
    """
    mixed = any(map(str.isupper, value)) and any(map(str.islower, value))
    if not (mixed and any(map(str.isdigit, value))):
        return False
    shares = [value.count(letter) / len(value) for letter in set(value)]
    return -sum(share * log2(share) for share in shares) >= _CHANCE


# Bits a letter: prose has fewer, random keys of this length more.
_CHANCE: Final = 3.8


SECRETS_AND_MAIL: Final[tuple[Detector, ...]] = (
    # Key blocks, cut off or whole. Five dashes end the body; fewer are part of its headers.
    detector(
        "SECRET",
        "-----begin",
        r"-----BEGIN\ [A-Z0-9\ ]{0,40}PRIVATE\ KEY(?:\ BLOCK)?-----(?:[^-]|-(?!----))*+"
        r"(?:-----END\ [A-Z0-9\ ]{0,40}PRIVATE\ KEY(?:\ BLOCK)?-----)?",
    ),
    # Signed tokens: two parts of base64 JSON and a signature that may be missing.
    _key("eyj", r"(?<![\w-])eyJ[\w-]{8,}+\.[\w-]{2,}+\.[\w-]*+", re.ASCII),
    # Keys that say whose they are.
    _key(
        "sk- pk- rk-",
        r"(?<![A-Za-z0-9_-])[spr]k-(?=[A-Za-z0-9_-]{0,64}[0-9A-Z])[A-Za-z0-9_-]{16,}+",
    ),
    _key("_live_ _test_", r"(?<![A-Za-z0-9_])[spr]k_(?:live|test)_[A-Za-z0-9]{10,}+"),
    _key("akia asia", r"(?<![A-Za-z0-9])A[KS]IA[A-Z0-9]{16}(?![A-Za-z0-9])"),
    _key(
        "ghp_ gho_ ghu_ ghs_ ghr_ github_pat_",
        r"(?<![A-Za-z0-9])(?:gh[pousr]|github_pat)_[A-Za-z0-9_]{20,}+",
    ),
    _key("xox xapp-", r"(?<![A-Za-z0-9])(?:xox[a-z]|xapp)-[A-Za-z0-9-]{10,}+"),
    _key("aiza", r"(?<![A-Za-z0-9])AIza[A-Za-z0-9_-]{30,}+"),
    _key("ya29.", r"(?<![A-Za-z0-9])ya29\.[A-Za-z0-9_-]{20,}+"),
    _key("glpat-", r"(?<![A-Za-z0-9])glpat-[A-Za-z0-9_-]{16,}+"),
    _key(
        "hf_ npm_ dop_v1_ shpat_ whsec_",
        r"(?<![A-Za-z0-9])(?:hf|npm|dop_v1|shpat|whsec)_[A-Za-z0-9]{20,}+",
    ),
    _key(
        "gsk_ xai- hvs. hvb. lin_api_ ntn_ secret_ sq0 gocspx- glsa_ r8_ pplx- atatt3x figd_ "
        "sntrys_ pmak- nrak- dp.pt. tskey- rpa_ fw_ vck_ lsv2_ age-secret-key- pscale_",
        r"(?<![A-Za-z0-9])(?:gsk_|xai-|hv[sb]\.|lin_api_|ntn_|secret_|sq0[a-z]{3}-|GOCSPX-|glsa_|r8_"
        r"|pplx-|ATATT3x|figd_|sntrys_|PMAK-|NRAK-|dp\.pt\.|tskey-|rpa_|fw_|vck_|lsv2_"
        r"|AGE-SECRET-KEY-1|pscale_[a-z]{2,8}_)(?=[\w-]{0,40}[0-9])[\w-]{20,}+",
        re.ASCII,
    ),
    # A short name in front of thirty-two hexadecimal digits.
    _key(
        "dapi key- sk ac",
        r"(?<![A-Za-z0-9])(?:dapi|key-|SK|AC)[0-9a-f]{32}(?:-\d)?(?![A-Za-z0-9])",
    ),
    # A bot's number and its token; the address of a web hook is the secret.
    _key(":aa", r"(?<![A-Za-z0-9])\d{8,10}:AA[\w-]{30,40}(?![\w-])", re.ASCII),
    _key(
        "hooks.slack.com discord.com/api/webhooks webhook.office.com",
        r"(?:hooks\.slack\.com/services|discord\.com/api/webhooks|webhook\.office\.com)"
        r"/(?P<value>[\w/@.-]{16,}+)",
        re.ASCII,
    ),
    _key("pypi-", r"(?<![A-Za-z0-9])pypi-[A-Za-z0-9_-]{40,}+"),
    _key("sg.", r"(?<![A-Za-z0-9])SG\.[A-Za-z0-9_-]{16,}+\.[A-Za-z0-9_-]{16,}+"),
    # An authorization header's credential; words follow "bearer" too, so it must hold a digit.
    _key(
        "bearer basic",
        r"\b(?:bearer|basic)\s{1,4}(?=[^\s]{0,64}[0-9=])(?P<value>[\w.~+/=-]{16,}+)",
        re.IGNORECASE | re.ASCII,
    ),
    # A password inside an address.
    detector("SECRET", "://", r"://[^\s:/@]{0,64}:(?P<value>[^\s:/@]{3,128})@"),
    # name = value, name: value, "name": "value", "name is value"; the value must not be a word.
    detector(
        "SECRET",
        "key secret token passw pwd credential passphrase contrase senha clave wachtwoord mot "
        "parol пароль 密码 密碼 パスワード hasło",
        r"(?:(?:api|access|secret|private|auth|signing|account|master|encryption)[_\ -]?key"
        r"|secret|token|passw(?:or)?[dt]|passphrase|pwd|credentials?"
        r"|contrase[nñ]a|senha|clave|wachtwoord|mot\ de\ passe|parola?"
        r"|пароль|密码|密碼|パスワード|hasło)"
        # A key of JSON and its value come on two lines, the mark between them lost.
        r"[\"'`]{0,2}(?:\s{0,3}(?:[:=]{1,2}>?|\bis\b)\s{0,3}|\n)[\"'`]{0,2}"
        r"(?!\[SECRET_)(?=[^\s\"'`]{0,40}[0-9!@\#$%^&*]|[^\s\"'`]{20})"
        r"(?P<value>[^\s\"'`,;]{8,}+)",
        re.IGNORECASE,
    ),
    # Anything that is assigned something random.
    detector(
        "SECRET",
        "",
        r"(?<![\w-])[A-Za-z_][\w.-]{1,60}+[\"'`]{0,2}(?:\s{0,3}[:=]{1,2}>?\s{0,3}|\n)[\"'`]{0,2}"
        r"(?P<value>[A-Za-z0-9+/_=-]{24,200})(?![A-Za-z0-9+/_=-])",
        check=looks_random,
    ),
    detector(
        "EMAIL",
        "%40",
        r"(?<![\w.+-])[\w.+-]++%40(?:[\w-]{1,63}\.){1,8}[^\W\d_]{2,24}(?![\w-])",
        wraps=True,
    ),
    # Last, so that a password in an address is already gone.
    detector(
        "EMAIL",
        "@",
        r"(?<![\w.%+-])[\w.%+-]++@(?:[\w-]{1,63}\.){1,8}[^\W\d_]{2,24}(?![\w-])",
        wraps=True,
    ),
)
