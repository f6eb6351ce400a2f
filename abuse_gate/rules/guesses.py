"""A text that is not made of words, read in every way that would make words of it.

Each way is tried alone and after the signs were read as letters; a reading counts only where it
has far more sense than the text as it stands. Linear in the text, never raises.
"""

import re
from collections.abc import Iterator
from typing import Final

from abuse_gate.rules.apart import drawn
from abuse_gate.rules.lures import SHIFTS
from abuse_gate.rules.pace import changed
from abuse_gate.rules.sense import LETTERS, near, parted, sense, witnesses
from abuse_gate.rules.views import fold
from abuse_gate.rules.vocabulary import VOCABULARY
from abuse_gate.rules.words import KEYS

# A longer text is read as far as this.
MAX_LENGTH: Final = 4096
# Fewer letters make words by accident.
MIN_LETTERS: Final = 12
# What a reading has to be made of, and how much more that must be than before.
LEAST: Final = 0.7
GAIN: Final = 0.15
# So much of a text stands in words, and their borders are right; what has to come of others.
MOST_STANDING: Final = 0.45
LEAST_PARTED: Final = 0.8
# Fewer misspelled words are slips.
MIN_WRONG: Final = 3
MOST_RIGHT: Final = 0.2
# So many words that hang together are no compound.
MIN_JOINED: Final = 6
# Words that a shift has to uncover, and the share of a text that may be something else.
MIN_UNCOVERED: Final = 2
MIN_TURNED: Final = 4
MAX_TURNS: Final = 3
LEAST_TURNED: Final = 0.4
# A word so long may be several, a longer one is none; these are found in data.
MIN_SEVERAL: Final = 20
MAX_SEVERAL: Final = 600
_DATA: Final = frozenset("269=/")
# A shorter word that is cut in two is two words.
MIN_CUT: Final = 6
# Up to the end of a clause, with what ends it; signs inside a word end nothing.
_CLAUSE: Final = re.compile(r".{24,400}?(?:[.!?;:](?=\s)|$)|.{1,400}")
_WORD: Final = re.compile(r"\S+")
_DRAWN: Final = re.compile(r"[a-z][0-9@$!|+(]|[0-9@$!|+(][a-z]")
_HANGING: Final = re.compile(r"(?<=[a-z]{2})[-_+.~](?=[a-z]{2})")
_JOINED: Final = re.compile(r"(?<=[a-z])[-_+.~/](?=[a-z])")

# Short words of every sentence, for a look at a text that is turned or shifted.
SMALL: Final = (
    *("the", "and", "you", "your", "all", "are", "that", "this", "with", "for", "from", "now"),
    *("any", "not", "every", "what", "und", "die", "alle", "nicht", "que", "todas", "les", "tout"),
)
# What comes out where a short word is bent, and is a word as well.
_ORDINARY: Final = """
    aol gur rug era won rof dna lla ton sal tel red eid due sel les den yna med dem cso max ngu dar
    tuc juu sfo rfc nih hood alex lan lois jan gps ord rad vit esp leu hin hao shu rep ren otp cnn
    pto fry dyed vir bpm bls boe clo cov cre doo duh dro eis hud huk ive jed jok lux liz nal ner
    pda pse riv sio sty tti voc wav wip uml fsb cfr cpf osc xam
"""
_WORDS_TOO: Final = VOCABULARY.union(_ORDINARY.split())


# No shift: letters that only run backwards.
_UNSHIFTED: Final = -1


def _turns() -> Iterator[tuple[bool, int]]:
    """Whether letters run backwards, and by which shift each is another."""
    yield (True, _UNSHIFTED)
    yield from ((backwards, shift) for backwards in (False, True) for shift in SHIFTS)


def _turned(word: str, backwards: bool, shift: int) -> str:
    put = word.translate(SHIFTS.get(26 - shift if shift else 0, {}))
    return put[::-1] if backwards else put


_SMALL_TURNED: Final = {
    turn: frozenset(_turned(word, *turn) for word in SMALL).difference(SMALL) for turn in _turns()
}
_CUT_WORDS: Final = tuple(
    word
    for word in (*KEYS, "without", "instructions", "policy", "request", "answer", "message")
    if len(word) >= MIN_CUT
)


def _cuts() -> Iterator[str]:
    """Words cut in two, or with their last letter at the next one; and what is cut in blocks."""
    for word in _CUT_WORDS:
        yield from (f"{word[:2]} {word[2:5]}", f"{word[:-1]} {word[-1]}")
        yield from (f"{word[at - 3 : at]} {word[at : at + 3]}" for at in range(3, len(word) - 2))


