"""What a text is to the eye where its letters are those of another script: Latin, or Russian.

Makes one text of another and knows neither words nor rules; linear, never raises.
"""

import re
from typing import Final

from abuse_gate.rules.pace import pieces, replaced, texts, translated

# Fewer words that mix two scripts are names.
_MIN_MIXED: Final = 3

# Signs of Chinese that are drawn like capitals, and those of them that nobody writes otherwise.
_BRUSHED: Final = str.maketrans(
    "\u5342\u4e43\u531a\u5200\u4e47\u5343\u53b6\u5344\u4e28\u5de5\uff8c\u30d5\u4e01\u957f\u3125\u722a\u51e0\u3116\u53e3\u5369"
    "\u5c3a\u4e02\u3112\u3129\u51f5\u5c71\u4e42\u311a\u4e2b\u4e59\u4e05",
    "abcdefghiijjjklmnooprstuuwxyyzt",
)
_ONLY_BRUSHED: Final = re.compile(
    "[\u5342\u4e47\u5344\u4e28\u4e02\u5369\u3125\u3116\u3112\u3129\u311a]"
)
_MIN_BRUSHED: Final = 8


def brushed(text: str) -> str:
    """The text with Latin letters for the signs of Chinese that are drawn like them; else empty."""
    few = sum(len(_ONLY_BRUSHED.findall(piece)) for piece in pieces(text)) < _MIN_BRUSHED
    return "" if few else translated(text, _BRUSHED)


# Letters of Latin that look like one of Russian.
_RUSSIAN: Final = str.maketrans(
    "aeopcyxkmtbhnur3AEOPCYXKMTBH",
    "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u043a\u043c\u0442\u0432\u043d\u043f\u0438\u0433\u0437"
    "\u0410\u0415\u041e\u0420\u0421\u0423\u0425\u041a\u041c\u0422\u0412\u041d",
)
_RUSSIAN_LETTER: Final = "\u0410-\u044f\u0451"
_MIXED: Final = re.compile(
    f"(?<![A-Za-z3{_RUSSIAN_LETTER}])(?:[A-Za-z3]*+(?:[{_RUSSIAN_LETTER}]++[A-Za-z3]++)+[{_RUSSIAN_LETTER}]*+"
    f"|[A-Za-z3]++[{_RUSSIAN_LETTER}]++)"
)
_LATIN: Final = re.compile("[A-Za-z]")
_CYRILLIC: Final = re.compile(f"[{_RUSSIAN_LETTER}]")


def russian(text: str) -> str:
    """The text with Latin look-alikes in Russian, where words are more Russian; else empty."""
    if not (_CYRILLIC.search(text) and _LATIN.search(text)):
        return ""
    words = [*texts(_MIXED, text)]
    own = sum(len(_CYRILLIC.findall(word)) for word in words)
    if len(words) < _MIN_MIXED or own * 2 < sum(map(len, words)):
        return ""
    return replaced(_MIXED, text, lambda word: word.group().translate(_RUSSIAN))
