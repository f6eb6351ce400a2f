"""Content-Encoding undone for inspection, within a bound on bytes; the app's bytes stay as sent."""

import zlib
from dataclasses import dataclass
from typing import Final

from abuse_gate.model.extract import Flag

# zlib's window bits: gzip with its header, zlib with its header, and deflate with none.
_GZIP: Final = 31
_ZLIB: Final = 15
_RAW: Final = -15
WINDOWS: Final[dict[str, tuple[int, ...]]] = {
    "gzip": (_GZIP,),
    "x-gzip": (_GZIP,),
    "deflate": (_ZLIB, _RAW),
}
MAX_LAYERS: Final = 3
# A gzip body may have several members; very many empty ones would be work without text.
MAX_MEMBERS: Final = 64


@dataclass(frozen=True, slots=True, repr=False)
class Inflated:
    """What came out (None: nothing did), and a flag for what did not."""

    data: bytes | None
    flags: frozenset[Flag] = frozenset()


def encodings(header: str) -> list[str]:
    """The encodings of a header that change the bytes, in the order in which they were applied."""
    names = (name.strip().lower() for name in header.split(","))
    return [name for name in names if name not in {"", "identity"}]


def inflate(body: bytes, names: list[str], limit: int) -> Inflated:
    """Undo encodings, the last applied first; an unknown or damaged one is a flag."""
    if len(names) > MAX_LAYERS or not all(name in WINDOWS for name in names):
        return Inflated(None, frozenset({"unsupported_encoding"}))
    data, flags = body, set[Flag]()
    for name in reversed(names):
        layer = _layer(data, WINDOWS[name], limit)
        flags |= layer.flags
        if layer.data is None:
            return Inflated(None, frozenset(flags))
        data = layer.data
    return Inflated(data, frozenset(flags))


def _layer(data: bytes, windows: tuple[int, ...], limit: int) -> Inflated:
    best = Inflated(None, frozenset({"malformed"}))
    for window in windows:
        found = _stream(data, window, limit)
        if "malformed" not in found.flags:
            return found
        if best.data is None:
            best = found
    return best


def _stream(data: bytes, window: int, limit: int) -> Inflated:
    """Inflate member after member; damage ends it, and what came out before is kept."""
    out = bytearray()
    for _ in range(MAX_MEMBERS):
        engine = zlib.decompressobj(window)
        try:
            # One byte beyond the bound tells a body that just fits from one that goes on.
            out += engine.decompress(data, limit + 1 - len(out))
        except zlib.error:
            return Inflated(bytes(out) or None, frozenset({"malformed"}))
        if len(out) > limit:
            return Inflated(bytes(out[:limit]), frozenset({"truncated"}))
        if not engine.eof:
            return Inflated(bytes(out) or None, frozenset({"malformed"}))
        data = engine.unused_data
        if not data:
            return Inflated(bytes(out))
    return Inflated(bytes(out), frozenset({"truncated"}))
