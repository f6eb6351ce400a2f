"""One gate, and so one pool of workers, for all tests of a file."""

from collections.abc import Iterator

import pytest

from abuse_gate.gate import Gate
from tests.documents.gates import gate


@pytest.fixture(scope="module")
def opener() -> Iterator[Gate]:
    made = gate()
    yield made
    made.close()
