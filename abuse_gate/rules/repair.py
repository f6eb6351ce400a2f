"""Misspelled words put right one by one, where they stand: the gaps between words are kept.

Knows words only: those that the rules are about. A word that is near to none of them stays as it
is. Linear in the text, never raises.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from abuse_gate.rules.mending import KNOWN

# A shorter word is near to too many others.
MIN_LENGTH: Final = 5
# A shorter word with another letter in it is another word.
MIN_OTHER: Final = 7
# Different words that are looked at in one text; whoever writes more wants us to work.
MAX_WORDS: Final = 4096
_WORD: Final = re.compile(r"[A-Za-z]{2,24}(?:[*#][A-Za-z*#]{0,23})?|[*#][A-Za-z*#]{2,23}")
# A word of its own, and no misspelled one.
_ENDINGS: Final = ("s", "d", "r", "es", "ed", "er", "ly", "al", "ing", "ers", "ment", "able")
_VOWELS: Final = re.compile("[aeiou*#]")
_MAX_CLUSTER: Final = 4


def _without_one(word: str) -> Iterator[str]:
    return (word[:at] + word[at + 1 :] for at in range(len(word)))


def _shuffled(word: str) -> str:
    """What stays of a word whose inner letters change places."""
    return word[0] + "".join(sorted(word[1:-1])) + word[-1]


def _long(words: Iterable[str]) -> Iterator[str]:
    return (word for word in words if len(word) >= MIN_LENGTH)


_SHUFFLED: Final = {_shuffled(word): word for word in _long(KNOWN)}
_LACKING: Final = {bare: word for word in _long(KNOWN) for bare in _without_one(word)}
_BARE: Final = {bare: word for word in KNOWN if len(bare := _VOWELS.sub("", word)) > 1}


def repaired(text: str) -> str:
    """The lines in which words were put right; empty when there is nothing to put right."""
    found: dict[str, str] = {}

    def spell(match: re.Match[str]) -> str:
        word = match.group().lower()
        if word not in found and len(found) < MAX_WORDS:
            found[word] = _right(word)
        return found.get(word, word)

    lines = text.split("\n")
    spelled = [_WORD.sub(spell, line) for line in lines]
    changed = (new for new, old in zip(spelled, lines, strict=True) if new != old.lower())
    return "\n".join(changed) if any(word != right for word, right in found.items()) else ""


def _right(word: str) -> str:
    if word in KNOWN or _inflected(word):
        return word
    bare = _VOWELS.sub("", word)
    if len(bare) == len(word) or "*" in word or "#" in word:
        return word if "y" in word else _BARE.get(bare, word)
    if len(word) < MIN_LENGTH:
        return word
    return _near(word) or _from_pig_latin(word) or word


def _inflected(word: str) -> bool:
    stems = (word.removesuffix(ending) for ending in _ENDINGS if word.endswith(ending))
    return any(stem in KNOWN or f"{stem}e" in KNOWN for stem in stems)


def _near(word: str) -> str:
    """A known word that differs by the order of its letters, or by one letter."""
    right = _SHUFFLED.get(_shuffled(word), "")
    if not right and len(word) > MIN_LENGTH:
        right = _LACKING.get(word, "")
    for bare in () if right else _without_one(word):
        right = bare if bare in KNOWN and len(bare) >= MIN_LENGTH else ""
        if not right and len(word) >= MIN_OTHER:
            right = _LACKING.get(bare, "")
        if right:
            break
    return right


def _from_pig_latin(word: str) -> str:
    """A known word whose first consonants went to its end."""
    if not word.endswith("ay"):
        return ""
    stem = word[:-2]
    turned = (stem[-size:] + stem[:-size] for size in range(1, _MAX_CLUSTER))
    return next((one for one in (stem.rstrip("wy"), *turned) if one in KNOWN), "")
