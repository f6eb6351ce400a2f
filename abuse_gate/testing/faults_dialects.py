"""What the providers say when they are well: one right answer per endpoint, as their SDKs type it.

Also where in such an answer the verdict stands, so that a fault can be put exactly there. Knows
no socket.
"""

from collections.abc import Callable
from typing import Final, cast

from abuse_gate.model.verdict import Verdict
from abuse_gate.testing.faults_responses import RESPONSES
from abuse_gate.testing.faults_speech import Dialect, Json, field_of, verdict_text

CATEGORIES: Final = (
    "harassment",
    "harassment/threatening",
    "hate",
    "hate/threatening",
    "illicit",
    "illicit/violent",
    "self-harm",
    "self-harm/instructions",
    "self-harm/intent",
    "sexual",
    "sexual/minors",
    "violence",
    "violence/graphic",
)
_FILTERS: Final = ("hate", "self_harm", "sexual", "violence")
_SHIELDS: Final = ("jailbreak", "indirect_attack")


def dialect_of(path: str) -> Dialect:
    """The dialect that a path belongs to; a path of no known provider speaks the plain one."""
    bare = path.partition("?")[0]
    return next((known for end, known in DIALECTS.items() if bare.endswith(end)), PLAIN)


def is_azure(path: str) -> bool:
    """Whether a path is one of Azure's, v1 or dated."""
    return "/openai/v1/" in path or "/openai/deployments/" in path


def annotated(reply: Json) -> Json:
    """A chat answer with the annotations that Azure adds to a clean one."""
    clean = {name: {"filtered": False, "severity": "safe"} for name in _FILTERS}
    shields = {name: {"filtered": False, "detected": False} for name in _SHIELDS}
    for choice in reply["choices"]:
        choice["content_filter_results"] = clean
    filtered = {"prompt_index": 0, "content_filter_results": clean | shields}
    return reply | {"prompt_filter_results": [filtered]}


def _moderation(verdict: Verdict, request: object) -> Json:
    given = field_of(request, "input")
    texts = cast("list[object]", given) if isinstance(given, list) else [given]
    # Several texts get a result each; the typed parts of one input share a single result.
    count = len(texts) if all(isinstance(text, str) for text in texts) else 1
    return {
        "id": "modr-1",
        "model": "omni-moderation-latest",
        "results": [_result(verdict) for _ in range(count)],
    }


def _result(verdict: Verdict) -> Json:
    bad = verdict == "unsafe"
    return {
        "flagged": None if verdict == "unclear" else bad,
        "categories": {name: bad and name == "illicit" for name in CATEGORIES},
        "category_scores": {
            name: 0.97 if bad and name == "illicit" else 0.001 for name in CATEGORIES
        },
        "category_applied_input_types": {name: ["text"] for name in CATEGORIES},
    }


def _put_moderation(reply: Json, value: object) -> None:
    reply["results"][0]["flagged"] = value


def _cut_moderation(reply: Json) -> None:
    del reply["results"][0]["category_scores"], reply["results"][0]["categories"]


def _empty(name: str) -> Callable[[Json], None]:
    def empty(reply: Json) -> None:
        reply[name] = []

    return empty


def _chat(verdict: Verdict, request: object) -> Json:
    message = {"role": "assistant", "content": verdict_text(verdict), "refusal": None}
    choice = {"index": 0, "finish_reason": "stop", "logprobs": None, "message": message}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1_790_000_000,
        "model": str(field_of(request, "model")),
        "choices": [choice],
        "usage": {"prompt_tokens": 9, "completion_tokens": 5, "total_tokens": 14},
    }


def _put_chat(reply: Json, value: object) -> None:
    reply["choices"][0]["message"]["content"] = value


def _refuse_chat(reply: Json) -> None:
    reply["choices"][0]["message"] |= {"content": None, "refusal": "I cannot help with that."}


def _cut_chat(reply: Json) -> None:
    reply["choices"][0]["finish_reason"] = "length"


def _messages(verdict: Verdict, request: object) -> Json:
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": str(field_of(request, "model")),
        "content": [{"type": "text", "text": verdict_text(verdict), "citations": None}],
        "stop_reason": "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": 9, "output_tokens": 5},
    }


def _put_messages(reply: Json, value: object) -> None:
    reply["content"][0]["text"] = value


def _refuse_messages(reply: Json) -> None:
    reply |= {"content": [], "stop_reason": "refusal"}


def _cut_messages(reply: Json) -> None:
    reply["stop_reason"] = "max_tokens"


def _decisions(verdict: Verdict, request: object) -> Json:
    questions = field_of(request, "questions")
    asked = cast("list[object]", questions) if isinstance(questions, list) else [None]
    return {
        "model": str(field_of(request, "model")),
        "answers": [_decided(verdict, question) for question in asked],
        "usage": {
            "input_tokens": 9,
            "input_tokens_details": {"cache_write_tokens": 0, "cached_tokens": 0},
            "output_tokens": 1,
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": 10,
        },
    }


def _decided(verdict: Verdict, question: object) -> Json:
    words: tuple[Verdict, ...] = ("safe", "unsafe", "unclear")
    return {
        "type": "choice",
        "name": field_of(question, "name"),
        "choice": verdict,
        "confidence": 0.98,
        "probabilities": [
            {"value": word, "probability": 0.98 if word == verdict else 0.01} for word in words
        ],
    }


def _put_decisions(reply: Json, value: object) -> None:
    reply["answers"][0]["choice"] = value


def _refuse_decisions(reply: Json) -> None:
    reply["answers"] = [{"type": "refusal", "name": row["name"]} for row in reply["answers"]]


def _cut_decisions(reply: Json) -> None:
    del reply["answers"][0]["confidence"], reply["answers"][0]["probabilities"]


def _plain(verdict: Verdict, _request: object) -> Json:
    return {"answers": [{"verdict": verdict}]}


def _put_plain(reply: Json, value: object) -> None:
    reply["answers"][0]["verdict"] = value


def _cut_plain(reply: Json) -> None:
    del reply["answers"][0]["verdict"]


# For the tests of a verifier whose provider is none of the four: any path, one list, one verdict.
PLAIN: Final = Dialect("plain", "answers", _plain, _put_plain, _empty("answers"), _cut_plain)

# By the end of the path: the same for a provider's own host, a proxy in front, and both Azure APIs.
DIALECTS: Final[dict[str, Dialect]] = {
    "/moderations": Dialect(
        "moderations", "results", _moderation, _put_moderation, _empty("results"), _cut_moderation
    ),
    "/chat/completions": Dialect("chat", "choices", _chat, _put_chat, _refuse_chat, _cut_chat),
    "/messages": Dialect(
        "messages", "content", _messages, _put_messages, _refuse_messages, _cut_messages
    ),
    "/decisions": Dialect(
        "decisions", "answers", _decisions, _put_decisions, _refuse_decisions, _cut_decisions
    ),
    "/responses": RESPONSES,
}


def error_body(dialect: Dialect, status: int, quoted: str) -> Json:
    """An error as the provider words it; it quotes the request, as providers do."""
    message = f"status {status} for: {quoted}"
    if dialect.name == "messages":
        error = {"type": "invalid_request_error", "message": message}
        return {"type": "error", "error": error, "request_id": "req_1"}
    return {"error": {"message": message, "type": "error", "param": None, "code": None}}
