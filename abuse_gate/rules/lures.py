"""The words that an attack in plain language can hardly do without, and the ways to bend them.

A text is squeezed to its bare letters, digits and signs that stand for letters read as letters;
what is then found of these words, whole, misspelled, turned round or shifted, says which readings
of the text are worth a second scan. Knows words only, no rules and no engine.
"""

from collections.abc import Iterator, Mapping
from itertools import permutations
from typing import Final, Literal

from abuse_gate.rules.groups import traces
from abuse_gate.rules.misspellings import READ_AS
from abuse_gate.rules.plays import PLAYS, Play
from abuse_gate.rules.tongues import TONGUES
from abuse_gate.rules.words import COMMANDS, CONNECTING, KEYS, OBJECTS, VERBS

# How a text was bent; each way has a reading of its own.
Bend = Literal[
    "squeezed", "reversed", "shifted", "stuttered", "backwards", "command", "played", "grouped"
]


_VOWELS: Final = "aeiou"
# Fewer consonants than this are a name or an abbreviation.
_MIN_BARE: Final = 4
_MIN_MENDED: Final = 3
# A shorter word that lacks a letter is another word, or the joint of two.
_MIN_LACKING: Final = 8
# All orders of the inner letters are looked for, of the shorter words.
MAX_SHUFFLED: Final = 6
# A key that is no letter leaves nothing in the bare letters.
_MIN_PLAYED: Final = 6
# Signs and digits that are drawn like a letter.
LEET: Final[Mapping[str, str]] = {
    "0": "o",
    "1": "i",
    "3": "e",
    "4": "a",
    "5": "s",
    "6": "g",
    "7": "t",
    "8": "b",
    "9": "g",
    "@": "a",
    "$": "s",
    "!": "i",
}
_UPPER: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_TABLE: Final = bytes.maketrans(
    (_UPPER + "".join(LEET)).encode(), (_UPPER.lower() + "".join(LEET.values())).encode()
)
_KEPT: Final = {*_UPPER.encode(), *_UPPER.lower().encode(), *"".join(LEET).encode()}
_DROPPED: Final = bytes(code for code in range(256) if code not in _KEPT)


def squeeze(data: bytes) -> bytes:
    """The bare letters of a text, one after the other."""
    return data.translate(_TABLE, _DROPPED)


def _misspelled(word: str, least: int = _MIN_BARE) -> Iterator[str]:
    """The word with letters swapped, without a letter or its vowels, and as it is mouthed."""
    for at in range(1, len(word) - 1):
        yield word[:at] + word[at + 1] + word[at] + word[at + 2 :]
        if len(word) >= _MIN_LACKING:
            yield word[:at] + word[at + 1 :]
    for bare in (_bare(word), word[0] + _bare(word[1:])):
        if len(bare) >= least:
            yield bare
    yield from (_in_pig_latin(word), *_mouthed(word))


def _mouthed(word: str) -> Iterator[str]:
    """The word as a child says it, or somebody who lisps, or who writes by the ear."""
    said = (word.replace("r", "w").replace("l", "w"), word.replace("s", "th"))
    heard = (word.replace("tion", "shun"), word.replace("ction", "kshun"))
    yield from (one for one in (*said, *heard) if one != word)


def _bare(word: str) -> str:
    return "".join(char for char in word if char not in _VOWELS)


def _in_pig_latin(word: str) -> str:
    start = next((at for at, char in enumerate(word) if char in _VOWELS), 0)
    return (word[start:] + word[:start] + "ay") if start else word + "way"


def _shuffled(word: str) -> Iterator[str]:
    if len(word) <= MAX_SHUFFLED:
        yield from (word[0] + "".join(inner) + word[-1] for inner in permutations(word[1:-1]))


MISSPELLED: Final[Mapping[str, str]] = {
    bent: word
    for word in KEYS
    for bent in (*_misspelled(word), *_shuffled(word))
    if bent not in KEYS
}
# What is looked for turned round and shifted: a letter more costs every text.
EVERY_KEY: Final = (*KEYS, *(stem for tongue in TONGUES.values() for stem in tongue.stems))
_FOREIGN: Final = sorted({word for tongue in TONGUES.values() for word in tongue.keys})
# What gives nothing away alone, and is put right where something else did.
MENDED: Final[Mapping[str, str]] = {
    **{_in_pig_latin(word): word for word in CONNECTING},
    **{bare: word for word in (*CONNECTING, *KEYS) if len(bare := _bare(word)) >= _MIN_MENDED},
    **{word[:at] + word[at + 1 :]: word for word in KEYS for at in range(1, len(word) - 1)},
    **MISSPELLED,
}