def _hung(sign: str) -> str:
    """A sentence whose words hang together: two of the short ones, not far apart."""
    part, short = re.escape(sign), "|".join(SMALL[:12])
    return rf"{part}(?:{short}){part}(?:[a-z']{{1,14}}{part}){{0,5}}(?:{short}){part}"


# What gives such a text away.
TURNED: Final = "|".join(
    sorted({f" {word} " for words in _SMALL_TURNED.values() for word in words - _WORDS_TOO})
)
BROKEN: Final = "|".join((*sorted({*_cuts()}), *map(_hung, "-_+~")))


def guesses(text: str) -> Iterator[str]:
    """The readings of a text that have more sense than the text."""
    text = fold(text[:MAX_LENGTH])
    yield from _turned_back(text)
    hanging = [line for line in text.split("\n") if len(_HANGING.findall(line)) >= MIN_JOINED]
    if hanging:
        yield _JOINED.sub(" ", "\n".join(hanging))
    right: dict[str, str] = {}
    read = (
        "".join(_read(part, right) for part in _CLAUSE.findall(line)) for line in text.split("\n")
    )
    yield changed(text, "\n".join(read))


def _turned_back(text: str) -> Iterator[str]:
    """The text from its end, under a shift, or both, where short words say so."""
    words = frozenset(LETTERS.findall(text))
    told = sorted((len(words & small), turn) for turn, small in _SMALL_TURNED.items())
    for many, (backwards, shift) in told[: -MAX_TURNS - 1 : -1]:
        plain = text.translate(SHIFTS[shift]) if shift in SHIFTS else text
        each = _WORD.sub(lambda word: word.group()[::-1], plain) if backwards else ""
        least = LEAST_TURNED if many >= MIN_UNCOVERED else LEAST
        some = some_turned(text) if backwards and shift == _UNSHIFTED else ()
        for read in (plain[::-1], each, *some) if backwards else (plain,):
            if many and sense(read) >= least:
                yield read


def some_turned(text: str) -> tuple[str, ...]:
    """The words as they stand, or turned round where that makes words of them; long ones tell."""
    meant = {word: word[::-1] for word in _WORD.findall(text) if sense(word[::-1]) > sense(word)}
    if sum(len(word) >= MIN_TURNED for word in meant) < MIN_UNCOVERED:
        return ()
    return (_WORD.sub(lambda word: meant.get(word.group(), word.group()), text),)


def joined(text: str) -> str:
    """The lines with words that may be several; data are none, nor is what parts no words."""
    lines = text[:MAX_LENGTH].split("\n")
    return "\n".join(line for line in lines if any(map(_may_be_several, line.split())))


def _may_be_several(word: str) -> bool:
    return MIN_SEVERAL <= len(word) <= MAX_SEVERAL and word.isascii() and _DATA.isdisjoint(word)


def _as_spelled(clause: str, right: dict[str, str]) -> str:
    """The words that are meant, where many are not what they should be."""
    words = LETTERS.findall(clause)
    for word in words:
        if word not in right:
            right[word] = near(word)
    wrong = sum(right[word] != word for word in words)
    if wrong < max(MIN_WRONG, len(words) * MOST_RIGHT):
        return clause
    return LETTERS.sub(lambda word: right[word.group()], clause)


def _as_parted(clause: str) -> str:
    """Words with other borders, where hardly any word has those that it should have."""
    if sense(clause) > MOST_STANDING:
        return clause
    words = parted("".join(LETTERS.findall(clause)))
    return " ".join(words) if witnesses(words) >= LEAST_PARTED else clause


def _undrawn(clause: str) -> Iterator[str]:
    """Digits and signs as letters: in each word those that make one of it, else all the same."""
    ways = [*drawn(clause)]
    every = [*zip(*(way.split() for way in ways), strict=True)]
    yield " ".join(next((word for word in words if sense(word) == 1), words[0]) for words in every)
    if any(len(words[0]) >= MIN_SEVERAL for words in every):
        yield ways[1]


def _read(clause: str, right: dict[str, str]) -> str:
    """The reading of a clause that makes most words of it; the clause where none does."""
    before = sense(clause)
    others = [*_undrawn(clause)] if _DRAWN.search(clause) else []
    best, most = clause, max(before + GAIN, LEAST)
    for base in (clause, *others):
        if sum(map(len, LETTERS.findall(base))) < MIN_LETTERS:
            continue
        for read in (base, _as_parted(base), _as_spelled(base, right)):
            made = sense(read)
            if made > most:
                best, most = f"{read} ", made
    return best
