"""A presentation: the words of its slides; hidden slides, tiny, transparent or off-slide text."""

from collections.abc import Mapping
from typing import Final

from abuse_gate.reading.documents.archive import Archive
from abuse_gate.reading.documents.docx import read_beside
from abuse_gate.reading.documents.report import Report
from abuse_gate.reading.documents.xmltext import Handler, walk_xml

HIDDEN: Final = "pptx:hidden"
BESIDE: Final[tuple[tuple[str, str], ...]] = (
    ("ppt/notesSlides/", "pptx:note"),
    ("ppt/comments/", "pptx:comment"),
    ("ppt/charts/", "pptx:chart"),
    ("ppt/diagrams/data", "pptx:chart"),
    ("ppt/tags/", "pptx:custom_xml"),
    ("customXml/", "pptx:custom_xml"),
    ("docProps/", "pptx:properties"),
)
# Sizes are in hundredths of a point, opacity in thousandths of a percent.
TINY: Final = 200
FAINT: Final = 5_000
_DEFAULT_SIZE: Final = (12_192_000, 6_858_000)


class _Size(Handler):
    """How large a slide is."""

    def __init__(self) -> None:
        self.width, self.height = _DEFAULT_SIZE

    def start(self, name: str, attributes: Mapping[str, str], /) -> None:
        """The presentation says it once for all slides."""
        if name == "sldSz":
            self.width = _whole(attributes.get("cx", "")) or self.width
            self.height = _whole(attributes.get("cy", "")) or self.height


class _Slide(Handler):
    """One slide's runs."""

    def __init__(self, report: Report, size: _Size) -> None:
        self._report = report
        self._size = size
        self._slide_hidden = False
        self._shape_hidden = False
        self._run_hidden = False
        self._offset = (0, 0)
        self._in: list[str] = []

    def start(self, name: str, attributes: Mapping[str, str], /) -> None:
        """Slide, shape and run each may hide what is in them."""
        self._in.append(name)
        if name == "sld":
            self._slide_hidden = attributes.get("show") in {"0", "false"}
        elif name in {"sp", "pic", "graphicFrame"}:
            self._shape_hidden = False
        elif name == "cNvPr":
            self._shape_hidden |= attributes.get("hidden") in {"1", "true"}
            for key in ("descr", "title"):
                self._report.hide("pptx:alt_text", attributes.get(key, ""))
        elif name == "off":
            self._offset = _whole(attributes.get("x", "")), _whole(attributes.get("y", ""))
        elif name == "ext" and "cx" in attributes:
            self._place(_whole(attributes["cx"]), _whole(attributes.get("cy", "")))
        elif name == "r":
            self._run_hidden = False
        elif name == "rPr":
            self._run_hidden |= 0 < _whole(attributes.get("sz", "")) < TINY
        elif name == "alpha" and "rPr" in self._in:
            self._run_hidden |= _whole(attributes.get("val", "0")) < FAINT

    def end(self, name: str, /) -> None:
        """A paragraph's end is counted as a line."""
        self._in.pop()
        if name == "p":
            self._report.count("lines_scanned")

    def text(self, text: str, /) -> None:
        """Words go where slide, shape and run say."""
        if self._in[-1] != "t":
            return
        if self._slide_hidden or self._shape_hidden or self._run_hidden:
            self._report.count("spans_count")
            self._report.hide(HIDDEN, text)
        else:
            self._report.show(text)

    def _place(self, width: int, height: int) -> None:
        left, top = self._offset
        across = left >= self._size.width or left + width <= 0 < width
        down = top >= self._size.height or top + height <= 0 < height
        self._shape_hidden |= across or down


def _whole(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        return 0


def read_pptx(report: Report, archive: Archive) -> None:
    """Take down the words of a presentation."""
    size = _Size()
    data = archive.read("ppt/presentation.xml")
    if data:
        walk_xml(report, data, size)
    for folder in ("ppt/slides/", "ppt/slideMasters/", "ppt/slideLayouts/"):
        for name in archive.names(folder, ".xml"):
            walk_xml(report, archive.read(name), _Slide(report, size))
    read_beside(report, archive, BESIDE)
