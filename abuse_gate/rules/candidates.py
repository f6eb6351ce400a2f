"""How the engine recognises that a text may hold something encoded, in the same pass as the rules.

Cheap on purpose: what is matched here is merely looked at; the decoders decide what it is.
"""

from collections.abc import Mapping
from typing import Final, Literal

from abuse_gate.model.openings import ANNOUNCED, HEAD, OPENINGS

Kind = Literal[
    "dense",
    "signs",
    "pieces",
    "uu",
    "numbers",
    "morse",
    "spelling",
    "percent",
    "escape",
    "entity",
    "quoted",
    "control",
    "markup",
    "file",
]

_SPELLING: Final = (
    "alfa|alpha|bravo|charlie|delta|echo|foxtrot|golf|hotel|india|juliett?|kilo|lima|mike|november|"
    "oscar|papa|quebec|romeo|sierra|tango|uniform|victor|whiskey|x-?ray|yankee|zulu"
)

CANDIDATES: Final[Mapping[Kind, str]] = {
    # A long run of letters and digits: an identifier, a digest, or data. The decoder looks closer.
    "dense": r"[a-z0-9+]{22}",
    # A run without a space that is full of signs, as text in base85 is.
    "signs": r"<~|[!-~]{4}(?:[!#$%&()*+;<=>?@^_`{|}~\[][!-~]{1,10}){5}",
    # Short pieces of base64, parted by spaces or line ends.
    "pieces": r"(?:[a-z0-9+/_-]{4}(?:[a-z0-9+/_-]{4}){0,3}[=]{0,2}[\r\n]{1,2}){4}",
    "uu": r"begin [0-7]{3} ",
    # Character codes one after the other: binary, octal, decimal, hexadecimal.
    "numbers": (
        r"(?:0[01]{7}[^0-9]{0,3}){6}"
        r"|(?:(?:3[2-9]|[4-9][0-9]|1[0-2][0-9])[^0-9]{1,8}){8}"
        r"|(?:(?:0x|x|&h|u\+00)?[2-7][0-9a-f][^0-9a-z]{1,3}){8}"
        r"|(?:(?:0o|\\)?[01][0-7]{2}[^0-9]{1,2}){8}"
    ),
    "morse": r"(?:[.\-_]{1,5}[ /|]{1,3}){8}",
    "spelling": rf"(?:\b(?:{_SPELLING})\W{{1,3}}){{4}}",
    "percent": r"%u?[0-9a-f]{2}",
    "escape": r"\\[ux]\{?[0-9a-f]|\\[0-7]{3}|\\[2-7][0-9a-f][ \\]|u\+00[2-7]",
    "entity": r"&#|&[a-z]{2,8};",
    "quoted": r"(?:=[2-7][0-9a-f][^=]{0,8}){3}|=\r?\n",
    "control": r"[\x00-\x08\x0e-\x1f\x7f]",
    # A word with a tag, an emphasis or the joint of two string literals inside.
    "markup": (
        r"[a-z](?:(?:<[^<>]{1,40}>){1,3}|\*\*|__|~~|``)[a-z]|[a-z][\"'] ?[+.&] ?[\"'][a-z]|<!--"
        r"|[a-z]-\r?\n[a-z]"
    ),
    # Nothing for the decoders: the readers open files, and have to look at such a text closely.
    "file": "|".join((r"data:|\\u", ANNOUNCED, *OPENINGS, rf"[a-z0-9+/_-]{{{HEAD}}}")),
}

# The engine is quicker over a text when these do not share a pass with the rules.
APART: Final[frozenset[Kind]] = frozenset({"signs", "numbers", "morse", "escape", "file"})
