"""A presentation: the words of its slides; hidden slides, tiny, transparent or off-slide text."""

from collections.abc import Mapping
from typing import Final

from abuse_gate.reading.documents.archive import Archive
from abuse_gate.reading.documents.colours import Theme, read_theme
from abuse_gate.reading.documents.docx import read_beside
from abuse_gate.reading.documents.geometry import Box
from abuse_gate.reading.documents.lines import Lines
from abuse_gate.reading.documents.report import Report
from abuse_gate.reading.documents.slidelook import Fill, Scenery, whole
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
            self.width = whole(attributes.get("cx")) or self.width
            self.height = whole(attributes.get("cy")) or self.height


class _Slide(Scenery):
    """One slide's runs."""

    def __init__(self, report: Report, size: _Size, theme: Theme, beneath: Scenery | None) -> None:
        super().__init__(theme, beneath)
        self._report = report
        self._size = size
        self._slide_hidden = False
        self._run_hidden = False
        self._words: Fill | None = None
        self._cell: list[tuple[str, bool, Fill | None]] | None = None
        self._cell_fill: Fill | None = None
        self.lines = Lines()

    def start(self, name: str, attributes: Mapping[str, str], /) -> None:
        """Slide, shape and run each may hide what is in them."""
        super().start(name, attributes)
        if name == "sld":
            self._slide_hidden = attributes.get("show") in {"0", "false"}
        elif name == "cNvPr":
            self._named(attributes)
        elif name == "tc":
            self._cell, self._cell_fill = [], None
        elif name in {"r", "fld"}:
            self._run_hidden, self._words = 0 < self.shape.size < TINY, None
        elif name in {"rPr", "defRPr"}:
            self._sized(name, whole(attributes.get("sz")))
        elif name == "alpha" and self.place() == "rPr":
            self._run_hidden |= whole(attributes.get("val")) < FAINT
        elif name == "noFill" and self.opened[-2:-1] == ["rPr"]:
            self._run_hidden = True

    def coloured(self, place: str, fill: Fill) -> None:
        """Runs and cells have colours of their own."""
        if place == "rPr":
            self._words = fill
        elif place == "tcPr":
            self._cell_fill = fill
        else:
            super().coloured(place, fill)

    def _named(self, attributes: Mapping[str, str]) -> None:
        unseen = attributes.get("hidden") in {"1", "true"}
        self.shape.hidden |= unseen
        if "nvGrpSpPr" in self.opened[-2:]:
            self.groups[-1].hidden |= unseen
        for key in ("descr", "title"):
            self._report.hide("pptx:alt_text", attributes.get(key, ""))

    def _sized(self, name: str, size: int) -> None:
        if not size:
            return
        if name == "rPr":
            self._run_hidden = size < TINY
        else:
            self.shape.size = size

    def end(self, name: str, /) -> None:
        """A paragraph's end is counted as a line."""
        super().end(name)
        if name == "p":
            self._report.count("lines_scanned")
            if self._cell is None:
                self.lines.end_line()
        elif name == "tc":
            self._end_cell()

    def _end_cell(self) -> None:
        """A cell says behind its words what it is filled with; a table's style is not known."""
        words, self._cell = self._cell or [], None
        self.shape.fill = self._cell_fill or Fill()
        for text, hidden, colour in words:
            self._say(text, hidden=hidden or self.camouflaged(colour))
        self.lines.end_line()

    def text(self, text: str, /) -> None:
        """Words go where slide, shape and run say."""
        if self.opened[-1] != "t":
            return
        hidden = self._slide_hidden or self.shape.hidden or self._run_hidden or self._away()
        if self._cell is not None:
            self._cell.append((text, hidden, self._words))
        else:
            self._say(text, hidden=hidden or self.camouflaged(self._words))

    def _say(self, text: str, *, hidden: bool) -> None:
        if hidden:
            self._report.count("spans_count")
        self.lines.add("hidden" if hidden else "shown", text)

    def _away(self) -> bool:
        """Whether the shape stands beside the slide; one without a size is where its corner is."""
        box = self.shape.box
        if box is None:
            return False
        page = Box(0, 0, self._size.width, self._size.height)
        left, top = box.left >= page.right, box.bottom >= page.top
        right, bottom = box.right <= 0 < box.right - box.left, box.top <= 0 < box.top - box.bottom
        return left or top or right or bottom


class _Relations(Handler):
    """The parts that a part points to, by the last word of the relation's type."""

    def __init__(self) -> None:
        self.targets: dict[str, str] = {}

    def start(self, name: str, attributes: Mapping[str, str], /) -> None:
        """One relation."""
        if name == "Relationship":
            kind = attributes.get("Type", "").rpartition("/")[2]
            self.targets[kind] = attributes.get("Target", "").rpartition("/")[2]


class _Presentation:
    """The slides of one file, each on the layout and master that it names."""

    def __init__(self, report: Report, archive: Archive) -> None:
        self._report = report
        self._archive = archive
        self._theme = read_theme(report, archive, "ppt/theme/")
        self._size = _Size()
        self._known: dict[str, Scenery] = {}
        data = archive.read("ppt/presentation.xml")
        if data:
            walk_xml(report, data, self._size)

    def read(self) -> None:
        """Masters first: what lies beneath is painted before what is seen."""
        for folder, beneath in (
            ("slideMasters", ""),
            ("slideLayouts", "slideMaster"),
            ("slides", "slideLayout"),
        ):
            for name in self._archive.names(f"ppt/{folder}/", ".xml"):
                self._slide(name, beneath)

    def _slide(self, name: str, beneath: str) -> None:
        folder, _, file = name.rpartition("/")
        relations = _Relations()
        data = self._archive.read(f"{folder}/_rels/{file}.rels")
        if data:
            walk_xml(self._report, data, relations)
        below = self._known.get(relations.targets.get(beneath, ""))
        slide = _Slide(self._report, self._size, self._theme, below)
        walk_xml(self._report, self._archive.read(name), slide)
        self._known[file] = slide
        self._report.show(slide.lines.side("shown"))
        self._report.hide(HIDDEN, slide.lines.side("hidden"))
        self._report.mix(slide.lines.mixed())


def read_pptx(report: Report, archive: Archive) -> None:
    """Take down the words of a presentation."""
    _Presentation(report, archive).read()
    read_beside(report, archive, BESIDE)
