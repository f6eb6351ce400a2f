"""Shared stores as so many workers would open them, and what tests do with them."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable

import pytest

from abuse_gate.deciding.ladder import Ladder
from abuse_gate.model.standing import Offence, Standing
from abuse_gate.stores.link import connect
from abuse_gate.stores.memory import MemoryStore
from abuse_gate.stores.shared import SharedStore, open_store
from abuse_gate.testing import RecordingObserver
from tests.stores.servers import Server

LADDER = Ladder()
Opened = Callable[..., tuple[SharedStore, RecordingObserver]]


@pytest.fixture
async def opened(server: Server) -> AsyncIterator[Opened]:
    """Opens stores as so many workers would, and closes them."""
    stores: list[SharedStore] = []

    def make(url: str = "", seconds: float = 5.0) -> tuple[SharedStore, RecordingObserver]:
        observer = RecordingObserver()
        store = open_store(
            lambda: connect(url or server.url, 5.0), LADDER, MemoryStore(), observer, seconds
        )
        stores.append(store)
        return store, observer

    yield make
    for store in stores:
        await store.aclose()


async def strike(store: SharedStore, *numbers: int, subject: str = "s") -> list[Standing]:
    return [
        (await store.record_unsafe([(subject, LADDER)], Offence((f"m{n}",)), f"i{n}"))[0]
        for n in numbers
    ]


def modes(found: list[Standing]) -> list[str]:
    return [standing.mode for standing in found]


async def until(happened: Callable[[], bool], store: SharedStore) -> None:
    give_up = time.monotonic() + 20
    while not happened():
        assert time.monotonic() < give_up
        await store.look(["nobody"])
        await asyncio.sleep(0.02)
