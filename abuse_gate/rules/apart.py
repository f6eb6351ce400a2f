"""Letters that stand apart, are stretched, or are drawn with digits and signs: put together again.

The words keep the gaps between them, so that every rule can read them; knows no words and no
rules. Linear in the text, never raises.
"""

import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Final

from abuse_gate.rules.pace import matches, occurs, replaced

# A letter alone, what parts it from the next one, and that the next one is alone too.
_GAP: Final = re.compile(
    r"(?<![^\W\d_])[^\W\d_]([^A-Za-z\u0400-\u04ff\u3041-\ud7a3]{1,12})(?=[^\W\d_](?![^\W\d_]))"
)
# Gaps that are counted to learn which one parts the letters.
_SAMPLE: Final = 256
_DIGITS: Final = re.compile(r"\d+")
# Fewer letters in a row are initials, options or a formula.
_MIN_SPACED: Final = 4
# What may stand inside a word of a text whose words were all taken apart.
_INSIDE: Final = re.compile(r"(?<=[^\W\d_])(?:[^\w\s]|_){1,4}(?=[^\W\d_])")
_SIGNS_INSIDE: Final = re.compile(r"(?<=[^\W\d_])(?:[^\w\s]|_){1,4}(?=[^\W\d_])")
# Letters one by one, with any sign between two of them, or with an X.
_LOOSE: Final = re.compile(r"(?<![^\W\d_])[^\W\d_](?:(?:[^\w\s]|_){1,4}[^\W\d_](?![^\W\d_])){2,}+")
_WITH_X: Final = re.compile(r"(?<!\w)(?:[^xX\s][xX])++")
_LETTER_X: Final = re.compile(r"([^xX\s])[xX]")
_BOTH_CASES: Final = re.compile(r"\[([A-Za-z])[A-Za-z]\]")
_STRETCHED: Final = re.compile(r"([A-Za-z])\1{2,}")
_DRAWLED: Final = re.compile(r"([a-z])\1{2,}|([aeiou])\2", re.IGNORECASE)

# Scripts that part no words, and what may be put between their signs.
_UNPARTED: Final = "\u3041-\u30ff\u3400-\u9fff"
_JOINT: Final = re.compile(
    rf"(?<=[{_UNPARTED}])(?:[\"'] ?[+.&,] ?[\"']|(?:</?[A-Za-z]{{1,8}}>){{1,3}}|&[a-z]{{2,6}};"
    rf"|[\s|*_/~+.,-]{{1,9}})(?=[{_UNPARTED}])"
)
# How the engine finds such a text: three times so, or four times at the end of a line.
_SIGNS: Final = r"(?:[\xe3-\xe9][\x80-\xbf]{2}[,.]?)"
UNPARTED: Final = (
    rf"(?:{_SIGNS}{{1,12}}(?:[\"'] ?[+.&,] ?[\"']|\|{{1,2}}|\r?\n[-*] ?|(?:</?[a-z]{{1,8}}>){{1,2}}"
    rf"|&[a-z]{{2,6}};|[ \-_*/~+]|[ \t\x0b\x0c]{{2,9}})){{3}}|(?:{_SIGNS}{{1,4}}\r?\n){{4}}"
)

# Letters that are drawn with several signs, the longest first.
_DRAWN: Final = {
    "/\\/\\": "m",
    "|\\/|": "m",
    "\\/\\/": "w",
    "|\\|": "n",
    "|-|": "h",
    "|_|": "u",
    "/-\\": "a",
    "|<": "k",
    "|)": "d",
    "|3": "b",
    "|=": "f",
    "|>": "p",
    "|2": "r",
    "_|": "j",
    "|_": "l",
    "><": "x",
    "`/": "y",
    "()": "o",
    "\\/": "v",
    "/\\": "a",
    "vv": "w",
}
_DRAWING: Final = re.compile("|".join(map(re.escape, _DRAWN)))
_ONES: Final = re.compile("11|[1!|](?=[a-z])")
# A longer word is data, and no word; so is one in which capitals and small letters mix.
_SHORT: Final = re.compile(r"(?<!\S)(?:[A-Z]?[^\sA-Z]{1,48}|[^\sa-z]{2,48})(?!\S)")
# One sign is drawn like two letters; each reading takes one of them.
_FIRST: Final = str.maketrans("0123456789@$!|(+#%", "oizeasgtbgasilcthx")
_SECOND: Final = str.maketrans("0123456789@$!|(+#%", "olzeasbtbgasilcthx")


