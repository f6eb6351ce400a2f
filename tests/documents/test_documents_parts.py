"""Office files whose words stand in odd parts, odd styles, or in pieces on both sides."""

import pytest

from abuse_gate.model.extract import UploadKind
from abuse_gate.reading.documents.open import open_document
from tests.documents import offices
from tests.documents.corpus import ATTACK as WORDS
from tests.documents.hostile import archive
from tests.documents.rawoffice import SPACE, deck, sheet, story

HALVES = [(word[:2], word[2:]) for word in WORDS.split()]
THEME = (
    "<t><clrScheme><dk1><srgbClr val='FFFFFF'/></dk1><lt1><sysClr lastClr='000000'/></lt1>"
    "<accent1><srgbClr val='zz'/></accent1></clrScheme><dk1/><srgbClr val='123456'/></t>"
)


def run(properties: str, words: str = WORDS) -> str:
    return f"<w:r><w:rPr>{properties}</w:rPr><w:t xml:space='preserve'>{words}</w:t></w:r>"


def styled(styles: str, inner: str = run("")) -> bytes:
    made = story(f"<w:p>{inner}</w:p>")
    return offices.with_member(made, "word/styles.xml", f"<w:s {SPACE}>{styles}</w:s>")


def themed(properties: str) -> bytes:
    return offices.with_member(story(run(properties)), "word/theme/theme1.xml", THEME)


WHITE = "<w:rPr><w:color w:val='FFFFFF'/></w:rPr>"
SHAPE = "<w:drawing><docPr hidden='{}'/><w:p>{}</w:p></w:drawing>"
DOCX: dict[str, tuple[bytes, bool]] = {
    "white by default": (styled(f"<w:docDefaults>{WHITE}</w:docDefaults>"), True),
    "white as the default style": (
        styled(f"<w:style w:type='paragraph' w:default='1' w:styleId='n'>{WHITE}</w:style>"),
        True,
    ),
    "white text of a theme": (themed("<w:color w:themeColor='text1'/>"), True),
    "black background of a theme": (themed("<w:color w:themeColor='background1'/>"), False),
    "a role that the theme has not": (themed("<w:color w:themeColor='accent1'/>"), False),
    "a darker shade": (
        story(run("<w:color w:themeColor='background1' w:themeShade='80' w:val='808080'/>")),
        False,
    ),
    "no fill": (story(run("<w:textFill><w:noFill/></w:textFill>")), True),
    "a clear fill": (
        story(
            run(
                "<w:textFill><w:solidFill><w:srgbClr w:val='0'><w:alpha w:val='99000'/>"
                "</w:srgbClr></w:solidFill></w:textFill>"
            )
        ),
        True,
    ),
    "a font of three words": (story(run("<w:rFonts w:ascii='Times New Roman'/>")), False),
    "narrow letters": (story(run("<w:w w:val='1'/>")), True),
    "highlighted": (story(run("<w:color w:val='FFFFFF'/><w:highlight w:val='black'/>")), False),
    "a white highlight": (
        story(run("<w:highlight w:val='white'/><w:color w:val='fff0f0'/>")),
        True,
    ),
    "a dark page": (
        story("<w:background w:color='101010'/>" + run("<w:color w:val='FFFFFF'/>")),
        False,
    ),
    "a hidden shape": (story(SHAPE.format("1", run(""))), True),
    "a shown shape": (story(SHAPE.format("0", run(""))), False),
    "after a hidden shape": (story(SHAPE.format("1", "") + run("")), False),
}


@pytest.mark.parametrize("name", DOCX)
def test_a_run_is_seen_as_all_that_it_inherits_says(name: str) -> None:
    data, hidden = DOCX[name]
    report = open_document("docx", data)
    assert ("docx:hidden" in report.hits) == hidden
    assert WORDS in "\n".join(report.hidden if hidden else report.shown)


def cell(font: str = "", fill: str = "", code: str = "") -> bytes:
    styles = (
        f"<s><numFmts><numFmt numFmtId='9' formatCode='{code}'/></numFmts>"
        f"<fonts><font>{font}</font></fonts>"
        f"<fills><fill><patternFill>{fill}</patternFill></fill></fills>"
        "<cellXfs><xf fontId='0' fillId='0' numFmtId='9'/><xf fontId='7' fillId='x'/></cellXfs></s>"
    )
    return sheet(f"<row><c s='0' t='inlineStr'><is><t>{WORDS}</t></is></c></row>", styles=styles)


XLSX: dict[str, tuple[bytes, bool]] = {
    "an index that is white": (cell("<color indexed='9'/>"), True),
    "an index that is black": (cell("<color indexed='8'/>"), False),
    "a theme's white": (cell("<color theme='0'/>"), True),
    "a darker white": (cell("<color theme='0' tint='-0.5'/>"), False),
    "a place beyond the theme": (cell("<color theme='99'/>"), False),
    "red on red": (cell("<color rgb='FFFF0000'/>", "<fgColor rgb='FFFE0101'/>"), True),
    "white on red": (cell("<color rgb='FFFFFFFF'/>", "<fgColor rgb='FFFE0101'/>"), False),
    "empty quotes": (cell(code="&quot;&quot;;&quot;&quot;;&quot;&quot;;&quot;&quot;"), True),
    "a white section": (cell(code="[White]@"), True),
    "an infinite size": (cell("<sz val='inf'/>"), True),
    "a format with text": (cell(code="0;0;0;@"), False),
    "a row of no height": (
        sheet(f"<row ht='0'><c t='inlineStr'><is><t>{WORDS}</t></is></c></row>"),
        True,
    ),
    "all columns": (
        sheet(
            "<cols><col min='1' max='16384' hidden='1'/></cols>"
            f"<row><c r='XFD1' t='inlineStr'><is><t>{WORDS}</t></is></c></row>"
        ),
        True,
    ),
}


