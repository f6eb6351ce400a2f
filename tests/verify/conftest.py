"""Rules are compiled before any event loop runs, and once."""

import pytest

from abuse_gate.work.scanner import Scanner
from tests.gate.standing import shipped_scanner


@pytest.fixture(scope="session")
def scanner() -> Scanner:
    """The shipped rules."""
    return shipped_scanner()
