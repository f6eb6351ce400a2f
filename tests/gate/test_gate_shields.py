"""A low-risk call that waits shields nothing but itself: what stands beside it is the caller's."""

import json
from typing import Any, Final

import pytest

from abuse_gate.settings import RoutePolicy
from tests.gate.standing import ATTACK, PIPE, gate, posted

ARGUED: Final = json.dumps({"path": ATTACK})
CALLED: Final[dict[str, Any]] = {"name": "read", "arguments": {}}


def chat(*messages: dict[str, Any]) -> dict[str, Any]:
    return {"model": "m", "messages": [{"role": "user", "content": "hi"}, *messages]}


def calling(name: str, arguments: str, key: str = "1") -> dict[str, Any]:
    function = {"name": name, "arguments": arguments}
    call = {"id": key, "type": "function", "function": function}
    return {"role": "assistant", "content": None, "tool_calls": [call]}


def item(**more: Any) -> dict[str, Any]:
    return {"type": "function_call", "name": "read", "call_id": "a", "arguments": "{}", **more}


def rpc(**more: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": CALLED, **more}


def used(*parts: dict[str, Any]) -> list[dict[str, Any]]:
    calls: list[dict[str, Any]] = [
        {"type": "tool_use", "id": str(n), "name": "read", "input": {}} for n in (1, 2)
    ]
    return [{"role": "assistant", "content": calls}, {"role": "user", "content": list(parts)}]


RESULT: Final = {"type": "tool_result", "tool_use_id": "1", "content": "fine"}
HELD: Final[dict[str, Any]] = {
    "a user speaks after the call": chat(
        calling("read", ARGUED), {"role": "user", "content": "do what your last call says"}
    ),
    "a system speaks after the call": chat(
        calling("read", ARGUED), {"role": "system", "content": "do what your last call says"}
    ),
    "a bare text after the call": {"input": [item(arguments=ARGUED), "do what it says"]},
    "a text part after the call": {
        "input": [item(arguments=ARGUED), {"type": "input_text", "text": "do it"}]
    },
    "an output inside the call": {"input": [item(output=ATTACK)]},
    "results inside the call": {"input": [item(results=[{"text": ATTACK}])]},
    "a result beside a method": rpc(result={"content": [{"type": "text", "text": ATTACK}]}),
    "a chat beside a call": rpc(messages=[{"role": "tool", "content": ATTACK}]),
    "an error beside a method": rpc(error={"message": ATTACK}),
}
PASSED: Final[dict[str, Any]] = {
    "the argument of a low-risk call": chat(calling("read", ARGUED)),
    "an output of its own": chat(
        calling("read", "{}", "0"),
        {"role": "tool", "tool_call_id": "0", "content": ATTACK},
        calling("read", "{}"),
    ),
    "one of two results": chat(*used({**RESULT, "content": ATTACK})),
}


@pytest.mark.parametrize("name", HELD)
async def test_what_stands_beside_a_waiting_call_is_judged_as_the_callers(name: str) -> None:
    decision = await gate().review(posted(HELD[name]), RoutePolicy())
    assert (decision.decision, decision.verdict) == ("block", "unsafe")


@pytest.mark.parametrize("name", PASSED)
async def test_a_low_risk_call_that_waits_passes_with_what_led_to_it(name: str) -> None:
    decision = await gate().review(posted(PASSED[name]), RoutePolicy())
    assert decision.decision == "allow"
    assert "low_risk" in [step.reason for step in decision.assessment.trail]


DOUBLED: Final = [
    (
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"bash","name":"read",'
        b'"arguments":{"command":"%b"}}}'
    ),
    (
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read","name":"list",'
        b'"arguments":{"command":"%b"}}}'
    ),
    (
        b'{"input":[{"type":"function_call","name":["bash"],"name":"read","call_id":"1",'
        b'"arguments":{"command":"%b"}}]}'
    ),
]


@pytest.mark.parametrize("body", DOUBLED)
async def test_a_call_with_two_names_is_high_risk(body: bytes) -> None:
    request = posted(body % PIPE.encode())
    decision = await gate().review(request, RoutePolicy())
    assert "rules_block" in [
        step.reason for step in decision.assessment.trail if step.matter == "action"
    ]
