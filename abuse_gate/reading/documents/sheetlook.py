"""Which cell formats of a workbook show nothing: colour on colour, tiny, or a blank format."""

import re
from collections.abc import Mapping
from typing import Final

from abuse_gate.reading.documents.colours import THEME_ORDER, WHITE, Rgb, Theme, alike, rgb
from abuse_gate.reading.documents.xmltext import Handler

TINY_POINTS: Final = 2.0
# The numbers under which every workbook has these two colours.
INDEXED: Final[Mapping[str, Rgb]] = {
    **dict.fromkeys(("0", "8", "64"), (0, 0, 0)),
    **dict.fromkeys(("1", "9", "65"), WHITE),
    **dict.fromkeys(("2", "10"), (255, 0, 0)),
}
# What a number format may hold that leaves nothing on the sheet: empty quotes, blanks, fillers.
_NOTHING: Final = re.compile(r'""|[_*\\].|\s|\[[^\]]{0,40}\]')
_TEXT_SECTION: Final = 3


class Looks(Handler):
    """Fonts, fills and formats come in that order, each list before the one that uses it."""

    def __init__(self, theme: Theme) -> None:
        self.unseen: set[int] = set()
        self._theme = theme
        self._fonts: list[Rgb | None] = []
        self._tiny: set[int] = set()
        self._fills: list[Rgb | None] = []
        self._blank: set[str] = set()
        self._in: list[str] = []
        self._formats = 0

    def start(self, name: str, attributes: Mapping[str, str], /) -> None:
        """A font, a fill or a format; in a font its size and its colour."""
        around = self._in[-1] if self._in else ""
        self._in.append(name)
        if name == "numFmt" and is_blank(attributes.get("formatCode", "")):
            self._blank.add(attributes.get("numFmtId", ""))
        elif name == "font" and around == "fonts":
            self._fonts.append(None)
        elif name == "fill" and around == "fills":
            self._fills.append(None)
        elif around == "font" and self._fonts:
            self._font(name, attributes)
        elif name == "fgColor" and around == "patternFill" and self._fills:
            self._fills[-1] = self._colour(attributes)
        elif name == "xf" and around == "cellXfs":
            self._format(attributes)

    def end(self, _name: str, /) -> None:
        """Back to what is around."""
        self._in.pop()

    def _font(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "color":
            self._fonts[-1] = self._colour(attributes)
        elif name == "sz" and number_of(attributes.get("val", "")) < TINY_POINTS:
            self._tiny.add(len(self._fonts) - 1)

    def _colour(self, attributes: Mapping[str, str]) -> Rgb | None:
        """A colour by its digits, its number or its place in the theme; a tinted one is another."""
        number = attributes.get("theme", "")
        if number.isdecimal() and int(number) < len(THEME_ORDER):
            tinted = number_of(attributes.get("tint", "")) != 0
            return None if tinted else self._theme.role(THEME_ORDER[int(number)])
        return INDEXED.get(attributes.get("indexed", "")) or rgb(attributes.get("rgb", ""))

    def _format(self, attributes: Mapping[str, str]) -> None:
        font = int(number_of(attributes.get("fontId", "")))
        fill = int(number_of(attributes.get("fillId", "")))
        colour = self._fonts[font] if 0 <= font < len(self._fonts) else None
        # The first two fills of a workbook are none and a pattern of dots.
        ground = self._fills[fill] if 0 <= fill < len(self._fills) else None
        pale = colour is not None and alike(colour, ground or WHITE)
        if pale or font in self._tiny or attributes.get("numFmtId") in self._blank:
            self.unseen.add(self._formats)
        self._formats += 1


def is_blank(code: str) -> bool:
    """Whether a number format shows nothing of a text, or shows it in white."""
    sections = code.split(";")
    if "[white]" in code.lower():
        return True
    return len(sections) > _TEXT_SECTION and not _NOTHING.sub("", sections[_TEXT_SECTION])


def number_of(text: str) -> float:
    """A number, or nothing."""
    try:
        found = float(text)
    except ValueError:
        return 0.0
    return found if abs(found) < 1e9 else 0.0  # noqa: PLR2004 - infinite and absurd numbers are none
