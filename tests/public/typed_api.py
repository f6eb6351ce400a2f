"""The public surface as a typed caller uses it; two type checkers read this file.

`assert_type` states what a call gives back; an `ignore` with a code states what must not type.
"""

from collections.abc import Awaitable, Mapping, Sequence
from typing import Any, Literal, assert_type

from starlette.applications import Starlette
from starlette.requests import Request

from abuse_gate import (
    AbuseGateMiddleware,
    ActionResult,
    ActionStopped,
    AdapterConfig,
    Assessment,
    Block,
    Context,
    Decision,
    Gate,
    Guard,
    Hit,
    Judge,
    Judges,
    LocalRuleAdapter,
    MemoryStore,
    Observer,
    Payload,
    Refusal,
    Route,
    Settings,
    Store,
    Subjects,
    Verdict,
    VerifierAdapter,
    admin_app,
    build_gate,
    fetch_verdict,
    guarded_tool,
    redis_store,
    resolve_adapter_from_env,
)
from abuse_gate.model.events import Event
from abuse_gate.testing import RecordingObserver, ScriptedAdapter
from abuse_gate.verify.guard import GuardLimits


class SyncAdapter:
    """The contract's own spelling."""

    def assess(self, payload: Mapping[str, Any]) -> Verdict:
        return "safe"


class AsyncAdapter:
    """A coroutine that returns the bare word."""

    async def assess(self, payload: Mapping[str, Any]) -> Verdict:
        return "safe"


class RichAdapter:
    """A coroutine that returns an Assessment."""

    async def assess(self, payload: Mapping[str, Any]) -> Assessment:
        return Assessment("safe", "own_reason")


class EitherAdapter:
    """A coroutine that returns the one or the other."""

    async def assess(self, payload: Mapping[str, Any]) -> Verdict | Assessment:
        return "safe"


class NoAdapter:
    """Answers with a number."""

    def assess(self, payload: Mapping[str, Any]) -> int:
        return 0


class Watching:
    """An observer of the caller's own."""

    def record(self, event: Event, /) -> None:
        return None


def adapters() -> list[VerifierAdapter]:
    """Every legal spelling is an adapter to a type checker too."""
    legal: list[VerifierAdapter] = [SyncAdapter(), AsyncAdapter(), RichAdapter(), EitherAdapter()]
    return [*legal, LocalRuleAdapter(), ScriptedAdapter("safe")]


def not_an_adapter() -> VerifierAdapter:
    """A number is no verdict."""
    return NoAdapter()  # type: ignore[return-value]  # pyright: ignore[reportReturnType]


def build(config: AdapterConfig) -> VerifierAdapter:
    """What an entry point names."""
    assert_type(config.secret("KEY"), Awaitable[str | None])
    return SyncAdapter()


def installed(app: Starlette, observer: Observer) -> None:
    """One line, or everything by hand."""
    app.add_middleware(AbuseGateMiddleware)
    settings = Settings(routes=(Route(path="/v1/*", plan="paranoid"),))
    app.add_middleware(
        AbuseGateMiddleware, settings=settings, adapter=AsyncAdapter(), observer=observer
    )


def seen(decision: Decision, refusal: Refusal, payload: Payload) -> None:
    """What an app may read."""
    assert_type(decision.verdict, Verdict)
    assert_type(decision.status, int | None)
    assert_type(decision.rule_ids, tuple[str, ...])
    assert_type(decision.assessment.hits, tuple[Hit, ...])
    assert_type(refusal.status, int)
    assert_type(payload.hits, tuple[Hit, ...])


async def asked(request: Request) -> Verdict:
    """What an app that asks by hand gets."""
    guard = resolve_adapter_from_env()
    assert_type(guard, Guard)
    assert_type(await guard.assess({"prompt_text": "hello"}), Assessment)
    resolve_adapter_from_env.cache_clear()
    return await fetch_verdict(request)


def by_hand() -> Gate:
    """A gate without the middleware."""
    observers: list[Observer] = [RecordingObserver(), Watching()]
    guard = Guard(RichAdapter(), "own", GuardLimits(), observers[0])
    return build_gate(Settings(), guard, observers[1])


def triage(payload: Mapping[str, Any]) -> bool:
    """A judge of the caller's own, as a function."""
    return bool(payload["question"]["suspected"])


class Boss:
    """A judge as an object, awaited."""

    async def ask(self, payload: Mapping[str, Any], /) -> dict[str, Any]:
        return {"verdict": "PAUSE", "correction": None}


async def acting() -> ActionResult:
    """What an agent inside the app asks."""
    judge: Judge = Boss()
    gate = Gate.from_env(triage=triage, supervisor=judge, plan="paranoid")
    context = Context(["a page", Block("the policy", "trusted", "system")])
    assert_type(context.combine("both", *context).trust, Literal["trusted", "vetted", "untrusted"])
    assert_type(gate.context_token(context), str)
    assert_type(build_gate(Settings(), judges=Judges(supervisor=judge)), Gate)

    @guarded_tool(gate, context=context)
    def bash(command: str) -> str:
        return command

    @guarded_tool(gate, context=lambda: context, goal="tidy up")
    async def fetch(url: str) -> bytes:
        return url.encode()

    assert_type(await fetch("x"), bytes)
    try:
        assert_type(bash("ls"), str)
    except ActionStopped as stopped:
        assert_type(stopped.result.correction, str | None)
    result = await gate.check_action("bash", {"command": "ls"}, context=context, goal="tidy up")
    assert_type(result.outcome, Literal["CONTINUE", "REORIENT", "PAUSE"])
    return result


def operator_of(request: Request) -> str | None:
    """Who asks the operators' app."""
    return request.headers.get("x-operator")


async def operator_later(request: Request) -> str | None:
    """The same, awaited."""
    return operator_of(request)


async def operating() -> None:
    """What operators have: apps, stores, subjects."""
    stores: list[Store] = [MemoryStore(), redis_store(), redis_store("redis://h", lock_sec=60)]
    apps = [admin_app(store, authorize=operator_of) for store in stores]
    apps.append(admin_app(authorize=operator_later, settings=Settings(), observer=Watching()))
    subjects = Subjects(stores[0])
    assert_type(await subjects.find("incident"), Sequence[str])
    await subjects.set("key-" + "1" * 32, "execute_locked", reason="why")
    await subjects.set("key-" + "1" * 32, "full_quarantine", reason="why", seconds=60, actor="eve")
    await subjects.lift("key-" + "1" * 32, reason="why")
