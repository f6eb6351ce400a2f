"""The OpenAI Responses shape: an input string, or items (messages, calls, outputs, reasoning).

Reads `input` only; the envelope around it belongs to the shapes.
"""

from typing import Final

from abuse_gate.reading.arguments import call_parts
from abuse_gate.reading.conversation import read_message
from abuse_gate.reading.jsontext import Json, word
from abuse_gate.reading.ledger import Ledger
from abuse_gate.reading.notes import Notes
from abuse_gate.reading.parts import MEDIA_PARTS, read_content, read_part
from abuse_gate.reading.walk import rest, say

# Calls that the provider itself has carried out: in an input they are history.
HOSTED_CALLS: Final = frozenset(
    {
        "web_search_call",
        "file_search_call",
        "code_interpreter_call",
        "image_generation_call",
        "mcp_call",
    }
)
OUTPUT_KEYS: Final = ("output", "outputs", "results", "result", "error")


def is_item(value: Json) -> bool:
    """Whether a value looks like an item of a Responses input."""
    return isinstance(value, dict) and ("role" in value or isinstance(value.get("type"), str))


def read_input(notes: Notes, value: Json, ledger: Ledger) -> None:
    """Take down an input: a string is the user's, a list is read item by item."""
    for notes.turn, item in enumerate(value if isinstance(value, list) else (value,)):
        if isinstance(item, dict):
            _item(notes, item, ledger)
        else:
            ledger.turn_over()
            say(notes, item, "user")
    notes.turn = None


def _item(notes: Notes, item: dict[str, Json], ledger: Ledger) -> None:
    kind = word(item.get("type"))
    if kind.endswith(("_call_output", "tool_output")):
        _output(notes, item, ledger)
    elif kind.endswith("_call") or kind == "mcp_approval_request":
        _call(notes, item, kind, ledger)
    elif kind == "reasoning":
        read_part(notes, item, "assistant", None)
    elif kind in MEDIA_PARTS or kind == "input_text":
        ledger.turn_over()
        read_part(notes, item, "user", None)
    else:
        read_message(notes, item, ledger)


def _output(notes: Notes, item: dict[str, Json], ledger: Ledger) -> None:
    ledger.result(item.get("call_id"))
    read_content(notes, item.get("output"), "tool", None)
    rest(notes, item, ("output",))


def _call(notes: Notes, item: dict[str, Json], kind: str, ledger: Ledger) -> None:
    name, texts, taken = call_parts(notes, item)
    key = item.get("call_id", item.get("id"))
    ledger.call(key, name or kind.removesuffix("_call"), texts)
    if kind not in HOSTED_CALLS:
        # A call that waits has no output: whatever stands there is the caller's own.
        rest(notes, item, taken)
        return
    ledger.result(key)
    for output in OUTPUT_KEYS:
        if output in item:
            read_content(notes, item[output], "tool", None)
    rest(notes, item, taken.union(OUTPUT_KEYS))
