"""The shipped rules, compiled once for all tests of this room."""

from importlib import resources

import pytest

from abuse_gate.rules.book import RuleBook, build_book
from abuse_gate.rules.engine import Scratch, new_scratch

SHIPPED = ("seed", "override", "extraction", "shell")


@pytest.fixture(scope="session")
def book() -> RuleBook:
    folder = resources.files("abuse_gate.rules") / "packs"
    return build_book([(name, (folder / f"{name}.toml").read_text("utf-8")) for name in SHIPPED])


@pytest.fixture(scope="session")
def scratch(book: RuleBook) -> Scratch:
    return new_scratch(book.database)
