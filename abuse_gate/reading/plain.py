"""The commonest bodies on a short way: one JSON object of plain messages, or of plain values.

Reads exactly what the long way reads, or nothing at all: whatever is not plain is left to it.
"""

from typing import Any, Final, cast

from pydantic_core import from_json

from abuse_gate.model.extract import Origin
from abuse_gate.reading.jsontext import MAX_CONTAINERS, MAX_QUOTES, Json
from abuse_gate.reading.notes import Notes
from abuse_gate.reading.shapes import chat_dialect
from abuse_gate.reading.walk import fields, rest

Said = list[tuple[str, Origin]]

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
# A longer whole number may be kept as its digits.
_LONGEST: Final = 1 << 63


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
    said = _chat(plain)
    strings = None if said is None else _strings(plain)
    if said is None or strings is None or _quotes(body) != 2 * (strings + 4 * len(said)):
        return False
    if len(said) + 2 * strings >= notes.room:
        return False
    _take(notes, plain, said)
    return True


def _take(notes: Notes, body: dict[str, Json], said: Said) -> None:
    messages = body.get("messages")
    if not isinstance(messages, list):
        fields(notes, body)
        return
    notes.speak(chat_dialect(body, messages, notes.dialect_hint))
    system = body.get("system")
    if isinstance(system, str):
        notes.add(system, "system")
    for text, origin in said:
        notes.add(text, origin)
    if len(body) > 1:
        rest(notes, body, _CHAT)


def _chat(body: dict[str, Json]) -> Said | None:
    """The messages of a chat, none when there is no chat; None when one is not plain."""
    messages = body.get("messages")
    if messages is None:
        return [] if "messages" not in body else None
    if not isinstance(messages, list) or not messages:
        return None
    said: Said = []
    for message in messages:
        if not isinstance(message, dict) or len(message) != 2:
            return None
        role, text = message.get("role"), message.get("content")
        if not isinstance(text, str) or not isinstance(role, str) or role not in _ROLES:
            return None
        if text[4:5] == ":":
            # Perhaps a data URL.
            return None
        said.append((text, _ROLES[role]))
    return said


def _strings(body: dict[str, Json]) -> int | None:
    """How many strings an object holds beside its messages; None when a value is not plain."""
    strings = len(body)
    for key, value in body.items():
        if isinstance(value, str):
            if value[4:5] == ":":
                return None
            strings += 1
        elif isinstance(value, list):
            if key != "messages":
                return None
        elif isinstance(value, dict) or (isinstance(value, int) and abs(value) >= _LONGEST):
            return None
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
