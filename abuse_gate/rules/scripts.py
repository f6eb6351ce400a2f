"""English in the letters of another script: by their sounds, or as its keyboard has them.

Given away by short words that no language of that script has, or by the words of an attack. Knows
letters and no rules; linear in the text, never raises.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from abuse_gate.rules.lures import EVERY_KEY
from abuse_gate.rules.pace import translated
from abuse_gate.rules.spelling import spelled

# By their sounds, about: what is off is put right as any other misspelling.
_SOUNDS: Final[Mapping[str, dict[int, str]]] = {
    "cyrillic": str.maketrans(
        dict(zip("абвгдезийклмнопрстуфхыэієј", "abvgdeziyklmnoprstufhyeiej", strict=True))
        | {"ж": "zh", "ц": "ts", "ч": "ch", "ш": "sh", "щ": "sh", "ъ": "", "ь": ""}
        | {"ю": "yu", "я": "ya", "џ": "j"}
    ),
    "greek": str.maketrans(
        dict(zip("αβγδεζηικλμνοπρσςτυφχω", "abgdeziiklmnoprsstufho", strict=True))
        | {"θ": "th", "ξ": "x", "ψ": "ps"}
    ),
}
# The words of an attack letter by letter, but for those that are words there too.
_NATIVE: Final = frozenset({"system", "secret", "prompt", "sistema", "systeme"})
_LETTERS: Final[Mapping[str, dict[int, str]]] = {
    "cyrillic": str.maketrans(
        dict(zip("abcdefghiklmnoprstuvwyz", "абкдефгхиклмнопрстуввйз", strict=True))
        | {"x": "кс", "q": "кв", "j": "дж", "é": "э"}
    ),
    "greek": str.maketrans(
        dict(zip("abcdefghijklmnopqrstuvwxyz", "αβκδεφγχιγκλμνοπκρστυβωξυζ", strict=True))
    ),
}
_KEYS: Final[Mapping[str, frozenset[str]]] = {
    script: frozenset(word.translate(table) for word in EVERY_KEY if word not in _NATIVE)
    for script, table in _LETTERS.items()
}
# English, and some German, as somebody writes it by its sounds; without diaereses.
_HEARD_AS: Final[Mapping[str, str]] = {
    "cyrillic": (
        "and énd end ze zé the zis zat that viz vif vith uiz eur your yor from fram all oll are éni"
        " onli eu you pliz vord nau nou vizaut éveri every und alles niht die todas tutte"
    ),
    "greek": "and the all from giour iour gouith ouith are onli",
}
_HEARD: Final[Mapping[str, frozenset[str]]] = {
    script: frozenset(heard.translate(_LETTERS[script]).split())
    for script, heard in _HEARD_AS.items()
}
_LATIN_KEYS: Final = "qwertyuiop[]asdfghjkl;'zxcvbnm,./"
# The keyboards of Russian, Ukrainian and Hebrew: what a key of the Latin one writes there.
_KEYBOARDS: Final = (
    "йцукенгшщзхъфывапролджэячсмитьбю.",
    "йцукенгшщзхїфівапролджєячсмитьбю.",
    "/'קראטוןםפ[]שדגכעיחלךף,זסבהנמצתץ.",
)
_TYPED: Final = ("the", "and", "your", "with", "from", "all", "you", "und", "die", "que", "les")
_BACK: Final = tuple(str.maketrans(keys, _LATIN_KEYS) for keys in _KEYBOARDS)
_SMALL_TYPED: Final = tuple(
    frozenset(word.translate(str.maketrans(_LATIN_KEYS, keys)) for word in _TYPED)
    for keys in _KEYBOARDS
)
# What gives a text away: words between spaces, and letters wherever they stand.
BORROWED: Final = (
    *(f" {word} " for words in (*_HEARD.values(), *_SMALL_TYPED) for word in sorted(words)),
    *(word for words in _KEYS.values() for word in sorted(words)),
)


def borrowed(text: str) -> Iterator[str]:
    """The text in Latin letters, by the sounds or the keys of those in which it is written."""
    lowered = text.lower()
    words = {word.strip(".,;:!?") for word in lowered.split()}
    for script, heard in _HEARD.items():
        if words & heard or any(key in lowered for key in _KEYS[script]):
            latin = translated(lowered, _SOUNDS[script])
            yield latin
            yield from (reading for _, reading in spelled(latin))
    for small, back in zip(_SMALL_TYPED, _BACK, strict=True):
        if words & small:
            yield translated(lowered, back)
