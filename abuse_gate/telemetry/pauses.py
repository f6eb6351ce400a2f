"""Tells the app when an action was stopped for a person to look at; nobody waits for it.

A plain hook runs in a thread of its own, an async one beside the request; both are bounded in
number, and the end of the gate waits a while for those that are under way.
"""

import asyncio
import inspect
import logging
import threading
from collections.abc import Awaitable, Callable
from typing import Final, cast

from abuse_gate.model.decision import Decision
from abuse_gate.model.events import Event, Reviewed
from abuse_gate.telemetry.observers import never

OnPause = Callable[[Decision], Awaitable[None] | None]

# Hooks at once; a pause beyond them is on record all the same, and said not to be told.
MOST_HOOKS: Final = 64
# An async hook that takes longer is given up on; a thread cannot be.
HOOK_SECONDS: Final = 30.0
# How long the end of the gate waits for hooks.
CLOSING_SECONDS: Final = 5.0

_log = logging.getLogger("abuse_gate")


class PauseHook:
    """Calls the app with the decision on every action that is blocked, and every PAUSE."""

    hears_passes = staticmethod(never)

    def __init__(
        self,
        on_pause: OnPause,
        hook_seconds: float = HOOK_SECONDS,
        closing_seconds: float = CLOSING_SECONDS,
    ) -> None:
        self._on_pause = on_pause
        self._hook_seconds = hook_seconds
        self._closing_seconds = closing_seconds
        self._changed = threading.Condition()
        self._under_way = 0
        # The loop holds its tasks weakly.
        self._told: set[asyncio.Task[None]] = set()

    def record(self, event: Event, /) -> None:
        """Tells of a pause; whatever the hook does goes on beside the request."""
        if not isinstance(event, Reviewed) or not is_pause(event.decision):
            return
        if not self._enter():
            _log.warning(
                "on_pause: %d hooks are still running; incident %s is not told",
                MOST_HOOKS,
                event.decision.incident_id,
            )
            return
        try:
            self._tell(event.decision)
        except Exception as error:  # noqa: BLE001 - no thread, or a hook that cannot be called
            self._leave(error)

    def close(self) -> None:
        """Waits until the hooks have ended, or for as long as an end may take; not on the loop."""
        with self._changed:
            ended = self._changed.wait_for(lambda: not self._under_way, self._closing_seconds)
            if not ended:
                _log.warning("on_pause: %d hooks have not ended in time", self._under_way)

    def _tell(self, decision: Decision) -> None:
        loop = _running_loop()
        if inspect.iscoroutinefunction(self._on_pause) and loop is not None:
            self._await(loop, cast("Awaitable[None]", self._on_pause(decision)))
            return
        name = "abuse-gate-on-pause"
        threading.Thread(target=self._call, args=(decision, loop), name=name, daemon=True).start()

    def _call(self, decision: Decision, loop: asyncio.AbstractEventLoop | None) -> None:
        """The hook in its own thread; what it wants awaited goes to the loop, if there is one."""
        try:
            said = self._on_pause(decision)
            if said is None:
                self._leave()
            elif loop is not None:
                loop.call_soon_threadsafe(self._await, loop, said)
            else:
                asyncio.run(self._bounded(said))
                self._leave()
        except Exception as error:  # noqa: BLE001 - the app's own code
            self._leave(error)

    def _await(self, loop: asyncio.AbstractEventLoop, said: Awaitable[None]) -> None:
        task = loop.create_task(self._bounded(said))
        self._told.add(task)
        task.add_done_callback(self._done)

    async def _bounded(self, said: Awaitable[None]) -> None:
        await asyncio.wait_for(said, self._hook_seconds)

    def _done(self, task: "asyncio.Task[None]") -> None:
        self._told.discard(task)
        self._leave(None if task.cancelled() else task.exception())

    def _enter(self) -> bool:
        with self._changed:
            free = self._under_way < MOST_HOOKS
            self._under_way += free
            return free

    def _leave(self, error: BaseException | None = None) -> None:
        if error is not None:
            _log.warning("on_pause raised %s", type(error).__name__)
        with self._changed:
            self._under_way -= 1
            self._changed.notify_all()


def is_pause(decision: Decision) -> bool:
    """Whether an action was stopped: by its own verdict, by a PAUSE, or for what was not read."""
    if decision.decision != "block" or decision.status is None:
        return False
    steps = decision.assessment.trail
    if any(step.reason == "supervisor_pause" for step in steps):
        return True
    last = {step.matter: step.verdict for step in steps}
    # Where neither is to blame, flags are, and the action is stopped with the rest.
    return "action" in last and (last["action"] != "safe" or last.get("prompt", "safe") == "safe")


def _running_loop() -> asyncio.AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None
