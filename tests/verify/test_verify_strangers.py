"""Adapters that go their own way: by subclass, by attribute, by what they raise."""

import asyncio
from collections.abc import Mapping
from typing import Any, Final

import pytest

from abuse_gate.contract import ConfigError
from abuse_gate.model.hit import Hit
from abuse_gate.model.verdict import Assessment, Step, Verdict
from abuse_gate.testing import FakeClock, RecordingObserver, ScriptedAdapter
from abuse_gate.verify.guard import Guard, GuardLimits
from abuse_gate.verify.lift import checked
from abuse_gate.verify.local import LocalRuleAdapter
from tests.verify.asking import guard


class Stricter(LocalRuleAdapter):
    """A deployment's own flavour of the local rules."""

    def assess(self, payload: Mapping[str, Any]) -> Verdict:
        return "unsafe"


async def test_a_flavour_of_the_local_adapter_is_asked_for_its_own_answer() -> None:
    answer = await guard(Stricter()).assess({"prompt_text": "hello"})
    assert (answer.verdict, answer.reason, answer.source) == ("unsafe", "model_unsafe", "mine")


class OwnAssessment(Assessment):
    """A subclass whose constructor takes nothing, so that nobody can copy it."""

    def __init__(self) -> None:
        hits = (Hit("their.rule", "harm", 60, "caller"),)
        super().__init__("unsafe", "policy.fine", source="theirs", hits=hits)


class OwnAnswer:
    async def assess(self, payload: Mapping[str, Any]) -> Assessment:
        return OwnAssessment()


async def test_an_assessment_of_a_kind_of_its_own_is_made_a_plain_one() -> None:
    answer = await guard(OwnAnswer()).assess({})
    assert type(answer) is Assessment
    assert (answer.verdict, answer.reason, answer.source) == ("unsafe", "policy.fine", "theirs")
    assert [hit.rule for hit in answer.hits] == ["their.rule"]
    plain = Assessment("safe", "model_safe", trail=(Step("own", "safe", "model_safe"),))
    assert checked(plain, "mine") == plain


@pytest.mark.parametrize(
    ("field", "value"), [("verdict", "safe!"), ("reason", "My prompt"), ("source", 7)]
)
async def test_an_assessment_that_was_bent_breaks_the_contract_and_raises_nothing(
    field: str, value: object
) -> None:
    bent = Assessment("safe", "model_safe")
    object.__setattr__(bent, field, value)
    answer = await guard(ScriptedAdapter(bent)).assess({})
    assert (answer.verdict, answer.reason) == ("unclear", "contract_broken")


class Judging(ScriptedAdapter):
    """Says which families it judges, in whatever way."""

    def __init__(self, judges: Any) -> None:
        super().__init__("safe")
        self.judges = judges


FAMILIES: Final[list[tuple[Any, frozenset[str] | None]]] = [
    (None, None),
    (set[str](), frozenset()),
    ({"harm"}, frozenset({"harm"})),
    (["harm", "override"], frozenset({"harm", "override"})),
    (("harm",), frozenset({"harm"})),
    (frozenset({"harm"}), frozenset({"harm"})),
]


@pytest.mark.parametrize(("judges", "expected"), FAMILIES)
def test_the_families_of_an_adapter_are_a_set_or_all(
    judges: Any, expected: frozenset[str] | None
) -> None:
    assert guard(Judging(judges)).judges == expected


@pytest.mark.parametrize("judges", ["harm", 3, lambda: {"harm"}, {"harm": 1}])
def test_families_that_are_no_collection_are_said_at_construction(judges: Any) -> None:
    with pytest.raises(ConfigError, match="adapter mine: judges is a set"):
        guard(Judging(judges))


class Quoting:
    """Raises what no handler of exceptions catches, with the prompt in it."""

    def assess(self, payload: Mapping[str, Any]) -> Verdict:
        raise asyncio.CancelledError("saw " + payload["prompt_text"])


async def test_a_sync_adapter_that_raises_no_exception_has_failed_and_quotes_nothing(
    capfd: pytest.CaptureFixture[str],
) -> None:
    asking = guard(Quoting()).assess({"prompt_text": "canary"})
    answer = await asyncio.wait_for(asking, 10)
    assert (answer.verdict, answer.reason) == ("unclear", "provider_error")
    assert "canary" not in repr(answer) + capfd.readouterr().err


class Walkout(BaseException):
    """What is no Exception."""


class Leaving:
    async def assess(self, payload: Mapping[str, Any]) -> Verdict:
        raise Walkout("canary")


async def test_what_is_no_exception_is_a_failure_of_the_adapter_all_the_same() -> None:
    guard = Guard(Leaving(), "leaving", GuardLimits(), RecordingObserver())
    answer = await guard.assess({})
    assert (answer.verdict, answer.reason) == ("unclear", "provider_error")


@pytest.mark.parametrize(("word", "verdict"), [("safe", "unclear"), ("unsafe", "unsafe")])
async def test_an_answer_after_the_deadline_clears_nothing(word: Verdict, verdict: str) -> None:
    clock = FakeClock()

    class Holding:
        async def assess(self, payload: Mapping[str, Any]) -> Verdict:
            clock.advance(10)
            return word

    guard = Guard(Holding(), "holding", GuardLimits(), RecordingObserver(), clock)
    assert (await guard.assess({})).verdict == verdict
