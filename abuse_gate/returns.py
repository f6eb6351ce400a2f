"""What a tool gave back, taken down as something that the agent has now read.

Texts of any value, of an exception, and of a stream while it is read; asks no gate.
"""

from collections.abc import AsyncGenerator, AsyncIterator, Callable, Coroutine, Generator, Iterator
from contextlib import aclosing, closing, contextmanager
from dataclasses import dataclass
from types import AsyncGeneratorType, CoroutineType, GeneratorType
from typing import Any, Final, cast

from abuse_gate.model.context import MOST_CHARS, Context
from abuse_gate.model.extract import Trust
from abuse_gate.reading.objects import Bounds, spoken

# A context holds no more text than this, and the loop waits while a result is read.
MOST: Final = Bounds(nodes=50_000, chars=MOST_CHARS)
# Stands for what a tool returned and nobody has read: its taint counts without its text.
UNREAD: Final = "[a tool's result that was not read]"

Stream = Generator[Any, Any, Any] | AsyncGenerator[Any, Any] | Coroutine[Any, Any, Any]


@dataclass(frozen=True, slots=True)
class Reader:
    """Whose context results join, and how far they are trusted; None to leave them out."""

    held: Callable[[], Context]
    trust: Trust | None
    # Exceptions of our own, which say nothing that anybody has read.
    silent: type[Exception]

    def read(self, returned: Any) -> Any:
        """A result, taken down; a stream comes back as one that is taken down while it is read."""
        if self.trust is None:
            return returned
        if isinstance(returned, GeneratorType | AsyncGeneratorType | CoroutineType):
            # Whoever holds it may read it at any time: the taint must not wait for the text.
            self._add(UNREAD)
            return self._wrapped(cast("Stream", returned))
        self._take(returned)
        return returned

    def _take(self, value: object) -> None:
        said = spoken(value, MOST)
        text = "\n".join(said.texts)
        if text:
            self._add(text)
        if said.flags:
            self._add(UNREAD)

    def _add(self, text: str) -> None:
        self.held().add(text, trust=cast("Trust", self.trust), origin="tool")

    def _wrapped(self, stream: Stream) -> Any:
        if isinstance(stream, Generator):
            return self._items(stream)
        return (
            self._async_items(stream) if isinstance(stream, AsyncGenerator) else self._one(stream)
        )

    def _items(self, stream: Generator[Any, Any, Any]) -> Iterator[Any]:
        with closing(stream), self.watched():
            for item in stream:
                self._take(item)
                yield item

    async def _async_items(self, stream: AsyncGenerator[Any, Any]) -> AsyncIterator[Any]:
        async with aclosing(stream):
            with self.watched():
                async for item in stream:
                    self._take(item)
                    yield item

    async def _one(self, work: Coroutine[Any, Any, Any]) -> Any:
        with self.watched():
            returned = await work
        return self.read(returned)

    @contextmanager
    def watched(self) -> Generator[None]:
        """While a tool runs: an exception is taken down, for its text may be a page's."""
        try:
            yield
        except Exception as error:
            if self.trust is not None and not isinstance(error, self.silent):
                self._take(error)
            raise
