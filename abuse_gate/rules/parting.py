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


# Single letters in a row, all parted by the same sign.
PARTED: Final = "|".join(
    (
        *(
            f"(?:{re.escape(sign)}[a-z]){{{4 if _NO_WORD.search(sign) else 6}}}"
            for sign in _PARTING
        ),
        r"(?:\[[a-z]{2}\]){5}",
    )
)
# Letters of other scripts, some few of which are words; parted by emoji; by their numbers.
PARTED_BY_SIGNS: Final = "|".join(
    (
        r"(?:(?:[\xd0-\xdf]|[\xe0-\xed][\x80-\xbf])[\x80-\xbf][ .\-_*/|,~+:;\n]){6}",
        r"(?:(?:\xf0\x9f|\xe2[\x80-\xbf]|\xee[\x80-\xbf]|\xef)[\x80-\xbf]{1,2}[a-z]){5}",
        r"(?:[0-9]{1,3}[\"']?[:;,] ?[\"']?[a-z][\"'\r\n, ]{1,4}){6}",
    )
)
