"""MCP's JSON-RPC: a proposed tool call, a request of another method, or a posted response.

Whatever lies outside the recognised envelope is a field and is never passed over.
"""

import re
from typing import Final

from abuse_gate.model.extract import RpcId
from abuse_gate.reading.arguments import argument_strings, call_name
from abuse_gate.reading.jsontext import Json, word
from abuse_gate.reading.notes import Notes
from abuse_gate.reading.parts import read_content
from abuse_gate.reading.walk import WORDS, fields, rest, say, strings

METHODS: Final = frozenset(
    {
        "completion/complete",
        "initialize",
        "logging/setLevel",
        "notifications/cancelled",
        "notifications/initialized",
        "notifications/progress",
        "ping",
        "prompts/get",
        "prompts/list",
        "resources/list",
        "resources/read",
        "resources/subscribe",
        "sampling/createMessage",
        "tools/call",
        "tools/list",
    }
)
ENVELOPE: Final = frozenset({"jsonrpc", "id", "method", "params", "result", "error"})
_VERSIONS: Final = frozenset({"2.0", "1.0"})
_PLAIN_ID: Final = re.compile(r"[A-Za-z0-9._:-]{1,64}\Z")


def is_rpc(body: Json) -> bool:
    """Whether a value is a JSON-RPC message, the version key forgotten or not."""
    if not isinstance(body, dict):
        return False
    return "jsonrpc" in body or (body.get("method") == "tools/call" and "params" in body)


def read_rpc(notes: Notes, body: dict[str, Json]) -> None:
    """Take down one message; the caller reads what stands outside the envelope."""
    method = body.get("method")
    if "method" in body and "id" in body:
        notes.rpc_ids.append(plain_id(body["id"]))
    if word(body.get("jsonrpc")) not in _VERSIONS:
        fields(notes, body.get("jsonrpc"))
    fields(notes, body.get("id"))
    if word(method) not in METHODS:
        fields(notes, method)
    if method == "tools/call":
        _tools_call(notes, body.get("params"))
    else:
        fields(notes, body.get("params"), WORDS)
    if "method" in body:
        # Who asks has no result to tell of: whatever stands there is the caller's own.
        fields(notes, body.get("result"))
        fields(notes, body.get("error"))
        return
    _response(notes, body.get("result"))
    say(notes, body.get("error"), "tool")


def plain_id(value: Json) -> RpcId:
    """An id that may be sent back as it came; anything else comes back as null."""
    if isinstance(value, str):
        return value if _PLAIN_ID.match(value) else None
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _tools_call(notes: Notes, params: Json) -> None:
    if not isinstance(params, dict):
        notes.call("", strings(notes, params), pending=True, context_known=False)
        return
    texts = argument_strings(notes, params.get("arguments"))
    named = isinstance(params.get("name"), str)
    notes.call(call_name(params), texts, pending=True, context_known=False)
    rest(notes, params, ("name", "arguments") if named else ("arguments",))


def _response(notes: Notes, result: Json) -> None:
    if not isinstance(result, dict):
        say(notes, result, "tool")
        return
    read_content(notes, result.get("content"), "tool", None)
    say(notes, {key: value for key, value in result.items() if key != "content"}, "tool")
    rest(notes, result, result.keys())
