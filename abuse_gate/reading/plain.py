"""The commonest bodies on a short way: one JSON object of plain messages, or of plain values.

Reads exactly what the long way reads, or nothing at all: whatever is not plain is left to it.
"""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple, cast

from pydantic_core import from_json

from abuse_gate.model.extract import Dialect, Origin, Segment, Trust
from abuse_gate.reading.embedded import may_hold_a_file
from abuse_gate.reading.jsontext import MAX_CONTAINERS, MAX_QUOTES, Json
from abuse_gate.reading.notes import Notes
from abuse_gate.reading.shapes import chat_dialect
from abuse_gate.reading.walk import WORDS, is_constant

# Only an assistant's or a tool's message can hold more than its words; these two keys hold none.
_ROLES: Final[dict[str, Origin]] = {
    "system": "system",
    "developer": "developer",
    "user": "user",
    "assistant": "assistant",
}
_CHAT: Final = frozenset({"messages", "system"})
# Keys of the other shapes: with one of them a body may have two shapes at once.
_ELSEWHERE: Final = frozenset({"jsonrpc", "method", "input", "prompt"})
_NO_CHAT: Final = ()
_PLAIN_MESSAGE: Final = 2
# A longer whole number may be kept as its digits.
_LONGEST: Final = 1 << 63
# No body holds so many strings.
_NOT_PLAIN: Final = -(1 << 62)


class Plain(NamedTuple):
    """What a plain body says: its segments, the keys among them, and the dialect of a chat."""

    segments: list[Segment]
    keys: list[str]
    dialect: Dialect | None


def read_plain(notes: Notes, body: bytes) -> bool:
    """Take down a plain body; false, with nothing taken down, for any other."""
    plain = plain_body(body, notes.trust, notes.dialect_hint)
    return plain is not None and notes.take(plain.segments, plain.keys, plain.dialect)


def plain_body(body: bytes, trust: Mapping[Origin, Trust], hint: Dialect) -> Plain | None:
    """A plain body as the long way reads it; None for any other."""
    if body[:1] != b"{" or _is_crowded(body):
        return None
    try:
        # This parser is stricter than the long way's and three times as fast; what it refuses
        # is not plain. It keeps no values behind, only keys.
        value: Any = from_json(body, cache_strings="keys")
    except ValueError:
        return None
    plain = cast("dict[str, Any]", value)
    if not _ELSEWHERE.isdisjoint(plain):
        return None
    messages = plain.get("messages", _NO_CHAT)
    said = _said(messages)
    if said is None or _quotes(body) != 2 * (_strings(plain) + 4 * len(said)):
        return None
    if messages is _NO_CHAT:
        return _object(plain, trust["field"])
    segments = [
        Segment(text, origin, trust[origin], None, turn)
        for turn, (text, origin) in enumerate(said)
        if text
    ]
    system = plain.get("system")
    if isinstance(system, str) and system:
        segments.insert(0, Segment(system, "system", trust["system"]))
    return _beside(plain, segments, trust["field"], chat_dialect(plain, messages, hint))


def _object(body: dict[str, Json], trust: Trust) -> Plain:
    """An object of no known shape: every key and every string of it is a field."""
    segments: list[Segment] = []
    for key, value in body.items():
        if key:
            segments.append(Segment(key, "key", trust))
        if isinstance(value, str) and value:
            segments.append(Segment(value, "field", trust))
    return Plain(segments, [*body], None)


def _beside(
    body: dict[str, Json], segments: list[Segment], trust: Trust, dialect: Dialect
) -> Plain:
    """What stands beside the messages of a chat: members that no shape knows."""
    keys: list[str] = []
    for key, value in body.items():
        if key in _CHAT:
            continue
        if key not in WORDS:
            keys.append(key)
            if key:
                segments.append(Segment(key, "key", trust))
        if isinstance(value, str) and value and not is_constant(key, value):
            segments.append(Segment(value, "field", trust))
    return Plain(segments, keys, dialect)


def _said(messages: Any) -> list[tuple[str, Origin]] | None:
    """What the messages of a chat say; None when one of them is not plain."""
    if not messages:
        return [] if messages is _NO_CHAT else None
    said: list[tuple[str, Origin]] = []
    try:
        for message in messages:
            text, origin = message["content"], _ROLES[message["role"]]
            if type(text) is not str or len(message) != _PLAIN_MESSAGE or may_hold_a_file(text):
                return None
            said.append((text, origin))
    except (KeyError, TypeError):
        return None
    return said


def _strings(body: dict[str, Json]) -> int:
    """How many strings an object holds beside its messages; no possible number if not plain."""
    strings = len(body)
    for key, value in body.items():
        if type(value) is str:
            strings += _NOT_PLAIN if may_hold_a_file(value) else 1
        elif (
            type(value) is dict
            or (type(value) is list and key != "messages")
            or (type(value) is int and abs(value) >= _LONGEST)
        ):
            return _NOT_PLAIN
    return strings


def _is_crowded(body: bytes) -> bool:
    """Whether a body may open more containers than are made of any body."""
    return len(body) > MAX_CONTAINERS and body.count(b"[") + body.count(b"{") > MAX_CONTAINERS


def _quotes(body: bytes) -> int:
    """How many quotation marks delimit strings, or -1 when that cannot be told by counting.

    A key that stands twice shows here: its strings were written, and are not in the object.
    """
    quotes = body.count(b'"')
    if b"\\" not in body:
        return quotes
    if b"\\\\" in body or quotes > MAX_QUOTES:
        return -1
    return quotes - body.count(b'\\"')
