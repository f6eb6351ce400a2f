"""Strikes in a Redis or Valkey that all workers and hosts share. Raises whatever goes wrong: what
to do then is said in `shared.py`.

One script, one key a call, so that a cluster can hold them anywhere; the clock is the server's.
"""

import re
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from heapq import nlargest
from importlib import resources
from operator import itemgetter
from typing import Any, Final, cast

from redis.exceptions import NoScriptError, ResponseError

from abuse_gate.deciding.ladder import MOST_PREFIXES, Ladder
from abuse_gate.model.decision import Mode
from abuse_gate.model.standing import FREE, SEVERITY_OF_MODE, Offence, Standing, Subject, folded
from abuse_gate.stores.link import SCAN_STEP, Links
from abuse_gate.work.loops import PerLoop

PREFIX: Final = "abuse_gate:strikes:"
# Keys without meaning, written to see whether writing is possible at all; so many of them that
# every node of an ordinary cluster gets one.
PROBE: Final = "abuse_gate:probe:"
PROBES: Final = 16
PROBE_MS: Final = 1000
# The fields of a record that hold its incidents, and the ends of its terms.
INCIDENTS: Final = "i"
TERMS: Final = ("lu", "qu")
MOST_DIGITS: Final = 20
# How the answer begins where the script met a value that is no record.
SPOILED: Final = ("WRONGTYPE", "user_script:", "Error running script")
# What is the server's trouble all the same: up to Redis 6 a script's error wraps it.
SERVERS: Final = re.compile(
    r"\b(?:OOM|READONLY|MISCONF|NOREPLICAS|MASTERDOWN|CLUSTERDOWN|LOADING|BUSY|NOPERM)\b"
    r"|can't run this command"
)

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

    async def heal(self, subject: str, standing: Standing, age: float) -> Standing:
        """Puts back what the server has lost, unless an operator has changed it meanwhile.

        `age` says for how many seconds the mode has been known: it is no younger than that.
        """
        told = (standing.mode, _ms(standing.seconds), standing.epoch, _ms(age))
        return (await self._standings([(subject, self._ladder, "heal", told)]))[0]

    async def show(self, subject: str, /) -> Subject | None:
        """All there is to see of a subject; None when nothing is remembered of it."""
        return _subject(subject, (await self._run([(subject, self._ladder, "show", ())]))[0])

    async def subjects(self, limit: int, /) -> Sequence[Subject]:
        """Those that serve a term first, the strictest first; looks at all that are remembered."""
        ends: dict[str, int] = {}
        async for keys, fields in self._fields(*TERMS):
            ends |= {_name(key): _end(answer) for key, answer in zip(keys, fields, strict=True)}
            if len(ends) > limit + SCAN_STEP:
                ends = dict(_last(ends, limit))
        names = [name for name, _ in _last(ends, limit)]
        steps = range(0, len(names), SCAN_STEP)
        shown = [s for at in steps for s in await self._shown(names[at : at + SCAN_STEP])]
        return sorted(shown, key=_severity, reverse=True)

    async def find(self, incident: str, /) -> Sequence[str]:
        """The subjects of an incident; looks at all that are remembered."""
        found: dict[str, None] = {}
        async for keys, fields in self._fields(INCIDENTS):
            pairs = zip(keys, fields, strict=True)
            found |= {_name(key): None for key, answer in pairs if incident in _ids(answer)}
        return list(found)

    async def impose(self, subject: str, mode: Mode, seconds: float, note: str, /) -> Standing:
        """Sets a mode for so long, whatever it was before; `normal` lifts it."""
        told = (mode, _ms(seconds), note)
        return (await self._standings([(subject, self._ladder, "set", told)]))[0]

    async def probe(self) -> None:
        """Raises unless the server can be written to."""
        probes = [("SET", f"{PROBE}{number}", "1", "PX", PROBE_MS) for number in range(PROBES)]
        await self._links.get().run_all(probes)

    async def load(self) -> None:
        """Tells the server the script, also if it has been told before."""
        self._sha = await self._links.get().load(SCRIPT)

    async def aclose(self) -> None:
        """Closes this loop's connections."""
        link = self._links.pop()
        if link is not None:
            await link.aclose()

    async def _fields(self, *names: str) -> AsyncIterator[tuple[list[str], list[Any]]]:
        """Some fields of all records, some records at a time; some perhaps twice.

        The fields alone: there may be many subjects, and the script is for those who count.
        """
        link = self._links.get()
        async for keys in link.pages(f"{PREFIX}*"):
            yield keys, await link.run([("HMGET", key, *names) for key in keys])

    async def _shown(self, names: Sequence[str]) -> list[Subject]:
        answers = await self._run([(name, self._ladder, "show", ()) for name in names])
        pairs = zip(names, answers, strict=True)
        return [found for name, answer in pairs if (found := _subject(name, answer))]

    async def _standings(self, calls: Sequence[Call]) -> list[Standing]:
        return [_standing(answer) for answer in await self._run(calls)]

    async def _run(self, calls: Sequence[Call]) -> list[Any]:
        """The script's answers to all calls, in one round trip."""
        if not calls:
            return []
        if not self._sha:
            await self.load()
        answers = await self._pipelined(calls)
        if any(isinstance(answer, NoScriptError) for answer in answers):
            # The server has been restarted, or somebody has flushed its scripts.
            await self.load()
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


def _key(subject: str) -> str:
    # In braces: of the whole key, only this decides on which node of a cluster it lives.
    return f"{PREFIX}{{{subject}}}"


def _name(key: str) -> str:
    return key[len(PREFIX) + 1 : -1]


def _texts(answer: object) -> list[str]:
    """The fields of a record; none where there is no record, but something else."""
    fields = cast("list[object]", answer) if isinstance(answer, list) else []
    return [field for field in fields if isinstance(field, str)]


def _ids(answer: object) -> list[str]:
    return [each for field in _texts(answer) for each in field.split()]


def _end(answer: object) -> int:
    """When the last of a subject's terms ends; what is no number is no end."""
    numbers = [field for field in _texts(answer) if field.isdecimal() and len(field) < MOST_DIGITS]
    return max(map(int, numbers), default=0)


def _last(ends: Mapping[str, int], limit: int) -> list[tuple[str, int]]:
    return nlargest(limit, ends.items(), key=itemgetter(1))


def _severity(subject: Subject) -> tuple[int, float, int]:
    standing = subject.standing
    return SEVERITY_OF_MODE[standing.mode], standing.seconds, standing.strikes


def is_of_one_key(error: Exception) -> bool:
    """Whether an error is that of one spoiled record, which says nothing about the server."""
    said = str(error)
    spoiled = isinstance(error, ResponseError) and said.startswith(SPOILED)
    return spoiled and SERVERS.search(said) is None


def _strike(subject: str, ladder: Ladder, offence: Offence, incident: str, age: float) -> Call:
    marks = folded(offence.marks)
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
