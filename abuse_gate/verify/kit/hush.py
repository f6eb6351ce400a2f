"""Keeps SDK loggers quiet while one of our calls is under way: at DEBUG they print prompts.

Other calls that the app makes with the same SDK are logged as the app wants.
"""

import logging
from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

NOISY: Final = ("anthropic", "azure", "httpcore2", "httpx2", "msal", "openai")

_ours: ContextVar[bool] = ContextVar("abuse_gate_hushed", default=False)


class _Hush(logging.Filter):
    """Drops the records of a call of ours."""

    def filter(self, record: logging.LogRecord) -> bool:  # noqa: ARG002 - what it says is not asked
        return not _ours.get()


_HUSH: Final = _Hush()


def hush_loggers() -> None:
    """Puts the filter on every logger of the SDKs that exists; a logger inherits no filters."""
    known = logging.Logger.manager.loggerDict
    for name in [name for name in tuple(known) if name.partition(".")[0] in NOISY]:
        logging.getLogger(name).addFilter(_HUSH)


@contextmanager
def hushed() -> Generator[None]:
    """While this is open, nothing that this task does with an SDK is logged."""
    token = _ours.set(True)
    try:
        yield
    finally:
        _ours.reset(token)
