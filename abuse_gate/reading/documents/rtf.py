"""RTF: its words without its control words; hidden runs and information groups apart."""

import re
from dataclasses import dataclass, replace
from typing import Final

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


class _Reader:
    """Walks the tokens of one file."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._stack = [_State()]
        self._pass_over = 0
        self._runs: list[tuple[_State, str]] = []

    def read(self, data: bytes) -> None:
        """Take down every run of words with the state that it stands in."""
        for token in _TOKEN.finditer(data):
            word, number, code, symbol, brace, plain = token.groups()
            if brace is not None:
                self._group(brace)
            elif word is not None:
                self._word(word, None if number is None else int(number))
            elif code is not None:
                self._say(bytes([int(code, 16)]).decode("cp1252", "replace"))
            elif plain is not None:
                self._say(plain.decode("cp1252", "replace"))
            else:
                self._symbol(symbol)
        self._conclude()

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
        if word in SKIPPED:
            self._stack[-1] = replace(state, skipped=True)
        elif word in ABOUT:
            self._stack[-1] = replace(state, about=True)
        elif word == b"v":
            self._stack[-1] = replace(state, hidden=number != 0)
        elif word == b"fs" and number is not None:
            self._stack[-1] = replace(state, tiny=number < TINY_HALF_POINTS)
        elif word == b"plain":
            self._stack[-1] = replace(state, hidden=False, tiny=False)
        elif word == b"uc" and number is not None:
            self._stack[-1] = replace(state, fallback=max(0, min(number, 10)))
        elif word == b"u" and number is not None:
            self._say(chr(number % 65536))
            self._pass_over = state.fallback
        elif word in BREAKS:
            self._say("\n")

    def _symbol(self, symbol: bytes | None) -> None:
        if symbol in {b"\\", b"{", b"}", b"~"}:
            self._say(" " if symbol == b"~" else symbol.decode("latin-1"))

    def _say(self, text: str) -> None:
        # What follows a Unicode escape is its stand-in for older readers.
        passed = min(self._pass_over, len(text))
        self._pass_over -= passed
        text = text[passed:]
        if text and not self._stack[-1].skipped:
            self._runs.append((self._stack[-1], text))

    def _conclude(self) -> None:
        shown, hidden, about = list[str](), list[str](), list[str]()
        for state, text in self._runs:
            side = hidden if state.hidden or state.tiny else about if state.about else shown
            side.append(text)
        self._report.show("".join(shown))
        self._report.hide("rtf:hidden", "".join(hidden))
        self._report.hide("rtf:about", "".join(about))


def read_rtf(report: Report, data: bytes) -> None:
    """Take down an RTF file's words."""
    _Reader(report).read(data)
    report.count("lines_scanned", data.count(b"\n") + 1)
