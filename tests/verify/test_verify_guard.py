"""The guard: whatever an adapter raises or returns, the caller gets an Assessment."""

from collections.abc import Mapping
from typing import Any, Final

import pytest

from abuse_gate import contract
from abuse_gate.contract import ProviderError, ProviderRateLimited, ProviderUnavailable
from abuse_gate.model.events import BreakerMoved, Event, Verified
from abuse_gate.model.verdict import Assessment, Verdict
from abuse_gate.testing import FakeClock, RecordingObserver, ScriptedAdapter
from abuse_gate.verify.failures import FAILURES, UNKNOWN, detail_of, failure_of
from abuse_gate.verify.guard import GuardLimits
from tests.verify.asking import PATIENT, FailingThenFine, guard

ERRORS: Final = [kind() for kind, _ in FAILURES] + [
    ValueError("canary"),
    KeyError("canary"),
    ProviderError(),
    StopAsyncIteration(),
    RecursionError(),
]


@pytest.mark.parametrize("verdict", ["safe", "unsafe", "unclear"])
async def test_an_answer_passes_through(verdict: Verdict) -> None:
    observer = RecordingObserver()
    answer = await guard(ScriptedAdapter(verdict), observer=observer).assess({})
    assert (answer.verdict, answer.reason, answer.source) == (verdict, f"model_{verdict}", "mine")
    assert observer.events == [Verified("mine", answer.verdict, answer.reason, 0.0, 1)]


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
async def test_every_exception_becomes_the_reason_of_its_row(error: Exception) -> None:
    adapter, observer = FailingThenFine(error), RecordingObserver()
    answer = await guard(adapter, observer=observer).assess({})
    failure = failure_of(error)
    tries = 2 if failure.retry else 1
    assert (answer.verdict, answer.reason) == ("unclear", failure.reason)
    assert adapter.calls == tries
    assert observer.of(Verified) == [Verified("mine", "unclear", failure.reason, 0.0, tries)]
    assert observer.of(Verified)[0].detail == detail_of(error)
    assert "canary" not in repr(answer)


@pytest.mark.parametrize("retries", [0, 1, 3])
async def test_asked_again_as_often_as_the_limit_says(retries: int) -> None:
    adapter = FailingThenFine(ProviderUnavailable())
    await guard(adapter, GuardLimits(30.0, max_retries=retries)).assess({})
    assert adapter.calls == retries + 1


async def test_the_second_attempt_may_succeed() -> None:
    observer = RecordingObserver()
    adapter = ScriptedAdapter([contract.ProviderConnection(), "unsafe"])
    answer = await guard(adapter, observer=observer).assess({"prompt_text": "x"})
    assert (answer.verdict, answer.reason) == ("unsafe", "model_unsafe")
    assert [event.attempts for event in observer.of(Verified)] == [2]
    assert adapter.payloads == [{"prompt_text": "x"}] * 2


@pytest.mark.parametrize("junk", [None, "SAFE", 1, ["safe"]], ids=repr)
async def test_junk_is_a_broken_contract(junk: Any) -> None:
    answer = await guard(ScriptedAdapter(iter([junk]))).assess({})
    assert (answer.verdict, answer.reason) == ("unclear", "contract_broken")


async def test_an_assessment_keeps_its_words_and_gets_the_guards_time() -> None:
    clock = FakeClock()

    class Slow:
        async def assess(self, payload: Mapping[str, Any]) -> Assessment:
            clock.advance(0.25)
            return Assessment("unsafe", "policy.violence", source="theirs", elapsed_ms=1.0)

    answer = await guard(Slow(), clock=clock).assess({})
    assert (answer.reason, answer.source) == ("policy.violence", "theirs")
    assert answer.elapsed_ms == pytest.approx(250)


class Spender:
    """Uses up the budget, then fails in a way that would be tried again."""

    def __init__(self, clock: FakeClock, seconds: float) -> None:
        self.clock, self.seconds, self.calls = clock, seconds, 0

    async def assess(self, payload: Mapping[str, Any]) -> str:
        self.calls += 1
        self.clock.advance(self.seconds)
        raise ProviderUnavailable


@pytest.mark.parametrize(("spent", "calls"), [(0.5, 2), (1.49, 2), (1.4996, 1), (1.5, 1), (9.0, 1)])
async def test_no_attempt_that_the_budget_cannot_pay_for(spent: float, calls: int) -> None:
    clock = FakeClock()
    adapter = Spender(clock, spent)
    answer = await guard(adapter, GuardLimits(1.5), clock=clock).assess({})
    assert (answer.reason, adapter.calls) == ("provider_error", calls)


async def test_a_budget_that_buys_nothing_is_said_and_proves_nothing() -> None:
    adapter, observer = FailingThenFine(None), RecordingObserver()
    poor = guard(adapter, GuardLimits(0.0004), observer)
    answers = [await poor.assess({}) for _ in range(9)]
    assert {answer.reason for answer in answers} == {"budget_spent"}
    assert adapter.calls == 0
    assert observer.of(BreakerMoved) == []


async def test_a_short_budget_still_buys_an_answer() -> None:
    answer = await guard(ScriptedAdapter("unsafe"), GuardLimits(0.019)).assess({})
    assert (answer.verdict, answer.reason) == ("unsafe", "model_unsafe")


