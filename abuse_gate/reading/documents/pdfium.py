"""The one place that speaks to pdfium's C interface: a page's objects as plain values.

Knows how to ask; what an answer means for a reader is decided by its callers.
"""

import ctypes
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import pypdfium2.raw  # type: ignore[import-untyped]  # ships no types

from abuse_gate.reading.documents.geometry import EVERYWHERE, Box, Matrix

raw: Final[Any] = pypdfium2.raw

# Forms within forms, as deep as an honest producer nests them.
MAX_FORMS: Final = 12
# A rectangle has four sides, and perhaps a line that closes it.
_RECTANGLES: Final = frozenset({4, 5, 6})
# Pictures larger than this are not looked through; nearly full opacity is full.
_MOST_PIXELS: Final = 4_000_000
_MOST_POINTS: Final = 4_000
_SOLID: Final = 200

Colour = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class Thing:
    """One object of a page in painting order, in page units."""

    handle: Any
    kind: int
    box: Box
    matrix: Matrix
    clip: Box


def things(page: Any, limit: int) -> Iterator[Thing]:
    """Every object of a page in painting order, those inside forms included, up to a limit."""
    left = limit
    count = raw.FPDFPage_CountObjects(page)
    stack = [iter([raw.FPDFPage_GetObject(page, index) for index in range(min(count, limit))])]
    frames = [(Matrix(), EVERYWHERE)]
    while stack and left:
        handle = next(stack[-1], None)
        if handle is None:
            stack.pop()
            frames.pop()
            continue
        left -= 1
        thing = _thing(handle, *frames[-1])
        yield thing
        if thing.kind == raw.FPDF_PAGEOBJ_FORM and len(stack) <= MAX_FORMS:
            inner = min(raw.FPDFFormObj_CountObjects(handle), left)
            stack.append(iter([raw.FPDFFormObj_GetObject(handle, i) for i in range(inner)]))
            frames.append((thing.matrix, thing.clip))


def _thing(handle: Any, outer: Matrix, clip: Box) -> Thing:
    box = outer.box(_bounds(handle))
    own = _clip(handle)
    return Thing(
        handle,
        raw.FPDFPageObj_GetType(handle),
        box,
        _matrix(handle).then(outer),
        clip if own is None else clip.meet(outer.box(own)),
    )


def _floats(number: int) -> list[Any]:
    return [ctypes.c_float() for _ in range(number)]


def _bounds(handle: Any) -> Box:
    values = _floats(4)
    raw.FPDFPageObj_GetBounds(handle, *values)
    return Box(*(value.value for value in values))


def _matrix(handle: Any) -> Matrix:
    found = raw.FS_MATRIX()
    raw.FPDFPageObj_GetMatrix(handle, found)
    return Matrix(found.a, found.b, found.c, found.d, found.e, found.f)


def _clip(handle: Any) -> Box | None:
    """The part of the page that an object's clip paths leave, or None when it has none."""
    path = raw.FPDFPageObj_GetClipPath(handle)
    count = raw.FPDFClipPath_CountPaths(path) if path else 0
    found: Box | None = None
    for index in range(max(count, 0)):
        box = _clip_box(path, index)
        found = box if found is None else found.meet(box)
    return found


def _clip_box(path: Any, index: int) -> Box:
    x, y = _floats(2)
    points: list[tuple[float, float]] = []
    for number in range(max(raw.FPDFClipPath_CountPathSegments(path, index), 0)):
        segment = raw.FPDFClipPath_GetPathSegment(path, index, number)
        raw.FPDFPathSegment_GetPoint(segment, x, y)
        points.append((x.value, y.value))
    # A path without a point leaves nothing.
    points = points or [(0.0, 0.0)]
    across, up = [x for x, _ in points], [y for _, y in points]
    return Box(min(across), min(up), max(across), max(up))


def colour(handle: Any, *, stroke: bool = False) -> Colour:
    """The colour that an object is filled or drawn with, and its opacity."""
    ask = raw.FPDFPageObj_GetStrokeColor if stroke else raw.FPDFPageObj_GetFillColor
    # Left as they are where there is no colour: plain black.
    values = [ctypes.c_uint(number) for number in (0, 0, 0, 255)]
    ask(handle, *values)
    red, green, blue, alpha = (value.value for value in values)
    return red, green, blue, alpha


