"""RTF: its words without its control words; hidden runs and information groups apart."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from abuse_gate.reading.charset import codec_for
from abuse_gate.reading.documents.colours import WHITE, Rgb, alike
from abuse_gate.reading.documents.report import Report

_TOKEN: Final = re.compile(
    rb"\\([a-z]{1,32})(-?\d{1,10})?[ ]?|\\'([0-9a-f]{2})|\\(.)|([{}])|([^\\{}\r\n]+)|[\r\n]+",
    re.IGNORECASE | re.DOTALL,
)
# Groups that hold no words of the document, and those whose words are about it.
SKIPPED: Final = frozenset(
    {b"fonttbl", b"colortbl", b"stylesheet", b"pict", b"themedata", b"latentstyles", b"datastore"}
)
ABOUT: Final = frozenset({b"info", b"comment", b"annotation", b"footnote", b"title", b"subject"})
BREAKS: Final = frozenset({b"par", b"line", b"tab", b"cell", b"row", b"page", b"sect"})
TINY_HALF_POINTS: Final = 4
MAX_GROUPS: Final = 1_000


@dataclass(frozen=True, slots=True)
class _State:
    """What holds inside one group."""

    skipped: bool = False
    about: bool = False
    hidden: bool = False
    tiny: bool = False
    fallback: int = 1
    colour: int = 0
    ground: int = 0
    font: int = 0


# Words that set a number of the group's state.
NUMBERED: Final[Mapping[bytes, Callable[[_State, int], _State]]] = {
    b"fs": lambda state, number: replace(state, tiny=number < TINY_HALF_POINTS),
    b"uc": lambda state, number: replace(state, fallback=max(0, min(number, 10))),
    b"cf": lambda state, number: replace(state, colour=number),
    b"cb": lambda state, number: replace(state, ground=number),
    b"chcbpat": lambda state, number: replace(state, ground=number),
    b"highlight": lambda state, number: replace(state, ground=number),
    b"f": lambda state, number: replace(state, font=number),
}
OBJECTS: Final = frozenset({b"objdata", b"objemb"})
TABLED: Final = OBJECTS | {b"ansicpg", b"fcharset", b"red", b"green", b"blue"}
# A font's charset by its number, where it is another than the western one.
CHARSETS: Final[Mapping[int | None, str]] = {
    128: "cp932",
    129: "cp949",
    134: "gbk",
    136: "big5",
    161: "cp1253",
    162: "cp1254",
    163: "cp1258",
    177: "cp1255",
    178: "cp1256",
    186: "cp1257",
    204: "cp1251",
    222: "cp874",
    238: "cp1250",
}


class _Reader:
    """Walks the tokens of one file."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._stack = [_State()]
        self._pass_over = 0
        self._runs: list[tuple[_State, str]] = []
        self._bytes = bytearray()
        self._codec = "cp1252"
        self._fonts: dict[int, str] = {}
        self._colours: list[Rgb | None] = []
        self._in_colours = False
        self._mixing: dict[bytes, int] = {}

    def read(self, data: bytes) -> None:
        """Take down every run of words with the state that it stands in."""
        for token in _TOKEN.finditer(data):
            word, number, code, symbol, brace, plain = token.groups()
            if code is None and plain is None:
                self._flush()
            if brace is not None:
                self._group(brace)
            elif word is not None:
                self._word(word, None if number is None else int(number))
            elif code is not None:
                self._take(bytes([int(code, 16)]))
            elif plain is not None:
                self._take(plain)
            else:
                self._symbol(symbol)
        self._flush()
        self._conclude()

    def _take(self, data: bytes) -> None:
        """Bytes of text; those of one character may come in several tokens."""
        if self._in_colours and self._stack[-1].skipped:
            for _ in range(data.count(b";")):
                self._colours.append(_mixed(self._mixing) if self._mixing else None)
                self._mixing = {}
        # What follows a Unicode escape is its stand-in for older readers.
        passed = min(self._pass_over, len(data))
        self._pass_over -= passed
        self._bytes += data[passed:]

    def _flush(self) -> None:
        if self._bytes:
            codec = self._fonts.get(self._stack[-1].font, self._codec)
            self._say(self._bytes.decode(codec, "replace"))
            self._bytes.clear()

    def _group(self, brace: bytes) -> None:
        if brace == b"}":
            if len(self._stack) > 1:
                self._stack.pop()
        elif len(self._stack) > MAX_GROUPS:
            self._report.flags.add("too_deep")
        else:
            self._stack.append(self._stack[-1])

    def _word(self, word: bytes, number: int | None) -> None:
        state = self._stack[-1]
        if word in NUMBERED and number is not None:
            self._stack[-1] = NUMBERED[word](state, number)
        elif word in TABLED:
            self._tabled(word, number)
        elif word in SKIPPED:
            self._in_colours = word == b"colortbl"
            self._stack[-1] = replace(state, skipped=True)
        elif word in ABOUT:
            self._stack[-1] = replace(state, about=True)
        elif word == b"v":
            self._stack[-1] = replace(state, hidden=number != 0)
        elif word == b"plain":
            self._stack[-1] = replace(state, hidden=False, tiny=False, colour=0, ground=0)
        elif word == b"u" and number is not None:
            self._say(chr(number % 65536))
            self._pass_over = state.fallback
        elif word in BREAKS:
            self._say("\n")

    def _tabled(self, word: bytes, number: int | None) -> None:
        """What belongs to the tables in front of a document: colours, charsets, objects."""
        if word in OBJECTS:
            self._report.flags.add("opaque_media_noninterpretable")
            self._stack[-1] = replace(self._stack[-1], skipped=True)
        elif word == b"ansicpg":
            self._codec = codec_for(f"cp{number}") or self._codec
        elif word != b"fcharset":
            self._mixing[word] = number or 0
        elif number in CHARSETS:
            self._fonts[self._stack[-1].font] = CHARSETS[number]

    def _symbol(self, symbol: bytes | None) -> None:
        if symbol in {b"\\", b"{", b"}", b"~"}:
            self._say(" " if symbol == b"~" else symbol.decode("latin-1"))

    def _say(self, text: str) -> None:
        if text and not self._stack[-1].skipped:
            self._runs.append((self._stack[-1], text))

    def _conclude(self) -> None:
        shown, hidden, about = list[str](), list[str](), list[str]()
        for state, text in self._runs:
            side = hidden if self._unseen(state) else about if state.about else shown
            side.append(text)
        self._report.show(_joined(shown))
        self._report.hide("rtf:hidden", _joined(hidden))
        self._report.hide("rtf:about", _joined(about))
        if shown and hidden:
            self._report.mix(_joined([text for state, text in self._runs if not state.about]))

    def _unseen(self, state: _State) -> bool:
        colour, ground = (self._colour(number) for number in (state.colour, state.ground))
        pale = colour is not None and alike(colour, ground or WHITE)
        return state.hidden or state.tiny or pale

    def _colour(self, number: int) -> Rgb | None:
        return self._colours[number] if 0 <= number < len(self._colours) else None


def _joined(pieces: list[str]) -> str:
    """One text; a character beyond the first plane comes in two halves."""
    return "".join(pieces).encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def _mixed(channels: dict[bytes, int]) -> Rgb:
    red, green, blue = (min(channels.get(name, 0), 255) for name in (b"red", b"green", b"blue"))
    return red, green, blue


def read_rtf(report: Report, data: bytes) -> None:
    """Take down an RTF file's words."""
    _Reader(report).read(data)
    report.count("lines_scanned", data.count(b"\n") + 1)
