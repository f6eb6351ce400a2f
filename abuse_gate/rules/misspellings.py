"""Ways to spell every word of a text wrong: the key under which a word and its misspellings meet.

A table of ways; which words there are, and which text is read again, is decided elsewhere.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations, permutations, product
from typing import Final

_VOWELS: Final = "aeiou"
# What a letter is read as that was scanned or printed badly.
READ_AS: Final[Mapping[str, tuple[str, ...]]] = {
    "d": ("cl",),
    "e": ("c",),
    "h": ("b",),
    "i": ("j", "l"),
    "l": ("1",),
    "m": ("rn",),
    "n": ("ri",),
    "o": ("0",),
    "s": ("5",),
    "t": ("f",),
    "u": ("ii",),
    "w": ("vv",),
}
_EVERY_VOWEL: Final = re.compile(f"[{_VOWELS}]")
_TWICE: Final = re.compile(r"(.)\1+")
# Fewer letters are an abbreviation.
MIN_BARE: Final = 3
# So many consonants tell a word without its vowels.
MIN_CONSONANTS: Final = 4
# A shorter word that lacks a letter is another word.
MIN_LACKING: Final = 4
# So many letters are few enough for all their orders.
MAX_ORDERED: Final = 4


@dataclass(frozen=True, slots=True)
class Way:
    """One way to misspell: the key of a word, what short words look like, and the least length.

    A word has one key, its own, unless it has `forms`.
    """

    name: str
    key: Callable[[str], str]
    bent: Callable[[str], Iterable[str]]
    least: int = 3
    # How many of the unknown words of a sentence must have a meaning by this way.
    share: float = 0.34
    forms: Callable[[str], Iterable[str]] | None = None


def _exchanging(old: str, new: str, *pairs: tuple[str, str]) -> Callable[[str], str]:
    """A key that exchanges letters for the one that stands for all that look or sound alike."""
    table = str.maketrans(old, new)

    def key(word: str) -> str:
        for several, one in pairs:
            word = word.replace(several, one)
        return word.translate(table)

    return key


def _each(letters: str, styles: Iterable[str]) -> Callable[[str], Iterator[str]]:
    """The word with each of these letters, or some of them, drawn in one of the styles."""

    def bent(word: str) -> Iterator[str]:
        for style in styles:
            drawn = [pair for pair in zip(letters, style, strict=True) if pair[0] in word]
            for chosen in product(*drawn):
                yield word.translate(
                    {ord(old): new for (old, _), new in zip(drawn, chosen, strict=True)}
                )

    return bent


def _one_by_one(*pairs: tuple[str, str]) -> Callable[[str], Iterator[str]]:
    """The word with one of its letters exchanged, everywhere and in each place."""

    def bent(word: str) -> Iterator[str]:
        for old, new in pairs:
            yield word.replace(old, new)
            places = (at for at, letter in enumerate(word) if letter == old)
            yield from (word[:at] + new + word[at + 1 :] for at in places)

    return bent


def _shuffled(word: str) -> str:
    return word[:1] + "".join(sorted(word[1:-1])) + word[-1:]


def _shuffles(word: str) -> Iterator[str]:
    """The inner letters in every order, of a longer word two of them in each other's place."""
    inner = word[1:-1]
    if len(inner) <= MAX_ORDERED:
        yield from (f"{word[0]}{''.join(order)}{word[-1]}" for order in permutations(inner))
        return
    for one, other in combinations(range(len(inner)), 2):
        letters = [*inner]
        letters[one], letters[other] = inner[other], inner[one]
        yield f"{word[0]}{''.join(letters)}{word[-1]}"


def _lacking(word: str) -> Iterator[str]:
    return (word[:at] + word[at + 1 :] for at in range(1, len(word)) if len(word) >= MIN_LACKING)


_SOUNDS: Final = (
    (re.compile("[tcsx]i?on|sh[aeiou]?n"), "Sn"),
    (re.compile("igh(?=t|$)"), "i"),
    (re.compile("ph"), "f"),
    (re.compile("^(?:kn|gn)"), "n"),
    (re.compile("c(?=[eiy])|z"), "s"),
    (re.compile("ck|[cq]"), "k"),
    (re.compile("ku(?=[aeiou])"), "kw"),
    (re.compile("x"), "ks"),
    (re.compile("sh"), "S"),
    (re.compile("th"), "T"),
    (re.compile("(?<=[aeiou])[whr]?(?=[^aeiouwhr]|$)|(?<=[aeiou])[yw]"), ""),
    (re.compile("w"), "v"),
    (re.compile(r"(.)\1+"), r"\1"),
    (re.compile("(?<=.)[aeiouy]+$"), ""),
    (re.compile("[aeiouy]+"), "A"),
)


