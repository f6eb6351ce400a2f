"""Where the gate's time goes: python -m benchmarks.costs [--calls N] [--top N].

A profile of the gate alone around an app that does nothing, for an ordinary chat of 1 KB. The
profiler makes small functions look dearer than they are: read the order, not the times.
"""

import argparse
import asyncio
import cProfile
import pstats
from collections.abc import Sequence
from typing import Final

from starlette.types import Message, Receive, Scope, Send

from benchmarks.measure import Caller
from benchmarks.subjects import chat_body, gated

CALLS: Final = 5000
TOP: Final = 25


async def _silent_app(_scope: Scope, receive: Receive, send: Send) -> None:
    await receive()
    start: Message = {"type": "http.response.start", "status": 200, "headers": []}
    await send(start)
    await send({"type": "http.response.body", "body": b""})


def profile(calls: int) -> pstats.Stats:
    """A profile of that many gated requests, after a few to warm up."""
    app = gated(_silent_app)
    caller = Caller(chat_body(1_000))
    profiler = cProfile.Profile()

    async def play() -> None:
        await caller.block(app, 20)
        profiler.enable()
        await caller.block(app, calls)
        profiler.disable()

    asyncio.run(play())
    return pstats.Stats(profiler)


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints the dearest functions, by the time spent in themselves."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.costs", description=__doc__)
    parser.add_argument("--calls", type=int, default=CALLS, help="how many requests")
    parser.add_argument("--top", type=int, default=TOP, help="how many functions")
    given = parser.parse_args(arguments)
    profile(given.calls).sort_stats("tottime").print_stats(given.top)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
