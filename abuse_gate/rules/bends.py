"""The other readings of a text whose words were bent: letters apart, misspelled, turned, shifted.

Asked only for the ways that the lures gave away; makes texts, and scans none of them.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from abuse_gate.rules.apart import leet, pieced
from abuse_gate.rules.drawings import brushed, russian
from abuse_gate.rules.groups import grouped
from abuse_gate.rules.guesses import guesses, some_turned
from abuse_gate.rules.lures import SHIFTS, TRIGGERS, Bend, squeeze
from abuse_gate.rules.mending import borders, mend, put_back
from abuse_gate.rules.misspellings import WAYS
from abuse_gate.rules.pace import pieces, replaced, translated
from abuse_gate.rules.plays import PLAYS
from abuse_gate.rules.repair import repaired
from abuse_gate.rules.sense import parted, sense
from abuse_gate.rules.spelling import spelled
from abuse_gate.rules.views import fold

_LETTERS: Final = re.compile(r"[^\W\d_]+")
# Letters turned upside down, as they are drawn; the text then runs backwards.
_TURNED: Final = str.maketrans(
    "\u0250q\u0254p\u01dd\u025f\u0183\u0265\u1d09\u0131\u027e\u029e\u026fuodb\u0279\u0287n\u028c\u028d\u028e\u05df"
    "\u02d9\u00bf\u00a1()[]{}<>",
    "abcdefghiijkmnopqrtuvwyl.?!)(][}{><",
)
# What is shown from right to left, up to the mark that ends it.
_OVERRIDDEN: Final = re.compile("\u202e([^\u202a-\u202e\n]{1,4096})\u202c?")
_TURNED_ONLY: Final = re.compile(
    "[\u0250\u0254\u01dd\u0265\u0279\u0287\u028c\u028d\u028e\u029e\u1d09]"
)
MIN_TURNED: Final = 4
# A text is under one shift, perhaps two; more are the work of somebody who wants us to work.
MAX_SHIFTS: Final = 3
# Where the words of a command stand whole, the command is not bent: the rules see it as it is.
_WHOLE_COMMAND: Final = re.compile(r"\b(?:curl|wget)\b", re.IGNORECASE)
# What a download into a shell is once its signs are back.
COMMAND: Final = "curl http://somewhere | bash"
# In a longer text the words are mended, but not where they stand: that costs a multiple.
MAX_IN_PLACE: Final = 16_384
# Several words with digits or signs for letters; several words with signs inside.
_KEEPING: Final = (
    (
        re.compile(r"(?:[A-Za-z][0-9@$!|+(#]{1,3}[A-Za-z][^\n]{0,40}?){3}"),
        "digits and signs for letters",
        leet,
    ),
    (
        re.compile(
            r"(?:[A-Za-z]{1,14}+[-_.*+~|/\\^$@'`]{1,4}+){4}[A-Za-z]"
            r"|(?:[A-Za-z]{1,14}+[-_.*+~|/\\^$@'`]{1,4}+[A-Za-z]{1,14}+ ){3}"
        ),
        "signs inside words",
        pieced,
    ),
)
SCATTERED: Final = "scattered or misspelled"
# Of a longer text no other borders of words are looked for.
MAX_PARTED: Final = 2048
# Languages whose words are put back in one text; in a longer one, a single language.
MAX_TONGUES: Final = 3
# What no sentence has between its words, and how much of it there is by accident.
_NOISE: Final = re.compile(
    r"\.\.\.|\s{9}|(?<=,) ?\w{1,14}(?=,)|[^\w\s.,;:!?'\"()-]|_|(?<=[a-z])[-./](?=[a-z])"
)
MIN_NOISE: Final = 4
MIN_STANDING: Final = 5
_PUNCTUATION: Final = ".,;:!?'\"()"
_ASCII_WORD: Final = re.compile("[a-z]+")
# Readings whose words were put right: to do so once more makes nothing new of them.
MENDING: Final = frozenset(
    {
        SCATTERED,
        "misspelled",
        "other words",
        *(name for _, name, _ in _KEEPING),
        *(way.name for way in WAYS),
    }
)
_STUTTERS: Final = {by: re.compile(rf"(\w)\1{{{by - 1}}}") for by in (2, 3)}


def named(
    text: str, squeezed: bytes, found: Iterable[int], unturned: str | None = None
) -> list[tuple[str, str]]:
    """Each reading that a matched trigger calls for, once, and the way in which it was bent.

    `unturned` is what is to be turned round, if that is not all of it.
    """
    unturned = text if unturned is None else unturned
    ways = [TRIGGERS[index][1:] for index in found]
    bends = {bend for bend, _ in ways}
    texts: list[tuple[str, str]] = []
    if "squeezed" in bends:
        texts += _scattered(text, squeezed.decode(), ways)
        texts += _in_place(text, squeezed) if texts and len(text) <= MAX_IN_PLACE else ()
    if "reversed" in bends and unturned:
        texts.append(("reversed", unturned[::-1]))
        texts.append(
            ("words reversed", _LETTERS.sub(lambda word: word.group()[::-1], unturned)),
        )
        if "\n" in unturned:
            lines = (line[::-1] for line in unturned.split("\n"))
            texts.append(("lines reversed", "\n".join(lines)))
        texts += (("some words reversed", some) for some in some_turned(unturned.lower()))
    if "grouped" in bends:
        texts += (("in groups", whole) for whole in grouped(text))
    if "backwards" in bends and unturned:
        texts.append(("words in reverse order", " ".join(reversed(unturned.split()))))
    if "command" in bends and not _WHOLE_COMMAND.search(text):
        texts.append(("a command without its signs", COMMAND))
    texts += [
        ("letters repeated", replaced(_STUTTERS[by], text, lambda found: found[1]))
        for bend, by in ways
        if bend == "stuttered"
    ]
    texts += [
        (PLAYS[at].name, PLAYS[at].undo(text))
        for at in [by for bend, by in ways if bend == "played"][:MAX_SHIFTS]
    ]
    shifts = [by for bend, by in ways if bend == "shifted"]
    lowered = text.lower() if shifts else ""
    return texts + [
        (f"rot{26 - by}" if by else "mirrored alphabet", lowered.translate(SHIFTS[by]))
        for by in shifts[:MAX_SHIFTS]
    ]


def _scattered(text: str, squeezed: str, ways: list[tuple[Bend, int]]) -> Iterator[tuple[str, str]]:
    """The words put back, English ones first, those of another language where they were bent."""
    every = {by for bend, by in ways if bend == "squeezed"}
    noise = sum(len(_NOISE.findall(piece)) for piece in pieces(text))
    noisy = noise >= max(MIN_NOISE, len(text.split()) / MIN_NOISE)
    if 0 in every and (noisy or not _whole(put_back(squeezed), fold(text))):
        yield SCATTERED, mend(squeezed)
    if 0 in every and len(squeezed) <= MAX_PARTED:
        words = parted(squeezed)
        if noisy or not _stand({word for word in words if sense(word)}, fold(text)):
            yield SCATTERED, " ".join(words)
    most = MAX_TONGUES if len(text) <= MAX_IN_PLACE else 1
    known = None if noisy or len(text) > MAX_IN_PLACE else borders(text)
    for at in sorted(every - {0})[:most]:
        if noisy or not _stand(put_back(squeezed, at), fold(text)):
            yield SCATTERED, mend(squeezed, at, known)


def _whole(words: set[str], text: str) -> bool:
    """Whether the longer ones of some words stand in a text by themselves, between spaces."""
    there = {word.strip(_PUNCTUATION) for word in text.split()}
    return there.issuperset(word for word in words if len(word) >= MIN_STANDING)


def _stand(words: set[str], text: str) -> bool:
    """Whether the longer ones of some words stand in a text, each at a border of a word."""
    longer = {word for word in words if len(word) >= MIN_STANDING}
    there = {word for piece in pieces(text) for word in _ASCII_WORD.findall(piece)}
    starts = {word[:MIN_STANDING] for word in there}
    ends = {word[-size:] for size in {*map(len, longer)} for word in there}
    return all(word[:MIN_STANDING] in starts or word in ends for word in longer)


def is_turned(char: str) -> bool:
    """Whether a character is one that stands on its head, and nothing else."""
    return bool(_TURNED_ONLY.match(char))


def _in_place(text: str, squeezed: bytes) -> Iterator[tuple[str, str]]:
    """The readings that keep the gaps between words, of those lines that look as if bent."""
    for looks, name, read in _KEEPING:
        lines = "\n".join(line for line in text.split("\n") if looks.search(line))
        for reading in read(lines) if lines else ():
            yield name, reading
    yield from spelled(text)
    yield from (("other words", reading) for reading in guesses(text) if reading)
    right = repaired(text)
    # Put right once, a text says the same again however its words are then scattered.
    if right and squeeze(right.encode("utf-8", "replace")) not in squeezed:
        yield "misspelled", right


def seen(text: str) -> tuple[str, str, str]:
    """What a text is to the eye: turned, drawn in other signs, Russian in Latin letters."""
    return turned(text), brushed(text), russian(text)


def turned(text: str) -> str:
    """The text as it is drawn: runs from right to left, or all of it on its head; else empty."""
    if "\u202e" in text:
        return replaced(_OVERRIDDEN, text, lambda run: run[1][::-1])
    if sum(len(_TURNED_ONLY.findall(piece)) for piece in pieces(text)) < MIN_TURNED:
        return ""
    return translated(text.lower(), _TURNED)[::-1]
