"""Strikes in a Redis or Valkey that all workers and hosts share. Raises whatever goes wrong: what
to do then is said in `shared.py`.

One script, one key a call, so that a cluster can hold them anywhere; the clock is the server's.
"""

from collections.abc import AsyncIterator, Callable, Sequence
from importlib import resources
from typing import Any, Final

from redis.exceptions import NoScriptError, ResponseError

from abuse_gate.deciding.ladder import MOST_MARKS, MOST_PREFIXES, Ladder
from abuse_gate.model.decision import Mode
from abuse_gate.model.standing import FREE, Offence, Standing, Subject
from abuse_gate.stores.link import Links
from abuse_gate.work.loops import PerLoop

PREFIX: Final = "abuse_gate:strikes:"
# Keys without meaning, written to see whether writing is possible at all; so many of them that
# every node of an ordinary cluster gets one.
PROBE: Final = "abuse_gate:probe:"
PROBES: Final = 16
PROBE_MS: Final = 1000
# The field of a record that holds its incidents.
INCIDENTS: Final = "i"
# How the answer begins where the script met a value that is no record.
SPOILED: Final = ("WRONGTYPE", "user_script:", "Error running script")

# The ladder as the server runs it.
SCRIPT: Final = (resources.files("abuse_gate.stores") / "ladder.lua").read_text("utf-8")

Call = tuple[str, Ladder, str, tuple[str | int, ...]]


class RedisStore:
    """A store on one server or cluster."""

    def __init__(
        self,
        link: Links,
        ladder: Ladder | None = None,
        clock: Callable[[], float] | None = None,
    ) -> None:
        """`link` makes one for each event loop; `clock`, in seconds, is for tests of time."""
        self._ladder = ladder or Ladder()
        self._clock = clock
        self._links = PerLoop(link)
        self._sha = ""

    async def look(self, subjects: Sequence[str], /) -> Sequence[Standing]:
        """How the subjects stand now."""
        return await self._standings([(name, self._ladder, "look", ()) for name in subjects])

    async def record_unsafe(
        self, subjects: Sequence[tuple[str, Ladder]], offence: Offence, incident: str, /
    ) -> Sequence[Standing]:
        """Adds a strike to each subject, by its ladder, unless the offence is known already."""
        return await self.strike([(*struck, offence, incident, 0.0) for struck in subjects])

    async def strike(
        self, strikes: Sequence[tuple[str, Ladder, Offence, str, float]]
    ) -> Sequence[Standing]:
        """Strikes of some time ago, each with its age in seconds; one that is known is no other."""
        return await self._standings([_strike(*strike) for strike in strikes])

    async def note(self, subjects: Sequence[str], incident: str, /) -> None:
        """Remembers an incident by which the subjects can be found."""
        await self._run([(name, self._ladder, "note", (incident,)) for name in subjects])

    async def heal(self, subject: str, standing: Standing) -> Standing:
        """Puts back what the server has lost, unless an operator has changed it meanwhile."""
        told = (standing.mode, _ms(standing.seconds), standing.epoch)
        return (await self._standings([(subject, self._ladder, "heal", told)]))[0]

    async def show(self, subject: str, /) -> Subject | None:
        """All there is to see of a subject; None when nothing is remembered of it."""
        return _subject(subject, (await self._run([(subject, self._ladder, "show", ())]))[0])

    async def subjects(self, limit: int, /) -> Sequence[Subject]:
        """Subjects of which something is remembered, at most so many, in no order."""
        found: dict[str, Subject] = {}
        async for page in self._pages():
            found |= {subject.id: subject for subject in page}
            if len(found) >= limit:
                break
        return list(found.values())[:limit]

    async def find(self, incident: str, /) -> Sequence[str]:
        """The subjects of an incident; looks at all that are remembered."""
        found: dict[str, None] = {}
        link = self._links.get()
        async for keys in link.pages(f"{PREFIX}*"):
            # The field alone: there may be many subjects, and the script is for those who count.
            noted = await link.run([("HGET", key, INCIDENTS) for key in keys])
            pairs = zip(keys, noted, strict=True)
            found |= {_name(key): None for key, ids in pairs if incident in _ids(ids)}
        return list(found)

    async def impose(self, subject: str, mode: Mode, seconds: float, note: str, /) -> Standing:
        """Sets a mode for so long, whatever it was before; `normal` lifts it."""
        told = (mode, _ms(seconds), note)
        return (await self._standings([(subject, self._ladder, "set", told)]))[0]

    async def probe(self) -> None:
        """Raises unless the server can be written to."""
        probes = [("SET", f"{PROBE}{number}", "1", "PX", PROBE_MS) for number in range(PROBES)]
        await self._links.get().run_all(probes)

    async def aclose(self) -> None:
        """Closes this loop's connections."""
        link = self._links.pop()
        if link is not None:
            await link.aclose()

    async def _pages(self) -> AsyncIterator[list[Subject]]:
        """Whatever the server remembers, some at a time; some of it perhaps twice."""
        async for keys in self._links.get().pages(f"{PREFIX}*"):
            names = [_name(key) for key in keys]
            shown = await self._run([(name, self._ladder, "show", ()) for name in names])
            pairs = zip(names, shown, strict=True)
            yield [found for name, answer in pairs if (found := _subject(name, answer))]

    async def _standings(self, calls: Sequence[Call]) -> list[Standing]:
        return [_standing(answer) for answer in await self._run(calls)]

    async def _run(self, calls: Sequence[Call]) -> list[Any]:
        """The script's answers to all calls, in one round trip."""
        if not calls:
            return []
        if not self._sha:
            await self._load()
        answers = await self._pipelined(calls)
        if any(isinstance(answer, NoScriptError) for answer in answers):
            # The server has been restarted, or somebody has flushed its scripts.
            await self._load()
            answers = await self._pipelined(calls)
        for answer in answers:
            if isinstance(answer, Exception) and not is_of_one_key(answer):
                raise answer
        return [() if isinstance(answer, Exception) else answer for answer in answers]

    async def _pipelined(self, calls: Sequence[Call]) -> list[Any]:
        now = "" if self._clock is None else _ms(self._clock())
        return await self._links.get().run(
            [
                ("EVALSHA", self._sha, 1, _key(subject), operation, now, *_rungs(ladder), *told)
                for subject, ladder, operation, told in calls
            ]
        )

    async def _load(self) -> None:
        self._sha = await self._links.get().load(SCRIPT)


