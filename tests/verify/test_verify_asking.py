"""What a judge may say, and the thousands of things that it may not."""

import asyncio
from collections.abc import Mapping
from typing import Any, Final

import pytest

from abuse_gate.contract import ConfigError, ProviderBadReply, ProviderTimeout, Reply
from abuse_gate.model.payload import Payload, Question
from abuse_gate.model.verdict import Usage
from abuse_gate.verify.asking import MAX_CORRECTION, Ruling, asking, ruling, suspicion, usage_of
from abuse_gate.verify.supervisor import Supervisor
from abuse_gate.verify.triage import Triage
from abuse_gate.work.threads import Bulkhead
from tests.verify.malformed import malformed

MALFORMED: Final = malformed(5000, seed=6)
QUESTION: Final = Payload({"prompt_text": "x"}, ())


def question(kind: str = "triage") -> Question:
    return Question(QUESTION, {"kind": kind, "plain": False})


class Answering:
    """Gives its answers in turn, the last one for ever; keeps the questions."""

    def __init__(self, *answers: object) -> None:
        self._answers = list(answers)
        self.asked: list[Mapping[str, Any]] = []

    async def ask(self, payload: Mapping[str, Any]) -> Any:
        self.asked.append(payload)
        answer = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        if isinstance(answer, Exception):
            raise answer
        return answer


def test_five_thousand_odd_answers_clear_nothing_and_rule_nothing() -> None:
    assert len(set(MALFORMED)) == 5000
    assert [text for text in MALFORMED if suspicion(text) is not None] == []
    assert [text for text in MALFORMED if suspicion(Reply(text)) is not None] == []
    assert [text for text in MALFORMED if ruling(text) is not None] == []


async def test_no_pair_of_odd_answers_clears_an_action() -> None:
    """Asked once, and once more for the bare word: still ambiguous, so it escalates."""
    bulkhead = Bulkhead(4)
    for first, second in zip(MALFORMED[::5], MALFORMED[1::5], strict=True):
        judge = Answering(Reply(first), Reply(second))
        answer = await Triage(judge, "judge", bulkhead).assess(question())
        assert (answer.verdict, answer.reason) == ("unclear", "triage_ambiguous")
        assert [asked["question"]["plain"] for asked in judge.asked] == [False, True]
        ruled = await Supervisor(Answering(first), "judge", bulkhead).assess(question("supervisor"))
        assert (ruled.verdict, ruled.reason) == ("unclear", "bad_reply")


SAID: Final[list[tuple[object, bool | None]]] = [
    ('{"suspicious": true}', True),
    (' {"suspicious":false}\n', False),
    ("YES", True),
    ("NO\n", False),
    (True, True),
    (False, False),
    ({"suspicious": True}, True),
    ({"suspicious": False}, False),
    ({"suspicious": 0}, None),
    ({"suspicious": False, "x": 1}, None),
    (0, None),
    (None, None),
    (b"NO", None),
    ("x" * 300, None),
    ("[" * 100_000, None),
]


@pytest.mark.parametrize(("answer", "meaning"), SAID)
def test_a_triage_says_yes_or_no_or_nothing(answer: object, meaning: bool | None) -> None:
    assert suspicion(answer) is meaning


RULED: Final[list[tuple[object, Ruling | None]]] = [
    ('{"verdict": "CONTINUE", "correction": null}', Ruling("CONTINUE")),
    ('{"correction": "Go back.", "verdict": "REORIENT"}', Ruling("REORIENT", "Go back.")),
    ({"verdict": "PAUSE", "correction": None}, Ruling("PAUSE")),
    ({"verdict": "PAUSE"}, None),
    ({"verdict": "PAUSE", "correction": 3}, None),
    ({"verdict": ["PAUSE"], "correction": None}, None),
    ("PAUSE", None),
    (True, None),
]


@pytest.mark.parametrize(("answer", "expected"), RULED)
def test_a_supervisor_rules_by_the_schema_or_not_at_all(
    answer: object, expected: Ruling | None
) -> None:
    assert ruling(answer) == expected


def test_a_correction_is_short_and_holds_nothing_unseen() -> None:
    long = {"verdict": "REORIENT", "correction": "\u200ba\x00\u202eb\n" + "c" * 9000}
    found = ruling(long)
    assert found is not None
    assert found.correction is not None
    assert found.correction.startswith("ab\nccc")
    assert len(found.correction) == MAX_CORRECTION
    assert ruling({"verdict": "REORIENT", "correction": " \u200b "}) == Ruling("REORIENT")


