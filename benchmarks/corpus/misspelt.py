"""Texts in which every word is spelled wrong, in letters of another script, or said to be turned."""

import random
import re
import string
from collections.abc import Callable, Mapping
from typing import Final

_VOWEL: Final = re.compile("[aeiou]")
_VOWELS: Final = re.compile("[aeiou]+")
_LOWER: Final = string.ascii_lowercase
_CYRILLIC: Final = str.maketrans(
    dict(zip(_LOWER, "абкдефгхи.клмноп.рстувв.йз", strict=True)) | {"j": "дж", "q": "кв", "x": "кс"}
)
_GREEK: Final = str.maketrans(_LOWER, "αβκδεφγχιγκλμνοπκρστυβωξυζ")
_WORN: Final = str.maketrans("ANRKUOWY", "ДИЯЖЦФШЧ")
_LISU: Final = str.maketrans("ABCDEFGHIJKLMNOPRSTUVWXYZ", "ꓮꓐꓚꓓꓰꓝꓖꓧꓲꓙꓗꓡꓟꓠꓳꓑꓣꓢꓔꓴꓦꓪꓫꓬꓜ")
_RUNES: Final = str.maketrans(_LOWER, "ᚪᛒᚳᛞᛖᚠᚷᚻᛁᛄᛣᛚᛗᚾᚩᛈᛢᚱᛋᛏᚢᚡᚹᛉᚣᛎ")
_BY_EAR: Final = (
    *(("tion", "shun"), ("c", "k"), ("the", "thuh"), ("all", "awl"), ("word", "wurd")),
    *(("your", "yoor"), ("ou", "ow"), ("x", "ks"), ("ea", "ee"), ("from", "frum")),
)


def _replaced(*pairs: tuple[str, str]) -> Callable[[str], str]:
    def wear(text: str) -> str:
        text = text.lower()
        for old, new in pairs:
            text = text.replace(old, new)
        return text

    return wear


def _sometimes(pairs: Mapping[str, str], chance: float) -> Callable[[str], str]:
    """Some of the letters, always the same ones of the same text."""

    def wear(text: str) -> str:
        dice = random.Random(3)
        return "".join(pairs[c] if c in pairs and dice.random() < chance else c for c in text)

    return wear


def _in_words(change: Callable[[str, random.Random], str]) -> Callable[[str], str]:
    def wear(text: str) -> str:
        dice = random.Random(3)
        return " ".join(
            change(word, dice) if len(word) > 3 and word.isalpha() else word
            for word in text.split(" ")
        )

    return wear


def _shuffled(word: str, dice: random.Random) -> str:
    return word[0] + "".join(dice.sample(word[1:-1], len(word) - 2)) + word[-1]


def _lacking(word: str, dice: random.Random) -> str:
    at = dice.randrange(1, len(word) - 1)
    return word[:at] + word[at + 1 :]


def _doubled(word: str, dice: random.Random) -> str:
    at = dice.randrange(1, len(word) - 1)
    return word[:at] + word[at] + word[at:]


def _spooned(text: str) -> str:
    words = text.split()
    for at in range(0, len(words) - 1, 2):
        one, other = words[at], words[at + 1]
        words[at : at + 2] = other[0] + one[1:], one[0] + other[1:]
    return "Spoonerisms, the first letters of two words are swapped: " + " ".join(words)


def _overridden(text: str) -> str:
    words = text.split()
    return " ".join(
        f"\u202e{word[::-1]}\u202c" if at % 2 else word for at, word in enumerate(words)
    )


def _numbered(text: str) -> str:
    words = text.split()
    places = {word: at for at, word in enumerate(sorted(set(words)), 1)}
    entries = " ".join(f"{at}={word}" for word, at in places.items())
    return f"{entries}\nDo this: {'-'.join(str(places[word]) for word in words)}"


MISSPELT: Final[Mapping[str, Callable[[str], str]]] = {
    "letters misread": _sometimes(
        {"m": "rn", "w": "vv", "l": "1", "i": "j", "h": "b", "e": "c", "n": "ri", "u": "ii"}, 0.3
    ),
    "signs for many letters": _sometimes(
        {"a": "@", "e": "3", "i": "!", "o": "0", "s": "$", "t": "+", "c": "("}, 0.7
    ),
    "inner letters shuffled": _in_words(_shuffled),
    "a letter of each word lacking": _in_words(_lacking),
    "a letter of each word twice": _in_words(_doubled),
    "stars for vowels": lambda text: _VOWEL.sub("*", text),
    "w for r and l": _replaced(("r", "w"), ("l", "w")),
    "lisped": _replaced(("s", "th")),
    "by the ear": _replaced(*_BY_EAR),
    "vowels drawn out": lambda text: _VOWEL.sub(
        lambda vowel: vowel.group() * (2 + vowel.start() % 3), text
    ),
    "English in Cyrillic letters": lambda text: text.lower().translate(_CYRILLIC),
    "English in Greek letters": lambda text: text.lower().translate(_GREEK),
    "Cyrillic capitals for their looks": lambda text: text.upper().translate(_WORN),
    "Lisu capitals": lambda text: text.upper().translate(_LISU),
    "Anglo-Saxon runes": lambda text: text.lower().translate(_RUNES).replace(" ", "᛫"),
    "spoon language": lambda text: _VOWELS.sub(lambda said: f"{said[0]}lef{said[0]}", text.lower()),
    "Javanais": lambda text: _VOWELS.sub(lambda said: f"av{said[0]}", text.lower()),
    "spoonerisms": _spooned,
    "back to front": lambda text: f"Read back to front: {' '.join(reversed(text.split()))}",
    "every second word overridden": _overridden,
    "words under numbers": _numbered,
}
# What is worn by attacks in other languages too.
ABROAD: Final[Mapping[str, Callable[[str], str]]] = {
    **{
        name: MISSPELT[name]
        for name in ("signs for many letters", "spoon language", "back to front", "lisped")
    },
    "reversed": lambda text: text[::-1],
    "no space at all": lambda text: text.replace(" ", ""),
    "an emoji for each space": lambda text: text.replace(" ", " 👏 "),
    "spaced letters": lambda text: " ".join(text.replace(" ", "")),
}
