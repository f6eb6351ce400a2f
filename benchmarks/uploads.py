"""How free the event loop stays while documents are opened: python -m benchmarks.uploads.

A ticker asks for a turn every millisecond and notes by how much each one comes late: first on an
idle loop, then while fifty PDFs go through a gate at once. Read the ratio; the times are this
machine's.
"""

import argparse
import asyncio
import statistics
import time
from collections.abc import Awaitable, Callable, Sequence
from io import BytesIO
from typing import Any, Final

from reportlab.pdfgen.canvas import Canvas

from abuse_gate import Gate, Settings, build_gate
from abuse_gate.reading.request import RawRequest
from abuse_gate.settings import RoutePolicy

UPLOADS: Final = 50
PAGES: Final = 3
TICK: Final = 0.001


def report(pages: int) -> bytes:
    """A PDF of plain pages."""
    buffer = BytesIO()
    canvas: Any = Canvas(buffer)
    for page in range(pages):
        for line in range(40):
            canvas.drawString(50, 800 - 18 * line, f"Line {line} of page {page}: all is well.")
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def upload(data: bytes) -> RawRequest:
    """A form with one file."""
    body = (
        b"--b\r\nContent-Disposition: form-data; name=f; filename=a.pdf\r\n"
        b"Content-Type: application/pdf\r\n\r\n%b\r\n--b--" % data
    )
    return RawRequest("/", b"", [(b"content-type", b"multipart/form-data; boundary=b")], body)


async def lags(work: Callable[[], Awaitable[object]]) -> list[float]:
    """How late each turn of the loop came while the work was done, in milliseconds."""
    late: list[float] = []
    task = asyncio.ensure_future(work())
    while not task.done():
        asked = time.perf_counter()
        await asyncio.sleep(TICK)
        late.append((time.perf_counter() - asked - TICK) * 1000)
    await task
    return late


async def measure(gate: Gate, number: int) -> tuple[list[float], list[float]]:
    """The lags of an idle loop and of one whose gate opens that many uploads at once."""
    request, policy = upload(report(PAGES)), RoutePolicy()
    await gate.review(request, policy)

    async def many() -> None:
        decisions = await asyncio.gather(*(gate.review(request, policy) for _ in range(number)))
        if any(decision.verdict != "safe" for decision in decisions):
            raise SystemExit("an upload was not judged safe: the figures would mean nothing")

    busy = await lags(many)
    idle = await lags(lambda: asyncio.sleep(0.5))
    return idle, busy


def line(name: str, late: Sequence[float]) -> str:
    """One row of figures."""
    tail = statistics.quantiles(late, n=100)[-1]
    return f"{name:<8}{statistics.median(late):>10.2f}{tail:>10.2f}{max(late):>10.2f}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints the lags and their ratio."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.uploads", description=__doc__)
    parser.add_argument("--uploads", type=int, default=UPLOADS, help="how many at once")
    given = parser.parse_args(arguments)
    gate = build_gate(Settings())
    try:
        idle, busy = asyncio.run(measure(gate, given.uploads))
    finally:
        gate.close()
    print(f"event-loop lag in ms, {given.uploads} uploads of {PAGES} pages at once")
    print(f"{'loop':<8}{'median':>10}{'99th':>10}{'worst':>10}")
    print(line("idle", idle))
    print(line("busy", busy))
    print(f"worst busy / worst idle: {max(busy) / max(idle):.1f}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
