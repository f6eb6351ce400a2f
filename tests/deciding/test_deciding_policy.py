"""The policy against a second, independently written reading of the same table."""

import itertools
from typing import Final, get_args

import pytest

from abuse_gate.deciding.policy import (
    BLOCK_STATUS,
    BODY_LATE_STATUS,
    CLARIFY_STATUS,
    FIXED,
    FLOORS,
    STRICTNESS,
    UNREAD_STATUS,
    Ruling,
    decide,
    for_unclear,
    unread_status,
)
from abuse_gate.model.decision import Action
from abuse_gate.model.extract import NOT_TEXT, UNREAD, Flag
from abuse_gate.model.verdict import Verdict

VERDICTS: Final[tuple[Verdict, ...]] = get_args(Verdict)
ACTIONS: Final[tuple[Action, ...]] = ("allow", "clarify", "block")
FLAGS: Final[tuple[Flag, ...]] = get_args(Flag)
FLAG_SETS: Final = [
    frozenset[Flag](chosen) for size in range(3) for chosen in itertools.combinations(FLAGS, size)
]
LAST_STATUS: Final[tuple[tuple[Flag, int], ...]] = (
    ("truncated", 413),
    ("unsupported_encoding", 415),
)


def oracle(verdict: Verdict, flags: frozenset[Flag], unclear: Action, unread: Action) -> Ruling:
    """The table in the words of the behaviour page: two demands, and the stricter one is met."""
    wordless = {"malformed", "opaque_media_noninterpretable", "type_mismatch", "context_token"}
    not_text = bool(flags & wordless)
    skipped = bool(flags - wordless)
    judged: Verdict = "unclear" if verdict == "safe" and not_text else verdict
    demands: dict[Verdict, Action] = {"safe": "allow", "unsafe": "block", "unclear": unclear}
    first = demands[judged]
    second: Action = unread if skipped else "allow"
    action: Action = first if ACTIONS.index(first) > ACTIONS.index(second) else second
    said: Verdict = "unclear" if verdict == "safe" and flags else verdict
    if action == "allow":
        return Ruling(said, action, None)
    if action == "block":
        return Ruling(said, action, 403)
    if first == "clarify":
        return Ruling(said, action, 422)
    return Ruling(
        said, action, next((status for flag, status in LAST_STATUS if flag in flags), 422)
    )


@pytest.mark.parametrize("on_unread", ACTIONS)
@pytest.mark.parametrize("on_unclear", ACTIONS)
@pytest.mark.parametrize("verdict", VERDICTS)
def test_every_row_of_the_table(verdict: Verdict, on_unclear: Action, on_unread: Action) -> None:
    for flags in FLAG_SETS:
        ruling = decide(verdict, flags, on_unclear=on_unclear, on_unread=on_unread)
        assert ruling == oracle(verdict, flags, on_unclear, on_unread), sorted(flags)


@pytest.mark.parametrize("on_unread", ACTIONS)
@pytest.mark.parametrize("on_unclear", ACTIONS)
@pytest.mark.parametrize("verdict", VERDICTS)
def test_one_more_flag_never_makes_the_action_laxer(
    verdict: Verdict, on_unclear: Action, on_unread: Action
) -> None:
    for flags, extra in itertools.product(FLAG_SETS, FLAGS):
        fewer = decide(verdict, flags, on_unclear=on_unclear, on_unread=on_unread)
        more = decide(
            verdict, flags | frozenset[Flag]({extra}), on_unclear=on_unclear, on_unread=on_unread
        )
        assert STRICTNESS[more.action] >= STRICTNESS[fewer.action]


def test_unsafe_blocks_under_every_policy_and_every_flag() -> None:
    for flags, unclear, unread in itertools.product(FLAG_SETS, ACTIONS, ACTIONS):
        ruling = decide("unsafe", flags, on_unclear=unclear, on_unread=unread)
        assert ruling == Ruling("unsafe", "block", 403)


def test_nothing_flagged_is_ever_called_safe() -> None:
    for verdict, flags in itertools.product(VERDICTS, FLAG_SETS[1:]):
        ruling = decide(verdict, flags, on_unclear="allow", on_unread="allow")
        assert ruling.verdict != "safe"


def test_safe_and_unflagged_is_allowed_under_every_policy() -> None:
    for unclear, unread in itertools.product(ACTIONS, ACTIONS):
        ruling = decide("safe", frozenset(), on_unclear=unclear, on_unread=unread)
        assert ruling == Ruling("safe", "allow", None)


def test_every_flag_is_of_exactly_one_kind() -> None:
    assert set(FLAGS) == NOT_TEXT | UNREAD
    assert not NOT_TEXT & UNREAD


def test_the_tables_cover_their_types() -> None:
    assert set(STRICTNESS) == set(get_args(Action))
    assert set(UNREAD_STATUS) == UNREAD
    assert {"unclear"} == set(VERDICTS) - set(FIXED)
    assert (BLOCK_STATUS, CLARIFY_STATUS, BODY_LATE_STATUS) == (403, 422, 408)


UNREAD_CASES: Final[list[tuple[frozenset[Flag], int]]] = [
    (frozenset({"truncated"}), 413),
    (frozenset({"unsupported_encoding"}), 415),
    (frozenset({"encrypted"}), 422),
    (frozenset({"too_deep"}), 422),
    (frozenset({"scan_budget"}), 422),
    (frozenset({"scan_budget", "truncated"}), 413),
    (frozenset({"too_deep", "unsupported_encoding", "malformed"}), 415),
]


@pytest.mark.parametrize(("flags", "status"), UNREAD_CASES)
def test_a_client_is_told_the_first_part_that_could_not_be_read(
    flags: frozenset[Flag], status: int
) -> None:
    assert unread_status(flags) == status


@pytest.mark.parametrize("on_unclear", get_args(Action))
@pytest.mark.parametrize("reason", [*FLOORS, "model_unclear", "timeout"])
def test_a_reason_may_ask_for_more_than_a_lenient_route_gives(
    reason: str, on_unclear: Action
) -> None:
    lenient = reason in FLOORS and on_unclear == "allow"
    assert for_unclear(on_unclear, reason) == ("clarify" if lenient else on_unclear)
