"""A decorator for tool functions: each call is checked before it runs, sync or async alike."""

import functools
import inspect
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any, Final, ParamSpec, TypeVar, cast

from abuse_gate.agents import ActionResult, ActionStopped, Gate
from abuse_gate.model.context import Context
from abuse_gate.model.extract import Trust
from abuse_gate.returns import Reader

Params = ParamSpec("Params")
Returned = TypeVar("Returned")

ContextSource = Context | Callable[[], Context]
GoalSource = str | Callable[[], str]
OnStop = Callable[[ActionResult], Any]

# The first parameter of a method is whose method it is, and no argument.
OWNERS: Final = frozenset({"self", "cls"})
# Defaults are the developer's; of these the text may matter, others are parts of the app.
TOLD_DEFAULTS: Final = frozenset[type]({str, bytes, list, tuple, set, dict})
# Levels to which arguments are copied; what lies deeper is flagged as too deep by the reader.
MOST_LEVELS: Final = 100
COPIED: Final = frozenset[type]({dict, list, tuple, set, bytearray})


@dataclass(frozen=True, slots=True)
class _Call:
    """One call as it was checked: nobody can change its arguments any more."""

    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    question: dict[str, Any]


@dataclass(frozen=True, slots=True)
class _Guarding:
    """How the calls of one tool are checked, and what becomes of their results."""

    gate: Gate
    tool: str
    signature: inspect.Signature
    owner: str | None
    context: ContextSource
    goal: GoalSource
    on_stop: OnStop | None
    supervised: bool
    reader: Reader

    def call(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> _Call:
        """One call, and what the gate is asked about it."""
        own_args: tuple[Any, ...] = snapshot(args)
        own_kwargs: dict[str, Any] = snapshot(dict(kwargs))
        bound = self.signature.bind(*own_args, **own_kwargs)
        given = set(bound.arguments)
        bound.apply_defaults()
        arguments: dict[str, Any] = {
            name: value
            for name, value in bound.arguments.items()
            if name != self.owner and (name in given or type(value) in TOLD_DEFAULTS)
        }
        question: dict[str, Any] = {
            "tool": self.tool,
            "arguments": arguments,
            "context": self.context() if callable(self.context) else self.context,
            "goal": self.goal() if callable(self.goal) else self.goal,
            "supervised": self.supervised,
        }
        return _Call(own_args, own_kwargs, question)

    def stopped(self, result: ActionResult) -> Any:
        """What the caller of a tool gets that was not run."""
        if self.on_stop is None:
            raise ActionStopped(result)
        return self.on_stop(result)

    async def stopped_async(self, result: ActionResult) -> Any:
        """The same where an answer may have to be awaited."""
        answer = self.stopped(result)
        return await answer if inspect.isawaitable(answer) else answer


def guarded_tool(
    gate: Gate,
    *,
    context: ContextSource,
    goal: GoalSource = "",
    name: str | None = None,
    on_stop: OnStop | None = None,
    result_trust: Trust | None = "untrusted",
    supervised: bool = False,
) -> Callable[[Callable[Params, Returned]], Callable[Params, Returned]]:
    """Lets a function run only where the gate says CONTINUE; otherwise raises ActionStopped.

    `context` and `goal` may be functions, so that each conversation has its own. Every text that
    the tool returns, yields or raises becomes part of the context, untrusted unless said
    otherwise. `on_stop` makes an answer for the agent out of the result instead of an exception.
    The tool runs with a copy of the lists and dicts among its arguments: the one that was checked.
    """

    def held() -> Context:
        return context() if callable(context) else context

    def decorate(function: Callable[Params, Returned]) -> Callable[Params, Returned]:
        guarding = _Guarding(
            gate,
            name or str(getattr(function, "__name__", "tool")),
            inspect.signature(function),
            owner_of(function),
            context,
            goal,
            on_stop,
            supervised,
            Reader(held, result_trust, ActionStopped),
        )
        if inspect.isasyncgenfunction(function):
            return cast("Callable[Params, Returned]", _stream(function, guarding))
        if inspect.iscoroutinefunction(function):
            return cast("Callable[Params, Returned]", _async(function, guarding))
        if inspect.iscoroutinefunction(on_stop):
            raise TypeError(
                f"guarded_tool: {guarding.tool} is a plain function and cannot await its on_stop; "
                "make on_stop a plain function, or the tool an async one"
            )
        return _sync(function, guarding)

    return decorate


def owner_of(function: Callable[..., Any]) -> str | None:
    """The parameter that holds the object of a method; None for any other function."""
    home = str(getattr(function, "__qualname__", "")).rpartition(".")[0]
    if not home or home.endswith("<locals>"):
        return None
    first = next(iter(inspect.signature(function).parameters), "")
    return first if first in OWNERS else None


def snapshot(value: Any) -> Any:
    """A copy of what JSON has containers for; everything else is the same object."""
    return _copied(value, {}, MOST_LEVELS)


def _copied(value: object, known: dict[int, Any], levels: int) -> Any:
    """One value; what holds itself, or is held twice, is copied once."""
    kind, held = type(value), cast("Any", value)
    if levels <= 0 or kind not in COPIED:
        return value
    if kind is tuple:
        return tuple(_copied(inner, known, levels - 1) for inner in held)
    if id(value) in known:
        return known[id(value)]
    copy: Any = kind()
    known[id(value)] = copy
    if kind is dict:
        copy.update({key: _copied(inner, known, levels - 1) for key, inner in held.items()})
    elif kind is list:
        copy.extend(_copied(inner, known, levels - 1) for inner in held)
    else:
        # Of bytes and of what can be hashed there is nothing to copy inside.
        (copy.update if kind is set else copy.extend)(held)
    return copy


def _async(function: Callable[..., Awaitable[Any]], guarding: _Guarding) -> Callable[..., Any]:
    @functools.wraps(function)
    async def guarded(*args: Any, **kwargs: Any) -> Any:
        call = guarding.call(args, kwargs)
        result = await guarding.gate.check_action(**call.question)
        if result.outcome != "CONTINUE":
            return await guarding.stopped_async(result)
        with guarding.reader.watched():
            returned = await function(*call.args, **call.kwargs)
        return guarding.reader.read(returned)

    return guarded


def _stream(
    function: Callable[..., AsyncGenerator[Any, Any]], guarding: _Guarding
) -> Callable[..., Any]:
    @functools.wraps(function)
    async def guarded(*args: Any, **kwargs: Any) -> AsyncIterator[Any]:
        call = guarding.call(args, kwargs)
        result = await guarding.gate.check_action(**call.question)
        if result.outcome != "CONTINUE":
            yield await guarding.stopped_async(result)
            return
        stream = guarding.reader.read(function(*call.args, **call.kwargs))
        async with aclosing(stream):
            async for item in stream:
                yield item

    return guarded


def _sync(function: Callable[Params, Returned], guarding: _Guarding) -> Callable[Params, Returned]:
    @functools.wraps(function)
    def guarded(*args: Params.args, **kwargs: Params.kwargs) -> Returned:
        call = guarding.call(args, kwargs)
        result = guarding.gate.check_action_sync(**call.question)
        if result.outcome != "CONTINUE":
            return cast("Returned", guarding.stopped(result))
        with guarding.reader.watched():
            returned = function(*call.args, **call.kwargs)
        return cast("Returned", guarding.reader.read(returned))

    return guarded
