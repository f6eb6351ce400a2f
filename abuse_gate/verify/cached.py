"""Verdicts that need not be asked for twice: a conversation pays only for what is new in it.

Only safe and unsafe are kept. A verdict is found again only under the same texts, tenant, adapter,
model, policy and strictness. A message that alone was judged unsafe stays so for its caller,
wherever it appears again; for others it is asked about anew: nobody can have another's words
condemned.
"""

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from abuse_gate.contract import Observer
from abuse_gate.model.caller import NOBODY, Caller
from abuse_gate.model.events import CacheUsed
from abuse_gate.model.extract import PLACE_OF, Extract
from abuse_gate.model.payload import Payload
from abuse_gate.model.verdict import UNASKED_REASONS, Assessment, Verdict
from abuse_gate.store_contract import VerdictStore
from abuse_gate.verify.brief import Put, Remembered
from abuse_gate.verify.flights import Flights
from abuse_gate.verify.tenants import tenant_key
from abuse_gate.verify.turns import (
    SHORT,
    WINDOW,
    Digests,
    Turn,
    effort_of,
    narrowed,
    run_up_to,
    turns_of,
    window_before,
)
from abuse_gate.work.scanner import REDACTING, beside_the_loop

SAFE: Final = "safe"
UNSAFE: Final = "unsafe"
CACHED: Final = "cached"
_NO_TEXT: Final = Extract()


@dataclass(frozen=True, slots=True, repr=False)
class Inquiry:
    """What is to be judged, and how a part of it is made into what a verifier may see."""

    extract: Extract
    payload: Callable[[Extract], Awaitable[Payload]]
    adapter: str
    model: str
    version: str
    caller: Caller = NOBODY


@dataclass(frozen=True, slots=True, repr=False)
class _Conversation:
    """The messages of one inquiry under their keys; a guilty key is "" where there can be none."""

    turns: Sequence[Turn]
    clean_keys: Sequence[str]
    guilty_keys: Sequence[str]
    run_keys: Sequence[str]

    @property
    def keys(self) -> list[str]:
        """All under which something may be known."""
        return [key for key in (*self.clean_keys, *self.guilty_keys, *self.run_keys) if key]


