"""PDFs that no library writes: what is hidden in odd ways, and what is odd but can be seen."""

import pytest

from abuse_gate.reading.documents.open import open_document
from tests.documents.corpus import ATTACK as WORDS
from tests.documents.rawpdf import raw_pdf, said, stream

OFF = b"/OCProperties<</OCGs[6 0 R]/D<</OFF[6 0 R]>>>>"
GROUP = {6: b"<</Type/OCG/Name(Draft)>>"}
GREY = b"/Subtype/Image/Width 1/Height 1/BitsPerComponent 8/ColorSpace/DeviceGray"
IMAGES = b"/XObject<</I 6 0 R>>"
OVER = b"q 400 0 0 40 0 290 cm /I Do Q"
FORM = b"/Type/XObject/Subtype/Form/BBox[0 0 400 400]/Resources<</Font<</F1 5 0 R>>>>"

# A PDF, the rule that must fire, and whether the words stand apart from what is shown.
PDFS: dict[str, tuple[bytes, str]] = {
    "replacement text": (
        raw_pdf(f"/Span <</ActualText({WORDS})>> BDC ".encode() + said("x") + b"EMC"),
        "pdf:actual_text",
    ),
    "a form on a hidden layer": (
        raw_pdf(
            b"/X1 Do",
            resources=b"/XObject<</X1 7 0 R>>",
            catalogue=OFF,
            more={**GROUP, 7: stream(said(WORDS), FORM + b"/OC 6 0 R")},
        ),
        "pdf:hidden",
    ),
    "an action": (
        raw_pdf(b"", catalogue=b"/OpenAction<</S/Launch/F(a.exe)/URI(" + WORDS.encode() + b")>>"),
        "pdf:action",
    ),
    "a script in a stream": (
        raw_pdf(
            b"",
            catalogue=b"/OpenAction<</S/JavaScript/JS 6 0 R>>",
            more={6: stream(WORDS.encode())},
        ),
        "pdf:javascript",
    ),
    "choices of a field": (
        raw_pdf(
            b"", catalogue=b"/AcroForm<</Fields[<</T(a)/Opt[(" + WORDS.encode() + b") 1 []]>>]>>"
        ),
        "pdf:form",
    ),
    "an xml form in parts": (
        raw_pdf(
            b"",
            catalogue=b"/AcroForm<</XFA[(a) 6 0 R]>>",
            more={6: stream(b"<x>" + WORDS.encode() + b"</x>")},
        ),
        "pdf:form",
    ),
    "bytes for a text": (
        raw_pdf(b"", catalogue=b"/Extra<</Alt<9F9F>/EF<</F(x)>>/TU(" + WORDS.encode() + b")>>"),
        "pdf:form",
    ),
    "between two clips": (
        raw_pdf(b"q 0 0 400 400 re W n 0 0 5 5 re W n " + said(WORDS) + b"Q"),
        "pdf:hidden",
    ),
    "a rectangle over them": (raw_pdf(said(WORDS) + b"1 g 0 290 400 40 re f"), "pdf:hidden"),
    "a rectangle over two lines": (
        raw_pdf(said("x") + said(WORDS) + b"1 g 0 290 400 40 re f"),
        "pdf:hidden",
    ),
    "a picture beyond all bounds": (
        raw_pdf(
            said(WORDS) + b"q 9000 0 0 40 0 290 cm /I Do Q",
            resources=IMAGES,
            more={6: stream(b"\xff", GREY)},
        ),
        "pdf:hidden",
    ),
    "a picture over them": (
        raw_pdf(said(WORDS) + OVER, resources=IMAGES, more={6: stream(b"\xff", GREY)}),
        "pdf:hidden",
    ),
    "a picture of the whole page over them": (
        raw_pdf(
            said(WORDS) + b"q 400 0 0 400 0 0 cm /I Do Q",
            resources=IMAGES,
            more={6: stream(b"\xff", GREY)},
        ),
        "pdf:searchable_scan",
    ),
    "squeezed": (raw_pdf(said(WORDS, "1 Tz")), "pdf:hidden"),
    "of no size": (raw_pdf(said(WORDS, size=0)), "pdf:hidden"),
    "of no extent": (
        raw_pdf(said(WORDS).replace(b"1 0 0 1 20", b"0 0 0 0 20")),
        "pdf:hidden",
    ),
    "a page that is not counted": (
        raw_pdf(
            said("x"),
            kids=b"3 0 R 6 0 R",
            more={
                6: b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 400 400]/Contents 7 0 R"
                b"/Resources<</Font<</F1 5 0 R>>>>>>",
                7: stream(said(WORDS)),
            },
        ),
        "pdf:hidden",
    ),
    "filled and drawn in white": (raw_pdf(said(WORDS, "1 g 1 G 2 Tr")), "pdf:hidden"),
    "a membership of layers": (
        raw_pdf(
            b"/OC /M BDC " + said(WORDS) + b"EMC",
            resources=b"/Properties<</M 7 0 R>>",
            catalogue=OFF,
            more={**GROUP, 7: b"<</Type/OCMD/OCGs 6 0 R>>"},
        ),
        "pdf:hidden",
    ),
    "the appearance of a hidden note": (
        raw_pdf(
            b"",
            page=b"/Annots[<</Subtype/Stamp/Rect[0 0 9 9]/F 2/AP<</N 6 0 R>>>>"
            b"<</Subtype/Stamp/Rect[0 0 9 9]/F 2>>]",
            more={6: stream(said(WORDS), FORM)},
        ),
        "pdf:hidden",
    ),
    "a page's label": (
        raw_pdf(b"", catalogue=b"/PageLabels<</Nums[0<</P(" + WORDS.encode() + b")>>]>>"),
        "pdf:metadata",
    ),
    "a list of names": (
        raw_pdf(b"", catalogue=b"/Names<</Dests<</Names[(" + WORDS.encode() + b") 1]>>>>"),
        "pdf:metadata",
    ),
    "bytes in a list": (
        raw_pdf(b"", catalogue=b"/Any[<ff" + WORDS.encode().hex().encode() + b">]"),
        "pdf:metadata",
    ),
    "a field above its widget": (
        raw_pdf(
            b"",
            page=b"/Annots[<</Subtype/Widget/Rect[0 0 1 1]/Parent 6 0 R>>]",
            more={6: b"<</FT/Tx/T(a)/V(" + WORDS.encode() + b")>>"},
        ),
        "pdf:form",
    ),
}