_ROWS: Final = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
# The keys to the left and to the right of each letter.
BESIDE: Final = {
    key: f"{row[at - 1] if at else ''}{row[at + 1 : at + 2]}"
    for row in _ROWS
    for at, key in enumerate(row)
}
_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"


def _shifts() -> dict[int, dict[int, int]]:
    tables = {by: str.maketrans(_LETTERS, _LETTERS[by:] + _LETTERS[:by]) for by in range(1, 26)}
    tables[0] = str.maketrans(_LETTERS, _LETTERS[::-1])
    return tables


# From a shift by so many letters back to the text; the mirrored alphabet stands under 0.
SHIFTS: Final = _shifts()


def shifted(by: int) -> str:
    """What the engine looks for to find a text under this shift."""
    undo = by if by == 0 else 26 - by
    return "|".join(word.translate(SHIFTS[undo]) for word in (*EVERY_KEY, *COMMANDS))


# An order whose words stand in reverse order.
_BACKWARDS: Final = (
    "(?:instructions|guidelines|directions|rules|prompt|filters|everything|password|instructionsprevious)"
    "(?:previous|prior|above|initial|system|safety|content|hidden|secret|your|the|all|my|any|of){1,4}"
    "(?:ignore|disregard|forget|override|bypass|reveal|print|show|disclose|repeat|tell|metell|meshow|megive)"
)
# A download into a shell, of which nothing but the letters is left.
_COMMAND: Final = "(?:curl|wget)[a-z]{0,12}http[a-z]{2,60}(?:bash|pythn|python|sudosh|zsh)"


def _stuttered(word: str, times: int) -> str:
    return "".join(char * times for char in word)


def _mistyped() -> Iterator[str]:
    """The longer words with a letter twice, a needless X, the key beside, or a letter misread."""
    for word in (word for word in KEYS if len(word) >= _MIN_LACKING):
        for at in range(1, len(word) - 1):
            yield from (word[:at] + extra + word[at:] for extra in (word[at], "x"))
            others = (*BESIDE[word[at]], *filter(str.isalpha, READ_AS.get(word[at], ())))
            yield from (word[:at] + other + word[at + 1 :] for other in others)


# In a game the keys are whole words, and a command is no longer short; a longer word is found by a
# shorter one in it.
_IN_GAMES: Final = (
    *KEYS,
    *(
        word
        for word in _FOREIGN
        if not any(key in word for key in (*KEYS, *_FOREIGN) if key != word)
    ),
    *("curl", "wget", "bash"),
)


def _played(play: Play) -> str:
    bent = (squeeze(play.put(word).encode()).decode() for word in _IN_GAMES)
    return "|".join(word for word in bent if len(word) >= _MIN_PLAYED)


# In other languages the longest of what a misspelling leaves is short enough to be an accident.
_MIN_FOREIGN: Final = 5
STRAY: Final = {
    name: {
        bent: word
        for word in tongue.keys
        for bent in _misspelled(word, _MIN_FOREIGN)
        if bent not in (*KEYS, *tongue.keys)
    }
    for name, tongue in TONGUES.items()
}


def _triggers_abroad() -> Iterator[tuple[str, Bend, int]]:
    for at, (name, tongue) in enumerate(TONGUES.items(), 1):
        yield f"(?:{tongue.verbs})[a-z]{{0,40}}(?:{tongue.objects})", "squeezed", at
        yield "|".join(STRAY[name]), "squeezed", at


# Pattern over squeezed text -> what it gives away; a squeezed text is in one of the languages.
TRIGGERS: Final[tuple[tuple[str, Bend, int], ...]] = (
    (_BACKWARDS, "backwards", 0),
    (_COMMAND, "command", 0),
    ("|".join(sorted(traces(squeeze))), "grouped", 0),
    *(("|".join(_stuttered(word, by) for word in EVERY_KEY), "stuttered", by) for by in (2, 3)),
    (f"(?:{VERBS})[a-z]{{0,40}}(?:{OBJECTS})", "squeezed", 0),
    ("|".join(MISSPELLED), "squeezed", 0),
    ("|".join(word[::-1] for word in (*EVERY_KEY, *COMMANDS)), "reversed", 0),
    ("|".join(_mistyped()), "squeezed", 0),
    *_triggers_abroad(),
    *((shifted(by), "shifted", by) for by in SHIFTS),
    *((_played(play), "played", at) for at, play in enumerate(PLAYS)),
)
