"""What a slide paints: its background, the fills of its shapes, where they stand, their colours.

Sorts no words; a slide and the layout and master beneath it are looked at in the same way.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from abuse_gate.reading.documents.colours import NAMED, Rgb, Theme, alike, rgb
from abuse_gate.reading.documents.geometry import Box, Matrix
from abuse_gate.reading.documents.xmltext import Handler

COLOURS: Final = frozenset({"srgbClr", "schemeClr", "sysClr", "prstClr"})
# Children of a colour that make another one of it.
CHANGES: Final = frozenset({"lumMod", "lumOff", "shade", "tint", "alpha", "satMod"})
# Where a colour stands decides what it colours; the innermost of these counts.
PLACES: Final = frozenset({"rPr", "defRPr", "fontRef", "spPr", "tcPr", "bgPr", "bgRef"})
ELSEWHERE: Final = frozenset({"ln", "effectLst", "highlight", "uFill", "lnRef", "fillRef", "gsLst"})
SHAPES: Final = frozenset({"sp", "pic", "graphicFrame", "cxnSp"})


@dataclass(frozen=True, slots=True)
class Fill:
    """What fills an area: a colour, or something that has no single one."""

    colour: Rgb | None = None


@dataclass(slots=True, repr=False)
class Shape:
    """The shape that is open."""

    box: Box | None = None
    fill: Fill | None = None
    words: Fill | None = None
    size: int = 0
    hidden: bool = False


@dataclass(slots=True, repr=False)
class Group:
    """A group of shapes: how its inner units map to the slide, and whether it is hidden."""

    matrix: Matrix = field(default_factory=Matrix)
    hidden: bool = False


class Scenery(Handler):
    """Walks one slide, layout or master and keeps what it paints, in painting order."""

    def __init__(self, theme: Theme, beneath: "Scenery | None" = None) -> None:
        self.theme = theme
        self.mapping: Mapping[str, str] = beneath.mapping if beneath else {}
        self.ground: Fill | None = beneath.ground if beneath else None
        self.paint: list[tuple[Box, Fill]] = list(beneath.paint) if beneath else []
        self.shape = Shape()
        self.groups = [Group()]
        self.opened: list[str] = []
        self._points: dict[str, tuple[float, float]] = {}

    def start(self, name: str, attributes: Mapping[str, str], /) -> None:
        """Shapes, places and fills; names of elements are unique enough to go by."""
        self.opened.append(name)
        if name == "clrMap":
            self.mapping = dict(attributes)
        elif name in SHAPES:
            self.shape = Shape(hidden=self.groups[-1].hidden)
            if name == "pic":
                self.shape.fill = Fill()
        elif name == "grpSp":
            self.groups.append(Group(self.groups[-1].matrix, self.groups[-1].hidden))
        elif name == "xfrm":
            self._points = {}
        elif name in {"off", "chOff"} or (name in {"ext", "chExt"} and "cx" in attributes):
            keys = ("x", "y") if name.lower().endswith("off") else ("cx", "cy")
            self._points[name] = whole(attributes.get(keys[0])), whole(attributes.get(keys[1]))
        elif name in {"gradFill", "blipFill", "pattFill"} or name in CHANGES:
            self.coloured(self.place(), Fill())
        elif name in COLOURS:
            self.coloured(self.place(), Fill(self._colour(name, attributes)))

    def end(self, name: str, /) -> None:
        """A place is known, a shape is painted, or a group is over."""
        self.opened.pop()
        if name == "xfrm":
            self._placed()
        elif name == "grpSp":
            self.groups.pop()
        elif name in SHAPES and self.shape.fill is not None and self.shape.box is not None:
            self.paint.append((self.shape.box, self.shape.fill))

    def place(self) -> str:
        """The innermost element around the current one that says what a colour is for."""
        for name in reversed(self.opened):
            if name in PLACES or name in ELSEWHERE:
                return name
        return ""

    def coloured(self, place: str, fill: Fill) -> None:
        """Something is given a colour."""
        if place in {"bgPr", "bgRef"}:
            self.ground = fill
        elif place == "spPr":
            self.shape.fill = fill
        elif place in {"fontRef", "defRPr"}:
            self.shape.words = fill

    def camouflaged(self, words: Fill | None) -> bool:
        """Whether words cannot be told from what lies behind them; not known is no."""
        words = words or self.shape.words
        behind = self.shape.fill or self._behind()
        if words is None or behind is None or words.colour is None or behind.colour is None:
            return False
        return alike(words.colour, behind.colour)

    def _behind(self) -> Fill | None:
        box = self.shape.box
        if box is None:
            # A place that is inherited is not known: only an empty slide has one background.
            return None if self.paint else self.ground
        covering = (fill for area, fill in reversed(self.paint) if area.covers(box))
        return next(covering, self.ground)

    def _colour(self, name: str, attributes: Mapping[str, str]) -> Rgb | None:
        value = attributes.get("val", "")
        if name == "schemeClr":
            return self.theme.role(value, self.mapping)
        if name == "prstClr":
            return NAMED.get(value)
        return rgb(attributes.get("lastClr", "") or value)

    def _placed(self) -> None:
        left, top = self._points.get("off", (0.0, 0.0))
        width, height = self._points.get("ext", (0.0, 0.0))
        outer = self.groups[-2 if self._in_group() else -1].matrix
        if not self._in_group():
            self.shape.box = outer.box(Box(left, top, left + width, top + height))
            return
        inner_left, inner_top = self._points.get("chOff", (left, top))
        inner_width, inner_height = self._points.get("chExt", (width, height))
        across = width / inner_width if inner_width else 1.0
        down = height / inner_height if inner_height else 1.0
        own = Matrix(across, 0, 0, down, left - inner_left * across, top - inner_top * down)
        self.groups[-1].matrix = own.then(outer)

    def _in_group(self) -> bool:
        inside = bool(self.opened) and self.opened[-1] == "grpSpPr"
        return inside and len(self.groups) > 1


def whole(text: str | None) -> int:
    """A whole number, or nothing."""
    try:
        return int(text or "")
    except ValueError:
        return 0
