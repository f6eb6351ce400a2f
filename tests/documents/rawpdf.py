"""PDF files written by hand, for what no library writes."""

from collections.abc import Mapping


def raw_pdf(
    content: bytes,
    *,
    resources: bytes = b"",
    page: bytes = b"",
    catalogue: bytes = b"",
    more: Mapping[int, bytes] | None = None,
    kids: bytes = b"3 0 R",
    count: int = 1,
) -> bytes:
    """One page with this content; objects from 6 on are the caller's own."""
    objects = {
        1: b"<</Type/Catalog/Pages 2 0 R" + catalogue + b">>",
        2: b"<</Type/Pages/Kids[" + kids + b"]/Count %d>>" % count,
        3: b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 400 400]/Contents 4 0 R/Resources<<"
        b"/Font<</F1 5 0 R>>" + resources + b">>" + page + b">>",
        4: stream(content),
        5: b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
        **(more or {}),
    }
    out = bytearray(b"%PDF-1.7\n")
    places: dict[int, int] = {}
    for number, body in objects.items():
        places[number] = len(out)
        out += b"%d 0 obj\n%b\nendobj\n" % (number, body)
    start, size = len(out), max(objects) + 1
    out += b"xref\n0 %d\n" % size
    for number in range(size):
        used = b"n" if number in places else b"f"
        out += b"%010d %05d %b \n" % (places.get(number, 0), 0 if number else 65535, used)
    out += b"trailer\n<</Root 1 0 R/Size %d>>\nstartxref\n%d\n%%%%EOF" % (size, start)
    return bytes(out)


def stream(data: bytes, extra: bytes = b"") -> bytes:
    return b"<<%b/Length %d>>stream\n%b\nendstream" % (extra, len(data), data)


def said(words: str, before: str = "", size: int = 12) -> bytes:
    return f"{before} BT /F1 {size} Tf 1 0 0 1 20 300 Tm ({words}) Tj ET ".encode()
