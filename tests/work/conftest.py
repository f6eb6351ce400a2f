"""Rules are compiled before any event loop runs, and once; pools are closed."""

from collections.abc import Iterator

import pytest

from abuse_gate.work.scanner import Scanner
from tests.gate.standing import shipped_scanner
from tests.work.pools import Pools


@pytest.fixture(scope="session")
def scanner() -> Scanner:
    """The shipped rules."""
    return shipped_scanner()


@pytest.fixture
def pools() -> Iterator[Pools]:
    """Makes pools; every one of them is closed."""
    made = Pools()
    yield made
    for pool in made.made:
        pool.close()