USED = Usage("p", "small", 100, 5)


@pytest.mark.parametrize(
    ("answers", "verdict", "times"),
    [
        (('{"suspicious": false}',), "safe", 1),
        (('{"suspicious": true}',), "unsafe", 1),
        (("NOT SURE", "NO"), "safe", 2),
        (("NOT SURE", "YES"), "unsafe", 2),
        (("NOT SURE", "NOT SURE"), "unclear", 2),
        ((ProviderBadReply(), "NO"), "safe", 2),
        ((ProviderBadReply(), "hm"), "unclear", 2),
    ],
)
async def test_a_triage_is_asked_once_more_for_the_bare_word(
    answers: tuple[object, ...], verdict: str, times: int
) -> None:
    judge = Answering(*[Reply(a, USED) if isinstance(a, str) else a for a in answers])
    answer = await Triage(judge, "judge", Bulkhead(1)).assess(question())
    assert (answer.verdict, len(judge.asked), answer.source) == (verdict, times, "judge")
    heard = sum(isinstance(said, str) for said in answers)
    assert answer.usage == Usage("p", "small", 100 * heard, 5 * heard)


async def test_a_mapping_that_is_no_question_of_ours_is_asked_about_once() -> None:
    judge = Answering("hm")
    assert (await Triage(judge, "j", Bulkhead(1)).assess({"prompt_text": "x"})).verdict == "unclear"
    assert len(judge.asked) == 1
    ruled = Answering({"verdict": "REORIENT", "correction": "x"})
    answer = await Supervisor(ruled, "j", Bulkhead(1)).assess({"prompt_text": "x"})
    assert answer.reason == "supervisor_reorient"


@pytest.mark.parametrize("answers", [(ProviderTimeout(),), ("hm", ProviderTimeout())])
async def test_what_a_provider_raises_is_the_guards_to_map(answers: tuple[object, ...]) -> None:
    with pytest.raises(ProviderTimeout):
        await Triage(Answering(*answers), "judge", Bulkhead(1)).assess(question())


@pytest.mark.parametrize(
    ("ruled", "verdict", "reason", "correction"),
    [
        ("CONTINUE", "safe", "supervisor_continue", None),
        ("REORIENT", "unclear", "supervisor_reorient", "Ask first."),
        ("PAUSE", "unsafe", "supervisor_pause", None),
    ],
)
async def test_a_ruling_becomes_a_verdict_and_only_a_reorientation_brings_its_correction(
    ruled: str, verdict: str, reason: str, correction: str | None
) -> None:
    asked = question("supervisor")
    judge = Answering({"verdict": ruled, "correction": "Ask first."})
    answer = await Supervisor(judge, "judge", Bulkhead(1)).assess(asked)
    assert (answer.verdict, answer.reason, asked.correction) == (verdict, reason, correction)
    assert "Ask first" not in repr(answer) + repr(asked)


class Objects:
    def ask(self, payload: Mapping[str, Any]) -> bool:
        return True

    async def __call__(self, payload: Mapping[str, Any]) -> bool:
        return False


async def later(payload: Mapping[str, Any]) -> bool:
    await asyncio.sleep(0)
    return True


def wrapped(payload: Mapping[str, Any]) -> Any:
    return later(payload)


class Calling:
    async def __call__(self, payload: Mapping[str, Any]) -> bool:
        return True


SPELLINGS: Final[list[Any]] = [
    lambda payload: True,  # pyright: ignore[reportUnknownLambdaType]
    wrapped,
    later,
    Objects(),
    Calling(),
]


@pytest.mark.parametrize("judge", SPELLINGS)
async def test_every_spelling_of_a_judge_is_asked(judge: Any) -> None:
    assert await asking(judge, "judge", Bulkhead(1))({}) is True


@pytest.mark.parametrize("judge", [None, 3, "x", Objects])
def test_what_cannot_be_asked_is_a_configuration_error(judge: Any) -> None:
    with pytest.raises(ConfigError, match="triage: needs a function"):
        asking(judge, "triage", Bulkhead(1))


def test_the_cost_of_answers_without_a_price_is_unknown() -> None:
    assert usage_of(True, "NO", Reply("NO")) is None
    assert usage_of(Reply("x", USED), None) == USED
