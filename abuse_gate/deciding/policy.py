"""The table from what a request is to what we do about it.

Tests and docs iterate the same constants; nothing else in the house turns a verdict into an action.
"""

from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Final

from abuse_gate.model.decision import Action
from abuse_gate.model.extract import NOT_TEXT, UNREAD, Flag
from abuse_gate.model.verdict import SEVERITY, Verdict

STRICTNESS: Final[dict[Action, int]] = {"allow": 0, "clarify": 1, "block": 2}

# Unsafe outranks every policy, safe asks for none; unclear is the route's own choice.
FIXED: Final[dict[Verdict, Action]] = {"safe": "allow", "unsafe": "block"}

BLOCK_STATUS: Final = 403
CLARIFY_STATUS: Final = 422
BODY_LATE_STATUS: Final = 408
QUARANTINE_STATUS: Final = 429

# What a client is told when something was left unread, the first that applies.
UNREAD_STATUS: Final[dict[Flag, int]] = {
    "truncated": 413,
    "unsupported_encoding": 415,
    "encrypted": 422,
    "too_deep": 422,
    "scan_budget": 422,
    "document_unread": 422,
}


@dataclass(frozen=True, slots=True)
class Ruling:
    """What the policy says: the verdict with its floor, the action, the status when we answer."""

    verdict: Verdict
    action: Action
    status: int | None


_SAFE: Final = Ruling("safe", "allow", None)


def decide(
    verdict: Verdict,
    flags: AbstractSet[Flag],
    *,
    on_unclear: Action,
    on_unread: Action,
    locked: bool = False,
) -> Ruling:
    """Nothing is safe by silence: what is not text is unclear, what was unread asks `on_unread`.

    With a `locked` subject there is no benefit of the doubt: whatever is not safe is blocked.
    """
    if not flags and verdict == "safe":
        return _SAFE
    if locked:
        on_unclear = on_unread = "block"
    if flags & NOT_TEXT:
        verdict = _at_least_unclear(verdict)
    action = FIXED.get(verdict, on_unclear)
    status = BLOCK_STATUS if action == "block" else CLARIFY_STATUS
    if not flags & UNREAD:
        return Ruling(verdict, action, None if action == "allow" else status)
    if STRICTNESS[on_unread] > STRICTNESS[action]:
        action = on_unread
        status = BLOCK_STATUS if action == "block" else unread_status(flags)
    return Ruling(_at_least_unclear(verdict), action, None if action == "allow" else status)


# Reasons that ask for more than a lenient route gives: a supervisor wants the agent to go another
# way, or was demanded and is not there.
FLOORS: Final[dict[str, Action]] = {
    "supervisor_reorient": "clarify",
    "no_supervisor": "clarify",
}


def for_unclear(on_unclear: Action, reason: str) -> Action:
    """What happens to an unclear verdict that has this reason, on a route with this policy."""
    floor = FLOORS.get(reason, "allow")
    return floor if STRICTNESS[floor] > STRICTNESS[on_unclear] else on_unclear


def unread_status(flags: AbstractSet[Flag]) -> int:
    """The status that tells a client which part of its request could not be read."""
    return next(status for flag, status in UNREAD_STATUS.items() if flag in flags)


def _at_least_unclear(verdict: Verdict) -> Verdict:
    return "unclear" if SEVERITY[verdict] < SEVERITY["unclear"] else verdict
