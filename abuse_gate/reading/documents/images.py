"""Text beside the pixels: PNG chunks, JPEG segments, GIF and WebP blocks, EXIF, XMP.

Reads lengths and copies text; decodes no picture.
"""

import re
import zlib
from collections.abc import Iterator
from typing import Final

from abuse_gate.reading.documents.report import Report

_PNG: Final = b"\x89PNG\r\n\x1a\n"
_MAX_CHUNKS: Final = 5_000
_MAX_PACKED: Final = 4 * 1024 * 1024
# Runs of readable characters, in one byte or in the two that EXIF's Windows fields use.
_WORDS: Final = re.compile(rb"[\x20-\x7e\t\r\n\x80-\xff]{4,}")
_WIDE: Final = re.compile(rb"(?:[\x20-\x7e]\x00){4,}")
_XMP: Final = re.compile(rb"<x:xmpmeta.{0,1000000}?</x:xmpmeta>", re.DOTALL)
_TAGS: Final = re.compile(r"<[^>]{0,2000}>")


def read_image(report: Report, data: bytes) -> None:
    """Take down the texts that an image file carries; the picture itself stays opaque."""
    report.flags.add("opaque_media_noninterpretable")
    report.count("bytes", len(data))
    for rule, text in _texts(data):
        report.hide(f"image:{rule}", text)


def _texts(data: bytes) -> Iterator[tuple[str, str]]:
    if data.startswith(_PNG):
        yield from _png(data)
    elif data.startswith(b"\xff\xd8"):
        yield from _jpeg(data)
    elif data.startswith(b"GIF8"):
        yield from _gif(data)
    elif data.startswith(b"RIFF"):
        yield from _riff(data)
    elif data.startswith((b"II*\0", b"MM\0*")):
        yield "exif", words(data)
    for packet in _XMP.findall(data):
        yield "xmp", _unmarked(packet)


def _unmarked(packet: bytes) -> str:
    """An XMP packet with and without its tags: values may stand in attributes."""
    text = packet.decode("utf-8", "replace")
    return _TAGS.sub(" ", text) + "\n" + text


def words(data: bytes) -> str:
    """Every run of readable characters in a binary block."""
    wide = [run.decode("utf-16-le") for run in _WIDE.findall(data)]
    plain = [run.decode("utf-8", "replace") for run in _WORDS.findall(data)]
    return "\n".join([*plain, *wide])


def _png(data: bytes) -> Iterator[tuple[str, str]]:
    position = len(_PNG)
    for _ in range(_MAX_CHUNKS):
        size = int.from_bytes(data[position : position + 4], "big")
        kind = data[position + 4 : position + 8]
        body = data[position + 8 : position + 8 + size]
        position += size + 12
        if kind == b"tEXt":
            yield "text_chunk", body.replace(b"\0", b": ").decode("latin-1")
        elif kind == b"zTXt":
            name, _, packed = body.partition(b"\0")
            yield "text_chunk", _pair(name, _unpacked(packed[1:]))
        elif kind == b"iTXt":
            yield "text_chunk", _international(body)
        elif kind == b"eXIf":
            yield "exif", words(body)
        if not kind or position >= len(data):
            return


def _international(body: bytes) -> str:
    name, _, rest = body.partition(b"\0")
    packed = rest[:1] == b"\1"
    _language, _, rest = rest[2:].partition(b"\0")
    translated, _, text = rest.partition(b"\0")
    return _pair(name + b" " + translated, _unpacked(text) if packed else text)


def _pair(name: bytes, text: bytes) -> str:
    return f"{name.decode('utf-8', 'replace')}: {text.decode('utf-8', 'replace')}"


def _unpacked(data: bytes) -> bytes:
    try:
        return zlib.decompressobj().decompress(data, _MAX_PACKED)
    except zlib.error:
        return data


def _jpeg(data: bytes) -> Iterator[tuple[str, str]]:
    position = 2
    for _ in range(_MAX_CHUNKS):
        if data[position : position + 1] != b"\xff":
            return
        kind = data[position + 1 : position + 2]
        size = int.from_bytes(data[position + 2 : position + 4], "big")
        body = data[position + 4 : position + 2 + size]
        position += 2 + max(size, 2)
        if kind == b"\xfe":
            yield "comment", body.decode("utf-8", "replace")
        elif kind == b"\xe1" and body.startswith(b"Exif"):
            yield "exif", words(body[6:])
        elif kind == b"\xed":
            yield "iptc", words(body)
        elif kind == b"\xda":
            return


def _gif(data: bytes) -> Iterator[tuple[str, str]]:
    position = data.find(b"\x21\xfe")
    for _ in range(_MAX_CHUNKS):
        if position < 0:
            return
        text, position = _sub_blocks(data, position + 2)
        yield "comment", text.decode("utf-8", "replace")
        position = data.find(b"\x21\xfe", position)


def _sub_blocks(data: bytes, position: int) -> tuple[bytes, int]:
    found = bytearray()
    while position < len(data) and data[position]:
        size = data[position]
        found += data[position + 1 : position + 1 + size]
        position += 1 + size
    return bytes(found), position


def _riff(data: bytes) -> Iterator[tuple[str, str]]:
    position = 12
    for _ in range(_MAX_CHUNKS):
        kind = data[position : position + 4]
        size = int.from_bytes(data[position + 4 : position + 8], "little")
        if kind == b"EXIF":
            yield "exif", words(data[position + 8 : position + 8 + size])
        position += 8 + size + size % 2
        if not kind or position >= len(data):
            return