class VerdictCache:
    """One for a gate; stands between whoever asks and the guard that is asked."""

    def __init__(self, store: VerdictStore, key: bytes, observer: Observer) -> None:
        self._store = store
        self._key = key
        self._observer = observer
        self._flights: Flights[Assessment] = Flights()

    async def assess(self, inquiry: Inquiry, put: Put) -> Assessment:
        """The verdict on a request: remembered, shared with who asks the same, or asked for."""
        # Of no text at all a payload still tells what was found, and how strictly it is judged.
        frame = await inquiry.payload(_NO_TEXT)
        inquiry = replace(inquiry, extract=_worth_asking(inquiry.extract, frame))
        digests = Digests(self._key, *_scope(inquiry, frame))
        effort = effort_of(inquiry.extract)
        talk = await beside_the_loop(lambda: _conversation(inquiry, digests), effort)
        if not talk.turns:
            return await self._ask(inquiry, inquiry.extract, digests, put)
        keys = talk.keys
        found = dict(zip(keys, await self._store.get(keys), strict=True))
        condemned = self._condemned(inquiry, talk, found)
        if condemned is not None:
            return condemned
        unknown = [n for n, key in enumerate(talk.clean_keys) if found[key] != SAFE]
        if not unknown:
            return self._known("safe", inquiry)
        part = await beside_the_loop(lambda: narrowed(inquiry.extract, talk.turns, unknown), effort)
        answer = await self._ask(inquiry, part, digests, put)
        return await self._learnt(answer, talk, unknown)

    async def aclose(self) -> None:
        """Closes what the store holds on the running loop."""
        await self._store.aclose()

    def _condemned(
        self, inquiry: Inquiry, talk: _Conversation, found: Mapping[str, str | None]
    ) -> Assessment | None:
        for turn, key in zip(talk.turns, talk.guilty_keys, strict=True):
            if found.get(key) == UNSAFE:
                return self._known("unsafe", inquiry, turn.number)
        if any(found.get(key) == UNSAFE for key in talk.run_keys):
            return self._known("unsafe", inquiry)
        return None

    async def _learnt(
        self, answer: Assessment, talk: _Conversation, asked: Sequence[int]
    ) -> Assessment:
        """Keeps what an answer says; a message is to blame if it alone was asked about.

        Of several nobody knows which it was: they are condemned together, as they stand.
        """
        if answer.verdict == "safe" and not answer.unseen:
            await self._store.put([talk.clean_keys[index] for index in asked], SAFE)
        if answer.verdict != "unsafe":
            return answer
        last = asked[-1]
        alone = len(asked) == 1 and talk.turns[last].is_users
        key = talk.guilty_keys[last] if alone else talk.run_keys[last]
        if key and asked[0] >= last - WINDOW:
            await self._store.put([key], UNSAFE)
        return answer.blaming(talk.turns[last].number if alone else None)

    async def _ask(self, inquiry: Inquiry, part: Extract, digests: Digests, put: Put) -> Assessment:
        """The answer to exactly this question, asked for once however many want it."""
        payload = await inquiry.payload(part)
        key = await beside_the_loop(lambda: _exact(digests, part, payload), effort_of(part))
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
        return await beside_the_loop(lambda: maker(part), effort_of(part), REDACTING)

    async def asked(adapter: str, model: str, put: Put) -> Assessment:
        inquiry = Inquiry(extract, made, adapter, model, version, caller)
        return await cache.assess(inquiry, put)

    return asked


def _scope(inquiry: Inquiry, frame: Payload) -> Sequence[str]:
    """What must be the same for a verdict to be found again, whatever the texts are.

    The frame's context is the caller's as well as the path's: who is locked is judged strictly.
    """
    whose = inquiry.caller.tenant
    tenant = "-" if whose is None else f"+{tenant_key(whose)}"
    context = json.dumps(frame["policy_context"], sort_keys=True)
    return tenant, inquiry.adapter, inquiry.model, inquiry.version, context


def _worth_asking(extract: Extract, frame: Payload) -> Extract:
    """The request without headers and cookies in which no rule has found anything.

    No verifier is shown them, and an id in them would make every request another question.
    """
    if any(hit.place == "ambient" for hit in frame.hits):
        return extract
    kept = tuple(s for s in extract.segments if PLACE_OF[s.origin] != "ambient")
    return extract._replace(segments=kept)


def _conversation(inquiry: Inquiry, digests: Digests) -> _Conversation:
    turns = turns_of(inquiry.extract, digests)
    beside = digests.of_segments([s for s in inquiry.extract.segments if s.turn is None])
    windows = [[turn.digest for turn in window_before(turns, index)] for index in range(len(turns))]
    clean = [
        digests.of("clean", beside, *window, "", turn.digest)
        for turn, window in zip(turns, windows, strict=True)
    ]
    subject = _answerable(inquiry.caller)
    if not subject:
        nobodys = [""] * len(turns)
        return _Conversation(turns, clean, nobodys, nobodys)
    guilty = [
        digests.of("guilty", subject, turn.digest, *_context(turn, window)) if turn.is_users else ""
        for turn, window in zip(turns, windows, strict=True)
    ]
    runs = [
        digests.of("run", subject, beside, *(turn.digest for turn in run_up_to(turns, index)))
        for index in range(len(turns))
    ]
    return _Conversation(turns, clean, guilty, runs)


def _answerable(caller: Caller) -> str:
    """The subject that guilt may be kept for: many may share an address, and all may be nobody."""
    return "" if caller.subject == caller.address else caller.subject


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
