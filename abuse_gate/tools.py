"""A decorator for tool functions: each call is checked before it runs, sync or async alike."""

import functools
import inspect
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, ParamSpec, TypeVar, cast

from abuse_gate.agents import ActionResult, ActionStopped, Gate
from abuse_gate.model.context import Context
from abuse_gate.model.extract import Trust

Params = ParamSpec("Params")
Returned = TypeVar("Returned")

ContextSource = Context | Callable[[], Context]
GoalSource = str | Callable[[], str]
OnStop = Callable[[ActionResult], Any]


@dataclass(frozen=True, slots=True)
class _Guarding:
    """How the calls of one tool are checked, and what becomes of their results."""

    gate: Gate
    tool: str
    signature: inspect.Signature
    context: ContextSource
    goal: GoalSource
    on_stop: OnStop | None
    result_trust: Trust | None
    supervised: bool

    def question(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
        """What the gate is asked about one call."""
        bound = self.signature.bind(*args, **kwargs)
        return {
            "tool": self.tool,
            "arguments": dict(bound.arguments),
            "context": self.held,
            "goal": self.goal() if callable(self.goal) else self.goal,
            "supervised": self.supervised,
        }

    @property
    def held(self) -> Context:
        """The context of this moment's conversation."""
        return self.context() if callable(self.context) else self.context

    def stopped(self, result: ActionResult) -> Any:
        """What the caller of a tool gets that was not run."""
        if self.on_stop is None:
            raise ActionStopped(result)
        return self.on_stop(result)

    def read(self, returned: Any) -> Any:
        """What a tool returned, taken down as something that the agent has now read."""
        if self.result_trust is not None and isinstance(returned, str):
            self.held.add(returned, trust=self.result_trust, origin="tool")
        return returned


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

    `context` and `goal` may be functions, so that each conversation has its own. What the tool
    returns as text becomes part of the context, untrusted unless said otherwise. `on_stop` makes
    an answer for the agent out of the result instead of an exception.
    """

    def decorate(function: Callable[Params, Returned]) -> Callable[Params, Returned]:
        tool = name or str(getattr(function, "__name__", "tool"))
        guarding = _Guarding(
            gate,
            tool,
            inspect.signature(function),
            context,
            goal,
            on_stop,
            result_trust,
            supervised,
        )
        if inspect.iscoroutinefunction(function):
            return cast("Callable[Params, Returned]", _async(function, guarding))
        return _sync(function, guarding)

    return decorate


def _async(function: Callable[..., Awaitable[Any]], guarding: _Guarding) -> Callable[..., Any]:
    @functools.wraps(function)
    async def guarded(*args: Any, **kwargs: Any) -> Any:
        result = await guarding.gate.check_action(**guarding.question(args, kwargs))
        if result.outcome != "CONTINUE":
            return guarding.stopped(result)
        return guarding.read(await function(*args, **kwargs))

    return guarded


def _sync(function: Callable[Params, Returned], guarding: _Guarding) -> Callable[Params, Returned]:
    @functools.wraps(function)
    def guarded(*args: Params.args, **kwargs: Params.kwargs) -> Returned:
        result = guarding.gate.check_action_sync(**guarding.question(args, dict(kwargs)))
        if result.outcome != "CONTINUE":
            return cast("Returned", guarding.stopped(result))
        return cast("Returned", guarding.read(function(*args, **kwargs)))

    return guarded
