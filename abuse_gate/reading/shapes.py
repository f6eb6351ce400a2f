"""One JSON document to notes: which of the known shapes it has, told by structure alone.

A body may have several shapes at once, and then it is read as each of them.
"""

from typing import Final

from abuse_gate.model.extract import Dialect
from abuse_gate.reading.charcodes import spelled
from abuse_gate.reading.conversation import read_messages
from abuse_gate.reading.jsontext import Doubled, Json, word
from abuse_gate.reading.ledger import Ledger
from abuse_gate.reading.notes import Notes
from abuse_gate.reading.parts import read_content
from abuse_gate.reading.responses import is_item, read_input
from abuse_gate.reading.rpc import ENVELOPE, is_rpc, read_rpc
from abuse_gate.reading.walk import fields, rest, say

ANTHROPIC_KEYS: Final = frozenset({"system", "stop_sequences", "anthropic_version", "top_k"})
ANTHROPIC_PARTS: Final = frozenset(
    {"tool_use", "tool_result", "thinking", "redacted_thinking", "document", "image"}
)
OPENAI_ROLES: Final = frozenset({"system", "developer", "tool", "function"})


def read_document(notes: Notes, value: Json) -> None:
    """Take down one JSON document, whatever its shape."""
    if isinstance(value, dict):
        read_object(notes, value)
    elif isinstance(value, list):
        _array(notes, value)
    else:
        say(notes, value, "text")


def _array(notes: Notes, items: list[Json]) -> None:
    if _is_conversation(items):
        read_object(notes, {"messages": items})
        return
    notes.rpc_batch |= any(map(is_rpc, items))
    notes.field(spelled(items))
    for item in items:
        if isinstance(item, dict):
            read_object(notes, item)
        else:
            fields(notes, item)


def read_object(notes: Notes, body: dict[str, Json]) -> None:
    """Take down one object as every shape that it has; what no shape claims is a field."""
    taken: set[str] = set()
    ledger = Ledger()
    if is_rpc(body):
        notes.speak("jsonrpc")
        read_rpc(notes, body)
        taken |= ENVELOPE
    # Outside the envelope of a message everything is the caller's own, whatever it looks like.
    claimed = set[str]() if taken else taken
    _chat(notes, body, claimed, ledger)
    _responses(notes, body, claimed, ledger)
    _completion(notes, body, claimed)
    ledger.settle(notes)
    if not taken:
        fields(notes, body)
        return
    rest(notes, {key: value for key, value in body.items() if key not in taken}, ())
    if isinstance(body, Doubled):
        for key, value in body.shadowed:
            read_object(notes, {key: value})


def _is_conversation(value: Json) -> bool:
    return isinstance(value, list) and any(isinstance(m, dict) and "role" in m for m in value)


def _chat(notes: Notes, body: dict[str, Json], taken: set[str], ledger: Ledger) -> None:
    messages = body.get("messages")
    if not isinstance(messages, list) or not _is_conversation(messages):
        return
    notes.speak(chat_dialect(body, messages, notes.dialect_hint))
    read_content(notes, body.get("system"), "system", None)
    read_messages(notes, messages, ledger)
    taken |= {"messages", "system"}


def _responses(notes: Notes, body: dict[str, Json], taken: set[str], ledger: Ledger) -> None:
    value = body.get("input")
    items = isinstance(value, list) and any(map(is_item, value))
    if not items and not ("model" in body and isinstance(value, str | list)):
        return
    notes.speak("openai")
    read_content(notes, body.get("instructions"), "system", None)
    read_input(notes, value, ledger)
    taken |= {"input", "instructions"}


def _completion(notes: Notes, body: dict[str, Json], taken: set[str]) -> None:
    if "model" not in body or not isinstance(body.get("prompt"), str | list):
        return
    notes.speak("openai")
    say(notes, body["prompt"], "user")
    taken.add("prompt")


def chat_dialect(body: dict[str, Json], messages: list[Json], hint: Dialect) -> Dialect:
    """The dialect of a chat: by what is known of the request, else by its keys and its model."""
    if hint in {"openai", "anthropic"}:
        return hint
    if not ANTHROPIC_KEYS.isdisjoint(body) or any(map(_has_anthropic_part, messages)):
        return "anthropic"
    if any(map(_is_openai_message, messages)):
        return "openai"
    return "anthropic" if word(body.get("model")).startswith("claude") else "openai"


def _is_openai_message(message: Json) -> bool:
    if not isinstance(message, dict):
        return False
    return "tool_calls" in message or word(message.get("role")) in OPENAI_ROLES


def _has_anthropic_part(message: Json) -> bool:
    content = message.get("content") if isinstance(message, dict) else None
    if not isinstance(content, list):
        return False
    kinds = (word(part.get("type")) for part in content if isinstance(part, dict))
    return any(kind in ANTHROPIC_PARTS for kind in kinds)