@pytest.mark.parametrize("name", PDFS)
def test_what_no_library_writes_is_found_all_the_same(name: str) -> None:
    data, rule = PDFS[name]
    report = open_document("pdf", data)
    assert WORDS in "\n".join([*report.shown, *report.hidden])
    assert rule in report.hits


SHADING = (
    b"<</ShadingType 2/ColorSpace/DeviceRGB/Coords[0 0 1 1]/Function"
    b"<</FunctionType 2/Domain[0 1]/C0[0 0 1]/C1[0 0 1]/N 1>>>>"
)
VISIBLE: dict[str, bytes] = {
    "over a shading": raw_pdf(
        b"/S1 sh " + said(WORDS, "1 1 1 rg"), resources=b"/Shading<</S1 6 0 R>>", more={6: SHADING}
    ),
    "a box elsewhere": raw_pdf(
        b"0 0 1 rg 0 0 10 10 re f 0 0 20 20 re S " + said(WORDS, "0 0 0 rg")
    ),
    "behind a ghost": raw_pdf(
        b"/G1 gs 0 0 0 rg 0 0 400 400 re f /G2 gs " + said(WORDS),
        resources=b"/ExtGState<</G1<</ca 0>>/G2<</ca 1>>>>",
    ),
    "filled in white and drawn in black": raw_pdf(said(WORDS, "1 g 0 G 2 Tr")),
    "after many others": raw_pdf(said("x") * 501 + said(WORDS)),
    "under a highlight": raw_pdf(
        said(WORDS) + b"/G gs 1 1 0 rg 0 290 400 40 re f",
        resources=b"/ExtGState<</G<</BM/Multiply>>>>",
    ),
    "under a picture with a mask": raw_pdf(
        said(WORDS) + OVER,
        resources=IMAGES,
        more={6: stream(b"\xff", GREY + b"/SMask 7 0 R"), 7: stream(b"\x10", GREY)},
    ),
    "under a frame": raw_pdf(said(WORDS) + b"1 g 0 0 400 400 re 1 1 398 398 re f*"),
    "beside a rectangle": raw_pdf(said(WORDS) + b"1 g 0 0 40 40 re f"),
    "before a rectangle": raw_pdf(b"1 g 0 290 400 40 re f 0 g " + said(WORDS)),
    "a shown membership": raw_pdf(
        b"/OC /M BDC " + said(WORDS) + b"EMC",
        resources=b"/Properties<</M<</Type/OCMD/OCGs[6 0 R]>>>>",
        more=GROUP,
    ),
    "an empty clip": raw_pdf(b"q W n " + said(WORDS) + b"Q"),
}


@pytest.mark.parametrize("name", VISIBLE)
def test_odd_but_visible_words_are_not_called_hidden(name: str) -> None:
    report = open_document("pdf", VISIBLE[name])
    assert WORDS in "\n".join(report.shown)
    assert "pdf:hidden" not in report.hits


def test_pages_that_two_parsers_count_differently_are_a_flag() -> None:
    assert open_document("pdf", PDFS["a page that is not counted"][0]).flags == {"malformed"}
