"""The words of a slide against what lies behind them: fills, backgrounds, pictures, tables."""

from collections.abc import Callable
from io import BytesIO
from typing import Any

import pptx
import pytest
from pptx.dml import color
from pptx.enum.dml import MSO_THEME_COLOR
from pptx.util import Emu

from abuse_gate.reading.documents.open import open_document
from tests.documents.corpus import ATTACK as WORDS
from tests.documents.hostile import archive

Paint = Callable[[Any], None]
# It has no types.
Rgb: Any = getattr(color, "RGBColor")  # noqa: B009 - see above


def painted(*steps: Paint) -> bytes:
    made: Any = pptx.Presentation()
    slide = made.slides.add_slide(made.slide_layouts[6])
    for step in steps:
        step(slide)
    buffer = BytesIO()
    made.save(buffer)
    return buffer.getvalue()


def box(colour: str = "", fill: str = "", role: Any = None) -> Paint:
    def paint(slide: Any) -> None:
        made = slide.shapes.add_textbox(Emu(10**6), Emu(10**6), Emu(3 * 10**6), Emu(10**6))
        run = made.text_frame.paragraphs[0].add_run()
        run.text = WORDS
        if colour:
            run.font.color.rgb = Rgb.from_string(colour)
        if role is not None:
            run.font.color.theme_color = role
        if fill:
            made.fill.solid()
            made.fill.fore_color.rgb = Rgb.from_string(fill)

    return paint


def darkened(slide: Any) -> None:
    slide.background.fill.solid()
    slide.background.fill.fore_color.rgb = Rgb(0x20, 0x20, 0x20)


def graded(slide: Any) -> None:
    slide.background.fill.gradient()


def rectangle(slide: Any) -> None:
    made = slide.shapes.add_shape(1, 0, 0, Emu(9 * 10**6), Emu(6 * 10**6))
    made.fill.solid()
    made.fill.fore_color.rgb = Rgb(0, 0, 0)


def table(fill: str = "") -> Paint:
    def paint(slide: Any) -> None:
        frame = slide.shapes.add_table(1, 1, Emu(9), Emu(9), Emu(10**6), Emu(10**6))
        cell = frame.table.cell(0, 0)
        run = cell.text_frame.paragraphs[0].add_run()
        run.text = WORDS
        run.font.color.rgb = Rgb(255, 255, 255)
        if fill:
            cell.fill.solid()
            cell.fill.fore_color.rgb = Rgb.from_string(fill)

    return paint


def group(left: int) -> Paint:
    def paint(slide: Any) -> None:
        made = slide.shapes.add_group_shape()
        inner = made.shapes.add_textbox(Emu(9), Emu(9), Emu(10**6), Emu(10**6))
        inner.text_frame.text = WORDS
        made.left = Emu(left)

    return paint


SLIDES: dict[str, tuple[bytes, bool]] = {
    "plain": (painted(box()), False),
    "white": (painted(box("FFFFFF")), True),
    "the theme's white": (painted(box(role=MSO_THEME_COLOR.BACKGROUND_1)), True),
    "white in a blue box": (painted(box("FFFFFF", "0000FF")), False),
    "blue in a blue box": (painted(box("0000FE", "0000FF")), True),
    "white over a black rectangle": (painted(rectangle, box("FFFFFF")), False),
    "black over a black rectangle": (painted(rectangle, box("000000")), True),
    "white on a dark slide": (painted(darkened, box("FFFFFF")), False),
    "dark on a dark slide": (painted(darkened, box("212121")), True),
    "white on a graded slide": (painted(graded, box("FFFFFF")), False),
    "white in a table of any style": (painted(table()), False),
    "white in a white cell": (painted(table("FFFFFF")), True),
    "a group beside the slide": (painted(group(-9 * 10**6)), True),
    "a group on the slide": (painted(group(10**6)), False),
}


@pytest.mark.parametrize("name", SLIDES)
def test_words_are_hidden_when_they_cannot_be_told_from_their_background(name: str) -> None:
    data, hidden = SLIDES[name]
    report = open_document("pptx", data)
    assert ("pptx:hidden" in report.hits) == hidden
    assert WORDS in "\n".join(report.hidden if hidden else report.shown)
    assert not report.flags