@pytest.mark.parametrize("name", XLSX)
def test_a_cell_is_seen_as_its_format_says(name: str) -> None:
    data, hidden = XLSX[name]
    report = open_document("xlsx", data)
    assert ("xlsx:hidden" in report.hits) == hidden
    assert WORDS in "\n".join(report.hidden if hidden else report.shown)


# Files whose words no reader of their kind asks for.
PARTS: dict[str, tuple[UploadKind, bytes]] = {
    "a text beside a document": (
        "docx",
        offices.with_member(offices.document(), "a.txt", WORDS),
    ),
    "another main part": (
        "docx",
        offices.with_member(offices.document(), "a/b.xml", f"<a>{WORDS}</a>"),
    ),
    "a page beside a document": (
        "docx",
        offices.with_member(offices.document(), "word/chunk.htm", f"<p>{WORDS}</p>"),
    ),
    "a link": (
        "docx",
        offices.with_member(
            offices.document(), "word/_rels/x.rels", f"<r><R Target='http://a/?{WORDS}'/></r>"
        ),
    ),
    "settings": (
        "docx",
        offices.with_member(offices.document(), "word/settings.xml", f"<s><v val='{WORDS}'/></s>"),
    ),
    "a field's code": ("docx", story(f"<w:fldSimple w:instr='{WORDS}'/>")),
    "a sheet elsewhere": (
        "xlsx",
        archive({"xl/workbook.xml": b"<w/>", "xl/a/s.xml": f"<t>{WORDS}</t>".encode()}),
    ),
    "a string in no cell": ("xlsx", sheet("", f"<sst><si><t>{WORDS}</t></si></sst>")),
    "a string beside a formula": (
        "xlsx",
        sheet(
            "<row><c t='s'><f>A1</f><v>0</v></c><c t='s'><v> </v></c></row>",
            f"<sst><si><t>{WORDS}</t></si></sst>",
        ),
    ),
    "a prompt of a cell": ("xlsx", sheet(f"<dataValidation prompt='{WORDS}'/>")),
    "an object in a text": (
        "odt",
        archive({"content.xml": b"<a/>", "Object 1/content.xml": f"<p>{WORDS}</p>".encode()}),
    ),
    "two kinds in one": (
        "docx",
        offices.with_member(
            offices.document(), "xl/sharedStrings.xml", f"<sst><si><t>{WORDS}</t></si></sst>"
        ),
    ),
}


@pytest.mark.parametrize("name", PARTS)
def test_no_part_of_an_archive_is_passed_over(name: str) -> None:
    kind, data = PARTS[name]
    report = open_document(kind, data)
    assert WORDS in "\n".join([*report.shown, *report.hidden])
    assert not report.flags


def test_binary_parts_are_opaque_but_for_letters_and_drawings() -> None:
    binary = archive({"xl/workbook.bin": b"\0\1\2\xff" * 9})
    assert open_document("xlsx", binary).flags == {"opaque_media_noninterpretable"}
    letters = offices.with_member(offices.document(), "word/fonts/f.odttf", b"\0\1\2\xff" * 9)
    assert not open_document("docx", letters).flags
    empty = offices.with_member(offices.document(), "word/empty.xml", b"")
    assert not open_document("docx", empty).flags


PIECES: dict[str, tuple[UploadKind, bytes]] = {
    "half of each word hidden": (
        "docx",
        story(
            "<w:p>"
            + "".join(run("", a) + run("<w:vanish/>", b + " ") for a, b in HALVES)
            + "</w:p>"
        ),
    ),
    "what a plain parser passes over": (
        "docx",
        story(
            "<w:p>"
            + "".join(
                run("", f"{word} ") + f"<w:ins>{run('', 'x' * 90)}</w:ins>"
                for word in WORDS.split()
            )
            + "</w:p>"
        ),
    ),
    "cells of a hidden column": (
        "xlsx",
        sheet(
            "<cols><col min='2' max='2' hidden='1'/></cols><row>"
            f"<c r='A1' t='inlineStr'><is><t>{WORDS[:10]}</t></is></c>"
            f"<c r='B1' t='inlineStr'><is><t>{WORDS[11:]}</t></is></c></row>"
        ),
    ),
    "runs of a slide": (
        "pptx",
        deck(
            "<p>"
            + "".join(f"<r><t>{a}</t></r><r><rPr sz='100'/><t>{b} </t></r>" for a, b in HALVES)
            + "</p>"
        ),
    ),
    "spans of a text": (
        "odt",
        archive(
            {
                "content.xml": (
                    "<a><style name='T'><text-properties display='none'/></style>"
                    "<style name='U' parent-style-name='T'/><p>"
                    + "".join(f"{a}<span style-name='U'>{b}</span><s/>" for a, b in HALVES)
                    + "</p></a>"
                ).encode()
            }
        ),
    ),
}


@pytest.mark.parametrize("name", PIECES)
def test_words_in_pieces_are_put_together_as_a_parser_would(name: str) -> None:
    kind, data = PIECES[name]
    mixed = open_document(kind, data).mixed
    assert WORDS in " ".join("\n".join(mixed).split())
