"""The app is told of every action that was stopped; nobody waits, and nobody is hurt by it."""

import asyncio
import threading
from typing import Any, Final

import pytest

from abuse_gate import Judges, Settings, build_gate
from abuse_gate.model.decision import Action, Decision
from abuse_gate.model.events import BreakerMoved, Reviewed
from abuse_gate.model.verdict import Assessment, Step, Verdict
from abuse_gate.telemetry.pauses import MOST_HOOKS, PauseHook


def reviewed(action: Action, status: int | None, *steps: Step) -> Reviewed:
    assessment = Assessment("unsafe", "x", trail=steps)
    return Reviewed(Decision(action, status, "normal", "0" * 32, assessment), 0, 1.0)


def step(matter: str, verdict: Verdict, reason: str = "rules_block") -> Step:
    return Step("static", verdict, reason, matter=matter)


CLEARED: Final = (step("action", "unsafe"), step("action", "safe"))
STOPPED: Final = reviewed("block", 403, step("action", "unsafe"))
CASES: Final[list[tuple[Reviewed, bool]]] = [
    (STOPPED, True),
    (reviewed("block", 403, step("prompt", "unsafe", "supervisor_pause")), True),
    (reviewed("block", 403, step("action", "unclear")), True),
    (reviewed("block", 403, step("prompt", "unclear"), step("action", "unclear")), True),
    # Flags have stopped it.
    (reviewed("block", 403, step("action", "safe")), True),
    (reviewed("block", 403, step("prompt", "safe"), step("action", "safe")), True),
    (reviewed("block", 403, step("prompt", "unsafe")), False),
    (reviewed("block", 403, step("prompt", "safe")), False),
    (reviewed("block", 403, step("prompt", "unsafe"), step("action", "safe")), False),
    (reviewed("block", 403, step("prompt", "unclear"), step("action", "safe")), False),
    (reviewed("block", 403, step("prompt", "unsafe"), *CLEARED), False),
    (reviewed("block", None, step("action", "unsafe")), False),
    (reviewed("clarify", 422, step("action", "unsafe")), False),
]


@pytest.mark.parametrize(("event", "told"), CASES)
def test_a_stopped_action_is_told_and_a_blocked_prompt_is_not(event: Reviewed, told: bool) -> None:
    heard: list[Decision] = []
    hook = PauseHook(heard.append)
    hook.record(event)
    hook.record(BreakerMoved("x", "closed", "open"))
    hook.close()
    assert heard == ([event.decision] if told else [])


@pytest.mark.parametrize("settings", [{"on_unclear": "block"}, {"on_unread": "block"}])
async def test_an_action_that_the_policy_blocks_is_told(settings: dict[str, Any]) -> None:
    heard: list[Decision] = []
    gate = build_gate(Settings.model_validate(settings), judges=Judges(on_pause=heard.append))
    odd = object() if "on_unclear" in settings else iter("x")
    result = await gate.check_action("bash", {"a": odd}, context=["w"])
    await gate.aclose()
    assert result.outcome == "PAUSE"
    assert [decision.incident_id for decision in heard] == [result.incident_id]


async def test_a_plain_hook_does_not_hold_the_loop() -> None:
    gone_on = threading.Event()

    def hook(_decision: Decision) -> None:
        assert gone_on.wait(10)

    pauses = PauseHook(hook)
    pauses.record(STOPPED)
    gone_on.set()
    await asyncio.to_thread(pauses.close)


def returning(fails: bool, heard: list[str]) -> Any:
    async def hook(decision: Decision) -> None:
        await asyncio.sleep(0)
        heard.append(decision.incident_id)
        if fails:
            raise ValueError("canary")

    return hook


@pytest.mark.parametrize("fails", [False, True])
@pytest.mark.parametrize("plain", [False, True])
async def test_an_async_hook_goes_on_beside_the_request(
    fails: bool, plain: bool, caplog: pytest.LogCaptureFixture
) -> None:
    heard: list[str] = []
    hook = returning(fails, heard)
    pauses = PauseHook((lambda decision: hook(decision)) if plain else hook)  # noqa: PLW0108
    pauses.record(STOPPED)
    assert heard == []
    await asyncio.to_thread(pauses.close)
    assert heard == ["0" * 32]
    assert caplog.messages == (["on_pause raised ValueError"] if fails else [])


@pytest.mark.parametrize("fails", [False, True])
def test_without_a_loop_a_hook_has_its_own(fails: bool, caplog: pytest.LogCaptureFixture) -> None:
    heard: list[str] = []
    pauses = PauseHook(returning(fails, heard))
    pauses.record(STOPPED)
    pauses.close()
    assert heard == ["0" * 32]
    assert caplog.messages == (["on_pause raised ValueError"] if fails else [])


async def test_a_hook_that_cannot_be_called_hurts_nobody(caplog: pytest.LogCaptureFixture) -> None:
    async def hook() -> None: ...

    pauses = PauseHook(hook)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    pauses.record(STOPPED)
    await asyncio.to_thread(pauses.close)
    assert caplog.messages == ["on_pause raised TypeError"]


async def test_hooks_are_bounded_in_number_and_time(caplog: pytest.LogCaptureFixture) -> None:
    async def never(_decision: Decision) -> None:
        await asyncio.Event().wait()

    pauses = PauseHook(never, hook_seconds=0.2, closing_seconds=0.01)
    for _ in range(MOST_HOOKS + 1):
        pauses.record(STOPPED)
    assert caplog.messages == [
        f"on_pause: {MOST_HOOKS} hooks are still running; incident {'0' * 32} is not told"
    ]
    await asyncio.to_thread(pauses.close)
    assert caplog.messages[1:] == [f"on_pause: {MOST_HOOKS} hooks have not ended in time"]
    while len(caplog.messages) < MOST_HOOKS + 2:
        await asyncio.sleep(0.01)
    assert set(caplog.messages[2:]) == {"on_pause raised TimeoutError"}
    pauses.close()


async def test_a_hook_that_is_given_up_on_says_nothing(caplog: pytest.LogCaptureFixture) -> None:
    tasks: list[Any] = []

    async def hook(decision: Decision) -> None:
        tasks.append(asyncio.current_task())
        await asyncio.Event().wait()

    pauses = PauseHook(hook)
    pauses.record(STOPPED)
    while not tasks:
        await asyncio.sleep(0)
    tasks[0].cancel()
    await asyncio.to_thread(pauses.close)
    assert caplog.messages == []
