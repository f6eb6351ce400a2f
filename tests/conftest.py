"""What holds in every test: no blocking call on an event loop, no network but loopback."""

import gc
import logging
import os
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from blockbuster import BlockBuster
from xdist.scheduler import LoadScopeScheduling  # type: ignore[import-untyped]

from abuse_gate.work.scanner import build_scanner

LOOPBACK = ("127.", "::1", "localhost")


def _forbid_network(event: str, arguments: tuple[Any, ...]) -> None:
    if event not in ("socket.connect", "socket.getaddrinfo"):
        return
    host = arguments[1][0] if event == "socket.connect" else arguments[0]
    if isinstance(host, bytes):
        host = host.decode("latin-1")
    if isinstance(host, str) and host and not host.startswith(LOOPBACK) and "/" not in host:
        raise PermissionError(f"the test suite has no network: {host}")


# An audit hook sees every socket of the process, whichever library opens it.
sys.addaudithook(_forbid_network)


# Start-up reads the rule packs off the disk and compiles them; tests begin after it. What it says
# on a fresh machine has no place behind the summary.
_nowhere = logging.NullHandler()
logging.getLogger("abuse_gate").addHandler(_nowhere)
build_scanner()
logging.getLogger("abuse_gate").removeHandler(_nowhere)


# What was imported and compiled stays to the end: to look for garbage in it again and again takes a
# tenth of the time.
gc.collect()
gc.freeze()
gc.set_threshold(20_000, 20, 20)


# Files whose servers and reports are made once for all of their tests, and files whose tests mostly
# wait: they come before the others, which then fill the gaps.
TOGETHER = (
    *(
        "architecture",
        "benchmarks",
        "documents",
        "e2e",
        "evasion",
        "examples",
        "providers",
        "stores",
    ),
    "work",
)


class _ByFile(LoadScopeScheduling):  # type: ignore[misc]
    """Hands out tests one by one, but those files as a whole."""

    def _split_scope(self, nodeid: str) -> str:
        file = nodeid.partition("::")[0]
        return file if file.startswith(tuple(f"tests/{name}/" for name in TOGETHER)) else nodeid


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> LoadScopeScheduling:
    """How several workers share the suite."""
    return _ByFile(config, log)


@pytest.fixture(scope="session")
def detector() -> BlockBuster:
    """Made once: to wrap every blocking call anew takes longer than most tests."""
    made = BlockBuster()
    # The coverage tracer's own lock, not ours.
    made.functions["threading.Lock.acquire"].can_block_in("coverage/collector.py", {"lock_data"})
    # A worker that starts waits for another one to compile; it would compile itself otherwise.
    made.functions["time.sleep"].can_block_in("abuse_gate/work/alone.py", {"waited"})
    return made


@pytest.fixture(autouse=True)
def no_blocking_calls(detector: BlockBuster) -> Iterator[BlockBuster]:
    """A blocking call inside an event loop fails the test that made it."""
    detector.activate()
    try:
        yield detector
    finally:
        detector.deactivate()


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """No setting of the machine that runs the suite reaches a test."""
    for name in list(os.environ):
        if name.startswith(("ABUSE_GATE_", "VERIFIER_", "OPENAI_", "ANTHROPIC_", "AZURE_")):
            monkeypatch.delenv(name)
