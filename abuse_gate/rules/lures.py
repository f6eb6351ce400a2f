"""The words that an attack in plain language can hardly do without, and the ways to bend them.

A text is squeezed to its bare letters, digits and signs that stand for letters read as letters;
what is then found of these words, whole, misspelled, turned round or shifted, says which readings
of the text are worth a second scan. Knows words only, no rules and no engine.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Final, Literal

# How a text was bent; each way has a reading of its own.
Bend = Literal["squeezed", "reversed", "shifted"]


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


_VOWELS: Final = "aeiou"
# Fewer consonants than this are a name or an abbreviation.
_MIN_BARE: Final = 5
# Enough of these words alone, bent, to look closer. Long, so that they do not arise by accident
# where one word ends and the next begins.
KEYS: Final = _words(
    """
    ignore disregard override bypass previous instruction prompt system reveal guideline
    restriction developer password jailbreak uncensored unfiltered directive unrestricted
    everything forget secret conversation assistant guidelines unethical pretend safety
    """
)
# How a download into a shell begins and ends; looked for turned and shifted only, because without
# its signs a command is no command any more.
COMMANDS: Final = _words("sudobash curlshttp curlhttp curlfsslhttp wgethttp wgetqohttp")
# Verbs and objects that mean an attack when they meet.
_VERBS: Final = (
    "ignor|disregard|forget|overrid|bypass|reveal|repeat|disclose|print|show|tell|leak|output|"
    "display|stopfollowing|pretend|youarenow|actas|enable|enter|send|obey|answeras|curl|wget|"
    "respond|without|disable|donot"
)
_OBJECTS: Final = (
    "instruction|directions|prompt|guideline|restriction|directive|yourrules|allrules|therules|"
    "everythingabove|everythingyou|developermode|password|secretkey|apikey|jailbr|doanythingnow|"
    "filters|unfiltered|uncensored|unrestricted|neverrefuse|bash|credential|tellthe|amoral"
)
# What else is put back into words once a text is worth it.
_CONNECTING: Final = _words(
    """
    forget instructions prompts rules guidelines restrictions directives commands orders policy
    policies above prior earlier before everything
    anything hidden initial original secret passphrase api key print repeat show tell give output
    display disclose leak share send execute run delete the your all any me my you are now not from
    this that and with without pretend act as mode dan do anything told follow following obey stop
    new free limits filters ethical safety assistant unethical curl bash files email user
    enable activate enter chatbot answer respond refuse refuses never request bot amoral
    message messages word text conversation what were given words full exact
    """
)

# Signs and digits that are drawn like a letter.
LEET: Final[Mapping[str, str]] = {
    "0": "o",
    "1": "i",
    "3": "e",
    "4": "a",
    "5": "s",
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


def _misspelled(word: str) -> Iterator[str]:
    """The word with two letters swapped, without its vowels, and as pig Latin has it."""
    for at in range(1, len(word) - 1):
        yield word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    bare = "".join(char for char in word if char not in _VOWELS)
    if len(bare) >= _MIN_BARE:
        yield bare
    start = next(at for at, char in enumerate(word) if char in _VOWELS)
    yield (word[start:] + word[:start] + "ay") if start else word + "way"


MISSPELLED: Final[Mapping[str, str]] = {
    bent: word for word in KEYS for bent in _misspelled(word) if bent not in KEYS
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
    return "|".join(word.translate(SHIFTS[undo]) for word in (*KEYS, *COMMANDS))


# Pattern over squeezed text -> what it gives away.
TRIGGERS: Final[tuple[tuple[str, Bend, int], ...]] = (
    (f"(?:{_VERBS})[a-z]{{0,40}}(?:{_OBJECTS})", "squeezed", 0),
    ("|".join(MISSPELLED), "squeezed", 0),
    ("|".join(word[::-1] for word in (*KEYS, *COMMANDS)), "reversed", 0),
    *((shifted(by), "shifted", by) for by in SHIFTS),
)


def _branches(words: list[str]) -> str:
    """Words as nested alternatives, the longest first: a letter is looked at once, not per word."""
    heads = sorted({word[0] for word in words if word})
    tails = {head: [word[1:] for word in words if word[:1] == head] for head in heads}
    branches = "|".join(head + _branches(tails[head]) for head in heads)
    if not branches:
        return ""
    return f"(?:{branches})?" if "" in words else f"(?:{branches})"


_WORD: Final = re.compile(_branches([*KEYS, *_CONNECTING, *MISSPELLED]))


def mend(squeezed: str) -> str:
    """Bare letters with spaces round every word that is known, misspelled ones put right."""
    return _WORD.sub(_apart, squeezed)


def _apart(found: re.Match[str]) -> str:
    word = found.group()
    return f" {MISSPELLED.get(word, word)} "
