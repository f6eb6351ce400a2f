"""Which tool calls of a conversation still wait for their result.

Alone decides what is pending; knows no wire shape.
"""

from collections import deque
from dataclasses import dataclass

from abuse_gate.reading.jsontext import Json
from abuse_gate.reading.notes import Notes


@dataclass(slots=True, repr=False)
class Proposed:
    """One call as it stood in the conversation."""

    name: str
    texts: list[str]
    turn: int
    asked: int
    answered: bool = False


class Ledger:
    """Calls and results in the order of the conversation; one result answers one call."""

    __slots__ = ("_asked", "_calls", "_nameless", "_open", "_turn")

    def __init__(self) -> None:
        self._calls: list[Proposed] = []
        self._open: dict[str, deque[Proposed]] = {}
        self._nameless: deque[Proposed] = deque()
        self._turn = 0
        self._asked = 0

    def turn_over(self, *, asking: bool = True) -> None:
        """Somebody other than the assistant speaks: later calls belong to a new turn.

        Where something new is asked, the calls so far are no longer about to be made.
        """
        self._turn += 1
        self._asked += asking

    def call(self, key: Json, name: str, texts: list[str]) -> None:
        """The assistant proposes a call; `key` is its id on the wire, if it has one."""
        proposed = Proposed(name, texts, self._turn, self._asked)
        self._calls.append(proposed)
        if isinstance(key, str):
            self._open.setdefault(key, deque()).append(proposed)
        else:
            self._nameless.append(proposed)

    def result(self, key: Json) -> None:
        """A result arrives: it answers the call of its id, else the oldest call without an id."""
        self._turn += 1
        waiting = self._open.get(key) if isinstance(key, str) else None
        waiting = waiting or self._nameless
        if waiting:
            waiting.popleft().answered = True

    def settle(self, notes: Notes) -> None:
        """Take down every call; those that are no longer pending are the assistant's words too."""
        last = self._calls[-1].turn if self._calls else -1
        for call in self._calls:
            waits = call.turn == last and call.asked == self._asked
            pending = waits and not call.answered
            notes.call(call.name, call.texts, pending=pending, context_known=True)
            if not pending:
                _as_context(notes, call)


def _as_context(notes: Notes, call: Proposed) -> None:
    for text in (call.name, *call.texts):
        notes.add(text, "assistant")
