"""Every legal spelling of an adapter is told apart at construction; every answer is checked."""

import enum
import functools
import gc
import inspect
import threading
import warnings
from collections.abc import Callable, Mapping
from typing import Any, Final, cast

import pytest

from abuse_gate.contract import ConfigError, VerifierAdapter
from abuse_gate.model.verdict import Assessment, Verdict
from abuse_gate.verify.lift import ContractBroken, checked, lift
from abuse_gate.verify.local import LocalRuleAdapter
from abuse_gate.work.threads import Bulkhead

RICH: Final = Assessment("unclear", "model_unsure", source="mine")


class SyncAdapter:
    def assess(self, payload: Mapping[str, Any]) -> Verdict:
        return "unsafe" if threading.current_thread() is threading.main_thread() else "safe"


class AsyncAdapter:
    async def assess(self, payload: Mapping[str, Any]) -> Verdict:
        return "safe" if threading.current_thread() is threading.main_thread() else "unsafe"


class RichAnswer:
    async def assess(self, payload: Mapping[str, Any]) -> Assessment:
        return RICH


class SyncRichAnswer:
    def assess(self, payload: Mapping[str, Any]) -> Assessment:
        return RICH


class AsyncCallable:
    async def __call__(self, payload: Mapping[str, Any]) -> Verdict:
        return "safe"


class SyncCallable:
    def __call__(self, payload: Mapping[str, Any]) -> Verdict:
        return "safe"


def traced(function: Callable[..., Any]) -> Callable[..., Any]:
    """A decorator as people write them: it keeps the name and hides the coroutine function."""

    @functools.wraps(function)
    def wrapper(*arguments: Any) -> Any:
        return function(*arguments)

    return wrapper


class Decorated:
    @traced
    async def assess(self, payload: Mapping[str, Any]) -> Verdict:
        return "safe"


class DecoratedSync:
    @traced
    def assess(self, payload: Mapping[str, Any]) -> Verdict:
        return "safe"


class Static:
    @staticmethod
    async def assess(payload: Mapping[str, Any]) -> Verdict:
        return "safe"


async def _weighing(weight: int, payload: Mapping[str, Any]) -> Verdict:
    return "safe" if weight == 3 else "unsafe"


def _sync_weighing(weight: int, payload: Mapping[str, Any]) -> Verdict:
    return "safe" if weight == 3 else "unsafe"


def answering(answer: object) -> Callable[[Mapping[str, Any]], object]:
    """A plain function that always answers the same."""

    def assess(_payload: Mapping[str, Any]) -> object:
        return answer

    return assess


class Holder:
    """An object whose `assess` is whatever was put there."""

    def __init__(self, assess: object) -> None:
        self.assess = assess


def lifted(adapter: object) -> Callable[[Mapping[str, Any]], Any]:
    return lift(cast("VerifierAdapter", adapter), "mine", Bulkhead(4))


LEGAL: Final[list[tuple[object, Assessment]]] = [
    (SyncAdapter(), Assessment("safe", "model_safe", source="mine")),
    (AsyncAdapter(), Assessment("safe", "model_safe", source="mine")),
    (RichAnswer(), RICH),
    (SyncRichAnswer(), RICH),
    (Holder(AsyncCallable()), Assessment("safe", "model_safe", source="mine")),
    (Holder(SyncCallable()), Assessment("safe", "model_safe", source="mine")),
    (Holder(functools.partial(_weighing, 3)), Assessment("safe", "model_safe", source="mine")),
    (Holder(functools.partial(_sync_weighing, 3)), Assessment("safe", "model_safe", source="mine")),
    (Holder(answering("unsafe")), Assessment("unsafe", "model_unsafe", source="mine")),
    (Decorated(), Assessment("safe", "model_safe", source="mine")),
    (DecoratedSync(), Assessment("safe", "model_safe", source="mine")),
    (Static(), Assessment("safe", "model_safe", source="mine")),
]


@pytest.mark.parametrize(("adapter", "expected"), LEGAL)
async def test_every_legal_spelling_gives_an_assessment(
    adapter: object, expected: Assessment
) -> None:
    assert await lifted(adapter)({}) == expected


class NoMethod:
    pass


ILLEGAL: Final[list[object]] = [
    NoMethod(),
    Holder("assess"),
    Holder(None),
    None,
    "safe",
    SyncAdapter,
    AsyncAdapter,
    Static,
    answering("safe"),
]


@pytest.mark.parametrize("adapter", ILLEGAL)
def test_anything_else_is_a_configuration_error_that_names_the_cure(adapter: object) -> None:
    with pytest.raises(ConfigError, match=r"adapter mine: needs an instance .*assess\(payload\)"):
        lifted(adapter)


class Word(str):
    """Something that only looks like one of the three words."""

    __slots__ = ()


class Member(str, enum.Enum):  # noqa: UP042 - the older spelling formats itself differently
    SAFE = "safe"


class StrMember(enum.StrEnum):
    SAFE = "safe"


JUNK: Final[list[object]] = [
    None,
    "SAFE",
    "safe ",
    "",
    b"safe",
    1,
    True,
    ["safe"],
    {"verdict": "safe"},
    object(),
    ValueError("safe"),
    Assessment,
]


@pytest.mark.parametrize("junk", JUNK, ids=lambda junk: type(junk).__name__)
async def test_junk_breaks_the_contract_from_both_kinds_of_adapter(junk: object) -> None:
    async def later(_payload: Mapping[str, Any]) -> object:
        return junk

    for assess in (later, answering(junk)):
        with pytest.raises(ContractBroken):
            await lifted(Holder(assess))({})


@pytest.mark.parametrize("word", [Word("safe"), Member.SAFE, StrMember.SAFE], ids=repr)
async def test_a_subclass_of_str_is_not_one_of_the_three_words(word: str) -> None:
    with pytest.raises(ContractBroken):
        checked(word, "mine")


async def test_a_coroutine_as_an_awaited_answer_is_junk_and_is_closed() -> None:
    async def inner() -> str:
        return "safe"

    made = inner()

    async def outer(_payload: Mapping[str, Any]) -> Any:
        return made

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        with pytest.raises(ContractBroken):
            await lifted(Holder(outer))({})
        gc.collect()
    assert [str(warning.message) for warning in caught] == []
    assert inspect.getcoroutinestate(made) == inspect.CORO_CLOSED


async def test_a_sync_wrapper_around_a_coroutine_function_is_a_sync_adapter() -> None:
    """`functools.wraps` leaves a trace of the inner function, but what is called is the wrapper."""

    @functools.wraps(_weighing)
    def blocking(_payload: Mapping[str, Any]) -> Verdict:
        return "unsafe" if threading.current_thread() is threading.main_thread() else "safe"

    assert (await lifted(Holder(blocking))({})).verdict == "safe"


class OwnsAJudge:
    """A third party's adapter that happens to keep something under the name `judge`."""

    def __init__(self, judge: object) -> None:
        self.judge = judge

    async def assess(self, payload: Mapping[str, Any]) -> Verdict:
        return "unsafe"


@pytest.mark.parametrize("judge", ["gpt-judge", None, 3], ids=repr)
async def test_assess_is_the_contract_whatever_else_an_adapter_has(judge: object) -> None:
    assert (await lifted(OwnsAJudge(judge))({})).verdict == "unsafe"


async def test_the_adapter_of_the_house_tells_more_than_the_bare_word() -> None:
    answer = await lifted(LocalRuleAdapter())({"prompt_text": "hello"})
    assert (answer.verdict, answer.reason, answer.source) == ("safe", "rules_clean", "local")
