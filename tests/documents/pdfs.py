"""PDF files made for tests: one function for each way of hiding, with any words in it."""

from collections.abc import Callable
from io import BytesIO
from typing import Any, Literal

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
}