def is_filled(handle: Any) -> bool:
    """Whether a path paints its inside."""
    mode, stroke = ctypes.c_int(), ctypes.c_int()
    raw.FPDFPath_GetDrawMode(handle, mode, stroke)
    return bool(mode.value != raw.FPDF_FILLMODE_NONE)


def text_of(handle: Any, textpage: Any) -> str:
    """The characters of one text object."""
    size = raw.FPDFTextObj_GetText(handle, textpage, None, 0)
    if size <= 2:  # noqa: PLR2004 - the closing zero of UTF-16
        return ""
    buffer = (ctypes.c_ushort * (size // 2))()
    raw.FPDFTextObj_GetText(handle, textpage, buffer, size)
    return bytes(buffer)[: size - 2].decode("utf-16-le", "replace")


def font_size(thing: Thing) -> float:
    """How tall a text object's font stands on the page."""
    size = ctypes.c_float()
    raw.FPDFTextObj_GetFontSize(thing.handle, size)
    return abs(size.value) * thing.matrix.height


def font_width(thing: Thing) -> float:
    """How wide an em of a text object's font stands on the page."""
    size = ctypes.c_float()
    raw.FPDFTextObj_GetFontSize(thing.handle, size)
    return abs(size.value) * thing.matrix.width


def is_collapsed(thing: Thing) -> bool:
    """Whether a text has no extent at all: such a text comes out as nothing here."""
    return font_size(thing) * font_width(thing) == 0


def may_cover(thing: Thing) -> bool:
    """Whether an object is a rectangle or a picture, which may hide what lies beneath it."""
    if thing.kind == raw.FPDF_PAGEOBJ_IMAGE:
        return True
    if thing.kind != raw.FPDF_PAGEOBJ_PATH or not is_filled(thing.handle):
        return False
    return bool(raw.FPDFPath_CountSegments(thing.handle) in _RECTANGLES)


def is_opaque(thing: Thing, document: Any, page: Any) -> bool:
    """Whether nothing shines through: no opacity, blending or mask is set on it."""
    if raw.FPDFPageObj_HasTransparency(thing.handle):
        return False
    if thing.kind != raw.FPDF_PAGEOBJ_IMAGE:
        return True
    return not _is_masked(thing.handle, document, page)


def _is_masked(handle: Any, document: Any, page: Any) -> bool:
    """Whether a picture has a mask; a bare page to paint on shows where it leaves gaps."""
    width, height = ctypes.c_uint(), ctypes.c_uint()
    raw.FPDFImageObj_GetImagePixelSize(handle, width, height)
    if width.value * height.value > _MOST_PIXELS or max(_bounds(handle).sides) > _MOST_POINTS:
        return False
    bitmap = raw.FPDFImageObj_GetRenderedBitmap(document, page, handle)
    size = raw.FPDFBitmap_GetStride(bitmap) * raw.FPDFBitmap_GetHeight(bitmap)
    # Rendered apart from its page, a picture comes with a channel of opacity.
    pixels = ctypes.string_at(raw.FPDFBitmap_GetBuffer(bitmap), size) if size else b""
    raw.FPDFBitmap_Destroy(bitmap)
    return min(pixels[3::4], default=255) < _SOLID


def marks(handle: Any) -> Iterator[tuple[str, str, str]]:
    """The marked content around an object: tag, layer name, replacement text."""
    for index in range(max(raw.FPDFPageObj_CountMarks(handle), 0)):
        mark = raw.FPDFPageObj_GetMark(handle, index)
        yield _mark_name(mark), _mark_text(mark, b"Name"), _mark_text(mark, b"ActualText")


def _mark_name(mark: Any) -> str:
    size = ctypes.c_ulong()
    buffer = (ctypes.c_ushort * 64)()
    raw.FPDFPageObjMark_GetName(mark, buffer, 128, size)
    return _utf16(buffer, size.value)


def _mark_text(mark: Any, key: bytes) -> str:
    size = ctypes.c_ulong()
    if not raw.FPDFPageObjMark_GetParamStringValue(mark, key, None, 0, size) or not size.value:
        return ""
    buffer = (ctypes.c_ushort * (size.value // 2 + 1))()
    raw.FPDFPageObjMark_GetParamStringValue(mark, key, buffer, size.value, size)
    return _utf16(buffer, size.value)


def _utf16(buffer: Any, size: int) -> str:
    return bytes(buffer)[: max(size - 2, 0)].decode("utf-16-le", "replace")
