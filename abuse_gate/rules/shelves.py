"""Rules that are matched together, and beside the shipped ones an operator's own.

What is shipped keeps its databases whatever an operator adds: those take long to compile. Knows
databases and indexes of rules, not what the rules are about.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from abuse_gate.rules.engine import Compiler, Database, Job, Scratch, find_spans, new_scratch, scan

ShelfScratch: TypeAlias = tuple[Scratch, ...]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Shelf:
    """Rules that are matched together, by their indexes; an operator's own come after all others.

    `own` is None where there are none, so that nobody pays for a pass over nothing.
    """

    database: Database
    rules: tuple[int, ...]
    own: "Shelf | None" = None

    def new_scratch(self) -> ShelfScratch:
        """Working memory for scans past this shelf; the engine wants one for each database."""
        own = () if self.own is None else self.own.new_scratch()
        return (new_scratch(self.database), *own)

    def find(self, scratch: ShelfScratch, data: bytes) -> list[int]:
        """The rules that match, in their order."""
        found = scan(self.database, scratch[0], data)
        rules = [self.rules[at] for at in found] if found else found
        return rules if self.own is None else rules + self.own.find(scratch[1:], data)

    def find_spans(self, scratch: ShelfScratch, data: bytes) -> list[tuple[int, int, int]]:
        """Start, end and rule of the matches from left to right, the longest from each start."""
        found = find_spans(self.database, scratch[0], data)
        spans = [(start, end, self.rules[at]) for start, end, at in found]
        return spans if self.own is None else sorted(spans + self.own.find_spans(scratch[1:], data))


class Load(NamedTuple):
    """The rules of one shelf, by their indexes; of phrases it is told where each match stands."""

    rules: Sequence[int]
    phrases: bool = False

    def part(self, wanted: Callable[[int], bool]) -> "Load":
        """Those of its rules that are wanted."""
        return Load([at for at in self.rules if wanted(at)], self.phrases)


def fill(
    loads: Sequence[Load],
    patterns: Sequence[str],
    shipped: int,
    beside: Iterable[Job],
    compiler: Compiler,
) -> tuple[list[Shelf], list[Database]]:
    """The shelves of some rules, of which so many are shipped, and the databases of other jobs.

    Everything is compiled in one go. What is not shipped has databases of its own, if any.
    """

    def job(load: Load) -> Job:
        return Job(tuple(patterns[at] for at in load.rules), load.phrases)

    theirs = [load.part(lambda at: at < shipped) for load in loads]
    own = [load.part(lambda at: at >= shipped) for load in loads]
    others = list(beside)
    made = compiler([*others, *map(job, theirs), *(job(load) for load in own if load.rules)])
    databases = iter(made[len(others) :])
    lower = [Shelf(next(databases), tuple(load.rules)) for load in theirs]
    upper = [Shelf(next(databases), tuple(load.rules)) if load.rules else None for load in own]
    shelves = [
        Shelf(under.database, under.rules, over) for under, over in zip(lower, upper, strict=True)
    ]
    return shelves, made[: len(others)]
