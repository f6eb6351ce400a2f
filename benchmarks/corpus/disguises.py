"""Ways to write a text so that a reader still reads it: one function each, named by its trick."""

import random
import string
import unicodedata
from collections.abc import Callable, Mapping
from typing import Final

Disguise = Callable[[str], str]

_LOWER: Final = string.ascii_lowercase
_LETTERS: Final = string.ascii_letters


def _offset(small: int, capital: int) -> Disguise:
    table = {ord(c): small + i for i, c in enumerate(_LOWER)}
    table |= {ord(c): capital + i for i, c in enumerate(string.ascii_uppercase)}
    return lambda text: text.translate(table)


def _mapped(pairs: Mapping[str, str]) -> Disguise:
    table = str.maketrans(dict(pairs))
    return lambda text: text.translate(table)


def _between(mark: str) -> Disguise:
    """The mark between all letters of a word; words stay apart."""
    return lambda text: " ".join(mark.join(word) for word in text.split(" "))


def _inside(mark: str) -> Disguise:
    """The mark once inside every longer word."""
    return lambda text: " ".join(
        word[: len(word) // 2] + mark + word[len(word) // 2 :] if len(word) > 3 else word
        for word in text.split(" ")
    )


def _joined(mark: str) -> Disguise:
    return lambda text: text.replace(" ", mark)


def _wrapped(before: str, after: str) -> Disguise:
    return lambda text: before + text + after


def _zalgo(text: str) -> str:
    chance = random.Random(7)
    marks = [chr(code) for code in range(0x300, 0x36F)]
    return "".join(c + "".join(chance.sample(marks, 3)) if c.isalpha() else c for c in text)


def _swapped(text: str) -> str:
    def swap(word: str) -> str:
        return word[0] + word[2] + word[1] + word[3:] if len(word) > 4 and word.isalpha() else word

    return " ".join(map(swap, text.split(" ")))


def _tags(text: str) -> str:
    return "A lovely day. " + "".join(chr(0xE0000 + ord(c)) for c in text if c.isascii())


def _selectors(text: str) -> str:
    return "😊" + "".join(
        chr(0xFE00 + byte) if byte < 16 else chr(0xE0100 + byte - 16) for byte in text.encode()
    )


def _zero_width_bits(text: str) -> str:
    bits = "".join(f"{byte:08b}" for byte in text.encode())
    return "Good morning" + bits.replace("0", "\u200b").replace("1", "\u200c")


def _every(mark: str, step: int) -> Disguise:
    return lambda text: "".join(
        c + (mark if i % step == step - 1 else "") for i, c in enumerate(text)
    )


def _pig(text: str) -> str:
    def pig(word: str) -> str:
        if not word.isalpha():
            return word
        start = next((i for i, c in enumerate(word.lower()) if c in "aeiou"), 0)
        return word[start:] + word[:start] + ("ay" if start else "way")

    return " ".join(map(pig, text.split(" ")))


def _flipped(text: str) -> str:
    table = str.maketrans("abcdefghijklmnopqrtuvwy", "ɐqɔpǝɟƃɥᴉɾʞlɯuodbɹʇnʌʍʎ")
    return text.lower().translate(table)[::-1]


_CYRILLIC: Final = {
    "a": "а",
    "e": "е",
    "o": "о",
    "p": "р",
    "c": "с",
    "y": "у",
    "x": "х",
    "i": "і",
    "s": "ѕ",
}
_GREEK: Final = {"o": "ο", "v": "ν", "i": "ι", "p": "ρ", "u": "υ", "a": "α"}
_LEET: Final = {"a": "4", "e": "3", "i": "1", "o": "0", "s": "5", "t": "7"}
_SMALL_CAPS: Final = dict(zip("abcdefghijklmnoprstuvwyz", "ᴀʙᴄᴅᴇғɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ", strict=True))
_ACCENTS: Final = {
    "a": "á",
    "e": "ë",
    "i": "ì",
    "o": "ô",
    "u": "ü",
    "n": "ñ",
    "c": "ç",
    "s": "š",
    "r": "ř",
}
_STROKES: Final = {"o": "ø", "l": "ł", "d": "đ", "h": "ħ", "i": "ı", "t": "ŧ"}

DISGUISES: Final[Mapping[str, Disguise]] = {
    "plain": lambda text: text,
    "upper case": str.upper,
    "alternating case": lambda text: "".join(
        c.upper() if i % 2 else c.lower() for i, c in enumerate(text)
    ),
    "newline for space": _joined("\n"),
    "tab for space": _joined("\t"),
    "several spaces": _joined("     "),
    "carriage returns": _joined("\r\n"),
    "no-break space": _joined("\u00a0"),
    "ideographic space": _joined("\u3000"),
    "line separator": _joined("\u2028"),
    "underscore for space": _joined("_"),
    "hyphen for space": _joined("-"),
    "slash for space": _joined("/"),
    "dot for space": _joined("."),
    "no space at all": _joined(""),
    "full width": lambda text: "".join(
        chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text
    ),
    "mathematical bold": _offset(0x1D41A, 0x1D400),
    "mathematical italic": lambda text: _offset(0x1D44E, 0x1D434)(text.replace("h", "ℎ")),
    "mathematical script": _offset(0x1D4EA, 0x1D4D0),
    "mathematical fraktur": _offset(0x1D586, 0x1D56C),
    "double struck": lambda text: _offset(0x1D552, 0x1D538)(text.lower()),
    "sans serif": _offset(0x1D5BA, 0x1D5A0),
    "monospace": _offset(0x1D68A, 0x1D670),
    "circled": _offset(0x24D0, 0x24B6),
    "negative circled": lambda text: _offset(0x1F150, 0x1F150)(text),
    "squared": lambda text: _offset(0x1F130, 0x1F130)(text),
    "negative squared": lambda text: _offset(0x1F170, 0x1F170)(text),
    "parenthesized": lambda text: _offset(0x249C, 0x249C)(text),
    "regional indicators": lambda text: _offset(0x1F1E6, 0x1F1E6)(text),
    "small capitals": lambda text: _mapped(_SMALL_CAPS)(text.lower()),
    "superscript": lambda text: _mapped(
        dict(zip("abcdefghijklmnoprstuvwxyz", "ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ", strict=True))
    )(text.lower()),
    "accents": _mapped(_ACCENTS),
    "strokes": _mapped(_STROKES),
    "decomposed accents": lambda text: unicodedata.normalize("NFD", _mapped(_ACCENTS)(text)),
    "one combining mark": lambda text: "".join(c + "\u0336" if c.isalpha() else c for c in text),
    "zalgo": _zalgo,
    "enclosing keycap": lambda text: "".join(c + "\u20e3" if c.isalpha() else c for c in text),
    "zero width space": _between("\u200b"),
    "zero width joiner": _between("\u200d"),
    "zero width inside words": _inside("\u200c"),
    "word joiner": _between("\u2060"),
    "byte order marks": _inside("\ufeff"),
    "soft hyphens": _inside("\u00ad"),
    "variation selectors": _between("\ufe0f"),
    "bidi marks": _between("\u200e"),
    "bidi isolates": _wrapped("\u2066", "\u2069"),
    "combining grapheme joiner": _inside("\u034f"),
    "Hangul filler": _inside("\u3164"),
    "zero width for space": _joined("\u200b"),
    "invisible plus": _inside("\u2064"),
    "tag characters": _tags,
    "variation selector bytes": _selectors,
    "zero width bits": _zero_width_bits,
    "Cyrillic look-alikes": _mapped(_CYRILLIC),
    "Greek look-alikes": _mapped(_GREEK),
    "leetspeak": _mapped(_LEET),
    "signs for letters": _mapped({"a": "@", "i": "!", "s": "$", "o": "0"}),
    "leetspeak, spaced": lambda text: _between(" ")(_mapped(_LEET)(text)),
    "spaced letters": _between(" "),
    "spaced letters and wide gaps": lambda text: "   ".join(
        " ".join(word) for word in text.split(" ")
    ),
    "dotted letters": _between("."),
    "hyphenated letters": _between("-"),
    "starred letters": _between("*"),
    "underscored letters": _between("_"),
    "piped letters": _between("|"),
    "emoji between letters": _between("👏"),
    "middle dots": _between("·"),
    "hyphen inside words": _inside("-"),
    "space inside words": _inside(" "),
    "newline inside words": _inside("\n"),
    "hyphen at line ends": _inside("-\n"),
    "dot inside words": _inside("."),
    "bold inside words": _inside("**"),
    "tag inside words": _inside("<b></b>"),
    "comment inside words": _inside("<!-- x -->"),
    "backticks inside words": _inside("`"),
    "string joints": _inside("' + '"),
    "line of six letters": _every("\n", 6),
    "reversed": lambda text: text[::-1],
    "words reversed": lambda text: " ".join(word[::-1] for word in text.split(" ")),
    "right-to-left override": lambda text: "\u202e" + text[::-1] + "\u202c",
    "upside down": _flipped,
    "letters swapped": _swapped,
    "pig Latin": _pig,
    "control characters": _between("\x01"),
    "long preamble": _wrapped("The museum opens at nine and closes at five. " * 40, ""),
    "buried in the middle": _wrapped("We had tea. " * 60, " Then we walked home." * 60),
    "in a code block": _wrapped("```\n", "\n```"),
    "in quotes of a letter": _wrapped("> Dear all,\n> ", "\n> Yours, A."),
    "as a heading": _wrapped("# ", "\n\nThe rest of the page."),
    "in JSON": _wrapped('{"note": "', '"}'),
    "in XML": _wrapped("<doc><p>", "</p></doc>"),
    "in a comment": _wrapped("<!-- ", " -->"),
    "in a table": _wrapped("| a | b |\n|---|---|\n| 1 | ", " |"),
}
