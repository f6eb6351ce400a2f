"""The corners of the formats: what is rare, damaged or a trick, each in one line of a table."""

import pytest

from abuse_gate.model.extract import UploadKind
from abuse_gate.reading.documents.open import attempt, open_document, read_with
from abuse_gate.reading.documents.report import Limits, Report, Room
from tests.documents import offices, pictures
from tests.documents.corpus import ATTACK as WORDS
from tests.documents.hostile import archive
from tests.documents.pdfs import drawn, with_photo_only
from tests.documents.rawoffice import SPACE, deck, sheet, story
from tests.documents.rawpdf import raw_pdf

FLAGGED: dict[str, tuple[UploadKind, bytes, str]] = {
    "a page that is not there": ("pdf", raw_pdf(b"", kids=b"3 0 R 9 0 R", count=2), "malformed"),
    "a photographed page": ("pdf", with_photo_only(), "opaque_media_noninterpretable"),
    "macros": (
        "docx",
        offices.with_member(offices.document(), "word/vbaProject.bin", b"\0"),
        "opaque_media_noninterpretable",
    ),
    "a program in a zip": (
        "zip",
        archive({"a.bin": b"\0\1\2\xff" * 9}),
        "opaque_media_noninterpretable",
    ),
    "html in no charset": ("html", b"<html>\0\1\xff\xfe\0\0\xff", "malformed"),
    "sound": ("audio", b"ID3\3", "opaque_media_noninterpretable"),
    "no archive": ("zip", b"PK\3\4 nothing", "malformed"),
}


@pytest.mark.parametrize("name", FLAGGED)
def test_what_cannot_be_read_is_a_flag(name: str) -> None:
    kind, data, flag = FLAGGED[name]
    assert flag in open_document(kind, data).flags


# A file, and its words as they must come out: shown, hidden.
SORTED: dict[str, tuple[UploadKind, bytes, str, str]] = {
    "shaded paragraph": (
        "docx",
        story(
            "<w:p><w:pPr><w:shd w:fill='000000'/></w:pPr><w:r><w:rPr><w:color w:val='FFFFFF'/>"
            f"</w:rPr><w:t>{WORDS}</w:t></w:r></w:p>stray"
        ),
        WORDS,
        "",
    ),
    "paragraph style": (
        "docx",
        story(f"<w:p><w:pPr><w:pStyle w:val='None'/></w:pPr><w:r><w:t>{WORDS}</w:t></w:r></w:p>"),
        WORDS,
        "",
    ),
    "a colour that is none": (
        "docx",
        story(f"<w:r><w:rPr><w:color w:val='red'/></w:rPr><w:t>{WORDS}</w:t></w:r>"),
        WORDS,
        "",
    ),
    "styles in a circle": (
        "docx",
        offices.with_member(
            story(f"<w:r><w:rPr><w:rStyle w:val='a'/></w:rPr><w:t>{WORDS}</w:t></w:r>"),
            "word/styles.xml",
            f"<w:s {SPACE}><w:style w:styleId='a'><w:basedOn w:val='a'/></w:style></w:s>",
        ),
        WORDS,
        "",
    ),
    "a story alone": (
        "docx",
        archive(
            {"word/document.xml": f"<d><r><t>{WORDS}</t></r></d>".encode(), "docProps/a.xml": b""}
        ),
        WORDS,
        "",
    ),
    "shared strings": (
        "xlsx",
        sheet(
            "<row><c t='s' r='A1'><v>0</v></c><c t='s'><v>9</v></c><c/></row><x>stray</x>",
            f"<sst><si><r><t>{WORDS[:9]}</t></r><r><t>{WORDS[9:]}</t></r>stray</si></sst>",
            "<s><dxfs><dxf><font><color rgb='FFFFFFFF'/></font></dxf></dxfs></s>",
        ),
        WORDS,
        "",
    ),
    "odd numbers": (
        "xlsx",
        sheet(f"<row><c s='x' t='inlineStr'><is><t>{WORDS}</t></is></c></row>"),
        WORDS,
        "",
    ),
    "transparent run": (
        "pptx",
        deck(f"<r><rPr sz='x'><alpha val='0'/></rPr><t>{WORDS}</t></r>stray"),
        "",
        WORDS,
    ),
    "html oddities": (
        "html",
        (
            f"<html><style>p > b {{color: red}}</style></b><?{WORDS}?><![CDATA[x]]>"
            "<div style='width:3px'>y</div></p>"
        ).encode(),
        "",
        WORDS,
    ),
    "rtf oddities": ("rtf", (r"{\rtf1 \{" + WORDS + r"\}\~\-}}}").encode(), WORDS, ""),
    "a fragment in a zip": (
        "zip",
        archive({"a.html": f"<p hidden>{WORDS}</p>".encode(), "d/": b""}),
        "",
        WORDS,
    ),
    "a page in a zip": ("zip", archive({"a": f"<html><p hidden>{WORDS}</p>".encode()}), "", WORDS),
    "a document in a document": (
        "docx",
        offices.with_member(
            offices.document(), "word/embeddings/a.docx", offices.DOCX["white"](WORDS)
        ),
        "",
        WORDS,
    ),
    "an odt of content alone": (
        "odt",
        archive({"content.xml": f"<a>{WORDS}</a>".encode()}),
        WORDS,
        "",
    ),
    "svg title": ("svg", f"<svg><title>{WORDS}</title></svg>".encode(), "", WORDS),
    "svg script": ("svg", f"<svg><script>{WORDS}</script></svg>".encode(), "", WORDS),
}


@pytest.mark.parametrize("name", SORTED)
def test_words_go_to_the_side_that_they_are_on(name: str) -> None:
    kind, data, shown, hidden = SORTED[name]
    report = open_document(kind, data)
    assert shown in "\n".join(report.shown)
    assert hidden in "\n".join(report.hidden)
    if shown:
        assert shown not in "\n".join(report.hidden)


IMAGES = [
    b"\x89PNG\r\n\x1a\n"
    + pictures.chunk(b"zTXt", b"k\0\0not packed")
    + pictures.chunk(b"IEND", b""),
    b"\x89PNG\r\n\x1a\n",
    b"\xff\xd8\xff",
    b"\xff\xd8" + b"\xff\xe0\0\2" * 6_000,
    b"GIF89a" + b"\x21\xfe\x01a\0" * 6_000,
    b"RIFF\0\0\0\0WEBP" + b"JUNK\0\0\0\0" * 6_000,
    b"\0\0\1\0icon",
]


@pytest.mark.parametrize("data", IMAGES)
def test_a_damaged_picture_is_read_as_far_as_it_goes(data: bytes) -> None:
    assert open_document("image", data).flags == {"opaque_media_noninterpretable"}


FAILURES: dict[type[Exception], str] = {
    MemoryError: "document_unread",
    RecursionError: "too_deep",
    KeyError: "malformed",
}


@pytest.mark.parametrize("failure", FAILURES)
def test_whatever_a_parser_raises_is_a_flag(failure: type[Exception]) -> None:
    def work() -> None:
        raise failure

    report = Report("pdf", Room(Limits()))
    attempt(report, work)
    assert report.flags == {FAILURES[failure]}


def test_without_its_extra_a_pdf_is_opaque() -> None:
    report = Report("pdf", Room(Limits()))
    read_with("abuse_gate.no_such_reader", report, drawn())
    assert report.flags == {"opaque_media_noninterpretable"}
