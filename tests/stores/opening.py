"""Shared stores as so many workers would open them, and what tests do with them."""

import asyncio
import ssl
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

import pytest

from abuse_gate.deciding.ladder import Ladder
from abuse_gate.model.standing import Offence, Standing
from abuse_gate.stores.link import connect
from abuse_gate.stores.memory import MemoryStore
from abuse_gate.stores.redis import RedisStore
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


async def leave_early(url: str) -> None:
    """Callers leave at every moment of an answer; whoever comes next gets their own."""
    store = RedisStore(lambda: connect(url, 5.0, connections=3))
    names = [f"caller-{number}" for number in range(6)]
    for number, name in enumerate(names):
        for mark in range(number):
            await store.record_unsafe([(name, LADDER)], Offence((f"m{mark}",)), "")
    expected = {name: number for number, name in enumerate(names)}
    for round_ in range(120):
        leaving = [asyncio.ensure_future(store.look(names)) for _ in range(4)]
        for _ in range(round_ % 12):
            await asyncio.sleep(0)
        await asyncio.sleep(0.0002 * (round_ % 5))
        for each in leaving:
            each.cancel()
        await asyncio.gather(*leaving, return_exceptions=True)
        name = names[round_ % len(names)]
        (found,) = await store.look([name])
        assert found.strikes == expected[name]
    await store.aclose()


@asynccontextmanager
async def relayed(
    server: Server, seconds: float = 0.0, tls: ssl.SSLContext | None = None
) -> AsyncGenerator[int]:
    """A port from which the server is reached, in its own time and perhaps through TLS."""

    async def carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, by: float) -> None:
        with suppress(OSError):
            while data := await reader.read(65_536):
                await asyncio.sleep(by)
                writer.write(data)
        writer.close()

    async def joined(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        from_server, to_server = await asyncio.open_connection("127.0.0.1", server.port)
        await asyncio.gather(carry(reader, to_server, 0), carry(from_server, writer, seconds))

    listener = await asyncio.start_server(joined, "127.0.0.1", 0, ssl=tls)
    try:
        yield listener.sockets[0].getsockname()[1]
    finally:
        listener.close()


def advised_user(page: str, password: str) -> list[str]:
    """The command by which a page advises to make a user of the server."""
    (line,) = [each for each in page.splitlines() if each.startswith("ACL SETUSER")]
    return line.replace(">password", f">{password}").split()