def _sound(word: str) -> str:
    """How a word sounds, about: consonants by their sound; of the vowels only that there are some.

    Enough consonants tell a word by themselves.
    """
    for written, said in _SOUNDS:
        word = written.sub(said, word)
    bare = word.replace("A", "")
    return bare if len(bare) >= MIN_CONSONANTS else word


# Short words as somebody writes them who goes by the ear; there is no rule to make them by.
_HEARD: Final[Mapping[str, str]] = {
    "the": "thuh tha teh da",
    "that": "dat",
    "this": "dis",
    "word": "wurd werd",
    "from": "frum",
    "your": "yoor yur yer",
    "you": "yoo yu",
    "what": "wut wot",
    "was": "wuz woz",
    "every": "evree evry",
    "all": "awl awll oll",
    "only": "ohnlee onlee ownly oanly",
    "any": "enny eny",
    "never": "nevur nevver neva",
    "with": "wiv wif wyth",
    "without": "withowt wivout widout",
    "answer": "anser ansur arnser",
    "said": "sed",
    "told": "tole toald",
    "before": "befour befor bifor beefor",
    "have": "hav",
    "user": "yoozer yuzer",
    "who": "hoo",
    "not": "nawt",
    "are": "ar",
    "first": "furst ferst",
}


def _sounding(word: str) -> Iterable[str]:
    return _HEARD.get(word, "").split()


def _in_pig_latin(word: str) -> Iterator[str]:
    start = next((at for at, char in enumerate(word) if char in _VOWELS), 0)
    yield (word[start:] + word[:start] + "ay") if start else word + "way"
    if not start:
        yield from (word + "yay", word + "ay")


def _once_each(word: str) -> str:
    return _TWICE.sub(r"\1", word)


def _doubled(word: str) -> Iterator[str]:
    return (word[:at] + word[at] + word[at:] for at in range(len(word)))


def _without_vowels(word: str) -> Iterator[str]:
    bare = "".join(char for char in word if char not in _VOWELS)
    if len(bare) >= MIN_BARE:
        yield bare


def _starred(word: str) -> Iterator[str]:
    yield from (_EVERY_VOWEL.sub(sign, word) for sign in "*#-_")
    yield from (word.replace(vowel, "*") for vowel in _VOWELS)


def _as_it_is(word: str) -> str:
    return word


_STARRED: Final = _exchanging("aeiou#_-", "********")
_LISPED: Final = _exchanging(
    "rl", "ww", ("th", "s"), *((f"ny{vowel}", f"n{vowel}") for vowel in _VOWELS)
)
_SIGNED: Final = _exchanging(
    "0134578@$!|+(96lz", "oieastbasiitcggis", ("x0r", "er"), ("j00", "you"), ("ph", "f")
)
_MISREAD: Final = _exchanging(
    "01lj5cfb8",
    "oiiisethh",
    *(("j", "i"), ("vv", "w"), ("ii", "u"), ("rn", "m"), ("cl", "d")),
    *(("r1", "ri"), ("rl", "ri"), ("ri", "n")),
)
WAYS: Final[tuple[Way, ...]] = (
    Way(
        "digits and signs for letters",
        _SIGNED,
        _each("aeiolst", ("4310157", "@3!01$+")),
    ),
    Way(
        "misread letters",
        _MISREAD,
        _one_by_one(*((old, new) for old, others in READ_AS.items() for new in others)),
    ),
    Way("w for r and l", _LISPED, _one_by_one(("r", "w"), ("l", "w"), ("s", "th"))),
    Way("as it sounds", _sound, _sounding, share=0.5),
    Way("inner letters shuffled", _shuffled, _shuffles, least=4),
    Way("signs for vowels", _STARRED, _starred),
    Way("letters lacking", _as_it_is, _lacking, forms=_lacking),
    Way("letters twice", _once_each, _doubled),
    Way("without vowels", _as_it_is, _without_vowels, forms=_without_vowels),
    Way("pig Latin", _as_it_is, _in_pig_latin, forms=_in_pig_latin),
)
