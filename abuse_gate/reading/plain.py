"""The commonest bodies on a short way: one JSON object of plain messages, or of plain values.

Reads exactly what the long way reads, or nothing at all: whatever is not plain is left to it.
"""

from collections.abc import Mapping
from operator import itemgetter
from types import NoneType
from typing import Any, Final, NamedTuple

from pydantic_core import SchemaValidator, core_schema

from abuse_gate.model.extract import Dialect, Origin, Segment, Trust
from abuse_gate.reading.embedded import may_be_a_file, may_hold_a_file, may_hold_files
from abuse_gate.reading.jsontext import MAX_CONTAINERS, MAX_QUOTES
from abuse_gate.reading.notes import Notes
from abuse_gate.reading.shapes import chat_dialect
from abuse_gate.reading.walk import CONSTANT_KEYS, NOTHING, WORDS

# Paths that say nothing.
ROOT: Final = frozenset({"", "/"})
# Keys of the other shapes: with one of them a body may have two shapes at once.
_ELSEWHERE: Final = frozenset({"jsonrpc", "method", "input", "prompt"})
_NO_CHAT: Final = ()
# Two keys, a role and what is said.
_IN_A_MESSAGE: Final = 4
# A longer whole number may be kept as its digits.
_LONGEST: Final = 1 << 63
# Two values and a key: fewer are not parted by a key.
_PARTED: Final = 3
_NUMBERS: Final = frozenset({int, float})
_CONSTANTS: Final = frozenset({bool, NoneType})

# Only an assistant's or a tool's message can hold more than its words; these two keys hold none.
# The roles are origins, too.
_ROLES: Final[list[Origin]] = ["system", "developer", "user", "assistant"]
# No more than one fault is looked for, and none in what is beside the messages: of a million faults
# each would be written down. What is passed over here does not escape the count of strings.
_MESSAGE: Final = core_schema.typed_dict_schema(
    {
        "role": core_schema.typed_dict_field(core_schema.literal_schema(_ROLES)),
        "content": core_schema.typed_dict_field(core_schema.str_schema(strict=True)),
    },
    extra_behavior="ignore",
)
_PLAIN: Final = SchemaValidator(
    core_schema.typed_dict_schema(
        {
            "messages": core_schema.typed_dict_field(
                core_schema.list_schema(_MESSAGE, min_length=1, strict=True, fail_fast=True),
                required=False,
            )
        },
        extra_behavior="allow",
    ),
    # Nothing that anybody said is kept behind, only keys.
    core_schema.CoreConfig(cache_strings="keys"),
)
_validate: Final = _PLAIN.validate_json
_CONTENT: Final = itemgetter("content")
_TEXT: Final = itemgetter(0)


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
    found = _parsed(body)
    if found is None:
        return None
    plain, system, beside = found
    said = plain.get("messages", _NO_CHAT)
    texts = [*(message["content"] for message in said), system, *(text for text, _ in beside)]
    if _any_file(body, texts):
        return None
    segments = [
        Segment(message["content"], message["role"], trust[message["role"]], None, turn)
        for turn, message in enumerate(said)
        if message["content"]
    ]
    if system:
        segments.insert(0, Segment(system, "system", trust["system"]))
    segments += [Segment(text, origin, trust[origin]) for text, origin in beside]
    if not said:
        return Plain(segments, [*plain], None)
    return Plain(segments, [k for k in plain if k not in WORDS], chat_dialect(plain, said, hint))


def plain_texts(path: str, body: bytes) -> list[str] | None:
    """All that a request says by a plain path and a plain body, as one text; None for any other.

    Where keys part values, the values follow as a text of their own. For whoever wants to know no
    more than whether there is anything in it, and looks for files, too: a text that may hold one
    is as plain as any here.
    """
    found = None if "%" in path else _parsed(body)
    if found is None:
        return None
    plain, system, beside = found
    texts = [path, system] if path not in ROOT else [system]
    texts += map(_CONTENT, plain.get("messages", _NO_CHAT))
    texts += map(_TEXT, beside)
    # An empty text is none: it parts nothing from anything.
    whole = "\n".join(filter(None, texts))
    if len(beside) < _PARTED:
        return [whole]
    values = [text for text, origin in beside if origin == "field"]
    return [whole, "\n".join(values)] if len(values) > 1 else [whole]


def _parsed(body: bytes) -> tuple[dict[str, Any], str, list[tuple[str, Origin]]] | None:
    """A plain body, the system text of a chat, and what it says beside those; None for any other.

    A chat's other members are fields but for words of the envelope; an object of no known shape is
    all fields. One loop on purpose: this is the way of most requests.
    """
    if body[:1] != b"{" or (len(body) > MAX_CONTAINERS and _is_crowded(body)):
        return None
    try:
        # Stricter than the long way's parser and three times as fast; what it refuses is not plain.
        plain: dict[str, Any] = _validate(body)
    except ValueError:
        return None
    if not _ELSEWHERE.isdisjoint(plain):
        return None
    said = plain.get("messages", _NO_CHAT)
    strings = len(plain) + _IN_A_MESSAGE * len(said)
    known, constant = (WORDS, CONSTANT_KEYS) if said else (NOTHING, NOTHING)
    system = ""
    beside: list[tuple[str, Origin]] = []
    for key, value in plain.items():
        if key and key not in known:
            beside.append((key, "key"))
        if type(value) is str:
            strings += 1
            if said and key == "system":
                system = value
            elif value and not (key in constant and value in WORDS):
                beside.append((value, "field"))
        elif value is not said and type(value) not in _CONSTANTS and not _is_number(value):
            return None
    # A key that stands twice shows here: its strings were written, and are not in the object.
    quotes = body.count(b'"') if b"\\" not in body else _quotes(body)
    return (plain, system, beside) if quotes == 2 * strings else None


def _is_number(value: Any) -> bool:
    return type(value) in _NUMBERS and -_LONGEST < value < _LONGEST


def _any_file(body: bytes, texts: list[str]) -> bool:
    # What no text holds in its middle need not be looked for in each of them.
    return any(map(may_hold_a_file if may_hold_files(body) else may_be_a_file, texts))


def _is_crowded(body: bytes) -> bool:
    """Whether a body may open more containers than are made of any body."""
    return body.count(b"[") + body.count(b"{") > MAX_CONTAINERS


def _quotes(body: bytes) -> int:
    """How many quotation marks delimit strings, or -1 when that cannot be told by counting."""
    quotes = body.count(b'"')
    if b"\\\\" in body or quotes > MAX_QUOTES:
        return -1
    return quotes - body.count(b'\\"')
