"""PDF files whose objects are changed: scripts, layers, notes, attachments, object streams."""

import zlib
from collections.abc import Callable
from io import BytesIO
from typing import Any

from pypdf import PdfReader, PdfWriter
from pypdf.generic import (
    ArrayObject,
    DecodedStreamObject,
    DictionaryObject,
    NameObject,
    NumberObject,
    TextStringObject,
)

from tests.documents.pdfs import drawn, note, searchable_scan


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
