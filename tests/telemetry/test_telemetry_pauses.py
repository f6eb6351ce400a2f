"""The app is told of every action that was stopped; nobody waits, and nobody is hurt by it."""

import asyncio
from typing import Any, Final

import pytest

from abuse_gate.model.decision import Action, Decision
from abuse_gate.model.events import BreakerMoved, Reviewed
from abuse_gate.model.verdict import Assessment, Step, Verdict
from abuse_gate.telemetry.pauses import PauseHook


def reviewed(action: Action, status: int | None, *steps: Step) -> Reviewed:
    assessment = Assessment("unsafe", "x", trail=steps)
    return Reviewed(Decision(action, status, "normal", "0" * 32, assessment), 0, 1.0)


def step(matter: str, verdict: Verdict, reason: str = "rules_block") -> Step:
    return Step("static", verdict, reason, matter=matter)


CASES: Final[list[tuple[Reviewed, bool]]] = [
    (reviewed("block", 403, step("action", "unsafe")), True),
    (reviewed("block", 403, step("prompt", "unsafe", "supervisor_pause")), True),
    (reviewed("block", 403, step("prompt", "unsafe")), False),
    (reviewed("block", 403, step("prompt", "unsafe"), step("action", "safe")), False),
    (reviewed("block", None, step("action", "unsafe")), False),
    (reviewed("clarify", 422, step("action", "unsafe")), False),
]


@pytest.mark.parametrize(("event", "told"), CASES)
def test_a_stopped_action_is_told_and_a_blocked_prompt_is_not(event: Reviewed, told: bool) -> None:
    heard: list[Decision] = []
    hook = PauseHook(heard.append)
    hook.record(event)
    hook.record(BreakerMoved("x", "closed", "open"))
    assert heard == ([event.decision] if told else [])


@pytest.mark.parametrize("fails", [False, True])
async def test_an_async_hook_goes_on_beside_the_request(
    fails: bool, caplog: pytest.LogCaptureFixture
) -> None:
    heard: list[str] = []

    async def hook(decision: Decision) -> None:
        await asyncio.sleep(0)
        heard.append(decision.incident_id)
        if fails:
            raise ValueError("canary")

    PauseHook(hook).record(CASES[0][0])
    assert heard == []
    for _ in range(5):
        await asyncio.sleep(0)
    assert heard == ["0" * 32]
    assert caplog.messages == (["on_pause raised ValueError"] if fails else [])


async def test_a_hook_that_is_given_up_on_says_nothing(caplog: pytest.LogCaptureFixture) -> None:
    tasks: list[Any] = []

    async def hook(decision: Decision) -> None:
        tasks.append(asyncio.current_task())
        await asyncio.Event().wait()

    PauseHook(hook).record(CASES[0][0])
    await asyncio.sleep(0)
    tasks[0].cancel()
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert caplog.messages == []
