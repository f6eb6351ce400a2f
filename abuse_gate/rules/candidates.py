"""How the engine recognises that a text may hold something encoded, in the same pass as the rules.

Cheap on purpose: what is matched here is merely looked at; the decoders decide what it is.
"""

import re
from collections.abc import Mapping
from typing import Final, Literal

from abuse_gate.model.openings import DATA_SIGN, HEAD, OPENINGS

Kind = Literal[
    "dense",
    "signs",
    "pieces",
    "uu",
    "numbers",
    "morse",
    "spelling",
    "rot47",
    "initials",
    "percent",
    "escape",
    "entity",
    "quoted",
    "control",
    "utf7",
    "markup",
    "listed",
    "file",
]

_SPELLING: Final = (
    "alfa|alpha|bravo|charlie|delta|echo|foxtrot|golf|hotel|india|juliett?|kilo|lima|mike|november|"
    "oscar|papa|quebec|romeo|sierra|tango|uniform|victor|whiskey|x-?ray|yankee|zulu"
)

# Each printable character half the alphabet of signs further; undone by the same step.
ROT47: Final = {code: 33 + (code - 33 + 47) % 94 for code in range(33, 127)}
# Without their first letters, which may be capitals.
TURNED: Final = (
    *("nstruction", "revious", "gnore", "isregard", "estriction", "uideline", "assword", "eveal"),
    *("verything", "rompt", "ncensored", "nrestricted", "eveloper", "onversation", "ttp://"),
)

# How a text says that its first letters matter.
ANNOUNCED: Final = r"first (?:letters?|characters?) (?:of|in|from) (?:each|every|all|the|these)"

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
        r"(?:0[01]{7}[^0-9]{0,3}){6}|(?:[01]{7}[^0-9]{1,3}){6}"
        r"|(?:[12]?[0-9][-., ]){8}"
        r"|(?:(?:3[2-9]|[4-9][0-9]|1[0-2][0-9])[^0-9]{1,8}){8}"
        r"|(?:(?:0x|x|&h|u\+00)?[2-7][0-9a-f][^0-9a-z]{1,3}){8}"
        r"|(?:(?:0o|\\)?[01]?[0-7]{2}[^0-9]{1,2}){8}"
    ),
    "morse": r"(?:[.\-_]{1,5}[ /|]{1,3}){8}",
    "spelling": rf"(?:\b(?:{_SPELLING})\W{{1,3}}){{4}}",
    "rot47": "|".join(re.escape(word.translate(ROT47)) for word in TURNED),
    "initials": ANNOUNCED,
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
    "utf7": r"(?:\+[a-z0-9+/]{3,40}-){2}",
    # One word an entry: of a list, of lines with keys, of an object.
    "listed": (
        r"(?:[\r\n]{1,2}[ \t]{0,4}(?:[-*]|[0-9]{1,2}[.)]|[a-z]\w{0,9}:) ?"
        r"[\"']?[a-z]{1,14}[\"',.]{0,2}){3}"
        r"|[\"'] ?, ?[\"']\w{1,12}[\"'] ?: ?[\"'][a-z]{1,14}[\"'] ?[,}]"
    ),
    # Nothing for the decoders: the readers open files, and have to look at such a text closely.
    "file": "|".join((r"data:|\\u", DATA_SIGN, *OPENINGS, rf"[a-z0-9+/_-]{{{HEAD}}}")),
}

# The engine is quicker over a text when candidates do not share a pass with the rules, but for this
# one, which holds up the others.
BESIDE: Final[frozenset[Kind]] = frozenset({"quoted"})
