"""Messages with roles: the conversation that the OpenAI chat and Anthropic shapes share.

A role is a claim that picks the origin; whatever the role, every string is read.
"""

from typing import Final

from abuse_gate.model.extract import Origin
from abuse_gate.reading.arguments import call_parts
from abuse_gate.reading.jsontext import Json, word
from abuse_gate.reading.ledger import Ledger
from abuse_gate.reading.notes import Notes
from abuse_gate.reading.parts import read_content
from abuse_gate.reading.walk import rest, say

ROLE_ORIGIN: Final[dict[str, Origin]] = {
    "system": "system",
    "developer": "developer",
    "user": "user",
    "assistant": "assistant",
    "tool": "tool",
    "function": "tool",
}
# Beside the content, what a model said or thought.
MODEL_KEYS: Final = ("refusal", "reasoning", "reasoning_content", "thinking")
CALL_HOLDERS: Final = ("function", "custom")
_SAID: Final = frozenset({"content", *MODEL_KEYS})
_TAKEN: Final = _SAID | {"tool_calls", "function_call"}


def origin_of(role: Json) -> Origin:
    """The origin that a claimed role stands for; anything but a known role is unknown."""
    return ROLE_ORIGIN.get(word(role), "unknown_role")


def read_messages(notes: Notes, messages: list[Json], ledger: Ledger) -> None:
    """Take down a list of messages in order."""
    for notes.turn, message in enumerate(messages):
        if isinstance(message, dict):
            read_message(notes, message, ledger)
        else:
            say(notes, message, "unknown_role")
    notes.turn = None


def read_message(notes: Notes, message: dict[str, Json], ledger: Ledger) -> None:
    """Take down one message: content by its role, calls, and whatever else it carries."""
    origin = origin_of(message.get("role"))
    if origin == "tool":
        ledger.result(message.get("tool_call_id"))
    elif origin != "assistant":
        ledger.turn_over(asking=not _only_results(message.get("content")))
    read_content(notes, message.get("content"), origin, ledger)
    for key in MODEL_KEYS:
        if key in message:
            say(notes, message[key], "assistant")
    if origin == "assistant":
        _calls(notes, message, ledger)
        rest(notes, message, _TAKEN)
    else:
        # Only an assistant proposes calls: anybody else's are the caller's own words.
        rest(notes, message, _SAID)


def _only_results(content: Json) -> bool:
    """Whether a message hands over results of tools and says nothing else."""
    return isinstance(content, list) and all(
        isinstance(part, dict) and word(part.get("type")).endswith("tool_result")
        for part in content
    )


def _calls(notes: Notes, message: dict[str, Json], ledger: Ledger) -> None:
    if "tool_calls" in message:
        calls = message["tool_calls"]
        for call in calls if isinstance(calls, list) else (calls,):
            _call(notes, call, ledger)
    if "function_call" in message:
        _call(notes, message["function_call"], ledger)


def _call(notes: Notes, call: Json, ledger: Ledger) -> None:
    if not isinstance(call, dict):
        say(notes, call, "assistant")
        return
    inner = [value for value in map(call.get, CALL_HOLDERS) if isinstance(value, dict)]
    for holder in inner or [call]:
        name, texts, taken = call_parts(notes, holder)
        ledger.call(call.get("id"), name, texts)
        rest(notes, holder, taken)
    if inner:
        rest(notes, call, [key for key in CALL_HOLDERS if isinstance(call.get(key), dict)])
