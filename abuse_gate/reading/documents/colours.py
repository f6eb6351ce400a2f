"""Colours of office documents: names, indexes and themes to red, green, blue; what looks alike.

Knows the vocabularies that the office formats share, and none of their structure.
"""

from collections.abc import Mapping
from typing import Final

from abuse_gate.reading.documents.archive import Archive
from abuse_gate.reading.documents.report import Report
from abuse_gate.reading.documents.xmltext import Handler, walk_xml

Rgb = tuple[int, int, int]

WHITE: Final[Rgb] = (255, 255, 255)
BLACK: Final[Rgb] = (0, 0, 0)
# Two colours this near each other are one to a reader.
NEAR: Final = 16
# What the roles of a theme stand for: a document's own names for its four basic colours.
ROLES: Final[Mapping[str, str]] = {
    "background1": "lt1",
    "light1": "lt1",
    "bg1": "lt1",
    "background2": "lt2",
    "light2": "lt2",
    "bg2": "lt2",
    "text1": "dk1",
    "dark1": "dk1",
    "tx1": "dk1",
    "text2": "dk2",
    "dark2": "dk2",
    "tx2": "dk2",
    "hyperlink": "hlink",
    "followedHyperlink": "folHlink",
}
NAMED: Final[Mapping[str, Rgb]] = {
    "white": WHITE,
    "black": BLACK,
    "red": (255, 0, 0),
    "green": (0, 128, 0),
    "blue": (0, 0, 255),
    "yellow": (255, 255, 0),
    "ltGray": (211, 211, 211),
}
# The order in which a workbook numbers the colours of its theme.
THEME_ORDER: Final = (
    "lt1",
    "dk1",
    "lt2",
    "dk2",
    "accent1",
    "accent2",
    "accent3",
    "accent4",
    "accent5",
    "accent6",
    "hlink",
    "folHlink",
)


def rgb(text: str) -> Rgb | None:
    """The colour of six hex digits, or of eight with the opacity in front."""
    try:
        value = bytes.fromhex(text.lstrip("#")[-6:])
    except ValueError:
        return None
    return (value[0], value[1], value[2]) if len(value) == 3 else None  # noqa: PLR2004 - red, green, blue


def alike(one: Rgb, other: Rgb) -> bool:
    """Whether a text of the one colour on the other cannot be seen."""
    return all(abs(a - b) <= NEAR for a, b in zip(one, other, strict=True))


class Theme(Handler):
    """The colours that a theme gives to its roles."""

    def __init__(self) -> None:
        self.colours: dict[str, Rgb] = {"lt1": WHITE, "dk1": BLACK}
        self._role = ""
        self._inside = False

    def start(self, name: str, attributes: Mapping[str, str], /) -> None:
        """A role, or the colour in it."""
        if name == "clrScheme":
            self._inside = True
        elif self._inside and name in THEME_ORDER:
            self._role = name
        elif self._inside and name in {"srgbClr", "sysClr"}:
            found = rgb(attributes.get("lastClr") or attributes.get("val", ""))
            if found is not None:
                self.colours[self._role] = found

    def end(self, name: str, /) -> None:
        """Beyond its scheme a theme has other colours that play no role."""
        if name == "clrScheme":
            self._inside = False

    def role(self, name: str, mapping: Mapping[str, str] | None = None) -> Rgb | None:
        """The colour behind a role, by the document's own mapping where it has one."""
        mapped = (mapping or {}).get(name, name)
        return self.colours.get(ROLES.get(mapped, mapped))


def read_theme(report: Report, archive: Archive, start: str) -> Theme:
    """The first theme under a folder; without one, black on white."""
    theme = Theme()
    name = next(archive.names(start, ".xml"), None)
    if name is not None:
        walk_xml(report, archive.read(name), theme)
    return theme
