"""Image files made for tests, with words beside their pixels."""

import struct
import zlib
from collections.abc import Callable
from io import BytesIO

from PIL import Image, PngImagePlugin


def photo(kind: str = "PNG", **options: object) -> bytes:
    buffer = BytesIO()
    Image.new("RGB", (32, 32), (90, 120, 40)).save(buffer, kind, **options)
    return buffer.getvalue()


def _png(words: str, *, packed: bool, international: bool) -> bytes:
    info = PngImagePlugin.PngInfo()
    if international:
        info.add_itxt("Comment", words, "en", "Kommentar", zip=packed)
    else:
        info.add_text("Comment", words, zip=packed)
    return photo(pnginfo=info)


def _exif(kind: str, words: str, tag: int = 0x010E) -> bytes:
    exif = Image.Exif()
    exif[tag] = words.encode("utf-16-le") if tag == 0x9C9C else words
    return photo(kind, exif=exif)


def xmp(words: str) -> bytes:
    packet = f"<x:xmpmeta xmlns:x='adobe:ns:meta/'><dc>{words}</dc></x:xmpmeta>".encode()
    data = photo("JPEG")
    body = b"http://ns.adobe.com/xap/1.0/\0" + packet
    return data[:2] + b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body + data[2:]


def iptc(words: str) -> bytes:
    data = photo("JPEG")
    body = b"Photoshop 3.0\x008BIM\x04\x04\0\0" + words.encode()
    return data[:2] + b"\xff\xed" + struct.pack(">H", len(body) + 2) + body + data[2:]


def chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def svg(words: str, style: str = "") -> bytes:
    return (
        '<svg xmlns="http://www.w3.org/2000/svg"><rect width="9" height="9"/>'
        f'<text style="{style}">{words}</text></svg>'
    ).encode()


PICTURES: dict[str, Callable[[str], bytes]] = {
    "png text": lambda words: _png(words, packed=False, international=False),
    "png packed text": lambda words: _png(words, packed=True, international=False),
    "png international text": lambda words: _png(words, packed=False, international=True),
    "png packed international": lambda words: _png(words, packed=True, international=True),
    "png exif": lambda words: _exif("PNG", words),
    "jpeg exif": lambda words: _exif("JPEG", words),
    "jpeg exif wide": lambda words: _exif("JPEG", words, 0x9C9C),
    "tiff exif": lambda words: _exif("TIFF", words),
    "webp exif": lambda words: _exif("WEBP", words),
    "jpeg comment": lambda words: photo("JPEG", comment=words.encode()),
    "gif comment": lambda words: photo("GIF", comment=words.encode()),
    "jpeg xmp": xmp,
    "jpeg iptc": iptc,
    "svg text": svg,
    "svg hidden": lambda words: svg(words, "display:none"),
}