@pytest.mark.parametrize(
    "error", [kind() for kind, failure in FAILURES if failure.outcome == "failure"]
)
async def test_five_failures_open_the_circuit_and_nobody_is_asked(error: Exception) -> None:
    adapter, observer = FailingThenFine(error), RecordingObserver()
    guarded = guard(adapter, GuardLimits(30.0, max_retries=0), observer)
    reasons = [(await guarded.assess({})).reason for _ in range(7)]
    assert reasons == [failure_of(error).reason] * 5 + ["breaker_open"] * 2
    assert adapter.calls == 5
    assert observer.of(BreakerMoved) == [BreakerMoved("mine", "closed", "open")]
    assert [event.attempts for event in observer.of(Verified)] == [1] * 5 + [0] * 2


@pytest.mark.parametrize(
    "error",
    [kind() for kind, failure in FAILURES if failure.outcome != "failure"],
    ids=lambda error: type(error).__name__,
)
async def test_what_is_no_failure_never_opens_the_circuit(error: Exception) -> None:
    clock, observer = FakeClock(), RecordingObserver()
    guarded = guard(FailingThenFine(error), PATIENT, observer, clock)
    for _ in range(12):
        answer = await guarded.assess({})
        assert answer.reason == failure_of(error).reason
        clock.advance(61)
    assert observer.of(BreakerMoved) == []


async def test_an_honest_unclear_is_a_success() -> None:
    failing: list[Verdict | Exception] = [ValueError()] * 4
    guarded = guard(ScriptedAdapter([*failing, "unclear", *failing, "safe"]))
    reasons = [(await guarded.assess({})).reason for _ in range(10)]
    assert reasons == [UNKNOWN.reason] * 4 + ["model_unclear"] + [UNKNOWN.reason] * 4 + [
        "model_safe"
    ]


async def test_a_probe_after_the_open_time_closes_or_opens_again() -> None:
    clock, observer, adapter = FakeClock(), RecordingObserver(), FailingThenFine(ValueError())
    guarded = guard(adapter, PATIENT, observer, clock)
    for _ in range(5):
        await guarded.assess({})
    clock.advance(59.9)
    assert (await guarded.assess({})).reason == "breaker_open"
    clock.advance(0.2)
    assert (await guarded.assess({})).reason == "provider_error"
    assert (await guarded.assess({})).reason == "breaker_open"
    clock.advance(60.1)
    adapter.error = None
    assert (await guarded.assess({})).reason == "model_safe"
    moves = [(event.before, event.after) for event in observer.of(BreakerMoved)]
    opened = [("closed", "open"), ("open", "probing"), ("probing", "open")]
    assert moves == [*opened, ("open", "probing"), ("probing", "closed")]


THROTTLES: Final = [(None, 1.0), (5.0, 5.0), (600.0, 60.0), (float("nan"), 1.0)]


@pytest.mark.parametrize(("asked", "seconds"), THROTTLES)
async def test_after_a_429_the_provider_is_left_alone(asked: float | None, seconds: float) -> None:
    clock, adapter = FakeClock(), FailingThenFine(ProviderRateLimited(asked))
    guarded = guard(adapter, clock=clock)
    assert (await guarded.assess({})).reason == "rate_limited"
    clock.advance(seconds - 0.01)
    assert (await guarded.assess({})).reason == "rate_limited"
    assert adapter.calls == 1
    adapter.error = None
    clock.advance(0.02)
    assert (await guarded.assess({})).reason == "model_safe"


async def test_a_429_that_asks_for_nothing_throttles_nobody() -> None:
    guarded = guard(ScriptedAdapter([ProviderRateLimited(0.0), "safe"]))
    assert [(await guarded.assess({})).verdict for _ in range(2)] == ["unclear", "safe"]


class Loud:
    """An observer that always fails."""

    def record(self, event: Event, /) -> None:
        raise RuntimeError("canary")


async def test_a_failing_observer_does_not_reach_the_caller() -> None:
    failing = guard(FailingThenFine(ValueError()), observer=Loud())
    assert {(await failing.assess({})).verdict for _ in range(7)} == {"unclear"}
    assert (await guard(ScriptedAdapter("safe"), observer=Loud()).assess({})).verdict == "safe"


@pytest.mark.parametrize("wish", ["30", b"1", ["30"]], ids=repr)
async def test_a_wish_that_is_no_number_is_no_wish(wish: Any) -> None:
    answer = await guard(FailingThenFine(ProviderRateLimited(wish))).assess({})
    assert (answer.verdict, answer.reason) == ("unclear", "rate_limited")


class Wishless(ProviderRateLimited):
    """A third party's subclass that never calls its parent's constructor."""

    def __init__(self) -> None:
        Exception.__init__(self)


async def test_a_rate_limit_without_its_field_is_still_one() -> None:
    answer = await guard(FailingThenFine(Wishless())).assess({})
    assert (answer.verdict, answer.reason) == ("unclear", "rate_limited")


class BareJudge:
    """Has a coroutine method called `judge` that answers with a bare word, as a client might."""

    async def judge(self, payload: Mapping[str, Any]) -> Verdict:
        return "safe"

    async def assess(self, payload: Mapping[str, Any]) -> Verdict:
        return "unsafe"


async def test_whatever_a_method_called_judge_returns_is_checked_too() -> None:
    answer = await guard(BareJudge()).assess({})
    assert answer.verdict != "safe"
