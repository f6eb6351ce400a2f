"""One server for all tests that only want one, emptied for each of them."""

from collections.abc import Iterator

import pytest

from tests.stores.servers import Server, running


@pytest.fixture(scope="session")
def one_server() -> Iterator[Server]:
    """A real server for a whole test run."""
    with running() as server:
        yield server


@pytest.fixture
def server(one_server: Server) -> Server:
    """The same one, empty."""
    one_server.empty()
    return one_server
