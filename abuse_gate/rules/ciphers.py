"""Ciphers that a text announces: the letters in another order, or shifted by a key that it gives.

Nothing is guessed: what nobody announces is not tried. Linear in the text, never raises.
"""

import re
from collections.abc import Iterator
from itertools import chain, cycle, groupby
from typing import Final

from abuse_gate.rules.pace import matches, outer

ALPHABET: Final = "abcdefghijklmnopqrstuvwxyz"
# How a text says that letters were moved or shifted.
CIPHERS: Final = (
    r"vigen|beaufort|rail.?fence|zig.?zag|columnar|transposition|s[ck]ytale"
    r"|(?:every|each) (?:second|third|fourth|other|2nd|3rd|4th) (?:letter|character|word)"
    r"|last (?:word|letter|character)s? of (?:each|every)|(?:capital|upper.?case) letters"
    r"|column by column|top to bottom|(?:down|along) the columns"
    r"|read (?:it |them )?(?:down|vertical)"
    r"|(?:shift(?:ed)?|caesar|rotated?)"
    r"(?:,? (?:back|forward|by|of|cipher|letters?|it|each|every|with|a)){1,4},? [0-9]"
    r"|(?:second|third|fourth|fifth|final|middle|[2-5](?:nd|rd|th)) (?:letter|character|word)s? "
    r"(?:of|in|from) (?:each|every|all|the)|first letters? of (?:each|every) sentence"
    r"|(?:swap|switch|exchange)[a-z]{0,3} [^\n]{0,24}pair|pairs? of (?:letters|characters)"
    r"|first words? of (?:each|every)|remove (?:all|every|each)(?: letter)?(?:s|) .\b"
)
_KEYS: Final = re.compile(
    r"\b(?:key|keyword|password|passphrase)\b(?: (?:is|being|word))?"
    r"[\s:=\"'(]{1,3}([A-Za-z]{3,16})\b",
    re.IGNORECASE,
)
# A text of more keys than this wants us to work.
MAX_KEYS: Final = 6
# How often a cipher is named, and where: the first time and the last.
MAX_NAMED: Final = 2
_STEPS: Final = {"second": 2, "other": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4}
_NTH: Final = re.compile(
    r"\b(?:every|each) (second|third|fourth|other|2nd|3rd|4th) (letter|character|word)",
    re.IGNORECASE,
)
_RAILS: Final = re.compile(r"rail.?fence|zig.?zag", re.IGNORECASE)
_COLUMNS: Final = re.compile(r"columnar|transposition|s[ck]ytale|vertical", re.IGNORECASE)
_LAST: Final = re.compile(r"last (?:words?|letters?|characters?)", re.IGNORECASE)
_FIRST_WORD: Final = re.compile(r"first words?", re.IGNORECASE)
# Which letter or word of which unit.
_PLACED: Final = re.compile(
    r"\b(first|second|third|fourth|fifth|middle|last|final|1st|2nd|3rd|4th|5th) "
    r"(letter|character|word)s? (?:of|in|from) (?:each|every|all|the)(?: of)?(?: the)? "
    r"(word|line|row|verse|sentence)",
    re.IGNORECASE,
)
_ORDER: Final = (("first", "1st"), ("second", "2nd"), ("third", "3rd"), ("fourth", "4th"))
_PLACES: Final = {
    "last": -1,
    "final": -1,
    **{name: at for at, names in enumerate((*_ORDER, ("fifth", "5th"))) for name in names},
}
_UNITS: Final = {"word": re.compile(r"\W+"), "sentence": re.compile(r"[.!?\n]+")}
_LINE_ENDS: Final = re.compile(r"\n")
_PAIRED: Final = re.compile(
    r"(?:swap|switch|exchang)\w{0,3} [^\n]{0,24}pair|pairs? of (?:letters|characters)",
    re.IGNORECASE,
)
_PAIR: Final = re.compile(r"(.)(.)", re.DOTALL)
_CAPITALS: Final = re.compile(r"capital|upper.?case", re.IGNORECASE)
_DOWN: Final = re.compile(
    r"column by column|top to bottom|(?:down|along) the columns"
    r"|read (?:it |them )?(?:down|vertical)",
    re.IGNORECASE,
)
_SHIFTED: Final = re.compile(
    r"(?:shift|caesar|rotate)\w{0,3}(?:,? [a-z]{1,8}){1,4},? ([0-9]{1,2})\b", re.IGNORECASE
)
_SPACED: Final = re.compile(r"(\S)[ \t|](?=\S(?:[ \t|]|$))")
# Fewer lines, or shorter ones, are no grid.
MIN_GRID: Final = 3
_WORDS: Final = re.compile(r"\w+")
_LETTERS: Final = re.compile(r"[^\W_]")
_CAPITAL: Final = re.compile(r"[A-Z]")
_REMOVED: Final = re.compile(
    r"[Rr]emove (?:all|every|each|the)(?: (?:letters?|signs?))? [\"'`]?(\S)[\"'`]?(?=[\s,.:;])"
)
# Rails and columns that are tried.
WIDTHS: Final = range(2, 7)
# So much is read round the name of a cipher: no model undoes one over more.
MAX_MOVED: Final = 2048
BEFORE: Final = 512
_CIPHERS: Final = re.compile(CIPHERS, re.IGNORECASE)
_PARTS: Final = re.compile(r"[:\n]")
MAX_PARTS: Final = 8


