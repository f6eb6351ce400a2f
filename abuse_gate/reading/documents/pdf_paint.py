"""What a page of a PDF paints, in its order: the colours behind words, and the lids over them."""

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any, Final

from abuse_gate.reading.documents import pdfium
from abuse_gate.reading.documents.geometry import Box
from abuse_gate.reading.documents.pdfium import Thing, raw

_MOST_LIDS: Final = 50
# An image that covers this much of a page makes it a scan.
SCAN_SHARE: Final = 0.6
_WHITE: Final = (255, 255, 255)
MOST_PAINT: Final = 500
# Below this nothing is painted.
MIN_ALPHA: Final = 13


class Lid:
    """Something opaque; a picture is looked at only when words lie beneath it."""

    def __init__(self, thing: Thing, handles: tuple[Any, Any]) -> None:
        self._thing = thing
        self._handles = handles
        self._box = thing.box.meet(thing.clip)
        self._opaque: bool | None = None

    def hides(self, box: Box) -> bool:
        """Whether nothing is left of what stands in the box."""
        if not self._box.holds(box):
            return False
        if self._opaque is None:
            self._opaque = pdfium.is_opaque(self._thing, *self._handles)
        return self._opaque


@dataclass(slots=True, repr=False)
class PaintedPage:
    """One page while its objects are walked in painting order."""

    box: Box
    off_layers: Collection[str]
    handles: tuple[Any, Any]
    paint: list[tuple[Box, tuple[int, int, int] | None]] = field(
        default_factory=list[tuple[Box, tuple[int, int, int] | None]]
    )
    scanned: bool = False
    collapsed: bool = False
    # Words that can be seen so far, and how much was painted before them.
    words: list[tuple[int, Thing]] = field(default_factory=list[tuple[int, Thing]])
    # What may hide the words beneath it, by how much was painted before it.
    lids: list[tuple[int, Lid]] = field(default_factory=list[tuple[int, Lid]])

    def covered(self, textpage: Any) -> list[tuple[str, str]]:
        """The words over which something opaque was painted later."""
        return [
            ("covered", pdfium.text_of(thing.handle, textpage))
            for before, thing in self.words
            if any(at >= before and lid.hides(thing.box) for at, lid in self.lids)
        ]

    def background(self, box: Box) -> tuple[int, int, int] | None:
        """The colour behind a box; None when it is a picture."""
        for area, colour in reversed(self.paint[-MOST_PAINT:]):
            if area.covers(box):
                return colour
        return _WHITE

    def take(self, thing: Thing) -> None:
        """Remember what an object paints, for the texts that come after it and before it."""
        if self.words and pdfium.may_cover(thing) and len(self.lids) < _MOST_LIDS:
            self.lids.append((len(self.paint), Lid(thing, self.handles)))
        if thing.kind == raw.FPDF_PAGEOBJ_IMAGE:
            self.paint.append((thing.box.meet(thing.clip), None))
            self.scanned |= self.box.share(thing.box) >= SCAN_SHARE
        elif thing.kind == raw.FPDF_PAGEOBJ_SHADING:
            self.paint.append((thing.box.meet(thing.clip), None))
        elif thing.kind == raw.FPDF_PAGEOBJ_PATH and pdfium.is_filled(thing.handle):
            *rgb, alpha = pdfium.colour(thing.handle)
            if alpha > MIN_ALPHA:
                self.paint.append((thing.box.meet(thing.clip), (rgb[0], rgb[1], rgb[2])))
