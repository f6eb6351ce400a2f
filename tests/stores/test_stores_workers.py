"""Several workers, one store: every strike counts exactly once, whoever was asked."""

import asyncio
import os
import sys
from collections import Counter

import pytest

from abuse_gate.stores.link import connect
from abuse_gate.stores.redis import PREFIX, RedisStore
from tests.stores.servers import Server
from tests.stores.workers import Reply, attacks, serving

SOAK = bool(os.environ.get("SOAK"))
WORKERS, KEYS, MESSAGES = (4, 50, 40) if SOAK else (2, 6, 12)


async def _records(url: str) -> dict[str, int]:
    store = RedisStore(lambda: connect(url, 5.0))
    found = await store.subjects(10_000)
    await store.aclose()
    return {s.id: s.standing.strikes for s in found if s.standing.mode == "full_quarantine"}


def _modes(replies: list[Reply]) -> Counter[str]:
    return Counter(reply.mode for reply in replies if reply.status == 403)


def test_concurrent_strikes_are_counted_exactly(
    server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of each caller's refusals two are normal, two locked, the rest quarantined: no other way."""
    keys = [f"key{number}" for number in range(KEYS)]
    with serving(
        WORKERS, ABUSE_GATE_REDIS_URL=server.url, ABUSE_GATE_STORE_TIMEOUT_MS="20000"
    ) as url:
        replies = asyncio.run(attacks(url, keys, range(MESSAGES)))
        again = asyncio.run(attacks(url, keys, range(MESSAGES)))
    assert len(replies) == KEYS * MESSAGES
    assert {reply.status for reply in replies} <= {403, 429}
    struck = Counter[int]()
    for key in keys:
        own = [reply for reply in replies if reply.key == key]
        judged = [reply for reply in own if reply.status == 403]
        struck[len(judged)] += 1
        assert len(judged) >= 5
        expected = {"normal": 2, "execute_locked": 2, "full_quarantine": len(judged) - 4}
        assert _modes(own) == Counter(expected)
    assert {reply.status for reply in again} == {429}
    records = asyncio.run(_records(server.url))
    assert Counter(records.values()) == struck
    with server.client() as client:
        assert len(client.keys(f"{PREFIX}*")) == KEYS
    with capsys.disabled():
        sys.stdout.write(
            f"\n{WORKERS} workers, {len(replies)} concurrent unsafe requests of {KEYS} callers: "
            f"{sum(records.values())} judged, as many strikes, {len(records)} quarantined\n"
        )
