"""Planted text and keys, looked for in every sink: spans, metrics, logs, audit files, refusals.

Mixed traffic, verifiers that fail by quoting, observers that fall over. Not a word may come out,
nor twelve bytes of one, nor its base64 or hex. `SOAK=1` goes on to 200,000 events in the sinks.
"""

import asyncio
import base64
import json
import logging
import os
import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from starlette.types import Scope

from abuse_gate import AbuseGateMiddleware, Settings
from abuse_gate.contract import ProviderError, ProviderRateLimited
from abuse_gate.model.events import Event
from abuse_gate.settings import Route
from abuse_gate.telemetry.audit.keys import new_key
from abuse_gate.testing import RecordingObserver
from abuse_gate.testing.asgi import chunks, converse, http_scope
from tests.e2e.canary import Sent, places
from tests.e2e.house import ATTACK
from tests.telemetry.watching import Numbers, Spans, starlette_app

EVENTS = 200_000 if os.environ.get("SOAK") else 600
PIECE = 12
CALLS_EACH = 25
CANARY = "Zq7kanarienvogelX4 singt-im-Dunkeln+9Wb"
SECRET = "geheim-Schluessel-der-Digeste-8Rt2Lm"
PRIVATE, _ = new_key()
API_KEY = "sk-live-0h4tYq8Zs3Vn6Kc1Xw5Pd9Rb2"


def forms(text: str) -> set[str]:
    """Every piece of a text, as it is, in hex, and in base64 at each of its three alignments."""
    data = text.encode()
    found = {text[at : at + PIECE] for at in range(len(text) - PIECE + 1)}
    hexed = data.hex()
    found |= {hexed[at : at + 2 * PIECE] for at in range(0, len(hexed) - 2 * PIECE + 1, 2)}
    for shift in range(3):
        coded = base64.b64encode(data[shift : len(data) - (len(data) - shift) % 3]).decode()
        found |= {coded[at : at + 16] for at in range(0, len(coded) - 15, 4)}
    return {piece.lower() for piece in found}


PLANTED = {"text": CANARY, "secret": SECRET, "audit key": PRIVATE, "api key": API_KEY}
PIECES = sorted({piece for text in PLANTED.values() for piece in forms(text)})


class Parrot:
    """A verifier that answers, hangs, or fails by quoting the request."""

    name = "parrot"
    # By turns: one that failed more often would not be asked for most of the time.
    failures: tuple[type[BaseException], ...] = (
        *(kind for kind in ProviderError.__subclasses__() if kind is not ProviderRateLimited),
        ValueError,
        KeyError,
    )

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self.asked = 0

    async def assess(self, payload: Mapping[str, Any]) -> str:
        quoted = f"{CANARY} {payload['prompt_text']} {API_KEY}"
        self.asked += 1
        # Now and then a storm, long enough for the circuit to open.
        match 2 if self.asked % 500 > 480 else self._chance.randrange(12):
            case 0:
                return quoted
            case 1 if self.asked % 8 == 0:
                await asyncio.sleep(30)
                return "safe"
            case 2:
                limited = self.asked % 100 == 0
                error = ProviderRateLimited() if limited else self._chance.choice(self.failures)()
                error.args = (quoted,)
                raise error
            case turn:
                return "unsafe" if turn % 4 == 0 else "safe"


class ToldTales(RecordingObserver):
    """An observer that keeps what it is told, and falls over with what it should not tell."""

    def record(self, event: Event, /) -> None:
        self.events.append(event)
        raise RuntimeError(CANARY)

    def step(self, name: str, /, **facts: Any) -> Any:
        raise RuntimeError(f"{CANARY} {facts}")