TEXT = f"<t>{WORDS}</t>"
XFRM = "<xfrm><off x='1' y='1'/><ext cx='9' cy='9'/></xfrm>"
GROUND = "<bg><bgPr><solidFill><srgbClr val='FFFFFF'/></solidFill></bgPr></bg>"
RAW: dict[str, tuple[str, bool]] = {
    "named white": (
        f"{GROUND}<sp><r><rPr><solidFill><prstClr val='white'/></solidFill></rPr>{TEXT}</r></sp>",
        True,
    ),
    "white of the shape's list": (
        (
            f"{GROUND}<sp><lstStyle><defRPr sz='1800'><srgbClr val='FFFFFF'/></defRPr></lstStyle>"
            f"<r><rPr/>{TEXT}</r></sp>"
        ),
        True,
    ),
    "tiny by the shape's list": (f"<sp><defRPr sz='100'/><r>{TEXT}</r></sp>", True),
    "no fill": (f"<sp><r><rPr><noFill/></rPr>{TEXT}</r></sp>", True),
    "a shape with no fill": (f"<sp><spPr><noFill/></spPr><r>{TEXT}</r></sp>", False),
    "lighter than white": (
        (
            f"{GROUND}<sp><r><rPr><schemeClr val='bg1'><lumMod val='50'/></schemeClr></rPr>"
            f"{TEXT}</r></sp>"
        ),
        False,
    ),
    "a white outline": (
        f"{GROUND}<sp><r><rPr><ln><srgbClr val='FFFFFF'/></ln></rPr>{TEXT}</r></sp>",
        False,
    ),
    "no place beside a painted shape": (
        f"{GROUND}<pic>{XFRM}</pic><sp><r><rPr><srgbClr val='FFFFFF'/></rPr>{TEXT}</r></sp>",
        False,
    ),
    "a hidden group": (
        (
            f"<grpSp><nvGrpSpPr><cNvPr hidden='1'/></nvGrpSpPr><grpSpPr>{XFRM}</grpSpPr>"
            f"<sp><r>{TEXT}</r></sp></grpSp>"
        ),
        True,
    ),
    "a group without units": (
        (
            "<grpSp><grpSpPr><xfrm><off x='1' y='1'/><ext cx='9' cy='9'/><chOff x='0' y='0'/>"
            f"<chExt cx='0' cy='0'/></xfrm></grpSpPr><sp>{XFRM}<r>{TEXT}</r></sp></grpSp>"
        ),
        False,
    ),
    "a group that is none": (f"<grpSpPr>{XFRM}</grpSpPr><sp><r>{TEXT}</r></sp>", False),
    "a colour elsewhere": (f"<srgbClr val='FFFFFF'/><sp><r>{TEXT}</r></sp>", False),
}


@pytest.mark.parametrize("name", RAW)
def test_odd_slides_are_read_all_the_same(name: str) -> None:
    slide, hidden = RAW[name]
    data = archive({"ppt/slides/slide1.xml": f"<sld>{slide}</sld>".encode()})
    report = open_document("pptx", data)
    assert ("pptx:hidden" in report.hits) == hidden
    assert WORDS in "\n".join(report.hidden if hidden else report.shown)


def test_a_master_lies_beneath_its_slides() -> None:
    relation = "<r><Relationship Type='a/{}' Target='../x/{}.xml'/></r>"
    data = archive(
        {
            "ppt/slideMasters/m.xml": b"<m><bgRef><schemeClr val='bg1'/></bgRef>"
            b"<clrMap bg1='dk1' tx1='lt1'/></m>",
            "ppt/slideLayouts/l.xml": b"<l/>",
            "ppt/slideLayouts/_rels/l.xml.rels": relation.format("slideMaster", "m").encode(),
            "ppt/slides/s.xml": (
                f"<sld><sp><r><rPr><schemeClr val='bg1'/></rPr>{TEXT}</r></sp></sld>".encode()
            ),
            "ppt/slides/_rels/s.xml.rels": relation.format("slideLayout", "l").encode(),
        }
    )
    assert WORDS in "\n".join(open_document("pptx", data).shown)
