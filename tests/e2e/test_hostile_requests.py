"""Thousands of requests that nobody should send: no exception, the same bytes, or a clean refusal.

`make soak` sends all of them, `make test` a slice.
"""

import asyncio
import json
import logging
import os
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from starlette.types import Message, Receive, Scope, Send

from abuse_gate import AbuseGateMiddleware, Settings
from abuse_gate.settings import Route
from abuse_gate.testing.asgi import Conversation, chunks, converse, http_scope
from tests.e2e.hostile import Hostile, hostile
from tests.e2e.hostile_words import PATHS, PREFIXES, TYPES

SOAK = bool(os.environ.get("SOAK") or os.environ.get("ABUSE_GATE_SOAK"))
GENERATED = 17_000 if SOAK else 300
EXAMPLES = 3_000 if SOAK else 80
SHARES = 10

ROUTES = (
    Route(path="/tolerant*", on_unread="allow", on_unclear="allow"),
    Route(path="/strict*", on_unread="block", on_unclear="block"),
    Route(path="/clarifying*", on_unread="allow", on_unclear="clarify"),
    Route(path="/watched*", mode="monitor"),
)
# What a policy may answer by itself: everything else comes from the app, which says 200.
REFUSALS = {
    "/default": {403, 413, 415, 422},
    "/tolerant": {403},
    "/strict": {403},
    "/clarifying": {403, 422},
    "/watched": set[int](),
}
HEADERS = (b"x-guardrail-decision", b"x-guardrail-mode", b"x-guardrail-incident-id")


class Keeper:
    """An app that keeps what it was sent."""

    def __init__(self) -> None:
        self.body: bytes | None = None

    def forget(self) -> None:
        self.body = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        parts: list[bytes] = []
        message: Message = {"more_body": True}
        while message["more_body"]:
            message = await receive()
            parts.append(message["body"])
        self.body = b"".join(parts)
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"kept"})


class Defects(logging.Handler):
    """Fails nothing by itself; keeps what the gate says about its own defects."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.said: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.said.append(record.getMessage())


class Bench:
    """One gate, one app and one event loop for all requests."""

    def __init__(self, runner: asyncio.Runner) -> None:
        self._runner = runner
        self._keeper = Keeper()
        # All come from one address, which would soon be locked: then hardly any is passed on.
        settings = Settings(routes=ROUTES, strikes="off")
        self._gate = AbuseGateMiddleware(self._keeper, settings=settings)
        self.defects = Defects()

    def try_out(self, request: Hostile) -> None:
        """Send one request and hold what comes of it against the law."""
        self._keeper.forget()
        self.defects.said.clear()
        talk = self._runner.run(self._send(request))
        assert self.defects.said == []
        assert all(name in talk.headers for name in HEADERS)
        if talk.status == 200:
            assert self._keeper.body == request.body
            assert talk.body == b"kept"
        else:
            self._clean_refusal(talk, request)

    def _clean_refusal(self, talk: Conversation, request: Hostile) -> None:
        prefix = next(prefix for prefix in PREFIXES if request.path.startswith(prefix))
        assert talk.status in REFUSALS[prefix]
        assert self._keeper.body is None
        assert talk.headers[b"content-type"].endswith(b"json")
        assert int(talk.headers[b"content-length"]) == len(talk.body)
        assert isinstance(json.loads(talk.body), dict | list)
        assert talk.headers[b"x-guardrail-decision"] in (b"block", b"clarify")

    async def _send(self, request: Hostile) -> Conversation:
        # A server percent-decodes a path into text that need not be encodable again.
        scope = http_scope(query=request.query, headers=request.headers)
        scope["path"] = request.path
        scope["raw_path"] = request.path.encode("utf-8", "surrogateescape")
        return await converse(self._gate, scope, chunks(request.body, request.chunk))


@pytest.fixture(scope="module")
def bench() -> Iterator[Bench]:
    with asyncio.Runner() as runner:
        made = Bench(runner)
        logger = logging.getLogger("abuse_gate")
        logger.addHandler(made.defects)
        yield made
        logger.removeHandler(made.defects)


@pytest.mark.parametrize("share", range(SHARES))
def test_requests_of_the_grammar_are_passed_on_unchanged_or_refused(
    bench: Bench, share: int
) -> None:
    for seed in range(share, GENERATED, SHARES):
        try:
            bench.try_out(hostile(seed))
        except Exception as error:
            pytest.fail(f"hostile({seed}): {error!r}")


LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | st.text()
JSON: st.SearchStrategy[Any] = st.deferred(
    lambda: LEAVES | st.lists(JSON, max_size=5) | st.dictionaries(st.text(), JSON, max_size=5)
)
BODIES = (
    st.binary(max_size=2000)
    | st.text(max_size=500).map(lambda text: text.encode("utf-8", "surrogatepass"))
    | JSON.map(lambda value: json.dumps(value).encode())
    | st.lists(JSON, max_size=4).map(lambda values: "\n".join(map(json.dumps, values)).encode())
)
REQUESTS = st.builds(
    Hostile,
    BODIES,
    st.tuples(st.sampled_from(PREFIXES), st.sampled_from(PATHS)).map("".join),
    st.binary(max_size=100),
    st.lists(
        st.tuples(
            st.sampled_from((b"content-type", b"content-encoding", b"cookie", b"x-any", b"accept")),
            st.binary(max_size=60) | st.sampled_from([kind.encode("latin-1") for kind in TYPES]),
        ),
        max_size=4,
    ),
    st.none() | st.integers(1, 64),
)


@settings(
    max_examples=EXAMPLES,
    deadline=None,
    database=None,
    phases=(Phase.generate, Phase.shrink),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
@given(request=REQUESTS)
def test_any_bytes_are_passed_on_unchanged_or_refused(bench: Bench, request: Hostile) -> None:
    bench.try_out(request)
