"""How it is measured: in process, in turns, by processor time; ratios of neighbouring blocks.

Subjects take turns in blocks of a few milliseconds, so that whatever slows the machine down slows
all of them down. Processor time is that of the whole process, threads included.
"""

import asyncio
import gc
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median, quantiles
from typing import Final, Literal

import httpx2
from starlette.testclient import TestClient
from starlette.types import ASGIApp, Message, Scope

from benchmarks.subjects import NEW, PATH

_BLOCK_SECONDS: Final = 0.02
_MOST_CALLS: Final = 2000


# What of a body has not been said before: none of it, its end, or all of it from the beginning.
New = Literal["nothing", "the end", "everything"]
_LETTERS: Final = bytes.maketrans(b"0123456789", b"abcdefghij")


@dataclass(frozen=True, slots=True)
class Ratio:
    """A subject's time over the reference's: the middle, and where the middle 80 % lie."""

    middle: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Outcome:
    """The reference's time for one request, for orientation, and everybody's ratio to it."""

    micros: float
    ratios: Mapping[str, Ratio]


class Caller:
    """Plays a server that sends one body again and again, or bodies of which no two are alike."""

    def __init__(self, body: bytes, new: New = "nothing") -> None:
        self._sent = 0
        at = len(body) if new == "nothing" else body.find(NEW)
        at = body.rfind(NEW) if new == "the end" else at
        self._before, self._after = body[:at], body[at + len(NEW) :]
        self._new = new != "nothing"
        # What an ordinary client sends.
        self._headers = [
            (b"host", b"127.0.0.1:8000"),
            (b"accept", b"*/*"),
            (b"accept-encoding", b"gzip, deflate"),
            (b"connection", b"keep-alive"),
            (b"user-agent", b"python-httpx2/2.16.0"),
            (b"authorization", b"Bearer benchmark"),
            (b"content-length", str(len(body)).encode()),
            (b"content-type", b"application/json"),
        ]

    def body(self) -> bytes:
        """The next body; where it is to be a new one, a word of it is another one each time."""
        if not self._new:
            return self._before
        self._sent += 1
        return b"%b%b%b" % (self._before, (b"%06d" % self._sent).translate(_LETTERS), self._after)

    async def call(self, app: ASGIApp) -> int:
        """One request; gives the status."""
        waiting: list[Message] = [{"type": "http.request", "body": self.body(), "more_body": False}]
        statuses: list[int] = []

        async def receive() -> Message:
            return waiting.pop() if waiting else {"type": "http.disconnect"}

        async def send(message: Message) -> None:
            if "status" in message:
                statuses.append(message["status"])

        await app(self._scope(), receive, send)
        return statuses[0]

    async def block(self, app: ASGIApp, calls: int) -> float:
        """Processor seconds for a number of requests."""
        started = time.process_time()
        for _ in range(calls):
            await self.call(app)
        return time.process_time() - started

    def _scope(self) -> Scope:
        return {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.3"},
            "http_version": "1.1",
            "method": "POST",
            "scheme": "http",
            "path": PATH,
            "raw_path": PATH.encode(),
            "query_string": b"",
            "root_path": "",
            "headers": list(self._headers),
            "client": ("127.0.0.1", 50000),
            "server": ("127.0.0.1", 8000),
        }


_SAID: Final = {"content-type": "application/json", "authorization": "Bearer benchmark"}


class Client(Caller):
    """Sends the body through a real client, in process: the request and the answer are its own."""

    def __init__(self, body: bytes, new: New = "nothing") -> None:
        super().__init__(body, new)
        self._clients: dict[ASGIApp, httpx2.AsyncClient] = {}

    async def call(self, app: ASGIApp) -> int:
        """One request; gives the status."""
        if app not in self._clients:
            transport = httpx2.ASGITransport(app)
            self._clients[app] = httpx2.AsyncClient(transport=transport, base_url="http://bench")
        answer = await self._clients[app].post(PATH, content=self.body(), headers=_SAID)
        return answer.status_code


class InTests(Caller):
    """Sends the body as FastAPI's own tests do: through its test client, in process, from a thread
    without a loop."""

    async def call(self, app: ASGIApp) -> int:
        """One request; gives the status."""
        return await asyncio.to_thread(self._call, app)

    async def block(self, app: ASGIApp, calls: int) -> float:
        """Processor seconds for a number of requests."""
        return await asyncio.to_thread(self._block, app, calls)

    def _call(self, app: ASGIApp) -> int:
        return TestClient(app).post(PATH, content=self.body(), headers=_SAID).status_code

    def _block(self, app: ASGIApp, calls: int) -> float:
        started = time.process_time()
        for _ in range(calls):
            self._call(app)
        return time.process_time() - started


def compare(
    reference: ASGIApp,
    subjects: Mapping[str, ASGIApp],
    caller: Caller,
    rounds: int,
) -> Outcome:
    """The ratios of all subjects to the reference."""
    return asyncio.run(_compare(reference, subjects, caller, rounds))


async def _compare(
    reference: ASGIApp, subjects: Mapping[str, ASGIApp], caller: Caller, rounds: int
) -> Outcome:
    calls = await _calls_in_a_block(reference, caller)
    for app in subjects.values():
        await caller.block(app, min(calls, 50))
    runs = [await _round(reference, subjects, caller, calls, turn) for turn in range(rounds)]
    ratios = {name: _ratio([run[name] / run[""] for run in runs]) for name in subjects}
    return Outcome(median(run[""] for run in runs) / calls * 1_000_000, ratios)


async def _round(
    reference: ASGIApp, subjects: Mapping[str, ASGIApp], caller: Caller, calls: int, turn: int
) -> dict[str, float]:
    """One block of everybody; the order changes from round to round, so that nobody stays first.

    The collector rests during a block: whose garbage it would pick up is a matter of chance.
    """
    everybody: list[tuple[str, ASGIApp]] = [("", reference), *subjects.items()]
    start = turn % len(everybody)
    gc.collect()
    gc.disable()
    try:
        order = everybody[start:] + everybody[:start]
        return {name: await caller.block(app, calls) for name, app in order}
    finally:
        gc.enable()


async def _calls_in_a_block(app: ASGIApp, caller: Caller) -> int:
    """As many calls as the reference does in a block, measured when it is warm."""
    await caller.block(app, 5)
    one = max(await caller.block(app, 20) / 20, 1e-6)
    return max(1, min(_MOST_CALLS, round(_BLOCK_SECONDS / one)))


def _ratio(values: Sequence[float]) -> Ratio:
    if len(values) < 2:
        return Ratio(values[0], values[0], values[0])
    tenths = quantiles(values, n=10, method="inclusive")
    return Ratio(median(values), tenths[0], tenths[-1])
