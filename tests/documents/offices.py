"""Word documents made for tests: one function for each way of hiding, with any words in it."""

import zipfile
from collections.abc import Callable
from io import BytesIO
from typing import Any

import docx
from docx import oxml
from docx.enum.style import WD_STYLE_TYPE
from docx.oxml.ns import qn
from docx.shared import Pt, RGBColor

# Its types are those of lxml, which has none.
OxmlElement: Any = getattr(oxml, "OxmlElement")  # noqa: B009 - see above

SHOWN = "Minutes of the meeting. All items were approved without discussion."


def document(change: Callable[[Any], None] | None = None) -> bytes:
    made: Any = docx.Document()
    made.add_paragraph(SHOWN)
    if change is not None:
        change(made)
    buffer = BytesIO()
    made.save(buffer)
    return buffer.getvalue()


def _run(change: Callable[[Any], None]) -> Callable[[str], bytes]:
    def make(words: str) -> bytes:
        return document(lambda made: change(made.add_paragraph("Note: ").add_run(words)))

    return make


def _shade(element: Any, fill: str) -> None:
    shade = OxmlElement("w:shd")
    shade.set(qn("w:val"), "clear")
    shade.set(qn("w:fill"), fill)
    element.append(shade)


def _vanish(run: Any) -> None:
    run.font.hidden = True


def _white(run: Any) -> None:
    run.font.color.rgb = RGBColor(255, 255, 255)


def _white_on_dark(run: Any) -> None:
    _white(run)
    _shade(run._r.get_or_add_rPr(), "1F3864")


def _dark_on_dark(run: Any) -> None:
    run.font.color.rgb = RGBColor(0x1F, 0x38, 0x64)
    _shade(run._r.get_or_add_rPr(), "1F3864")


def _theme_white(run: Any) -> None:
    colour = OxmlElement("w:color")
    colour.set(qn("w:val"), "auto")
    colour.set(qn("w:themeColor"), "background1")
    run._r.get_or_add_rPr().append(colour)


def _tiny(run: Any) -> None:
    run.font.size = Pt(1)


def _small(run: Any) -> None:
    run.font.size = Pt(6)


def hidden_style(words: str) -> bytes:
    def change(made: Any) -> None:
        base = made.styles.add_style("Ghost", WD_STYLE_TYPE.CHARACTER)
        base.font.hidden = True
        style = made.styles.add_style("Ghost2", WD_STYLE_TYPE.CHARACTER)
        style.base_style = base
        made.add_paragraph("").add_run(words, style="Ghost2")

    return document(change)


def white_in_dark_cell(words: str) -> bytes:
    def change(made: Any) -> None:
        cell = made.add_table(1, 1).cell(0, 0)
        _shade(cell._tc.get_or_add_tcPr(), "1F3864")
        _white(cell.paragraphs[0].add_run(words))

    return document(change)


def _tracked(tag: str, inner: str) -> Callable[[str], bytes]:
    def make(words: str) -> bytes:
        def change(made: Any) -> None:
            mark = OxmlElement(tag)
            run = OxmlElement("w:r")
            text = OxmlElement(inner)
            text.text = words
            run.append(text)
            mark.append(run)
            made.add_paragraph("Changed: ")._p.append(mark)

        return document(change)

    return make


def comment(words: str) -> bytes:
    return document(
        lambda made: made.add_comment(made.add_paragraph("x").add_run("here"), text=words)
    )


def header(words: str) -> bytes:
    def change(made: Any) -> None:
        made.sections[0].header.paragraphs[0].text = words

    return document(change)


def footer(words: str) -> bytes:
    def change(made: Any) -> None:
        made.sections[0].footer.paragraphs[0].text = words

    return document(change)


def properties(words: str) -> bytes:
    def change(made: Any) -> None:
        made.core_properties.comments = words

    return document(change)


def with_member(data: bytes, name: str, content: str | bytes) -> bytes:
    """An archive with one more member, or with another one in its place."""
    buffer = BytesIO()
    with zipfile.ZipFile(BytesIO(data)) as old, zipfile.ZipFile(buffer, "w") as new:
        for info in old.infolist():
            if info.filename != name:
                new.writestr(info, old.read(info), zipfile.ZIP_DEFLATED)
        new.writestr(name, content, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def footnote(words: str) -> bytes:
    space = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    xml = (
        f'<w:footnotes xmlns:w="{space}"><w:footnote><w:p><w:r><w:t>{words}</w:t></w:r></w:p>'
        "</w:footnote></w:footnotes>"
    )
    return with_member(document(), "word/footnotes.xml", xml)


def custom_xml(words: str) -> bytes:
    return with_member(document(), "customXml/item1.xml", f'<data note="{words}"><x>1</x></data>')


def alt_text(words: str) -> bytes:
    from tests.documents.pictures import photo

    def change(made: Any) -> None:
        shape = made.add_picture(BytesIO(photo()))
        shape._inline.docPr.set("descr", words)

    return document(change)


DOCX: dict[str, Callable[[str], bytes]] = {
    "vanish": _run(_vanish),
    "white": _run(_white),
    "theme white": _run(_theme_white),
    "dark on dark": _run(_dark_on_dark),
    "tiny": _run(_tiny),
    "hidden style": hidden_style,
    "comment": comment,
    "deleted": _tracked("w:del", "w:delText"),
    "inserted": _tracked("w:ins", "w:t"),
    "field code": _tracked("w:smartTag", "w:instrText"),
    "footnote": footnote,
    "header": header,
    "footer": footer,
    "alt text": alt_text,
    "custom xml": custom_xml,
    "properties": properties,
}
DOCX_SEEN: dict[str, Callable[[str], bytes]] = {
    "plain": _run(lambda run: None),
    "white on dark": _run(_white_on_dark),
    "white in a dark cell": white_in_dark_cell,
    "small": _run(_small),
    "black": _run(lambda run: setattr(run.font.color, "rgb", RGBColor(0, 0, 0))),
    "not hidden": _run(lambda run: setattr(run.font, "hidden", False)),
}
