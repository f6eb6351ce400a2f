"""Which request this task is working on, while a verifier is asked about it.

Set for the few requests that wait for somebody, so that what fails meanwhile can name them.
"""

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

from abuse_gate.model.visit import Visit

_VISIT: Final[ContextVar[Visit | None]] = ContextVar("abuse_gate_visit", default=None)


def current_visit() -> Visit | None:
    """The request that this task, or the one that started it, is working on."""
    return _VISIT.get()


@contextmanager
def visiting(visit: Visit) -> Generator[None]:
    """The request is this one until the block ends."""
    token = _VISIT.set(visit)
    try:
        yield
    finally:
        _VISIT.reset(token)
