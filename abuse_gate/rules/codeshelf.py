"""The candidates of decoders, compiled: what a text is taken past to learn what it may hold.

Knows databases and the order of the candidates; what they mean is for the caller.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from abuse_gate.rules.candidates import EVERYWHERE, OUTLINED, Kind
from abuse_gate.rules.engine import Database, Job, Scratch, new_scratch, note
from abuse_gate.rules.outlines import outline, signs

# In the order in which `CodeShelf` takes what comes of them: all together, the outlines, each.
CODE_JOBS: Final[tuple[Job, ...]] = (
    Job((*EVERYWHERE.values(),)),
    Job(tuple(map(outline, OUTLINED.values()))),
    *(Job((pattern,)) for pattern in OUTLINED.values()),
)
_EVERYWHERE: Final[tuple[Kind, ...]] = (*EVERYWHERE,)
_OUTLINED: Final[tuple[Kind, ...]] = (*OUTLINED,)


class CodeScratch(NamedTuple):
    """Working memory for scans past one shelf; the engine wants one for each database."""

    everywhere: Scratch
    outlines: Scratch
    outlined: tuple[Scratch, ...]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class CodeShelf:
    """All candidates: some for every text, the others each where its outline is found.

    An outline is found in a few texts and costs little to look for; what it stands for, in all
    texts, would cost more than all the rest.
    """

    everywhere: Database
    outlines: Database
    outlined: tuple[Database, ...]

    @property
    def databases(self) -> tuple[Database, ...]:
        """What came of the jobs, in their order."""
        return (self.everywhere, self.outlines, *self.outlined)

    def new_scratch(self) -> CodeScratch:
        """Working memory for scans past this shelf, for one thread at a time."""
        outlined = tuple(map(new_scratch, self.outlined))
        return CodeScratch(new_scratch(self.everywhere), new_scratch(self.outlines), outlined)

    def find(self, scratch: CodeScratch, data: bytes) -> list[Kind]:
        """The kinds of the candidates that match, some of them twice; none in most texts."""
        found: list[int] = []
        self.everywhere.scan(data, note, 0, found, scratch.everywhere)
        kinds: list[Kind] = [_EVERYWHERE[at] for at in found]
        likely: list[int] = []
        self.outlines.scan(signs(data), note, 0, likely, scratch.outlines)
        for at in likely:
            found.clear()
            self.outlined[at].scan(data, note, 0, found, scratch.outlined[at])
            if found:
                kinds.append(_OUTLINED[at])
        return kinds


def code_shelf(databases: Sequence[Database]) -> CodeShelf:
    """The shelf of what came of `CODE_JOBS`."""
    return CodeShelf(databases[0], databases[1], tuple(databases[2:]))
