"""How much of a text is words, and which words letters would be with the right borders or spelling.

Knows words and no rules; what comes of it is for whoever asks. Linear in the text, never raises.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

from abuse_gate.rules.lures import BESIDE
from abuse_gate.rules.misspellings import bare, shuffled, sound
from abuse_gate.rules.vocabulary import VOCABULARY
from abuse_gate.rules.words import CONNECTING, KEYS, SMALL, WHOLE

LETTERS: Final = re.compile(r"[^\W\d_]+")
# A shorter word is no witness: any letters make some.
MIN_WITNESS: Final = 3
# A shorter word has no other forms worth having, and is near to too many others.
MIN_FORMED: Final = 4
MIN_LACKING: Final = 5
MIN_SOUND: Final = 5
# What a word costs that is known, by its length if short, one that hardly a sentence does without,
# and a letter that belongs to none.
_SHORT: Final = {1: 1.9, 2: 1.1, 3: 1.2}
_COMMON: Final = 0.8
_UNKNOWN: Final = 1.6
_HEAD: Final = 3
_TYPED: Final = frozenset(BESIDE)


def _forms(word: str) -> Iterator[str]:
    yield word
    if word.isascii() and len(word) >= MIN_FORMED:
        stem = word.removesuffix("e")
        yield from (f"{word}s", f"{stem}ed", f"{stem}ing", f"{word}ly")


_TELLING: Final = (*KEYS, *CONNECTING, *WHOLE)
_WORDS: Final = VOCABULARY.union(_TELLING, SMALL)
_KNOWN: Final = frozenset(form for word in _WORDS for form in _forms(word))
_COSTS: Final = dict.fromkeys((*KEYS, *CONNECTING, *SMALL), _COMMON)


def _lengths() -> dict[str, tuple[int, ...]]:
    found: dict[str, set[int]] = {}
    for word in _KNOWN:
        found.setdefault(word[:_HEAD], set()).add(len(word))
    return {head: tuple(sorted(sizes)) for head, sizes in found.items()}


# How long the words are that begin with the same letters.
_LENGTHS: Final = _lengths()
_LITTLE: Final = frozenset(word for word in _KNOWN if len(word) < _HEAD)


def sense(text: str) -> float:
    """The share of the letters of a text that stand in known words."""
    words = LETTERS.findall(text)
    every = sum(map(len, words))
    return sum(len(word) for word in words if word in _KNOWN) / every if every else 0.0


def witnesses(words: Iterable[str]) -> float:
    """The same of some words, of which the shortest count for nothing."""
    every = known = 0
    for word in words:
        every += len(word)
        known += len(word) if len(word) >= MIN_WITNESS and word in _KNOWN else 0
    return known / every if every else 0.0


def parted(letters: str) -> list[str]:
    """The letters as the fewest known words; letters that belong to none stay together."""
    size = len(letters)
    costs = [0.0] * (size + 1)
    steps = [0] * (size + 1)
    for at in range(size - 1, -1, -1):
        best, step = costs[at + 1] + _UNKNOWN, 0
        for length in _sizes(letters, at):
            word = letters[at : at + length]
            cost = costs[at + length] + (_COSTS.get(word) or _SHORT.get(length, 1.0))
            if cost < best:
                best, step = cost, length
        costs[at], steps[at] = best, step
    return [*_walked(letters, steps)]


def _sizes(letters: str, at: int) -> Iterator[int]:
    for length in (1, 2):
        if letters[at : at + length] in _LITTLE and at + length <= len(letters):
            yield length
    for length in _LENGTHS.get(letters[at : at + _HEAD], ()):
        if letters[at : at + length] in _KNOWN and at + length <= len(letters):
            yield length


def _walked(letters: str, steps: list[int]) -> Iterator[str]:
    at = start = 0
    while at < len(letters):
        if steps[at]:
            if start < at:
                yield letters[start:at]
            yield letters[at : at + steps[at]]
            at += steps[at]
            start = at
        else:
            at += 1
    if start < at:
        yield letters[start:at]


def _without_one(word: str) -> Iterator[str]:
    return (word[:at] + word[at + 1 :] for at in range(len(word)))


@lru_cache(maxsize=1)
def _neighbours() -> dict[str, str]:
    """Every word by what a slip leaves of it; what two could be is the one of an attack."""
    table: dict[str, str] = {}
    for word in dict.fromkeys((*_TELLING, *SMALL, *sorted(VOCABULARY, key=len))):
        for key in _keys(word):
            table.setdefault(key, word)
    for word in (word for word in _TELLING if len(word) >= MIN_SOUND):
        table.setdefault(f"={sound(word)}", word)
    return table


def _keys(word: str) -> Iterator[str]:
    """What a word has in common with its misspellings; signs tell the kinds of keys apart."""
    if len(word) >= MIN_FORMED:
        yield f"~{shuffled(word)}"
    if len(word) >= MIN_LACKING:
        yield from _without_one(word)
    if len(bare(word)) >= MIN_WITNESS:
        yield f"-{bare(word)}"


def _keyed(word: str) -> str:
    """The word of an attack, or else any, of which one letter was typed on the key beside."""
    if len(word) < MIN_FORMED or not _TYPED.issuperset(word):
        return ""
    meant = [
        f"{word[:at]}{other}{word[at + 1 :]}"
        for at, key in enumerate(word)
        for other in BESIDE[key]
    ]
    return next((one for kind in (_COSTS, _KNOWN) for one in meant if one in kind), "")


def near(word: str) -> str:
    """The known word that a misspelled one is meant to be; the word itself where there is none."""
    if word in _KNOWN or len(word) < MIN_WITNESS:
        return word
    table = _neighbours()
    right = table.get(f"~{shuffled(word)}") or table.get(word) or _keyed(word)
    if right:
        return right
    shorter = [*_without_one(word)]
    known = next((one for one in shorter if one in _KNOWN and len(one) >= MIN_WITNESS), "")
    tried = (*shorter, f"={sound(word)}", f"-{bare(word)}")
    return known or next((table[key] for key in tried if key in table), word)