def apart(text: str) -> Iterator[str]:
    """The letters of words together, whatever parts them: the gaps of words are others."""
    found = [_DIGITS.sub("0", gap[1]) for gap in islice(matches(_GAP, text), _SAMPLE)]
    gap, times = Counter(found).most_common(1)[0] if found else ("", 0)
    if times >= max(_MIN_SPACED, len(found) / 2):
        yield _joined(text, gap)
        return
    if occurs(_BOTH_CASES, text):
        yield replaced(_BOTH_CASES, text, lambda both: both[1])
    yield replaced(_LOOSE, text, lambda run: _INSIDE.sub("", run.group()))
    if not found:
        yield replaced(_WITH_X, text, lambda run: _LETTER_X.sub(r"\1", run.group()))


def together(text: str) -> Iterator[str]:
    """A text of a script without spaces, without what stands between its signs all the same."""
    yield replaced(_JOINT, text, lambda _: "")


def pieced(text: str) -> Iterator[str]:
    """The words without the signs inside them, and with a space for each of those signs."""
    yield replaced(_SIGNS_INSIDE, text, lambda _: "")
    yield replaced(_SIGNS_INSIDE, text, lambda _: " ")


def leet(text: str) -> Iterator[str]:
    """Digits and signs as the letters that they are drawn like, the gaps of words kept."""
    yield replaced(_SHORT, text, lambda word: _first(word.group().lower()))
    yield replaced(_SHORT, text, lambda word: _drawn(word.group().lower()).translate(_SECOND))


def drawn(lowered: str) -> Iterator[str]:
    """The same wherever they stand and however long the words, each sign for one letter or more."""
    yield lowered.translate(_FIRST)
    yield lowered.translate(_SECOND)
    yield _first(lowered)
    yield _drawn(lowered).translate(_SECOND)


def stretched(text: str) -> Iterator[str]:
    """Letters that were repeated, once each; then vowels too that stand twice."""
    yield replaced(_STRETCHED, text, lambda found: found[1])
    yield replaced(_DRAWLED, text, lambda found: found[0][0])


def _drawn(word: str) -> str:
    return _DRAWING.sub(lambda sign: _DRAWN[sign.group()], word)


def _first(word: str) -> str:
    return _ONES.sub(_one_or_ells, _drawn(word)).translate(_FIRST)


def _one_or_ells(found: re.Match[str]) -> str:
    return "ll" if found.group() == "11" else "i"


def _joined(text: str, gap: str) -> str:
    """The text without one gap behind each single character that it parts from the next."""
    parting = re.escape(gap).replace("0", r"\d{1,6}")
    if gap.isspace():
        runs = re.compile(rf"(?<!\S)(?:.{parting}){{{_MIN_SPACED},}}+", re.DOTALL)
    elif gap.isdigit():
        # Letters and digits in turn are a number in another notation, unless they begin a word.
        runs = re.compile(r"(?<![A-Za-z0-9])(?:\D\d){2,}+")
    else:
        runs = re.compile(rf"(?<![^\W\d_])(?:.{parting})++", re.DOTALL)
    pair = re.compile(rf"(.){parting}", re.DOTALL)

    def together(run: re.Match[str]) -> str:
        letters = pair.sub(r"\1", run.group())
        # The same few again and again are a pattern or a table, and no word.
        few = gap.isspace() and len(set(letters)) < _MIN_SPACED
        return run.group() if few else letters

    return replaced(runs, text, together)
