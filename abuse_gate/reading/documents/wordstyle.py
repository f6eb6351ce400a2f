"""Whether a run of a word document can be seen: its own properties, and those it inherits."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from abuse_gate.reading.documents.colours import NAMED, WHITE, Rgb, Theme, alike, rgb
from abuse_gate.reading.documents.report import Report
from abuse_gate.reading.documents.xmltext import Handler, walk_xml

# Sizes are in half points, widths in percent.
TINY: Final = 4
_NARROW: Final = 5
_OFF: Final = frozenset({"0", "false", "off", "none"})
_CHAIN: Final = 20
# In a text's fill opacity is counted from the other end: all of it means that nothing is seen.
_CLEAR: Final = 95_000


@dataclass(frozen=True, slots=True)
class Look:
    """What decides whether a text is seen; None leaves it to what is inherited."""

    vanish: bool | None = None
    colour: Rgb | None = None
    size: int | None = None
    ground: Rgb | None = None

    def over(self, below: "Look") -> "Look":
        """This look where it says something, the one below it where not."""
        return Look(
            below.vanish if self.vanish is None else self.vanish,
            below.colour if self.colour is None else self.colour,
            below.size if self.size is None else self.size,
            below.ground if self.ground is None else self.ground,
        )

    @property
    def hidden(self) -> bool:
        """Whether nobody would see it."""
        tiny = self.size is not None and self.size < TINY
        camouflaged = self.colour is not None and alike(self.colour, self.ground or WHITE)
        return bool(self.vanish) or tiny or camouflaged


def _on(attributes: Mapping[str, str]) -> bool:
    return attributes.get("val", "1").lower() not in _OFF


def _number(attributes: Mapping[str, str]) -> int | None:
    value = attributes.get("val", "").removesuffix("%")
    return int(value) if value.isdecimal() else None


def changed(look: Look, name: str, attributes: Mapping[str, str], theme: Theme) -> Look:
    """A look with one property element applied."""
    if name in {"vanish", "specVanish", "webHidden"}:
        return replace(look, vanish=_on(attributes))
    if name == "color":
        return replace(look, colour=_colour(attributes, "", theme) or look.colour)
    if name == "shd":
        return replace(look, ground=_colour(attributes, "fill", theme) or look.ground)
    if name == "highlight":
        return replace(look, ground=NAMED.get(attributes.get("val", ""), look.ground))
    number = _number(attributes)
    if name == "sz" and number is not None:
        return replace(look, size=number)
    if name == "w" and number is not None and number < _NARROW:
        return replace(look, vanish=True)
    if name == "alpha" and number is not None and number > _CLEAR:
        return replace(look, vanish=True)
    return look


def _colour(attributes: Mapping[str, str], key: str, theme: Theme) -> Rgb | None:
    """A colour by its digits; by its role in the theme where the digits leave it open."""
    found = rgb(attributes.get(key or "val", ""))
    role = attributes.get("themeFill" if key else "themeColor")
    if role is None:
        return found
    shaded = any("Shade" in name or "Tint" in name for name in attributes)
    return found if shaded else theme.role(role) or found


@dataclass(slots=True, repr=False)
class _Style:
    """One named style and the one that it builds on."""

    look: Look = field(default_factory=Look)
    based_on: str = ""


class Styles(Handler):
    """The named styles of a document, and the look of whatever names none."""

    def __init__(self, theme: Theme | None = None) -> None:
        self.theme = theme or Theme()
        self._styles: dict[str, _Style] = {}
        self._current: _Style | None = None
        self._plain = _Style()
        self._default = ""

    def start(self, name: str, attributes: Mapping[str, str], /) -> None:
        """Collect properties of the style that is open."""
        if name == "style":
            style = attributes.get("styleId", "")
            self._current = self._styles[style] = _Style()
            if attributes.get("type") == "paragraph" and attributes.get("default", "0") not in _OFF:
                self._default = style
        elif name == "docDefaults":
            self._current = self._plain
        elif self._current is not None and name == "basedOn":
            self._current.based_on = attributes.get("val", "")
        elif self._current is not None:
            self._current.look = changed(self._current.look, name, attributes, self.theme)

    def end(self, name: str, /) -> None:
        """A style is over."""
        if name in {"style", "docDefaults"}:
            self._current = None

    @property
    def plain(self) -> Look:
        """The look of a paragraph that names no style."""
        return self.look(self._default).over(self._plain.look)

    def look(self, name: str) -> Look:
        """The look that a style gives, with all that it builds on."""
        found = Look()
        for _ in range(_CHAIN):
            style = self._styles.get(name)
            if style is None:
                break
            found, name = found.over(style.look), style.based_on
        return found


def read_styles(report: Report, data: bytes, theme: Theme) -> Styles:
    """The styles of a document, as far as they can be read."""
    styles = Styles(theme)
    if data:
        walk_xml(report, data, styles)
    return styles
