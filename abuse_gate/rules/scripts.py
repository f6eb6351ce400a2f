"""English in the letters of another script: by their sounds, or as its keyboard has them.

Given away by short words that no language of that script has. Knows letters and no rules; linear,
never raises.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from abuse_gate.rules.lures import EVERY_KEY
from abuse_gate.rules.pace import translated
from abuse_gate.rules.spelling import spelled

# By their sounds, about: what is off is put right as any other misspelling.
_SOUNDS: Final[Mapping[str, Mapping[int, str]]] = {
    "cyrillic": {
        **{
            ord(char): sound
            for char, sound in zip(
                "\u0430\u0431\u0432\u0433\u0434\u0435\u0437\u0438\u0439\u043a\u043b\u043c\u043d\u043e"
                "\u043f\u0440\u0441\u0442\u0443\u0444\u0445\u044b\u044d\u0456\u0454\u0458",
                "abvgdeziyklmnoprstufhyeiej",
                strict=True,
            )
        },
        0x436: "zh",
        0x446: "ts",
        0x447: "ch",
        0x448: "sh",
        0x449: "sh",
        0x44A: "",
        0x44C: "",
        0x44E: "yu",
        0x44F: "ya",
        0x45F: "j",
    },
    "greek": {
        **{
            ord(char): sound
            for char, sound in zip(
                "\u03b1\u03b2\u03b3\u03b4\u03b5\u03b6\u03b7\u03b9\u03ba\u03bb\u03bc\u03bd\u03bf\u03c0"
                "\u03c1\u03c3\u03c2\u03c4\u03c5\u03c6\u03c7\u03c9",
                "abgdeziiklmnoprsstufho",
                strict=True,
            )
        },
        0x3B8: "th",
        0x3BE: "x",
        0x3C8: "ps",
    },
}
# English, and some German, as somebody writes it by its sounds; without diaereses.
_HEARD: Final[Mapping[str, str]] = {
    "cyrillic": (
        "\u0430\u043d\u0434 \u044d\u043d\u0434 \u0435\u043d\u0434 \u0437\u0435 \u0437\u044d "
        "\u0442\u0445\u0435 \u0437\u0438\u0441 \u0437\u0430\u0442 \u0442\u0445\u0430\u0442 "
        "\u0432\u0438\u0437 \u0432\u0438\u0444 \u0432\u0438\u0442\u0445 \u0443\u0438\u0437 "
        "\u0435\u0443\u0440 \u0439\u043e\u0443\u0440 \u0439\u043e\u0440 \u044e\u043e\u0440 "
        "\u0444\u0440\u043e\u043c \u0444\u0440\u0430\u043c \u0430\u043b\u043b \u043e\u043b\u043b "
        "\u0430\u0440\u0435 \u044d\u043d\u0438 \u043e\u043d\u043b\u0438 \u0435\u0443 \u0439\u043e\u0443 "
        "\u043f\u043b\u0438\u0437 \u0432\u043e\u0440\u0434 \u043d\u0430\u0443 \u043d\u043e\u0443 "
        "\u0443\u043d\u0434 \u0430\u043b\u043b\u0435\u0441 \u043d\u0438\u0445\u0442 \u0434\u0438\u0435 "
        "\u0432\u0438\u0437\u0430\u0443\u0442 \u044d\u0432\u0435\u0440\u0438 \u0435\u0432\u0435\u0440\u0439"
    ),
    "greek": (
        "\u03b1\u03bd\u03b4 \u03b8\u03b5 \u03b1\u03bb\u03bb \u03c6\u03c1\u03bf\u03bc "
        "\u03b3\u03b9\u03bf\u03c5\u03c1 \u03b9\u03bf\u03c5\u03c1 \u03b3\u03bf\u03c5\u03b9\u03b8 "
        "\u03bf\u03c5\u03b9\u03b8 \u03b1\u03c1\u03b5 \u03bf\u03bd\u03bb\u03b9"
    ),
}
_LATIN_KEYS: Final = "qwertyuiop[]asdfghjkl;'zxcvbnm,./"
# The keyboards of Russian, Ukrainian and Hebrew: what a key of the Latin one writes there.
_KEYBOARDS: Final = (
    "\u0439\u0446\u0443\u043a\u0435\u043d\u0433\u0448\u0449\u0437\u0445\u044a\u0444\u044b\u0432\u0430"
    "\u043f\u0440\u043e\u043b\u0434\u0436\u044d\u044f\u0447\u0441\u043c\u0438\u0442\u044c\u0431\u044e.",
    "\u0439\u0446\u0443\u043a\u0435\u043d\u0433\u0448\u0449\u0437\u0445\u0457\u0444\u0456\u0432\u0430"
    "\u043f\u0440\u043e\u043b\u0434\u0436\u0454\u044f\u0447\u0441\u043c\u0438\u0442\u044c\u0431\u044e.",
    "/'\u05e7\u05e8\u05d0\u05d8\u05d5\u05df\u05dd\u05e4[]\u05e9\u05d3\u05d2\u05db\u05e2\u05d9\u05d7"
    "\u05dc\u05da\u05e3,\u05d6\u05e1\u05d1\u05d4\u05e0\u05de\u05e6\u05ea\u05e5.",
)
_TYPED: Final = ("the", "and", "your", "with", "from", "all", "you", "und", "die", "que", "les")
_BACK: Final = tuple(str.maketrans(keys, _LATIN_KEYS) for keys in _KEYBOARDS)
_SMALL_TYPED: Final = tuple(
    frozenset(word.translate(str.maketrans(_LATIN_KEYS, keys)) for word in _TYPED)
    for keys in _KEYBOARDS
)
# What is looked for, between spaces.
BORROWED: Final = frozenset(
    word for words in (*map(str.split, _HEARD.values()), *_SMALL_TYPED) for word in words
)
# The words of an attack letter by letter, but for those that are words there too.
_NATIVE: Final = frozenset({"system", "secret", "prompt", "sistema", "systeme"})
_LETTERS: Final = {
    "cyrillic": str.maketrans(
        {
            **dict(zip("abdefgiklmnoprstuvwhyz", "абдефгиклмнопрстуввхйз", strict=True)),
            **{"c": "к", "x": "кс", "q": "кв", "j": "дж"},
        }
    ),
    "greek": str.maketrans(
        {
            **dict(zip("abcdefghijklmnopqrstuvwyz", "αβκδεφγχιγκλμνοπκρστυβωυζ", strict=True)),
            "x": "ξ",
        }
    ),
}
SPELLED_OUT: Final[Mapping[str, frozenset[str]]] = {
    script: frozenset(word.translate(table) for word in EVERY_KEY if word not in _NATIVE)
    for script, table in _LETTERS.items()
}


def borrowed(text: str) -> Iterator[str]:
    """The text in Latin letters, by the sounds or the keys of those in which it is written."""
    lowered = text.lower()
    words = {word.strip(".,;:!?") for word in lowered.split()}
    for script, heard in _HEARD.items():
        if words & {*heard.split()} or any(key in lowered for key in SPELLED_OUT[script]):
            latin = translated(lowered, _SOUNDS[script])
            yield latin
            yield from (reading for _, reading in spelled(latin))
    for small, back in zip(_SMALL_TYPED, _BACK, strict=True):
        if words & small:
            yield translated(lowered, back)
