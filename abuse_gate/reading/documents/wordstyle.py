"""Whether a run of a word document can be seen: its own properties, and those it inherits."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from abuse_gate.reading.documents.report import Report
from abuse_gate.reading.documents.xmltext import Handler, walk_xml

# Sizes are in half points.
TINY: Final = 4
_LIGHT: Final = 0xF0
_OFF: Final = frozenset({"0", "false", "off", "none"})
_CHAIN: Final = 20


@dataclass(frozen=True, slots=True)
class Look:
    """What decides whether a text is seen; None leaves it to what is inherited."""

    vanish: bool | None = None
    colour: str | None = None
    size: int | None = None
    ground: str | None = None

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
        return bool(self.vanish) or tiny or self._camouflaged

    @property
    def _camouflaged(self) -> bool:
        if self.colour is None:
            return False
        ground = self.ground or "ffffff"
        return self.colour == ground or (_is_light(self.colour) and _is_light(ground))


def _is_light(colour: str) -> bool:
    try:
        value = bytes.fromhex(colour)
    except ValueError:
        return False
    return len(value) == 3 and min(value) >= _LIGHT  # noqa: PLR2004 - red, green, blue


def _on(attributes: Mapping[str, str]) -> bool:
    return attributes.get("val", "1").lower() not in _OFF


def _colour(attributes: Mapping[str, str]) -> str | None:
    if attributes.get("themeColor") == "background1":
        return "ffffff"
    value = attributes.get("val", "").lower()
    return None if value in {"", "auto"} else value


def _ground(name: str, attributes: Mapping[str, str]) -> str | None:
    value = attributes.get("fill" if name == "shd" else "val", "").lower()
    return None if value in {"", "auto", "none"} else value


def changed(look: Look, name: str, attributes: Mapping[str, str]) -> Look:
    """A look with one property element applied."""
    if name in {"vanish", "specVanish", "webHidden"}:
        return replace(look, vanish=_on(attributes))
    if name == "color":
        return replace(look, colour=_colour(attributes) or look.colour)
    if name in {"shd", "highlight"}:
        return replace(look, ground=_ground(name, attributes) or look.ground)
    if name == "sz" and attributes.get("val", "").isdigit():
        return replace(look, size=int(attributes["val"]))
    return look


@dataclass(slots=True, repr=False)
class _Style:
    """One named style and the one that it builds on."""

    look: Look = field(default_factory=Look)
    based_on: str = ""


class Styles(Handler):
    """The named styles of a document."""

    def __init__(self) -> None:
        self._styles: dict[str, _Style] = {}
        self._current: _Style | None = None

    def start(self, name: str, attributes: Mapping[str, str], /) -> None:
        """Collect properties of the style that is open."""
        if name == "style":
            self._current = self._styles[attributes.get("styleId", "")] = _Style()
        elif self._current is not None and name == "basedOn":
            self._current.based_on = attributes.get("val", "")
        elif self._current is not None:
            self._current.look = changed(self._current.look, name, attributes)

    def end(self, name: str, /) -> None:
        """A style is over."""
        if name == "style":
            self._current = None

    def look(self, name: str) -> Look:
        """The look that a style gives, with all that it builds on."""
        found = Look()
        for _ in range(_CHAIN):
            style = self._styles.get(name)
            if style is None:
                break
            found, name = found.over(style.look), style.based_on
        return found


def read_styles(report: Report, data: bytes) -> Styles:
    """The styles of a document, as far as they can be read."""
    styles = Styles()
    if data:
        walk_xml(report, data, styles)
    return styles