def _key(subject: str) -> str:
    # In braces: of the whole key, only this decides on which node of a cluster it lives.
    return f"{PREFIX}{{{subject}}}"


def _name(key: str) -> str:
    return key[len(PREFIX) + 1 : -1]


def _ids(field: object) -> list[str]:
    """The incidents in a record's field; none where there is no record."""
    return field.split() if isinstance(field, str) else []


def is_of_one_key(error: Exception) -> bool:
    """Whether an error is that of one spoiled record, which says nothing about the server."""
    return isinstance(error, ResponseError) and str(error).startswith(SPOILED)


def _strike(subject: str, ladder: Ladder, offence: Offence, incident: str, age: float) -> Call:
    marks = offence.marks[-MOST_MARKS:]
    digests = (*marks, *offence.prefixes[-MOST_PREFIXES:])
    return subject, ladder, "strike", (_ms(age), incident, len(marks), *digests)


def _rungs(ladder: Ladder) -> tuple[int, ...]:
    return (
        _ms(ladder.window),
        ladder.lock_at,
        _ms(ladder.lock_for),
        ladder.quarantine_at or 0,
        _ms(ladder.quarantine_for),
        _ms(ladder.decay),
    )


def _ms(seconds: float) -> int:
    return round(seconds * 1000)


def _standing(answer: Any) -> Standing:
    if not answer:
        return FREE
    mode, left, strikes, epoch, *previous = answer
    return Standing(mode, int(left) / 1000, strikes, epoch, *previous)


def _subject(name: str, answer: Any) -> Subject | None:
    if not answer:
        return None
    *plain, incidents, note = answer
    return Subject(name, _standing(plain), tuple(incidents.split()), note)
