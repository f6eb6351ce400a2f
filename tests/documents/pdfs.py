"""PDF files made for tests: one function for each way of hiding, with any words in it."""

import zlib
from collections.abc import Callable
from io import BytesIO
from typing import Any, Literal

from pypdf import PdfReader, PdfWriter
from pypdf.generic import (
    ArrayObject,
    DecodedStreamObject,
    DictionaryObject,
    NameObject,
    NumberObject,
    TextStringObject,
)
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from tests.documents.pictures import photo

SHOWN = "Quarterly report. Revenue grew by four percent and costs were stable."
SIZE = (420.0, 420.0)

Draw = Callable[[Any, str], None]


def drawn(draw: Draw | None = None, words: str = "", *, pages: int = 1) -> bytes:
    """A PDF of plain pages on which something more is drawn."""
    buffer = BytesIO()
    canvas: Any = Canvas(buffer, pagesize=SIZE)
    for _ in range(pages):
        canvas.drawString(20, 380, SHOWN)
        if draw is not None:
            draw(canvas, words)
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def _mode(number: Literal[1, 3, 7]) -> Draw:
    def draw(canvas: Any, words: str) -> None:
        text = canvas.beginText(20, 300)
        text.setTextRenderMode(number)
        text.textLine(words)
        canvas.drawText(text)

    return draw


def white(canvas: Any, words: str) -> None:
    canvas.setFillColorRGB(1, 1, 1)
    canvas.drawString(20, 300, words)


def nearly_white(canvas: Any, words: str) -> None:
    canvas.setFillColorRGB(0.97, 0.97, 0.97)
    canvas.drawString(20, 300, words)


def blue_on_blue(canvas: Any, words: str) -> None:
    canvas.setFillColorRGB(0.1, 0.1, 0.6)
    canvas.rect(10, 290, 400, 30, fill=1, stroke=0)
    canvas.drawString(20, 300, words)


def tiny(canvas: Any, words: str) -> None:
    canvas.setFont("Helvetica", 1)
    canvas.drawString(20, 300, words)


def scaled_down(canvas: Any, words: str) -> None:
    canvas.saveState()
    canvas.scale(0.05, 0.05)
    canvas.drawString(400, 6000, words)
    canvas.restoreState()


def off_page(canvas: Any, words: str) -> None:
    canvas.drawString(-2000, 300, words)


def below_the_page(canvas: Any, words: str) -> None:
    canvas.drawString(20, -500, words)


def transparent(canvas: Any, words: str) -> None:
    canvas.setFillAlpha(0)
    canvas.drawString(20, 300, words)


def clipped(canvas: Any, words: str) -> None:
    canvas.saveState()
    path = canvas.beginPath()
    path.rect(0, 0, 5, 5)
    canvas.clipPath(path, stroke=0)
    canvas.drawString(20, 300, words)
    canvas.restoreState()


def white_in_a_form(canvas: Any, words: str) -> None:
    name = f"form{canvas.getPageNumber()}"
    canvas.beginForm(name)
    canvas.setFillColorRGB(1, 1, 1)
    canvas.drawString(20, 300, words)
    canvas.endForm()
    canvas.doForm(name)


def letter_by_letter(canvas: Any, words: str) -> None:
    canvas.setFillColorRGB(1, 1, 1)
    for index, letter in enumerate(words):
        canvas.drawString(20 + index * 5, 300, letter)


def note(canvas: Any, words: str) -> None:
    canvas.textAnnotation(words, Rect=[10, 10, 30, 30])


def form_value(canvas: Any, words: str) -> None:
    canvas.acroForm.textfield(name="remarks", value=words, x=20, y=200, width=300)


DRAWN: dict[str, Draw] = {
    "render mode 3": _mode(3),
    "render mode 7": _mode(7),
    "white": white,
    "nearly white": nearly_white,
    "background-coloured": blue_on_blue,
    "below 2 pt": tiny,
    "scaled down": scaled_down,
    "off page": off_page,
    "below the page": below_the_page,
    "zero opacity": transparent,
    "clipped": clipped,
    "white in a form": white_in_a_form,
    "letter by letter": letter_by_letter,
    "annotation": note,
    "form value": form_value,
}


