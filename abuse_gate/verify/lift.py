"""Every legal spelling of an adapter, lifted to one: a payload in, an Assessment out, awaited.

The spelling is told apart once, at construction. What comes back is checked at every call.
"""

import inspect
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Final, cast

from abuse_gate.contract import ConfigError, VerifierAdapter
from abuse_gate.model.verdict import Assessment, Usage, as_code, is_verdict
from abuse_gate.verify.local import LocalRuleAdapter
from abuse_gate.work.threads import Bulkhead

Asked = Callable[[Mapping[str, Any]], Awaitable[Assessment]]

# Beyond any window there is; and what a counter of a back end can hold.
_MOST_TOKENS: Final = 2**31 - 1


class ContractBroken(Exception):
    """An adapter returned something that is neither a verdict nor an Assessment."""


def lift(adapter: VerifierAdapter, name: str, bulkhead: Bulkhead) -> Asked:
    """One async callable for whichever spelling the adapter has chosen."""
    given: object = adapter
    assess = getattr(given, "assess", None)
    if inspect.isclass(given) or not callable(assess):
        raise ConfigError(
            f"adapter {name}: needs an instance with a method assess(payload); "
            "see the VerifierAdapter protocol"
        )
    if type(adapter) is LocalRuleAdapter:
        # One of the house: never blocks, and tells more than the bare word.
        return adapter.judge
    if _is_async(assess):
        return partial(_ask_async, cast("Callable[..., Awaitable[object]]", assess), name)
    return partial(_ask_sync, assess, name, bulkhead)


def families(adapter: VerifierAdapter, name: str) -> frozenset[str] | None:
    """The rule families that an adapter says it can judge; None is all of them."""
    judges: object = getattr(adapter, "judges", None)
    if judges is None:
        return None
    if isinstance(judges, set | frozenset | list | tuple):
        return frozenset(map(str, cast("Collection[object]", judges)))
    raise ConfigError(f"adapter {name}: judges is a set of rule families, or None for all of them")


def shown_model(adapter: object) -> str:
    """The model that an adapter says it asks, made fit for records; empty when it says none."""
    return _code(getattr(adapter, "model", None))


def identity(adapter: object) -> str:
    """Which model in which version an adapter asks, to the letter; for digests, not for records."""
    told = (getattr(adapter, name, None) for name in ("model", "version"))
    return "\0".join(str(each) if isinstance(each, str | int | float) else "" for each in told)


def _is_async(assess: Callable[..., object]) -> bool:
    return inspect.iscoroutinefunction(assess) or inspect.iscoroutinefunction(
        getattr(assess, "__call__", None)  # noqa: B004 - the method itself is wanted, not callability
    )


async def _ask_async(
    assess: Callable[[Mapping[str, Any]], Awaitable[object]], name: str, payload: Mapping[str, Any]
) -> Assessment:
    return checked(await assess(payload), name)


async def _ask_sync(
    assess: Callable[[Mapping[str, Any]], object],
    name: str,
    bulkhead: Bulkhead,
    payload: Mapping[str, Any],
) -> Assessment:
    answer = await bulkhead.call(lambda: assess(payload))
    # A plain function around an async one hands us the coroutine.
    return checked(await answer if inspect.isawaitable(answer) else answer, name)


def checked(answer: object, name: str) -> Assessment:
    """The answer as an Assessment; anything else breaks the contract."""
    if isinstance(answer, Assessment):
        return _sound(answer)
    if is_verdict(answer):
        return Assessment(answer, f"model_{answer}", source=name)
    if inspect.iscoroutine(answer):
        answer.close()
    raise ContractBroken


def _sound_usage(usage: object) -> Usage | None:
    """What an answer says that it cost: codes and whole numbers, whatever the adapter put there."""
    if not isinstance(usage, Usage):
        return None
    tokens = _count(usage.input_tokens), _count(usage.output_tokens)
    return Usage(_code(usage.provider), _code(usage.model), *tokens)


def _code(name: object) -> str:
    return as_code(name) if isinstance(name, str) and name else ""


def _count(tokens: object) -> int:
    return tokens if type(tokens) is int and 0 <= tokens <= _MOST_TOKENS else 0


def _sound(answer: Assessment) -> Assessment:
    """A plain copy: a subclass may have other fields, and even a frozen value can be bent."""
    try:
        if type(answer) is Assessment:
            return replace(answer, usage=_sound_usage(answer.usage))
        return Assessment(answer.verdict, answer.reason, answer.source, answer.hits)
    except (ValueError, TypeError):
        # Raised below: its message or its context may hold what was put there.
        pass
    raise ContractBroken
