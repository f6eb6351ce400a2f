"""The words that an attack in plain language can hardly do without, and the ways to bend them.

A text is squeezed to its bare letters, digits and signs that stand for letters read as letters;
what is then found of these words, whole, misspelled, turned round or shifted, says which readings
of the text are worth a second scan. Knows words only, no rules and no engine.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Final, Literal

from abuse_gate.rules.plays import PLAYS, Play

# How a text was bent; each way has a reading of its own.
Bend = Literal["squeezed", "reversed", "shifted", "stuttered", "backwards", "command", "played"]


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


_VOWELS: Final = "aeiou"
# Fewer consonants than this are a name or an abbreviation.
_MIN_BARE: Final = 4
_MIN_MENDED: Final = 3
# A shorter word that lacks a letter is another word, or the joint of two.
_MIN_LACKING: Final = 8
# A key that is no letter leaves nothing in the bare letters.
_MIN_PLAYED: Final = 6
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
    "respond|without|disable|donot|append|updated|forward|secretly|include|fromnowon"
)
_OBJECTS: Final = (
    "instruction|directions|prompt|guideline|restriction|directive|yourrules|allrules|therules|"
    "everythingabove|everythingyou|developermode|password|secretkey|apikey|jailbr|doanythingnow|"
    "filters|conversationhistory|wholeconversation|entireconversation|contentpolicy|apikeys|"
    "environmentvariables|norestriction|withoutasking|unfiltered|uncensored|unrestricted|neverrefuse|bash|credential|tellthe|amoral"
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
    ignoring disregarding bypassing overriding
    """
)
# The same, but never looked for without their vowels.
_WHOLE: Final = _words(
    """
    content updated administrator admin disabled enabled restrictions restricted unlimited actions
    environment variables database passwords credentials token tokens access private
    append image reply link history whole entire every inbox attacker forward secretly
    reveal including verbatim hidden developer character persona roleplay jailbreak jailbroken
    command terminal shell http https server upload download file remove root
    can will must have has been was for who how when where into only just also
    rule filter limit allowed longer anymore fully step make build bomb weapon malware
    confidential internal training data input contents configuration config setup
    write list begin start ends with sentence paragraph translate summarize
    """
)

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


def _misspelled(word: str) -> Iterator[str]:
    """The word with letters swapped, without a letter or its vowels, and as pig Latin has it."""
    for at in range(1, len(word) - 1):
        yield word[:at] + word[at + 1] + word[at] + word[at + 2 :]
        if len(word) >= _MIN_LACKING:
            yield word[:at] + word[at + 1 :]
    for bare in (_bare(word), word[0] + _bare(word[1:])):
        if len(bare) >= _MIN_BARE:
            yield bare
    yield _in_pig_latin(word)


def _bare(word: str) -> str:
    return "".join(char for char in word if char not in _VOWELS)


def _in_pig_latin(word: str) -> str:
    start = next((at for at, char in enumerate(word) if char in _VOWELS), 0)
    return (word[start:] + word[:start] + "ay") if start else word + "way"


MISSPELLED: Final[Mapping[str, str]] = {
    bent: word for word in KEYS for bent in _misspelled(word) if bent not in KEYS
}
# What gives nothing away alone, and is put right where something else did.
_MENDED: Final[Mapping[str, str]] = {
    **{_in_pig_latin(word): word for word in _CONNECTING},
    **{bare: word for word in (*_CONNECTING, *KEYS) if len(bare := _bare(word)) >= _MIN_MENDED},
    **{word[:at] + word[at + 1 :]: word for word in KEYS for at in range(1, len(word) - 1)},
    **MISSPELLED,
}

_ROWS: Final = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
# The keys to the left and to the right of each letter.
_BESIDE: Final = {
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
    return "|".join(word.translate(SHIFTS[undo]) for word in (*KEYS, *COMMANDS))


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
    """The longer words with a letter twice, a needless X, or the key beside the right one."""
    for word in (word for word in KEYS if len(word) >= _MIN_LACKING):
        for at in range(1, len(word) - 1):
            yield from (word[:at] + extra + word[at:] for extra in (word[at], "x"))
            yield from (word[:at] + near + word[at + 1 :] for near in _BESIDE[word[at]])


def _played(play: Play) -> str:
    bent = (squeeze(play.put(word).encode()).decode() for word in KEYS)
    return "|".join(word for word in bent if len(word) >= _MIN_PLAYED)


# Pattern over squeezed text -> what it gives away.
TRIGGERS: Final[tuple[tuple[str, Bend, int], ...]] = (
    (_BACKWARDS, "backwards", 0),
    (_COMMAND, "command", 0),
    *(("|".join(_stuttered(word, by) for word in KEYS), "stuttered", by) for by in (2, 3)),
    (f"(?:{_VERBS})[a-z]{{0,40}}(?:{_OBJECTS})", "squeezed", 0),
    ("|".join(MISSPELLED), "squeezed", 0),
    ("|".join(word[::-1] for word in (*KEYS, *COMMANDS)), "reversed", 0),
    ("|".join(_mistyped()), "squeezed", 0),
    *((shifted(by), "shifted", by) for by in SHIFTS),
    *((_played(play), "played", at) for at, play in enumerate(PLAYS)),
)


def _branches(words: list[str]) -> str:
    """Words as nested alternatives, the longest first: a letter is looked at once, not per word."""
    heads = sorted({word[0] for word in words if word})
    tails = {head: [word[1:] for word in words if word[:1] == head] for head in heads}
    branches = "|".join(head + _branches(tails[head]) for head in heads)
    if not branches:
        return ""
    return f"(?:{branches})?" if "" in words else f"(?:{branches})"


# Every word that is put back.
KNOWN: Final = frozenset((*KEYS, *_CONNECTING, *_WHOLE))
_WORD: Final = re.compile(_branches(sorted({*KNOWN, *_MENDED})))


def mend(squeezed: str) -> str:
    """Bare letters with spaces round every word that is known, misspelled ones put right."""
    return _WORD.sub(_apart, squeezed)


def _apart(found: re.Match[str]) -> str:
    word = found.group()
    return f" {_MENDED.get(word, word)} "
