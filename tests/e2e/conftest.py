"""What the end-to-end tests share: one gated app, and real servers in front of it."""

from collections.abc import Iterator

import httpx2
import pytest

from tests.e2e.house import House
from tests.e2e.serving import PATIENCE, Http, Loop, Served, serve

SERVERS: tuple[tuple[Http, Loop], ...] = (
    ("h11", "asyncio"),
    ("httptools", "asyncio"),
    ("h11", "uvloop"),
    ("httptools", "uvloop"),
)


@pytest.fixture(scope="session")
def house() -> House:
    """One middleware object for all servers: it must serve several event loops at once."""
    return House()


@pytest.fixture(scope="session", params=SERVERS, ids="-".join)
def served(request: pytest.FixtureRequest, house: House) -> Iterator[Served]:
    """The house behind each protocol implementation and each event loop."""
    http, loop = request.param
    with serve(house, http=http, loop=loop) as where:
        yield where


@pytest.fixture
def async_http() -> httpx2.AsyncClient:
    """An HTTP client made outside the event loop, because making one reads certificates."""
    return httpx2.AsyncClient(trust_env=False, timeout=PATIENCE)
