"""A verifier that answers as scripted, and an observer that keeps what it was told."""

import asyncio
from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from abuse_gate.model.events import Event
from abuse_gate.model.verdict import Assessment, Verdict

Answer = Verdict | Assessment | Exception
Kind = TypeVar("Kind")


class ScriptedAdapter:
    """Gives its answers in turn, the last one for ever; an exception is raised.

    `payloads` keeps what it was asked; `delay` makes it slow; `cancelled` counts the questions
    that were given up on.
    """

    name = "scripted"

    def __init__(self, answers: Answer | Iterable[Answer] = "safe", *, delay: float = 0.0) -> None:
        single = isinstance(answers, str | Assessment | Exception)
        self._answers: list[Answer] = [answers] if single else list(answers)  # type: ignore[list-item,arg-type]
        self._delay = delay
        self.payloads: list[Mapping[str, Any]] = []
        self.cancelled = 0

    async def assess(self, payload: Mapping[str, Any]) -> Verdict | Assessment:
        """The next answer of the script."""
        self.payloads.append(payload)
        answer = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        try:
            await asyncio.sleep(self._delay)
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        if isinstance(answer, Exception):
            raise answer
        return answer


class RecordingObserver:
    """Keeps every event, for assertions."""

    def __init__(self) -> None:
        self.events: list[Event] = []

    def record(self, event: Event, /) -> None:
        """Keep one event."""
        self.events.append(event)

    def of(self, kind: type[Kind]) -> list[Kind]:
        """The events of one kind, in order."""
        return [event for event in self.events if isinstance(event, kind)]
