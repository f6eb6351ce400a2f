"""A provider on loopback that misbehaves on demand, for tests of verifiers and of apps.

Speaks OpenAI (moderations, chat, Responses, decisions), Anthropic messages and both Azure APIs.
"""

import asyncio
from collections.abc import Iterable
from types import TracebackType
from typing import Final, Self

from abuse_gate.model.verdict import Verdict
from abuse_gate.testing.faults_framing import FRAMING_MODES
from abuse_gate.testing.faults_law import Act, Mode, said
from abuse_gate.testing.faults_replies import REPLY_MODES
from abuse_gate.testing.faults_statuses import ELSEWHERE, STATUS_MODES
from abuse_gate.testing.faults_transport import TRANSPORT_MODES
from abuse_gate.testing.faults_wire import ClientLeft, Exchange, RecordedRequest

_HEAD_LIMIT: Final = 262_144
_BACKLOG: Final = 1024


def _says(verdict: Verdict) -> Act:
    async def act(exchange: Exchange) -> None:
        await exchange.say(verdict)

    return act


GOOD_MODES: Final[dict[str, Mode]] = {
    "safe": Mode(_says("safe"), says=said("safe"), heard=True),
    "unsafe": Mode(_says("unsafe"), says=said("unsafe"), heard=True),
    "unclear": Mode(_says("unclear")),
}

# Every mode by name: what is done, and what a correct verifier must answer.
MODES: Final[dict[str, Mode]] = {
    **GOOD_MODES,
    **TRANSPORT_MODES,
    **FRAMING_MODES,
    **REPLY_MODES,
    **STATUS_MODES,
}


class FaultyProvider:
    """`async with FaultyProvider("hang_after_request") as provider:` serves at `provider.url`.

    `mode` may be changed at any time: one name for every request, or a script of names of which
    the last holds for ever. `requests` keeps what arrived.
    """

    def __init__(self, mode: str | Iterable[str] = "safe") -> None:
        self.requests: list[RecordedRequest] = []
        self.connections = 0
        self._script: list[str] = []
        # How often each mode has come since it was set.
        self._seen: dict[str, int] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None
        self.mode = mode

    @property
    def mode(self) -> str:
        """The mode of the next request."""
        return self._script[0]

    @mode.setter
    def mode(self, mode: str | Iterable[str]) -> None:
        script = [mode] if isinstance(mode, str) else list(mode)
        unknown = [name for name in script if name not in MODES]
        if unknown or not script:
            raise ValueError(f"no such fault mode: {unknown}; see abuse_gate.testing.MODES")
        self._script = script
        self._seen.clear()

    @property
    def url(self) -> str:
        """The address to hand to an SDK as its base; the provider's own paths lie below it."""
        if self._server is None:
            raise RuntimeError("the provider is not running: use it as an async context manager")
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    @property
    def strays(self) -> list[RecordedRequest]:
        """Requests that followed a redirect to another host: there should be none."""
        return [request for request in self.requests if request.path.startswith(ELSEWHERE)]

    @property
    def open_connections(self) -> int:
        """How many connections a client holds right now."""
        return len(self._tasks)

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(
            self._accept, "127.0.0.1", 0, limit=_HEAD_LIMIT, backlog=_BACKLOG
        )
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        server, self._server = self._server, None
        if server is not None:
            server.close()
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        task = asyncio.get_running_loop().create_task(self._serve(Exchange(reader, writer)))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _serve(self, exchange: Exchange) -> None:
        try:
            if MODES[self.mode].stage == "connect":
                await self._act(exchange)
            while exchange.keep:
                await exchange.read_head()
                await self._act(exchange)
        except ClientLeft:
            exchange.request.abandoned = True
        finally:
            exchange.writer.close()

    async def _act(self, exchange: Exchange) -> None:
        """Take the next mode of the script and let it happen, at its own stage."""
        name = self._script.pop(0) if len(self._script) > 1 else self._script[0]
        mode = MODES[name]
        exchange.nth = self._seen.get(name, 0)
        self._seen[name] = exchange.nth + 1
        exchange.request.mode = name
        self.requests.append(exchange.request)
        if mode.stage == "request":
            await exchange.read_body()
        await mode.act(exchange)
