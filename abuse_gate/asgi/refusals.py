"""What a refused client reads, in its own dialect. Never a word of what it sent, nor what matched.

The bodies are shaped so that real SDK clients raise their own typed error and do not retry.
"""

import json
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from abuse_gate.deciding.policy import BLOCK_STATUS
from abuse_gate.model.decision import Decision
from abuse_gate.model.extract import Dialect, Extract, Flag, RpcId
from abuse_gate.model.verdict import Assessment
from abuse_gate.work.incidents import INCIDENT_IDS

# What the person in front of the client can do about it, by status.
ADVICE: Final[dict[int, str]] = {
    403: "This request was blocked by the safety policy.",
    408: "The request body did not arrive in time. Send it again over a faster connection.",
    413: "The request is too large to be checked. Shorten it, or split it into several requests.",
    415: "The request's encoding cannot be checked. Send it as plain UTF-8, without compression.",
    429: "Requests from you are refused for now, after repeated attempts against the safety "
    "policy. Try again later, or write to the operator and give the incident id.",
    422: "The request could not be cleared. Say in plain words what you want, without embedded "
    "instructions, encoded text or nested data, and send it again.",
    503: "The guardrail of this service is not configured. Please tell its operator.",
}

# The same where a part of the request was left unread and the client is asked for another one.
UNREAD_ADVICE: Final[dict[Flag, str]] = {
    "truncated": ADVICE[413],
    "unsupported_encoding": ADVICE[415],
    "encrypted": "A part of the request could not be checked: it is locked with a password. Remove "
    "the password, and send it again.",
    "too_deep": "A part of the request could not be checked: it is nested too deeply. Send the "
    "files or the data inside it directly.",
    "scan_budget": "A part of the request could not be checked: there is too much text in it. "
    "Shorten it, or split it into several requests.",
    "document_unread": "A file of the request could not be checked in time. Send it again; if that "
    "does not help, send a smaller one, or its text.",
}

TITLES: Final[dict[int, str]] = {
    403: "Blocked by policy",
    408: "Request body timeout",
    413: "Request too large to check",
    415: "Encoding cannot be checked",
    422: "Please clarify",
    429: "Refused for now",
    503: "Guardrail not configured",
}

OPENAI_TYPES: Final[dict[int, str]] = {
    403: "permission_error",
    429: "rate_limit_error",
    503: "server_error",
}
ANTHROPIC_TYPES: Final[dict[int, str]] = {
    403: "permission_error",
    413: "request_too_large",
    429: "rate_limit_error",
    503: "api_error",
}

# JSON-RPC leaves -32000 to -32099 to servers.
RPC_REFUSED: Final = -32003
MOST_ANSWERS: Final = 100


@dataclass(frozen=True, slots=True)
class Refusal:
    """All that an app may know when it writes a refusal of its own."""

    decision: Decision
    status: int
    detail: str
    dialect: Dialect
    # The client's own words, so no repr shows them.
    rpc_ids: tuple[RpcId, ...] = field(default=(), repr=False)
    rpc_batch: bool = False
    # Seconds until it is worth to try again, where time alone can help.
    retry_after: int | None = None

    @property
    def code(self) -> str:
        """A stable word for programs."""
        return f"guardrail_{self.decision.decision}"


def refusal_of(decision: Decision, extract: Extract, seconds: float | None = None) -> Refusal:
    """The refusal for a decision, worded by its status or what was unread; monitor has none."""
    status = decision.status or BLOCK_STATUS
    return Refusal(
        decision,
        status,
        _advice(decision, status),
        extract.dialect,
        extract.rpc_ids,
        extract.rpc_batch,
        None if seconds is None else math.ceil(seconds),
    )


def _advice(decision: Decision, status: int) -> str:
    """What the person can do: about what was left unread, unless rules found something as well."""
    if decision.decision != "clarify" or decision.assessment.hits:
        return ADVICE[status]
    unread = (advice for flag, advice in UNREAD_ADVICE.items() if flag in decision.flags)
    return next(unread, ADVICE[status])


def unconfigured(dialect: Dialect) -> Refusal:
    """What everybody is told while a setting is wrong: nothing but that the operator must act."""
    nobody_asked = Assessment("unclear", "misconfigured")
    decision = Decision("block", 503, "normal", INCIDENT_IDS.draw(), nobody_asked)
    return refusal_of(decision, Extract(dialect=dialect))


def render(refusal: Refusal) -> tuple[bytes, bytes]:
    """Content type and body."""
    content_type, shape = SHAPES[refusal.dialect]
    return content_type, json.dumps(shape(refusal), separators=(",", ":")).encode()


def _index(refusal: Refusal) -> dict[str, int]:
    """Which message to drop, where one alone is to blame: a number, none of its words."""
    turn = refusal.decision.assessment.turn
    return {} if turn is None else {"message_index": turn}


def _openai(refusal: Refusal) -> Any:
    return {
        "error": {
            "message": refusal.detail,
            "type": OPENAI_TYPES.get(refusal.status, "invalid_request_error"),
            "param": None,
            "code": refusal.code,
            "incident_id": refusal.decision.incident_id,
            **_index(refusal),
        }
    }


def _anthropic(refusal: Refusal) -> Any:
    kind = ANTHROPIC_TYPES.get(refusal.status, "invalid_request_error")
    return {
        "type": "error",
        "error": {"type": kind, "message": refusal.detail, **_index(refusal)},
        "request_id": refusal.decision.incident_id,
    }


def _jsonrpc(refusal: Refusal) -> Any:
    told = {"decision": refusal.code, "incident_id": refusal.decision.incident_id}
    error = {"code": RPC_REFUSED, "message": refusal.detail, "data": {**told, **_index(refusal)}}
    # A refusal must not be longer than what it refuses: a large batch gets one answer.
    ids = refusal.rpc_ids if len(refusal.rpc_ids) <= MOST_ANSWERS else ()
    answers = [{"jsonrpc": "2.0", "id": rpc_id, "error": error} for rpc_id in ids]
    if refusal.rpc_batch and answers:
        return answers
    return answers[0] if answers else {"jsonrpc": "2.0", "id": None, "error": error}


def _problem(refusal: Refusal) -> Any:
    return {
        "type": "about:blank",
        "title": TITLES[refusal.status],
        "status": refusal.status,
        "detail": refusal.detail,
        "code": refusal.code,
        "incident_id": refusal.decision.incident_id,
        **_index(refusal),
    }


SHAPES: Final[dict[Dialect, tuple[bytes, Callable[[Refusal], Any]]]] = {
    "openai": (b"application/json", _openai),
    "anthropic": (b"application/json", _anthropic),
    "jsonrpc": (b"application/json", _jsonrpc),
    "problem": (b"application/problem+json", _problem),
}
