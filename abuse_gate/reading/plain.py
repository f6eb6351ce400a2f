"""The commonest bodies on a short way: one JSON object of plain messages, or of plain values.

Reads exactly what the long way reads, or nothing at all: whatever is not plain is left to it.
"""

from typing import Any, Final, cast

from pydantic_core import from_json

from abuse_gate.model.extract import Origin
from abuse_gate.reading.jsontext import MAX_CONTAINERS, MAX_QUOTES, Json
from abuse_gate.reading.notes import Notes
from abuse_gate.reading.shapes import chat_dialect
from abuse_gate.reading.walk import fields, member

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


def read_plain(notes: Notes, body: bytes) -> bool:
    """Take down a plain body; false, with nothing taken down, for any other."""
    if body[:1] != b"{" or _is_crowded(body):
        return False
    try:
        # This parser is stricter than the long way's and three times as fast; what it refuses
        # is not plain. It keeps no values behind, only keys.
        value: Any = from_json(body, cache_strings="keys")
    except ValueError:
        return False
    plain = cast("dict[str, Json]", value)
    if not _ELSEWHERE.isdisjoint(plain):
        return False
    said = _said(plain.get("messages", _NO_CHAT))
    if said is None or _quotes(body) != 2 * (_strings(plain) + 4 * len(said)):
        return False
    if len(said) + 2 * len(plain) >= notes.room:
        return False
    if "messages" not in plain:
        fields(notes, plain)
        return True
    _take(notes, plain, said)
    return True


def _take(notes: Notes, body: dict[str, Any], said: list[tuple[str, Origin]]) -> None:
    notes.speak(chat_dialect(body, body["messages"], notes.dialect_hint))
    system = body.get("system")
    if isinstance(system, str):
        notes.add(system, "system")
    notes.add_all(said)
    for key, value in body.items():
        if key not in _CHAT:
            member(notes, key, value)


def _said(messages: Any) -> list[tuple[str, Origin]] | None:
    """What the messages of a chat say; None when one of them is not plain."""
    if not messages:
        return [] if messages is _NO_CHAT else None
    said: list[tuple[str, Origin]] = []
    try:
        for message in messages:
            text, origin = message["content"], _ROLES[message["role"]]
            # A colon in this place is perhaps a data URL's.
            if type(text) is not str or text[4:5] == ":" or len(message) != _PLAIN_MESSAGE:
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
            strings += 1 if value[4:5] != ":" else _NOT_PLAIN
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