def announced(text: str) -> Iterator[str]:
    """The text by every cipher that it names; of a long one, what is near to where it does so."""
    if len(text) <= MAX_MOVED:
        return _undone(text)
    named = outer((found.start() for found in matches(_CIPHERS, text)), MAX_NAMED)
    parts = dict.fromkeys(max(0, at - BEFORE) for at in named)
    return chain.from_iterable(_undone(text[at : at + MAX_MOVED]) for at in parts)


def _undone(text: str) -> Iterator[str]:
    for key in outer(_KEYS.findall(text), MAX_KEYS):
        yield from _keyed(text.lower(), key.lower())
    for found in outer(_NTH.finditer(text), MAX_NAMED):
        yield from _nth(text[found.end() :], _STEPS[found[1].lower()], found[2].lower())
    for named, undo in ((_RAILS, _unrailed), (_COLUMNS, _uncolumned)):
        for found in outer(named.finditer(text), MAX_NAMED):
            body = _behind(text[found.end() :])
            yield from (undo(body, width) for width in WIDTHS)
    if _DOWN.search(text):
        yield from _grids(text)
    for found in outer(_SHIFTED.finditer(text), MAX_NAMED):
        by = int(found[1]) % 26
        yield from (_shifted(text.lower(), [shift], 1) for shift in (by, 26 - by))
    for found in outer(_PAIRED.finditer(text), MAX_NAMED):
        body = _behind(text[found.start() :])
        yield from (_PAIR.sub(r"\2\1", body[start:]) for start in range(2))
    for found in outer(_PLACED.finditer(text), MAX_NAMED):
        yield _placed(found, text)
    yield from _chosen(text)


def _placed(found: re.Match[str], text: str) -> str:
    """One letter or word of each word, line or sentence, on the longer side of what says so."""
    body = max(text[: found.start()], text[found.end() :], key=len)
    which, what = found[1].lower(), found[2].lower()
    units = _UNITS.get(found[3].lower(), _LINE_ENDS).split(body)
    parts = [_WORDS.findall(unit) if what == "word" else _LETTERS.findall(unit) for unit in units]
    chosen = (part[_PLACES.get(which, len(part) // 2) :][:1] for part in parts)
    return (" " if what == "word" else "").join(one for some in chosen for one in some)


def _keyed(lowered: str, key: str) -> Iterator[str]:
    """Shifted back by the letters of the key, which starts anew behind each colon or line."""
    shifts = [ALPHABET.index(char) for char in key]
    for part in (lowered, *outer(_PARTS.split(lowered), MAX_PARTS)):
        yield _shifted(part, shifts, 1)
        yield _shifted(part, shifts, -1)


def _shifted(text: str, shifts: list[int], sign: int) -> str:
    """Vigenere's cipher undone, or Beaufort's, which is its own reverse."""
    by = cycle(shifts)
    return "".join(
        ALPHABET[(sign * ALPHABET.index(char) - sign * next(by)) % 26]
        if "a" <= char <= "z"
        else char
        for char in text
    )


def _grids(text: str) -> Iterator[str]:
    """Lines as long as each other, read from top to bottom; an underscore is a space."""
    lines = [_SPACED.sub(r"\1", line) for line in text.split("\n")]
    for size, group in groupby(lines, key=len):
        rows = list(group)
        if size >= MIN_GRID <= len(rows):
            yield "".join(map("".join, zip(*rows, strict=True))).replace("_", " ")


def _nth(text: str, step: int, what: str) -> Iterator[str]:
    body = text.lstrip(" :,.\n\"'")
    for start in range(step):
        if what == "word":
            yield " ".join(body.split()[start::step])
        else:
            yield body[start::step]


def _behind(rest: str) -> str:
    """What stands behind the colon that follows the name of a cipher, to the end of its line."""
    return rest.partition(":")[2].lstrip().partition("\n")[0]


def _unrailed(text: str, rails: int) -> str:
    turn = 2 * (rails - 1)
    order = sorted(range(len(text)), key=lambda at: min(at % turn, turn - at % turn))
    return _ordered(text, order)


def _uncolumned(text: str, width: int) -> str:
    order = sorted(range(len(text)), key=lambda at: at % width)
    return _ordered(text, order)


def _ordered(text: str, order: list[int]) -> str:
    placed = dict(zip(order, text, strict=True))
    return "".join(placed[at] for at in range(len(text)))


def _chosen(text: str) -> Iterator[str]:
    """The last letters and words, the first words of lines, the capitals, all but one sign."""
    lines = [_WORDS.findall(line) for line in text.splitlines()]
    if _LAST.search(text):
        yield " ".join(words[-1] for words in lines if words)
        yield "".join(word[-1] for words in lines for word in words)
    if _FIRST_WORD.search(text):
        yield " ".join(words[0] for words in lines if words)
    if _CAPITALS.search(text):
        yield "".join(_CAPITAL.findall(text))
    for removed in outer(_REMOVED.finditer(text), MAX_NAMED):
        yield text[removed.end() :].replace(removed[1], "")