def rewritten(change: Callable[[Any], None], data: bytes | None = None) -> bytes:
    """A PDF with something changed in its objects."""
    writer: Any = PdfWriter(clone_from=PdfReader(BytesIO(data or drawn())))
    change(writer)
    buffer = BytesIO()
    writer.write(buffer)
    return buffer.getvalue()


def script(words: str) -> bytes:
    def change(writer: Any) -> None:
        action = DictionaryObject(
            {
                NameObject("/S"): NameObject("/JavaScript"),
                NameObject("/JS"): TextStringObject(f"app.alert('{words}');"),
            }
        )
        writer.root_object[NameObject("/OpenAction")] = writer._add_object(action)

    return rewritten(change)


def metadata(words: str) -> bytes:
    return rewritten(lambda writer: writer.add_metadata({"/Subject": words}))


def xmp(words: str) -> bytes:
    def change(writer: Any) -> None:
        stream = DecodedStreamObject()
        stream.set_data(f"<x><dc><description>{words}</description></dc></x>".encode())
        writer.root_object[NameObject("/Metadata")] = writer._add_object(stream)

    return rewritten(change)


def attachment(words: str) -> bytes:
    def change(writer: Any) -> None:
        writer.add_attachment("notes.txt", words.encode())

    return rewritten(change)


def hidden_layer(words: str, *, shown: bool = False, whole: bool = False) -> bytes:
    """Text on an optional layer that is switched off (or on, or every layer but a few is off)."""

    def change(writer: Any) -> None:
        group = DictionaryObject(
            {
                NameObject("/Type"): NameObject("/OCG"),
                NameObject("/Name"): TextStringObject("Draft"),
            }
        )
        reference = writer._add_object(group)
        off = DictionaryObject(
            {NameObject("/OFF"): ArrayObject([] if shown or whole else [reference])}
        )
        if whole:
            off[NameObject("/BaseState")] = NameObject("/OFF")
            off[NameObject("/ON")] = ArrayObject([])
        writer.root_object[NameObject("/OCProperties")] = DictionaryObject(
            {NameObject("/OCGs"): ArrayObject([reference]), NameObject("/D"): off}
        )
        page = writer.pages[0]
        stream = DecodedStreamObject()
        stream.set_data(
            page.get_contents().get_data()
            + f"\n/OC /MC0 BDC BT /F1 12 Tf 1 0 0 1 20 300 Tm ({words}) Tj ET EMC\n".encode()
        )
        page[NameObject("/Contents")] = writer._add_object(stream)
        resources = page["/Resources"].get_object()
        assert isinstance(resources, DictionaryObject)
        resources[NameObject("/Properties")] = DictionaryObject({NameObject("/MC0"): reference})

    return rewritten(change)


def hidden_note(words: str) -> bytes:
    def change(writer: Any) -> None:
        annotation = writer.pages[0]["/Annots"][0].get_object()
        annotation[NameObject("/F")] = NumberObject(2)

    return rewritten(change, drawn(note, words))


