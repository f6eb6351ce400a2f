"""Verdicts that need not be asked for twice: a conversation pays only for what is new in it.

Only safe and unsafe are kept. A verdict is found again only under the same texts, tenant, adapter,
model and policy. A message that was judged unsafe stays so for its caller, wherever it appears
again; for others it is asked about anew, so that nobody can have another's words condemned.
"""

import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Final

from abuse_gate.contract import Observer
from abuse_gate.model.caller import NOBODY, Caller
from abuse_gate.model.events import CacheUsed
from abuse_gate.model.extract import Extract
from abuse_gate.model.payload import Payload
from abuse_gate.model.verdict import UNASKED_REASONS, Assessment, Verdict
from abuse_gate.store_contract import VerdictStore
from abuse_gate.verify.brief import Put, Remembered
from abuse_gate.verify.flights import Flights
from abuse_gate.verify.turns import SHORT, Digests, Turn, narrowed, turns_of, window_before
from abuse_gate.work.scanner import beside_the_loop

SAFE: Final = "safe"
UNSAFE: Final = "unsafe"
CACHED: Final = "cached"


@dataclass(frozen=True, slots=True, repr=False)
class Inquiry:
    """What is to be judged, and how a part of it is made into what a verifier may see."""

    extract: Extract
    payload: Callable[[Extract], Awaitable[Payload]]
    adapter: str
    version: str
    caller: Caller = NOBODY


@dataclass(frozen=True, slots=True, repr=False)
class _Conversation:
    """The messages of one inquiry under their keys."""

    digests: Digests
    turns: Sequence[Turn]
    clean_keys: Sequence[str]
    guilty_keys: Sequence[str]


class VerdictCache:
    """One for a gate; stands between whoever asks and the guard that is asked."""

    def __init__(self, store: VerdictStore, key: bytes, observer: Observer) -> None:
        self._store = store
        self._key = key
        self._observer = observer
        self._flights: Flights[Assessment] = Flights()

    async def assess(self, inquiry: Inquiry, put: Put) -> Assessment:
        """The verdict on a request: remembered, shared with who asks the same, or asked for."""
        whose = inquiry.caller.tenant
        tenant = "-" if whose is None else f"+{whose}"
        digests = Digests(self._key, tenant, inquiry.adapter, inquiry.version)
        talk = _conversation(inquiry, digests)
        if not talk.turns:
            return await self._ask(inquiry, inquiry.extract, digests, put)
        found = await self._store.get([*talk.guilty_keys, *talk.clean_keys])
        count = len(talk.turns)
        for turn, verdict in zip(talk.turns, found[:count], strict=True):
            if verdict == UNSAFE:
                return self._known("unsafe", inquiry, turn.number)
        unknown = [n for n, verdict in enumerate(found[count:]) if verdict != SAFE]
        if not unknown:
            return self._known("safe", inquiry)
        part = narrowed(inquiry.extract, talk.turns, unknown)
        answer = await self._ask(inquiry, part, digests, put)
        return await self._learnt(answer, talk, unknown)

    async def aclose(self) -> None:
        """Closes what the store holds on the running loop."""
        await self._store.aclose()

    async def _learnt(
        self, answer: Assessment, talk: _Conversation, asked: Sequence[int]
    ) -> Assessment:
        """Keeps what an answer says of each message; the last one asked about is to blame."""
        if answer.verdict == "safe" and not answer.unseen:
            await self._store.put([talk.clean_keys[index] for index in asked], SAFE)
        elif answer.verdict == "unsafe":
            await self._store.put([talk.guilty_keys[asked[-1]]], UNSAFE)
            return answer.blaming(talk.turns[asked[-1]].number)
        return answer

    async def _ask(self, inquiry: Inquiry, part: Extract, digests: Digests, put: Put) -> Assessment:
        """The answer to exactly this question, asked for once however many want it."""
        payload = await inquiry.payload(part)
        key = _exact(digests, part, payload)
        (found,) = await self._store.get([key])
        if found in (SAFE, UNSAFE):
            return self._known("safe" if found == SAFE else "unsafe", inquiry)
        answer, shared = await self._flights.fly(key, lambda: self._put(key, payload, put))
        if shared and answer.reason in UNASKED_REASONS:
            # That somebody else had no share or no time left says nothing of this caller.
            answer, shared = await put(payload), False
        self._observer.record(CacheUsed("shared" if shared else "asked", inquiry.adapter))
        return answer

    async def _put(self, key: str, payload: Payload, put: Put) -> Assessment:
        answer = await put(payload)
        # What was not shown whole is not cleared for good.
        if answer.verdict in (SAFE, UNSAFE) and not answer.unseen:
            await self._store.put([key], answer.verdict)
        return answer

    def _known(self, verdict: Verdict, inquiry: Inquiry, turn: int | None = None) -> Assessment:
        self._observer.record(CacheUsed("known", inquiry.adapter))
        return Assessment(verdict, CACHED, source=inquiry.adapter).blaming(turn)


def remembered(
    cache: VerdictCache,
    extract: Extract,
    maker: Callable[[Extract], Payload],
    version: str,
    caller: Caller,
) -> Remembered:
    """How the verifier is asked about a request through the cache; the maker redacts a part."""

    async def made(part: Extract) -> Payload:
        return await beside_the_loop(lambda: maker(part), part.chars)

    async def asked(adapter: str, put: Put) -> Assessment:
        return await cache.assess(Inquiry(extract, made, adapter, version, caller), put)

    return asked


def _conversation(inquiry: Inquiry, digests: Digests) -> _Conversation:
    turns = turns_of(inquiry.extract, digests)
    beside = digests.of_segments([s for s in inquiry.extract.segments if s.turn is None])
    windows = [[turn.digest for turn in window_before(turns, index)] for index in range(len(turns))]
    clean = [
        digests.of("clean", beside, *window, "", turn.digest)
        for turn, window in zip(turns, windows, strict=True)
    ]
    guilty = [
        digests.of("guilty", inquiry.caller.subject, turn.digest, *_context(turn, window))
        for turn, window in zip(turns, windows, strict=True)
    ]
    return _Conversation(digests, turns, clean, guilty)


def _context(turn: Turn, window: Sequence[str]) -> Sequence[str]:
    return window[-1:] if turn.chars < SHORT else ()


def _exact(digests: Digests, part: Extract, payload: Payload) -> str:
    """Everything that was to be judged, in the clear and as it was shown.

    Placeholders hide differences: two arguments may look the same to a verifier and not be.
    """
    calls = [
        p for call in part.calls for p in (call.name, str(call.pending), "\0", *call.texts, "\0\0")
    ]
    shown = json.dumps(dict(payload), sort_keys=True, default=str)
    return digests.of("exact", digests.of_segments(part.segments), digests.of(*calls), shown)
