"""The shipped rules, compiled once for all tests of this room."""

import pytest

from abuse_gate.rules.book import RuleBook, Scratches
from abuse_gate.work.scanner import build_scanner


@pytest.fixture(scope="session")
def book() -> RuleBook:
    return build_scanner().book


@pytest.fixture(scope="session")
def scratch(book: RuleBook) -> Scratches:
    return book.new_scratch()
