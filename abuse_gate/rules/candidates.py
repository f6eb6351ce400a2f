"""How the engine recognises that a text may hold something encoded, in the same pass as the rules.

Cheap on purpose: what is matched here is merely looked at; the decoders decide what it is.
"""

import re
from collections.abc import Mapping
from typing import Final, Literal

from abuse_gate.model.openings import DATA_SIGN, HEAD, OPENINGS
from abuse_gate.rules.apart import UNPARTED
from abuse_gate.rules.bases import NAMED as BASES
from abuse_gate.rules.calls import CANDIDATE as CALLS
from abuse_gate.rules.ciphers import CIPHERS
from abuse_gate.rules.edits import CANDIDATE as EDITS
from abuse_gate.rules.frames import MARKED
from abuse_gate.rules.guesses import BROKEN
from abuse_gate.rules.guesses import TURNED as SMALL_TURNED
from abuse_gate.rules.parting import PARTED
from abuse_gate.rules.rotations import NAMED as TURNS
from abuse_gate.rules.scripts import BORROWED
from abuse_gate.rules.spelling import BENT, MISTYPED
from abuse_gate.rules.turns import GAMES, NUMBERED, ROUND

Kind = Literal[
    "dense",
    "signs",
    "pieces",
    "uu",
    "numbers",
    "bytes",
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
    "apart",
    "unparted",
    "stretched",
    "strings",
    "records",
    "two signs",
    "announced",
    "layout",
    "padded",
    "dump",
    "tags",
    "called",
    "table",
    "edit",
    "marked",
    "named",
    "file",
    "misspelled",
    "drawn",
    "shapes",
    "borrowed",
    "turned round",
    "games",
    "numbered",
    "turned",
    "broken",
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

# What is looked for under other keyboards, in their letters.
LAID: Final = ("ignore", "previous", "instruct", "system", "prompt", "reveal", "restrict", "passw")

# How a text says that its first letters matter.
ANNOUNCED: Final = r"first (?:letters?|characters?) (?:of|in|from) (?:each|every|all|the|these)"

_LONG: Final = "|".join(3 * letter for letter in "abcdefghijklmnopqrstuvwxyz")
# The words of an attack as they come out of a keyboard of another language.
_RUSSIAN: Final = (
    "\u0439\u0446\u0443\u043a\u0435\u043d\u0433\u0448\u0449\u0437\u0445\u044a"
    "\u0444\u044b\u0432\u0430\u043f\u0440\u043e\u043b\u0434\u0436\u044d"
    "\u044f\u0447\u0441\u043c\u0438\u0442\u044c\u0431\u044e"
)
_HEBREW: Final = (
    "/'\u05e7\u05e8\u05d0\u05d8\u05d5\u05df\u05dd\u05e4[]\u05e9\u05d3\u05d2\u05db\u05e2"
    "\u05d9\u05d7\u05dc\u05da\u05e3,\u05d6\u05e1\u05d1\u05d4\u05e0\u05de\u05e6\u05ea\u05e5"
)
LAYOUTS: Final = tuple(
    str.maketrans("qwertyuiop[]asdfghjkl;'zxcvbnm,.", keys) for keys in (_RUSSIAN, _HEBREW)
)

# The first bytes of Cyrillic and of Chinese letters, in all that bytes are written in; Cyrillic
# letters by their numbers. Spelled out, because the engine is quick over what begins with letters.
_LEADS: Final = ("d0", "d1", *(f"e{digit}" for digit in range(3, 10)))
_HEXES: Final = "|".join(f"0x{lead}|{lead}{gap}" for lead in _LEADS for gap in " :-,")
_DECIMALS: Final = "|".join(f"{int(lead, 16)}{gap}" for lead in _LEADS for gap in " ,")
_POINTS: Final = "|".join(map(str, range(104, 111)))
BYTES: Final = "|".join(
    (
        f"(?:{_HEXES})(?:0x)?[89ab][0-9a-f]",
        rf"(?:(?:{_DECIMALS})1[2-9][0-9][^0-9][^\n]{{0,8}}){{3}}",
        r"(?:(?:0o32[01]|0o34[0-7]|32[01] 2|34[0-7] 2)[^\n]{2,16}){3}",
        "(?:1101000[01]|111001[01]{2}|111000[01]{2}|111010[01]{2})[^0-9]{0,2}10[01]{6}",
        f"(?:(?:{_POINTS})[0-9],? ?){{4}}",
    )
)

CANDIDATES: Final[Mapping[Kind, str]] = {
    # A long run of letters and digits: an identifier, a digest, or data. The decoder looks closer.
    "dense": r"[a-z0-9+]{22}",
    # A run without a space that is full of signs, as text in base85 is.
    "signs": r"<~|[!-~]{4}(?:[!#$%&()*+;<=>?@^_`{|}~\[][!-~]{1,10}){5}",
    # Short pieces of base64, parted by spaces or line ends.
    "pieces": r"(?:[a-z0-9+/_-]{4}(?:[a-z0-9+/_-]{4}){0,4}[=]{0,2}[\r\n]{1,2}){4}",
    "uu": r"begin [0-7]{3} ",
    # Character codes one after the other: binary, octal, decimal, hexadecimal.
    "numbers": (
        r"(?:(?:0b)?0[01]{7}[^0-9]{0,3}){6}|(?:[01]{7}[^0-9]{1,3}){6}"
        r"|(?:[12]?[0-9][-., /|]{1,2}){8}"
        r"|(?:(?:3[2-9]|[4-9][0-9]|1[0-2][0-9])[^0-9]{1,12}){8}"
        r"|(?:(?:0x|x|&h|u\+00)?[2-7][0-9a-f][^0-9a-z]{1,3}){8}"
        r"|(?:(?:0o|\\)?[01]?[0-7]{2}[^0-9]{1,2}){8}"
    ),
    "bytes": BYTES,
    "morse": r"(?:[.*\-_]{1,5}[ /|\n]{1,3}){8}",
    "spelling": rf"(?:\b(?:{_SPELLING})\W{{1,3}}){{4}}",
    "rot47": "|".join(re.escape(word.translate(ROT47)) for word in TURNED),
    "initials": ANNOUNCED,
    "percent": r"%u?[0-9a-f]{2}",
    "escape": (
        r"\\[ux]\{?[0-9a-f]|\\n\{[a-z]{4}|\\[0-7]{3}|\\[2-7][0-9a-f][ \\]|u\+00[2-7]"
        r"|(?:[a-z]\\{1,2}[nrt][a-z.,:]{1,16}){3}"
    ),
    "entity": r"&#|&[a-z]{2,8};",
    "control": r"[\x00-\x08\x0e-\x1f\x7f]",
    # A word with a tag, an emphasis or the joint of two string literals inside.
    "markup": (
        r"[a-z\x80-\xbf](?:(?:<[^<>]{1,40}>){1,3}|\*\*|__|~~|``)[a-z\xd0-\xed]"
        r"|[a-z][\"'] ?[+.&] ?[\"'][a-z]|<!--|\]\]>|[a-z]-\r?\n[a-z]"
    ),
    "utf7": r"(?:\+[a-z0-9+/]{3,60}-[ ,.]{0,2}){2}",
    # One word an entry: of a list, of lines with keys, of an object.
    "listed": (
        r"(?:[\r\n]{1,2}[ \t]{0,4}(?:[-*]|[0-9]{1,2}[.)]|[a-z]\w{0,9}:) ?"
        r"[\"']?[a-z]{1,14}[\"',.]{0,2}){3}"
        r"|[\"'] ?, ?[\"']\w{1,12}[\"'] ?: ?[\"'][a-z]{1,14}[\"'] ?[,}]"
    ),
    "apart": PARTED,
    "unparted": UNPARTED,
    # In several words: the same letter without end is a line or a pattern.
    "stretched": rf"(?:(?:{_LONG})[a-z]{{0,12}}[^a-z\n][^\n]{{0,12}}){{4}}",
    # Several short literals, one near the other.
    "strings": r"(?:[\"'][^\"'\n]{1,20}[\"'][^\"']{1,30}){4}",
    # Lines that begin with numbers; subtitles.
    "records": (
        r"(?:\n[\[(|<# ]{0,3}[0-9]{1,4}[^\n]{1,90}){4}|(?:\n\{\"[^\n]{1,160}){3}"
        r"|(?: --> [^\n]{1,40}\n[^\n]{1,60}\n[^-]{1,40}){3}"
    ),
    "two signs": (
        r"(?:zero|one)(?:\W{1,2}(?:zero|one)){15}|(?:[ab]{5}[ \n/]){6}|(?:[oi]{8} ?){4}|[ \t]{40}"
        r"|0b[01]{12}|[01]{40}|(?:[01]{4,8}[ /,.\-|]){8}"
        r"|(?:dit?|dah|dot|dash|bip|beep)(?:\W{0,3}(?:dit?|dah|dot|dash|bip|beep)){9}"
        # Any two signs in place of bits.
        r"|(?:(?:\xe2[\x96-\xad]|\xf0\x9f[\x80-\xbf])[\x80-\xbf][ /|\n]{0,2}){24}"
    ),
    "announced": CIPHERS,
    "layout": "|".join(word.translate(table) for table in LAYOUTS for word in LAID),
    # Words of base64, each with its padding.
    "padded": r"(?:[a-z0-9+/]{2,20}={1,2}[ ,;\n][^\n]{0,60}){2}",
    # Digits of bytes in twos and fours, with where they stand before them.
    "dump": (
        r"\n[0-9a-f]{4,8}:? {1,2}(?:[0-9a-f]{2,4} {1,2}){4}|(?:0x[0-9a-f]{4,16}[ ,]{1,2}){4}"
        r"|(?:[2-7][0-9a-f][2-7][0-9a-f] ){6}"
        # Colours, identifiers and addresses of which each byte could be a letter.
        r"|(?:#[2-7][0-9a-f]{5}[, ]{1,2}){4}|(?:[2-7][0-9a-f]){4}-(?:[2-7][0-9a-f]){2}-[2-7]"
        r"|(?:[2-7][0-9a-f][2-7][0-9a-f]:){5}|(?:(?:[67][0-9a-f]){3,12} ){3}"
        r"|(?:(?:d[01][89ab][0-9a-f]){3,12} ){2}|(?:(?:e[3-9a-d](?:[89ab][0-9a-f]){2}){1,9} ){3}"
    ),
    # A word with the markup of a forum, a typesetter or a wiki inside; with a comment of a program.
    "tags": (
        r"[a-z]\[/[a-z]{1,5}\]|\\(?:text|math|emph|bf|it|under|mbox|color)[a-z]{0,8}\{[a-z]"
        r"|/\*[^*\n]{0,40}\*/[a-z]|\{[#%][^{}\n]{0,40}[#%]\}[a-z]|\{[\"' ]{0,4}\}[a-z]"
        r"|[a-z](?:'{2,5}|\\f[bi])[a-z]|</t[dh]>"
    ),
    # Calls that name what they do to a word or a number.
    "called": CALLS,
    # Names and what they stand for, one near the other, but no cookies; blanks with numbers; two
    # alphabets.
    "table": (
        r"=>? ?[^=&<>;]{1,40}[ ,\n][^=&<>;]{1,16}=| =>? [^=&<>]{1,40};[^=&<>]{1,16} ="
        r"|(?:(?:->|\xe2\x86\x92)[^\n]{1,40}){2}"
        r"|(?:(?:means|stands for|is short for)[^\n]{1,40}){2}"
        r"|__[(\[{]?[0-9]|\(1\)|\[1\]|\{1\}|<1>|[\[(][0-9]{1,2}, ?[0-9]{1,2}, ?[0-9]{1,2}, ?[0-9]"
        r"|a b c d e f g|abcdefghijklm"
    ),
    # Replacements that a text asks for.
    "edit": EDITS,
    # Words that are marked among others.
    "marked": MARKED,
    # Encodings and ways to turn letters, by their names.
    "named": f"{BASES}|{TURNS}",
    # Nothing for the decoders: the readers open files, and have to look at such a text closely.
    "file": "|".join((r"data:|\\u", DATA_SIGN, *OPENINGS, rf"[a-z0-9+/_-]{{{HEAD}}}")),
    # Short words of every sentence, bent: with letters, and with digits or signs.
    "misspelled": "|".join(f" {word} " for word in sorted({*BENT, *MISTYPED}) if word.isalpha()),
    "drawn": "|".join(f" {re.escape(word)} " for word in sorted(BENT) if not word.isalpha()),
    # Letters drawn with several signs each.
    "shapes": r"(?:(?:\|\\\||\|_\||\|\)|\|<|\|-\||\\/\\/|\|\\/\|)[^\n]{0,24}){4}",
    "borrowed": "|".join(BORROWED),
    "turned round": ROUND,
    "games": GAMES,
    "numbered": NUMBERED,
    # What is no word as it stands: see who guesses.
    "turned": SMALL_TURNED,
    "broken": BROKEN,
    # The last on purpose: anywhere else the engine takes twice as long for all of them.
    "quoted": r"=(?:[2-7][0-9a-f][^=]{0,8}=[2-7]|[c-f][0-9a-f]=[89ab][0-9a-f]|\r?\n)",
}
# What the engine's numbers stand for.
KINDS: Final[tuple[Kind, ...]] = (*CANDIDATES,)
