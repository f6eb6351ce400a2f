"""Tells the app when an action was stopped for a person to look at; nobody waits for it."""

import asyncio
import inspect
import logging
from collections.abc import Awaitable, Callable

from abuse_gate.model.decision import Decision
from abuse_gate.model.events import Event, Reviewed

OnPause = Callable[[Decision], Awaitable[None] | None]

_log = logging.getLogger("abuse_gate")


class PauseHook:
    """Calls the app with the decision on every action that is blocked, and every PAUSE."""

    def __init__(self, on_pause: OnPause) -> None:
        self._on_pause = on_pause
        self._told: set[asyncio.Future[None]] = set()

    def record(self, event: Event, /) -> None:
        """Tells of a pause; an async hook goes on beside the request."""
        if not isinstance(event, Reviewed) or not _is_pause(event.decision):
            return
        said = self._on_pause(event.decision)
        if inspect.isawaitable(said):
            task = asyncio.ensure_future(said)
            self._told.add(task)
            task.add_done_callback(self._done)

    def _done(self, task: "asyncio.Future[None]") -> None:
        self._told.discard(task)
        if not task.cancelled() and task.exception() is not None:
            _log.warning("on_pause raised %s", type(task.exception()).__name__)


def _is_pause(decision: Decision) -> bool:
    if decision.decision != "block" or decision.status is None:
        return False
    steps = decision.assessment.trail
    return any(
        step.reason == "supervisor_pause" or (step.matter == "action" and step.verdict == "unsafe")
        for step in steps
    )
