"""Misspelled words put right, all of them, in a text that has more than a slip or two of the pen.

One look into a table finds the word that is meant. Knows words only: those that the rules are
about. Linear in the text, never raises.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from abuse_gate.rules.lures import BESIDE
from abuse_gate.rules.mending import KNOWN
from abuse_gate.rules.misspellings import WAYS, Way
from abuse_gate.rules.tongues import TONGUES
from abuse_gate.rules.vocabulary import VOCABULARY
from abuse_gate.rules.words import CONNECTING, KEYS, SMALL

# A shorter word tells nothing.
MIN_TELLING: Final = 4
# English words go first where several have the same key, those of attacks before all others.
_WORDS: Final = (
    *KEYS,
    *CONNECTING,
    *sorted(KNOWN),
    *SMALL,
    *(
        word
        for tongue in TONGUES.values()
        for word in (*tongue.keys, *tongue.words)
        if len(word) >= MIN_TELLING
    ),
)
_RIGHT: Final = frozenset(_WORDS)
# Where all of these stand as they should, the rules see them as they stand.
_TELLING: Final = frozenset(
    (
        *KEYS,
        *(word for word in CONNECTING if len(word) >= MIN_TELLING),
        *(word for tongue in TONGUES.values() for word in tongue.keys),
    )
)
# What is shorter is a sign or a number.
MIN_BENT: Final = 3
# Fewer words put right are an accident.
MIN_SPELLED: Final = 3
# A longer text is read as far as this; so many different words are looked at.
MAX_LENGTH: Final = 16_384
MAX_WORDS: Final = 4096
MAX_WORD: Final = 24
_WORD: Final = re.compile(r"\S+")
_ENDS: Final = re.compile(r"\n|(?<=[a-z]\.) ")
_LETTER: Final = re.compile("[a-z]")
_PUNCTUATION: Final = ".,;:?!\"'()"
_CLOSING: Final = ".,;:?\"')"
# Bent words that are words as well, and the few of three letters that are none.
_ORDINARY: Final = """
    abut ales alls dene dine ever fell fist fold form hath lass lath lees less loos loss loth arid
    pint pour riot rues thee ther tole tees tess watt wine wold woul tere teir fout toda tods
    three toute prin
"""
_SHORTEST: Final = "teh thc tbe fhe tht ths wth frm wuz wut wif wiv yur yoo aww ith uer tel awl"
ORDINARY: Final = frozenset(_ORDINARY.split())
SHORTEST: Final = frozenset(_SHORTEST.split())


def _table(way: Way) -> dict[str, str]:
    """Every word by its keys; the first word that has one keeps it."""
    table: dict[str, str] = {}
    for word in (word for word in _WORDS if len(word) >= way.least):
        for key in way.forms(word) if way.forms else (way.key(word),):
            table.setdefault(key, word)
    return table


_TABLES: Final = {way.name: _table(way) for way in WAYS}


def _is_slip(bent: str) -> bool:
    if len(bent) < MIN_BENT or bent in _RIGHT or bent in ORDINARY or bent in SMALL:
        return False
    if not _LETTER.search(bent) or bent[0] == "(":
        return False
    return len(bent) > MIN_BENT or not bent.isalpha() or bent in SHORTEST


def _slips(way: Way) -> dict[str, str]:
    """Short words of every sentence as they look when they are bent, and what they are."""
    return {bent: word for word in SMALL for bent in way.bent(word) if _is_slip(bent)}


_SLIPS: Final = {way.name: _slips(way) for way in WAYS}
BENT: Final = {bent: word for slips in _SLIPS.values() for bent, word in slips.items()}


def _mistyped() -> Iterator[str]:
    """The longer of the short words with the key beside one of theirs."""
    for word in (word for word in SMALL if len(word) >= MIN_TELLING):
        for at, key in enumerate(word):
            yield from (word[:at] + other + word[at + 1 :] for other in BESIDE[key])


# What is typed so by a slip once, and in every word on purpose: the guesses tell which.
MISTYPED: Final = {bent for bent in _mistyped() if _is_slip(bent)} - VOCABULARY


def misspelled(text: str) -> Iterator[str]:
    """The readings of a text in which a slip of the pen may be more than that."""
    words = {word.strip(_PUNCTUATION) for word in _WORD.findall(text[:MAX_LENGTH].lower())}
    ways = [way for way in WAYS if not words.isdisjoint(_SLIPS[way.name])]
    return (reading for _, reading in spelled(text, ways))


def spelled(text: str, ways: Iterable[Way] = WAYS) -> Iterator[tuple[str, str]]:
    """The sentences whose words were misspelled, put right, by each way that explains many."""
    sentences = [_WORD.findall(part) for part in _ENDS.split(text[:MAX_LENGTH].lower())]
    words = sorted({word for sentence in sentences for word in sentence})[:MAX_WORDS]
    wrong = {word for word in words if _may_be_wrong(word.strip(_PUNCTUATION))}
    for way in ways:
        right = dict(_put_right(way, wrong))
        least = [
            (sentence, max(MIN_SPELLED, len(wrong & {*sentence}) * way.share))
            for sentence in (sentences if len(right) >= MIN_SPELLED else ())
        ]
        bent = [sentence for sentence, few in least if _is_bent(sentence, few, right)]
        if bent:
            yield way.name, "\n".join(" ".join(_spell(word, right) for word in one) for one in bent)


def _may_be_wrong(word: str) -> bool:
    return MIN_BENT <= len(word) <= MAX_WORD and word not in _RIGHT


def _is_bent(sentence: list[str], least: float, right: Mapping[str, str]) -> bool:
    """Whether one way puts right so much of a sentence that it must have been written so."""
    meant = right.keys() & sentence
    return len(meant) >= least and any(
        right[word].strip(_PUNCTUATION) in _TELLING for word in meant
    )


def _spell(word: str, right: Mapping[str, str]) -> str:
    # A slip that is left would have the sentence read again, by the next way, without an end.
    return right.get(word) or BENT.get(word.strip(_PUNCTUATION), word)


def _put_right(way: Way, words: Iterable[str]) -> Iterator[tuple[str, str]]:
    table, slips = _TABLES[way.name], _SLIPS[way.name]
    for word in words:
        bare = word.rstrip(_CLOSING)
        for size in {len(bare): 0, len(bare.rstrip("!")): 0}:
            key = way.key(bare[:size]) if size >= way.least else ""
            right = slips.get(bare[:size]) or table.get(key)
            if right:
                yield word, right + word[size:]
                break
