"""Workbooks, presentations and OpenDocument files made for tests, each way of hiding a function."""

import zipfile
from collections.abc import Callable
from io import BytesIO
from typing import Any

from openpyxl import Workbook
from openpyxl.comments import Comment
from openpyxl.styles import Font, PatternFill
from openpyxl.workbook.defined_name import DefinedName
from pptx import Presentation
from pptx.util import Emu, Inches
from pptx.util import Pt as SlidePt

from tests.documents.offices import SHOWN


def workbook(change: Callable[[Any], None] | None = None) -> bytes:
    book: Any = Workbook()
    book.active["A1"] = SHOWN
    if change is not None:
        change(book)
    buffer = BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def _sheet(state: str) -> Callable[[str], bytes]:
    def make(words: str) -> bytes:
        def change(book: Any) -> None:
            sheet = book.create_sheet("More")
            sheet["B2"] = words
            sheet.sheet_state = state

        return workbook(change)

    return make


def _cell(change: Callable[[Any, Any], None]) -> Callable[[str], bytes]:
    def make(words: str) -> bytes:
        def on_book(book: Any) -> None:
            sheet = book.active
            sheet["C3"] = words
            change(sheet, sheet["C3"])

        return workbook(on_book)

    return make


def _hide_row(sheet: Any, _cell: Any) -> None:
    sheet.row_dimensions[3].hidden = True


def _hide_column(sheet: Any, _cell: Any) -> None:
    sheet.column_dimensions["C"].hidden = True


def _white_cell(_sheet: Any, cell: Any) -> None:
    cell.font = Font(color="FFFFFFFF")


def _tiny_cell(_sheet: Any, cell: Any) -> None:
    cell.font = Font(size=1)


def _blank_format(_sheet: Any, cell: Any) -> None:
    cell.number_format = ";;;"


def _white_on_blue(_sheet: Any, cell: Any) -> None:
    cell.font = Font(color="FFFFFFFF")
    cell.fill = PatternFill("solid", fgColor="FF1F3864")


def cell_comment(words: str) -> bytes:
    def change(book: Any) -> None:
        book.active["A1"].comment = Comment(words, "Reviewer")

    return workbook(change)


def defined_name(words: str) -> bytes:
    def change(book: Any) -> None:
        book.defined_names["note"] = DefinedName("note", attr_text=f'"{words}"')

    return workbook(change)


def sheet_header(words: str) -> bytes:
    def change(book: Any) -> None:
        book.active.oddHeader.center.text = words

    return workbook(change)


XLSX: dict[str, Callable[[str], bytes]] = {
    "hidden sheet": _sheet("hidden"),
    "very hidden sheet": _sheet("veryHidden"),
    "hidden row": _cell(_hide_row),
    "hidden column": _cell(_hide_column),
    "white cell": _cell(_white_cell),
    "tiny cell": _cell(_tiny_cell),
    "blank format": _cell(_blank_format),
    "comment": cell_comment,
    "defined name": defined_name,
    "sheet header": sheet_header,
}
XLSX_SEEN: dict[str, Callable[[str], bytes]] = {
    "plain": _cell(lambda sheet, cell: None),
    "second sheet": _sheet("visible"),
    "white on blue": _cell(_white_on_blue),
}


def slides(change: Callable[[Any, Any], None] | None = None) -> bytes:
    deck: Any = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    slide.shapes.add_textbox(Inches(1), Inches(1), Inches(5), Inches(1)).text_frame.text = SHOWN
    if change is not None:
        change(deck, slide)
    buffer = BytesIO()
    deck.save(buffer)
    return buffer.getvalue()


def _box(change: Callable[[Any, Any], None], left: Any = None) -> Callable[[str], bytes]:
    def make(words: str) -> bytes:
        def on_deck(deck: Any, slide: Any) -> None:
            place = Inches(1) if left is None else left
            box = slide.shapes.add_textbox(place, Inches(3), Inches(5), Inches(1))
            box.text_frame.text = words
            change(slide, box)

        return slides(on_deck)

    return make


def _hide_slide(slide: Any, _box: Any) -> None:
    slide._element.set("show", "0")


def _hide_shape(_slide: Any, box: Any) -> None:
    box._element.nvSpPr.cNvPr.set("hidden", "1")


def _tiny_text(_slide: Any, box: Any) -> None:
    box.text_frame.paragraphs[0].runs[0].font.size = SlidePt(1)


def _notes(slide: Any, box: Any) -> None:
    slide.notes_slide.notes_text_frame.text = box.text_frame.text
    box.text_frame.text = "see the notes"


def _slide_alt(_slide: Any, box: Any) -> None:
    box._element.nvSpPr.cNvPr.set("descr", box.text_frame.text)
    box.text_frame.text = "a box"


PPTX: dict[str, Callable[[str], bytes]] = {
    "hidden slide": _box(_hide_slide),
    "hidden shape": _box(_hide_shape),
    "tiny": _box(_tiny_text),
    "off slide": _box(lambda slide, box: None, Emu(20_000_000)),
    "left of the slide": _box(lambda slide, box: None, Emu(-20_000_000)),
    "notes": _box(_notes),
    "alt text": _box(_slide_alt),
}
PPTX_SEEN: dict[str, Callable[[str], bytes]] = {"plain": _box(lambda slide, box: None)}


def odt(words: str, style: str = "", element: str = "span", meta: str = "") -> bytes:
    names = "xmlns:office='o' xmlns:text='t' xmlns:style='s' xmlns:fo='f'"
    content = (
        f"<office:document-content {names}><office:automatic-styles>"
        f"<style:style style:name='T1'><style:text-properties {style}/></style:style>"
        f"</office:automatic-styles><office:body><text:p>{SHOWN}</text:p>"
        f"<text:p><text:{element} text:style-name='T1'>{words}</text:{element}></text:p>"
        "</office:body></office:document-content>"
    )
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w") as made:
        made.writestr("mimetype", "application/vnd.oasis.opendocument.text")
        made.writestr("content.xml", content, zipfile.ZIP_DEFLATED)
        made.writestr("meta.xml", f"<office:meta {names}><a>{meta}</a></office:meta>")
    return buffer.getvalue()


ODT: dict[str, Callable[[str], bytes]] = {
    "display none": lambda words: odt(words, "text:display='none'"),
    "white": lambda words: odt(words, "fo:color='#ffffff'"),
    "tiny": lambda words: odt(words, "fo:font-size='1pt'"),
    "comment": lambda words: odt(words, element="annotation"),
    "hidden text": lambda words: odt(words, element="hidden-text"),
    "properties": lambda words: odt("fine", meta=words),
}
ODT_SEEN: dict[str, Callable[[str], bytes]] = {
    "plain": lambda words: odt(words, "fo:color='#202020'")
}
