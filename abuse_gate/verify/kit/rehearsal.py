"""Has an SDK do at start-up what it would else do during the first request, on everybody's loop.

SDKs import their endpoints, and work out the types of their arguments, when they are first asked:
tenths of a second in which nothing else in the process would be served.
"""

import asyncio
import contextlib
import threading
from collections.abc import Callable, Coroutine, Hashable
from typing import Any

import anyio
import httpx2

_done: set[Hashable] = set()


def nobody(_request: httpx2.Request) -> httpx2.Response:
    """The other end of a rehearsal: an empty answer."""
    return httpx2.Response(200, json={})


def rehearse(kind: Hashable, question: Callable[[], Coroutine[Any, Any, object]]) -> None:
    """Asks once for each kind of question, in a thread and a loop of its own; never raises."""
    if kind in _done:
        return
    _done.add(kind)
    thread = threading.Thread(target=_ask, args=(question,), name="abuse-gate-rehearsal")
    thread.start()
    thread.join()


def _ask(question: Callable[[], Coroutine[Any, Any, object]]) -> None:
    # What an empty answer is called does not matter here.
    with contextlib.suppress(Exception):
        # Imports what connections need, before there is a loop that an import would hold up.
        anyio.run(anyio.sleep, 0)
        asyncio.run(question())
