"""The pages of a PDF: what their text says, and which of it no reader would see.

Every way of hiding is a line in a table: the first test that holds names it.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Any, Final

import pypdfium2  # type: ignore[import-untyped]  # ships no types

from abuse_gate.reading.documents import pdfium
from abuse_gate.reading.documents.geometry import Box
from abuse_gate.reading.documents.pdf_paint import MIN_ALPHA, MOST_PAINT, PaintedPage
from abuse_gate.reading.documents.pdfium import Colour, Thing, raw
from abuse_gate.reading.documents.report import Report

HIDDEN: Final = "pdf:hidden"
SCAN: Final = "pdf:searchable_scan"

MIN_POINTS: Final = 2.0
MIN_WIDTH: Final = 0.5
# Below these a text is there for machines only.
MIN_SHARE: Final = 0.05
SAME_COLOUR: Final = 16
_INVISIBLE: Final = frozenset({3, 7})
_STROKED: Final = frozenset({1, 5})
_OUTLINED: Final = frozenset({2, 6})
# What a scan does to the words beneath or above its picture.
_SCANNED: Final = frozenset({"render_mode", "covered"})
_PASSWORD: Final = 4


@dataclass(frozen=True, slots=True, repr=False)
class _Text:
    """One text object and what its tests look at."""

    thing: Thing
    mode: int
    colour: Colour
    page: PaintedPage

    @property
    def invisible(self) -> bool:
        """Drawn in a mode that paints nothing."""
        return self.mode in _INVISIBLE

    @property
    def tiny(self) -> bool:
        """Too small to be read, or squeezed until nothing is left of it."""
        height, width = pdfium.font_size(self.thing), pdfium.font_width(self.thing)
        return height < MIN_POINTS or width < MIN_WIDTH

    @property
    def off_page(self) -> bool:
        """Outside of what is shown of the page."""
        return self.thing.box.share(self.page.box) < MIN_SHARE

    @property
    def transparent(self) -> bool:
        """Painted with no opacity."""
        return self.colour[3] < MIN_ALPHA

    @property
    def clipped(self) -> bool:
        """Cut away by a clip path."""
        return self.thing.box.share(self.thing.clip) < MIN_SHARE

    @property
    def camouflaged(self) -> bool:
        """In the colour of what lies behind it."""
        behind = self.page.background(self.thing.box)
        if behind is None:
            return False
        return all(abs(a - b) <= SAME_COLOUR for a, b in zip(self.colour, behind, strict=False))

    @property
    def layered_away(self) -> bool:
        """On a layer that is switched off."""
        marks = pdfium.marks(self.thing.handle)
        return any(tag == "OC" and name in self.page.off_layers for tag, name, _ in marks)


# Each way of hiding with the name that it is counted under.
WAYS: Final[tuple[tuple[str, Callable[[_Text], bool]], ...]] = (
    ("render_mode", lambda text: text.invisible),
    ("layer", lambda text: text.layered_away),
    ("off_page", lambda text: text.off_page),
    ("clipped", lambda text: text.clipped),
    ("tiny", lambda text: text.tiny),
    ("transparent", lambda text: text.transparent),
    ("camouflaged", lambda text: text.camouflaged),
)


@dataclass(slots=True)
class Pages:
    """How many pages there were, and on which of them stands text of no size at all."""

    count: int = 0
    collapsed: set[int] = field(default_factory=set[int])


def read_pages(report: Report, data: bytes, off_layers: Collection[str]) -> Pages:
    """Take down the text of every page, and apart from it whatever is hidden there."""
    pages = Pages()
    try:
        document = pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as error:
        locked = getattr(error, "err_code", None) == _PASSWORD
        report.flags.add("encrypted" if locked else "malformed")
        return pages
    try:
        pages.count = len(document)
        for number in range(min(len(document), report.limits.max_pages)):
            if _page(report, document, number, off_layers):
                pages.collapsed.add(number)
        if len(document) > report.limits.max_pages:
            report.flags.add("truncated")
        report.count("pages", len(document))
    finally:
        document.close()
    return pages


def _page(report: Report, document: Any, number: int, off_layers: Collection[str]) -> bool:
    """Take down one page; true when it has text objects that come out as nothing."""
    try:
        page = document[number]
    except pypdfium2.PdfiumError:
        report.flags.add("malformed")
        return False
    if raw.FPDFPage_GetAnnotCount(page.raw):
        # Flattened, the appearances of notes and form fields are text like any other.
        raw.FPDFPage_Flatten(page.raw, raw.FLAT_NORMALDISPLAY)
        page = document[number]
    textpage = page.get_textpage()
    said = textpage.get_text_range(errors="replace")
    report.show(said)
    state = PaintedPage(Box(*page.get_bbox()), off_layers, (document.raw, page.raw))
    spans: list[tuple[str, str]] = []
    count = 0
    for thing in pdfium.things(page.raw, report.limits.max_objects):
        count += 1
        if thing.kind == raw.FPDF_PAGEOBJ_TEXT:
            _text(thing, state, textpage.raw, spans)
        else:
            state.take(thing)
    spans += state.covered(textpage.raw)
    if count >= report.limits.max_objects:
        report.flags.add("truncated")
    if state.scanned and not said.strip():
        # A photographed page without a text layer: nobody here can read it.
        report.flags.add("opaque_media_noninterpretable")
    _conclude(report, state, spans)
    return state.collapsed


def _text(thing: Thing, page: PaintedPage, textpage: Any, spans: list[tuple[str, str]]) -> None:
    mode = raw.FPDFTextObj_GetTextRenderMode(thing.handle)
    colour = pdfium.colour(thing.handle, stroke=mode in _STROKED)
    text = _Text(thing, mode, colour, page)
    if mode in _OUTLINED and text.camouflaged:
        # Filled and drawn: it is hidden only when its outline is, too.
        text = _Text(thing, mode, pdfium.colour(thing.handle, stroke=True), page)
    for _, _, instead in pdfium.marks(thing.handle):
        if instead and (not spans or spans[-1] != ("actual_text", instead)):
            spans.append(("actual_text", instead))
    way = next((name for name, holds in WAYS if holds(text)), None)
    if way is not None:
        spans.append((way, pdfium.text_of(thing.handle, textpage)))
    elif len(page.words) < MOST_PAINT:
        page.words.append((len(page.paint), thing))
    page.collapsed |= pdfium.is_collapsed(thing)


def _conclude(report: Report, page: PaintedPage, spans: list[tuple[str, str]]) -> None:
    """Name what was hidden; invisible text over a picture of the page is a searchable scan."""
    replaced = [text for way, text in spans if way == "actual_text"]
    report.hide("pdf:actual_text", "\n".join(replaced))
    spans = [(way, text) for way, text in spans if way != "actual_text"]
    hidden = [(way, text) for way, text in spans if text.strip()]
    if not hidden:
        return
    scan = page.scanned and all(way in _SCANNED for way, _ in hidden)
    for way, _ in hidden:
        report.count("scan_spans" if scan else way)
    report.count("spans_count", len(hidden))
    # Glyphs drawn one by one are put together again; longer pieces keep their distance.
    parts = [text.strip() or " " if len(text.strip()) <= 1 else text + " " for _, text in spans]
    report.hide(SCAN if scan else HIDDEN, "".join(parts))