def object_streams(words: str) -> bytes:
    """A PDF whose objects stand in a compressed stream, found by a cross-reference stream."""
    content = f"BT /F1 12 Tf 3 Tr 20 300 Td ({words}) Tj ET".encode()
    inner = {
        1: b"<</Type/Catalog/Pages 2 0 R>>",
        2: b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        3: b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 420 420]/Contents 5 0 R"
        b"/Resources<</Font<</F1 4 0 R>>>>>>",
        4: b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    }
    body, index = b"", b""
    for number, text in inner.items():
        index += f"{number} {len(body)} ".encode()
        body += text + b" "
    out = bytearray(b"%PDF-1.5\n")
    places: dict[int, int] = {}

    def add(number: int, extra: bytes, data: bytes) -> None:
        packed = zlib.compress(data)
        places[number] = len(out)
        head = f"{number} 0 obj\n<<{extra.decode()}/Filter/FlateDecode/Length {len(packed)}>>"
        out.extend(head.encode() + b"stream\n" + packed + b"\nendstream\nendobj\n")

    add(5, b"", content)
    add(6, f"/Type/ObjStm/N {len(inner)}/First {len(index)}".encode(), index + body)
    rows = [(0, 0, 65535)]
    rows += [(2, 6, position) for position in range(len(inner))]
    rows += [(1, places[5], 0), (1, places[6], 0), (1, len(out), 0)]
    table = b"".join(
        bytes([kind]) + place.to_bytes(4) + last.to_bytes(2) for kind, place, last in rows
    )
    start = len(out)
    add(7, b"/Type/XRef/Size 8/W[1 4 2]/Root 1 0 R", table)
    out.extend(f"startxref\n{start}\n%%EOF".encode())
    return bytes(out)


def searchable_scan(words: str) -> bytes:
    def draw(canvas: Any, said: str) -> None:
        canvas.drawImage(ImageReader(BytesIO(photo())), 0, 0, *SIZE)
        _mode(3)(canvas, said)

    return drawn(draw, words)


def with_photo_only() -> bytes:
    buffer = BytesIO()
    canvas: Any = Canvas(buffer, pagesize=SIZE)
    canvas.drawImage(ImageReader(BytesIO(photo())), 0, 0, *SIZE)
    canvas.showPage()
    canvas.save()
    return buffer.getvalue()


BUILT: dict[str, Callable[[str], bytes]] = {
    "javascript": script,
    "metadata": metadata,
    "xmp": xmp,
    "embedded file": attachment,
    "hidden layer": hidden_layer,
    "all layers off": lambda words: hidden_layer(words, whole=True),
    "hidden annotation": hidden_note,
    "object streams": object_streams,
    "searchable scan": searchable_scan,
}


def on_dark(words: str) -> bytes:
    def draw(canvas: Any, said: str) -> None:
        canvas.setFillColorRGB(0.1, 0.1, 0.6)
        canvas.rect(10, 290, 400, 30, fill=1, stroke=0)
        canvas.setFillColorRGB(1, 1, 1)
        canvas.drawString(20, 300, said)

    return drawn(draw, words)


def clip_that_shows(words: str) -> bytes:
    def draw(canvas: Any, said: str) -> None:
        path = canvas.beginPath()
        path.rect(0, 100, 420, 320)
        canvas.clipPath(path, stroke=0)
        canvas.drawString(20, 300, said)

    return drawn(draw, words)


def half_transparent(words: str) -> bytes:
    def draw(canvas: Any, said: str) -> None:
        canvas.setFillAlpha(0.5)
        canvas.drawString(20, 300, said)

    return drawn(draw, words)


def outlined(words: str) -> bytes:
    return drawn(_mode(1), words)


def small_print(words: str) -> bytes:
    def draw(canvas: Any, said: str) -> None:
        canvas.setFont("Helvetica", 5)
        canvas.drawString(20, 300, said)

    return drawn(draw, words)


def over_a_photo(words: str) -> bytes:
    def draw(canvas: Any, said: str) -> None:
        canvas.drawImage(ImageReader(BytesIO(photo())), 0, 250, 420, 100)
        canvas.setFillColorRGB(1, 1, 1)
        canvas.drawString(20, 300, said)

    return drawn(draw, words)


# What looks like hiding and is not: everybody sees these words.
SEEN: dict[str, Callable[[str], bytes]] = {
    "plain": lambda words: drawn(lambda canvas, said: canvas.drawString(20, 300, said), words),
    "white on blue": on_dark,
    "white on a photo": over_a_photo,
    "clip that shows": clip_that_shows,
    "half transparent": half_transparent,
    "outlined": outlined,
    "small print": small_print,
    "shown layer": lambda words: hidden_layer(words, shown=True),
}
