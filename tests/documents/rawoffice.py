"""Office files written by hand, for what no library writes."""

from tests.documents import offices
from tests.documents.hostile import archive

SPACE = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def story(inner: str) -> bytes:
    return offices.with_member(
        offices.document(), "word/document.xml", f"<w:d {SPACE}>{inner}</w:d>"
    )


def sheet(cells: str, strings: str = "", styles: str = "") -> bytes:
    members = {
        "xl/workbook.xml": b"<w><sheets>stray<sheet name='one' id='r1'/></sheets></w>",
        "xl/_rels/workbook.xml.rels": b"<r><Relationship Id='r1' Target='/xl/s.xml'/></r>",
        "xl/worksheets/s.xml": f"<w>{cells}</w>".encode(),
    }
    if strings:
        members["xl/sharedStrings.xml"] = strings.encode()
    if styles:
        members["xl/styles.xml"] = styles.encode()
    return archive(members)


def deck(slide: str) -> bytes:
    return archive({"ppt/slides/slide1.xml": f"<sld>{slide}</sld>".encode()})
