"""How the engine recognises letters that stand apart: one after the other, parted by the same sign.

Knows signs only; what the letters spell is for others.
"""

import re
from typing import Final

# What parts the letters of a word. One branch each: the engine is quick over a sign that it knows,
# and slow over any sign.
_PARTING: Final = (
    *(
        " ",
        ".",
        "-",
        "_",
        "*",
        "/",
        "|",
        ",",
        "~",
        "+",
        "'",
        '"',
        "^",
        "`",
        "=",
        "#",
        ";",
        ":",
        "%",
    ),
    *("&", "@", "!", "$", ">", "<", "?", "0", "1", "7", "x", "\\", "\r", "\n", "\t"),
    *(
        "||",
        "  ",
        "{}",
        "[]",
        "][",
        ")(",
        '""',
        "''",
        " - ",
        " . ",
        ", ",
        " | ",
        '","',
        "','",
        "--",
    ),
    *("', '", '", "', "'+'", '"+"', "|| ", "\\s*", "//", "..", "__", "/**/", "\u2026"),
)


# What is seldom found between single letters, and what often is.
_NO_WORD: Final = re.compile(r"[^\w\s,.:/'\"-]")


def _apart() -> str:
    """Single letters in a row, all parted by the same sign or by some emoji."""
    same = "|".join(
        f"(?:{re.escape(sign)}[a-z]){{{4 if _NO_WORD.search(sign) else 6}}}" for sign in _PARTING
    )
    emoji = r"(?:(?:\xf0\x9f|\xe2[\x80-\xbf]|\xee[\x80-\xbf]|\xef)[\x80-\xbf]{1,2}[a-z]){5}"
    numbered = r"(?:[0-9]{1,3}[\"']?[:;,] ?[\"']?[a-z][\"'\r\n, ]{1,4}){6}"
    # Letters of other scripts, some few of which are words.
    foreign = r"(?:(?:[\xd0-\xdf]|[\xe0-\xed][\x80-\xbf])[\x80-\xbf][ .\-_*/|,~+:;\n]){6}"
    return rf"{same}|{foreign}|{emoji}|(?:\[[a-z]{{2}}\]){{5}}|{numbered}"


PARTED: Final = _apart()