class Everything(logging.Handler):
    """Keeps every record in full: message, arguments, extras, traceback."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.text: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.text.append(logging.Formatter().format(record) + repr(vars(record)))


def caller(scope: Scope) -> str:
    """Who sends it, as an app would know."""
    name: str = scope["client"][0]
    return name


class Sinks:
    """One gate with every sink there is, and what has run into them."""

    def __init__(self, folder: Path) -> None:
        self.spans, self.numbers, self.observer = Spans(), Numbers(), ToldTales()
        self.folder, self.heard = folder, Everything()
        self.parrot = Parrot(random.Random(7))
        self.answers: list[str] = []
        self.statuses: Counter[int | None] = Counter()
        self.seen = 0
        settings = Settings(
            plan="paranoid",
            secret=SECRET,  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType] as written
            audit_path=str(folder / "audit.jsonl"),
            audit_key=PRIVATE,  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType] as written
            verifier_timeout_ms=40,
            verifier_circuit_open_sec=1,
            routes=(Route(path="/open*", on_unclear="allow", on_unread="allow"),),
        )
        self.gate = AbuseGateMiddleware(
            starlette_app(),
            settings=settings,
            adapter=self.parrot,  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType] a broken one on purpose
            observer=self.observer,
            subject=caller,
            tracer_provider=self.spans.provider,
            meter_provider=self.numbers.provider,
        )

    async def send(self, sent: Sent) -> None:
        headers = [*sent.headers, (b"x-api-key", API_KEY.encode())]
        scope = http_scope(sent.path, query=sent.query, headers=headers)
        # Nobody is quarantined for long: what is refused unread runs through few of the sinks.
        scope["client"] = (f"caller {self.statuses.total() // CALLS_EACH}", 1)
        talk = await converse(self.gate, scope, chunks(sent.body))
        self.statuses[talk.status] += 1
        self.answers.append(f"{talk.headers} {talk.body!r}" if talk.status != 200 else "")

    def drain(self) -> Iterator[str]:
        """What has come since the last time; the sinks are emptied."""
        yield from (span.to_json() for span in self.spans.all())
        self.spans.exporter.clear()
        yield from (repr(event) for event in self.observer.events)
        yield from self.heard.text
        yield from self.answers
        for kept in (self.observer.events, self.heard.text, self.answers):
            kept.clear()
        yield str(self.numbers.reader.get_metrics_data())

    def search(self, texts: Iterator[str]) -> list[str]:
        """The pieces of what was planted that can be read somewhere."""
        gathered = list(texts)
        self.seen += len(gathered)
        everything = "\n".join(gathered).lower()
        return [piece for piece in PIECES if piece in everything]


@pytest.fixture
def sinks(tmp_path: Path) -> Iterator[Sinks]:
    found, root = Sinks(tmp_path), logging.getLogger()
    before = root.level
    root.addHandler(found.heard)
    root.setLevel(logging.DEBUG)
    yield found
    root.removeHandler(found.heard)
    root.setLevel(before)


def traffic() -> Callable[[int], Sent]:
    """Requests with the planted text everywhere that can hold it; files now and then."""
    texts = (CANARY, f"{CANARY} {ATTACK} {API_KEY}", f"key {SECRET}")
    made = [(name, sent) for text in texts for name, sent in places(text).items()]
    plain = [sent for name, sent in made if not name.startswith(("document", "too_large"))]
    files = [sent for name, sent in made if name.startswith(("document", "too_large"))]
    chance = random.Random(11)
    return lambda number: chance.choice(files if number % 50 == 0 else plain)


async def _play(sinks: Sinks, pick: Callable[[int], Sent], many: int) -> None:
    for number in range(many):
        await sinks.send(pick(number))


def test_nothing_that_was_planted_comes_out_of_any_sink(sinks: Sinks) -> None:
    pick, batch = traffic(), 100
    while sinks.seen < EVENTS:
        asyncio.run(_play(sinks, pick, batch))
        assert sinks.search(sinks.drain()) == []
    # Traffic that is refused unread, or a verifier that nobody asks, would prove little.
    requests = sinks.statuses.total()
    assert sinks.statuses[429] < requests / 2 < requests - sinks.statuses[403]
    assert sinks.parrot.asked > requests / 10
    doorman: Any = vars(sinks.gate)["_doorman"]
    asyncio.run(doorman.gate.aclose())
    files = sorted(sinks.folder.glob("audit-*"))
    assert sinks.search(line for path in files for line in path.read_text().splitlines()) == []
    kinds = {json.loads(line)["kind"] for path in files for line in path.read_text().splitlines()}
    assert {"open", "decision", "seal"} <= kinds


@pytest.mark.parametrize("name", PLANTED)
def test_the_search_finds_what_was_planted(sinks: Sinks, name: str) -> None:
    """A search that can find nothing would prove nothing."""
    text = PLANTED[name]
    data = text.encode()
    shown = [
        text,
        f"x{text[5:20]}x",
        data.hex(),
        base64.b64encode(b"ab" + data).decode(),
        base64.b64encode(b"a" + data).decode(),
    ]
    assert all(sinks.search(iter([each])) for each in shown)
    assert sinks.search(iter(["a sparrow on the roof"])) == []
