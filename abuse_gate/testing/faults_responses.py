"""The dialect of OpenAI's Responses API: the model's thoughts, then one message with the answer."""

from typing import Final

from abuse_gate.model.verdict import Verdict
from abuse_gate.testing.faults_speech import Dialect, Json, field_of, verdict_text


def _responses(verdict: Verdict, request: object) -> Json:
    return {
        "id": "resp_1",
        "object": "response",
        "created_at": 1_790_000_000,
        "status": "completed",
        "error": None,
        "incomplete_details": None,
        "instructions": None,
        "metadata": {},
        "model": str(field_of(request, "model")),
        "output": [{"id": "rs_1", "type": "reasoning", "summary": []}, _message(verdict)],
        "parallel_tool_calls": True,
        "temperature": 1.0,
        "tool_choice": "auto",
        "tools": [],
        "top_p": 1.0,
        "usage": {
            "input_tokens": 9,
            "input_tokens_details": {"cache_write_tokens": 0, "cached_tokens": 0},
            "output_tokens": 5,
            "output_tokens_details": {"reasoning_tokens": 1},
            "total_tokens": 14,
        },
    }


def _message(verdict: Verdict) -> Json:
    text: Json = {
        "type": "output_text",
        "text": verdict_text(verdict),
        "annotations": [],
        "logprobs": [],
    }
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "status": "completed",
        "content": [text],
    }


def _put(reply: Json, value: object) -> None:
    reply["output"][-1]["content"][0]["text"] = value


def _refuse(reply: Json) -> None:
    reply["output"][-1]["content"] = [{"type": "refusal", "refusal": "I cannot help with that."}]


def _cut(reply: Json) -> None:
    reply |= {"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}}


RESPONSES: Final = Dialect("responses", "output", _responses, _put, _refuse, _cut)
