"""Files that are made to hurt: bombs, depths, crowds and damage. Each small enough to upload."""

import struct
import zipfile
import zlib
from collections.abc import Callable
from functools import cache
from io import BytesIO

from pypdf import PdfReader, PdfWriter

from tests.documents.offices import document, with_member
from tests.documents.pdfs import drawn

MIB = 1024 * 1024


def archive(members: dict[str, bytes], *, packed: bool = True) -> bytes:
    buffer = BytesIO()
    method = zipfile.ZIP_DEFLATED if packed else zipfile.ZIP_STORED
    with zipfile.ZipFile(buffer, "w", method) as made:
        for name, data in members.items():
            made.writestr(name, data)
    return buffer.getvalue()


@cache
def zip_bomb() -> bytes:
    return archive({"zeros.txt": b"\0" * (300 * MIB)})


def lying_bomb() -> bytes:
    """A bomb whose directory and whose head both claim a small size."""
    data = bytearray(archive({"a.txt": b"\0" * (50 * MIB)}))
    size = struct.pack("<I", 50 * MIB)
    small = struct.pack("<I", 1000)
    return bytes(data.replace(size, small))


def many_small_bombs() -> bytes:
    return archive({f"{number}.txt": b"a" * 900_000 for number in range(200)})


def nested_zip(depth: int = 12) -> bytes:
    data = b"the innermost words"
    for level in range(depth):
        data = archive({f"{level}.zip" if level else "a.txt": data}, packed=False)
    return data


def many_entries(number: int = 30_000) -> bytes:
    return archive({f"{index}": b"" for index in range(number)}, packed=False)


def locked_zip() -> bytes:
    """An archive whose member says that it is encrypted."""
    data = bytearray(archive({"a.txt": b"words"}, packed=False))
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(mark) + offset] |= 1
    return bytes(data)


def strange_method() -> bytes:
    data = bytearray(archive({"a.txt": b"words"}, packed=False))
    for mark, offset in ((b"PK\x03\x04", 8), (b"PK\x01\x02", 10)):
        data[data.index(mark) + offset] = 99
    return bytes(data)


def damaged_member() -> bytes:
    data = archive({"a.txt": b"words " * 1000})
    start = data.index(b"a.txt") + 5
    return data[:start] + b"\xff" * 10 + data[start + 10 :]


def twins() -> bytes:
    """Two members of one name: apps differ in which one they read."""
    return archive({"a.txt": b"first", "b.txt": b"other"}, packed=False).replace(b"b.txt", b"a.txt")


def laughs() -> bytes:
    entities = "".join(f'<!ENTITY l{level} "{f"&l{level - 1};" * 10}">' for level in range(1, 10))
    xml = f'<!DOCTYPE x [<!ENTITY l0 "lol">{entities}]><x>&l9;</x>'
    return with_member(document(), "word/document.xml", xml)


def outside_entity() -> bytes:
    xml = '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><x><t>&e;</t></x>'
    return with_member(document(), "word/document.xml", xml)


def deep_xml(depth: int = 100_000) -> bytes:
    return with_member(document(), "word/document.xml", "<a>" * depth + "</a>" * depth)


def damaged_docx() -> bytes:
    return document()[:-200]


def broken_xml() -> bytes:
    return with_member(document(), "word/document.xml", "<w><t>half a")


def encrypted_pdf() -> bytes:
    writer = PdfWriter(clone_from=PdfReader(BytesIO(drawn())))
    writer.encrypt("secret", algorithm="RC4-128")
    buffer = BytesIO()
    writer.write(buffer)
    return buffer.getvalue()


def damaged_pdf() -> bytes:
    return b"%PDF-1.7\n" + b"\x8f\x11 not a document at all " * 50


@cache
def million_objects() -> bytes:
    """A million objects in one compressed stream, all of them reachable from the catalogue."""
    number = 1_000_000
    index = " ".join(f"{item + 10} {item * 2}" for item in range(number)).encode()
    body = b"1 " * number
    out = bytearray(b"%PDF-1.5\n")
    packed = zlib.compress(index + b" " + body, 1)
    out += b"5 0 obj<</Type/ObjStm/N %d/First %d/Filter/FlateDecode/Length %d>>stream\n" % (
        number,
        len(index) + 1,
        len(packed),
    )
    out += packed + b"\nendstream endobj\n"
    out += b"1 0 obj<</Type/Catalog/Pages 2 0 R/Many 3 0 R>>endobj\n"
    out += b"2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\n"
    out += b"3 0 obj[" + b" ".join(b"%d 0 R" % (item + 10) for item in range(300_000))
    out += b"]endobj\ntrailer<</Root 1 0 R/Size 1000010>>\nstartxref\n0\n%%EOF"
    return bytes(out)


@cache
def content_bomb() -> bytes:
    """One page whose content inflates to a third of a gigabyte of text commands."""
    packed = zlib.compress(b"BT /F1 9 Tf (x) Tj ET\n" * 12_000_000, 9)
    return (
        b"%%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n"
        b"2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"
        b"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R>>endobj\n"
        b"4 0 obj<</Filter/FlateDecode/Length %d>>stream\n%b\nendstream endobj\n"
        b"trailer<</Root 1 0 R/Size 5>>\n%%%%EOF" % (len(packed), packed)
    )


def chunky_png(number: int = 200_000) -> bytes:
    chunk = struct.pack(">I", 1) + b"tEXt" + b"x" + b"\0" * 4
    return b"\x89PNG\r\n\x1a\n" + chunk * number


def text_bomb_png() -> bytes:
    packed = zlib.compress(b"a" * (200 * MIB))
    body = b"k\0\0" + packed
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I", len(body)) + b"zTXt" + body + b"\0" * 4


def deep_html(depth: int = 10_000) -> bytes:
    return b"<!doctype html>" + b"<div>" * depth + b"words"


def deep_rtf(depth: int = 100_000) -> bytes:
    return b"{\\rtf1 " + b"{" * depth + b"words"


# The file, and a flag that it must leave (None: that it must not be safe is enough).
HOSTILE: dict[str, tuple[Callable[[], bytes], str | None]] = {
    "zip bomb": (zip_bomb, "truncated"),
    "lying bomb": (lying_bomb, None),
    "many small bombs": (many_small_bombs, "truncated"),
    "nested zips": (nested_zip, "too_deep"),
    "many entries": (many_entries, "truncated"),
    "locked zip": (locked_zip, "encrypted"),
    "strange method": (strange_method, "unsupported_encoding"),
    "damaged member": (damaged_member, "malformed"),
    "two of one name": (twins, "malformed"),
    "billion laughs": (laughs, "malformed"),
    "outside entity": (outside_entity, "malformed"),
    "deep xml": (deep_xml, "too_deep"),
    "damaged docx": (damaged_docx, "malformed"),
    "broken xml": (broken_xml, "malformed"),
    "encrypted pdf": (encrypted_pdf, "encrypted"),
    "damaged pdf": (damaged_pdf, "malformed"),
    "million objects": (million_objects, None),
    "content bomb": (content_bomb, None),
    "chunky png": (chunky_png, None),
    "text bomb png": (text_bomb_png, None),
    "deep html": (deep_html, "too_deep"),
    "deep rtf": (deep_rtf, "too_deep"),
}
