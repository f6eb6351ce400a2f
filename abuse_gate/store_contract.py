"""The seams of what is remembered: a store of strikes, and one of verdicts. No store is here."""

from collections.abc import Sequence
from typing import Protocol

from abuse_gate.deciding.ladder import Ladder
from abuse_gate.model.decision import Mode
from abuse_gate.model.standing import Offence, Standing, Subject


class Store(Protocol):
    """Whose strikes are remembered, and where; a subject is a keyed digest.

    Each call answers for all its subjects at once and is atomic for each of them.
    """

    async def look(self, subjects: Sequence[str], /) -> Sequence[Standing]:
        """How the subjects stand now."""
        ...

    async def record_unsafe(
        self, subjects: Sequence[tuple[str, Ladder]], offence: Offence, incident: str, /
    ) -> Sequence[Standing]:
        """Adds a strike to each subject, by its ladder, unless the offence is known already."""
        ...

    async def note(self, subjects: Sequence[str], incident: str, /) -> None:
        """Remembers an incident by which the subjects can be found."""
        ...

    async def show(self, subject: str, /) -> Subject | None:
        """All there is to see of a subject; None when nothing is remembered of it."""
        ...

    async def subjects(self, limit: int, /) -> Sequence[Subject]:
        """Subjects of which something is remembered, at most so many."""
        ...

    async def find(self, incident: str, /) -> Sequence[str]:
        """The subjects of an incident."""
        ...

    async def impose(self, subject: str, mode: Mode, seconds: float, note: str, /) -> Standing:
        """Sets a mode for so long, whatever it was before; `normal` lifts it."""
        ...

    async def aclose(self) -> None:
        """Closes what is held on the running loop."""
        ...


class VerdictStore(Protocol):
    """Where verdicts are remembered for a while, by digest; one that fails has forgotten."""

    async def get(self, keys: Sequence[str], /) -> Sequence[str | None]:
        """What is remembered under each key."""
        ...

    async def put(self, keys: Sequence[str], verdict: str, /) -> None:
        """Remembers one verdict under all of the keys."""
        ...

    async def aclose(self) -> None:
        """Closes what is held on the running loop."""
        ...
