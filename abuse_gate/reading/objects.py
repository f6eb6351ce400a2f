"""Values of the app's own (arguments of an action, results of a tool) to every text in them.

Never raises and never recurses, runs no iterator dry, and says of everything that it leaves unread.
By hand: what serialises objects drops the whole of a value for one key that it does not know.
"""

from collections.abc import (
    AsyncIterator,
    Awaitable,
    Callable,
    Collection,
    Iterable,
    Iterator,
    Mapping,
)
from dataclasses import dataclass, field
from enum import Enum
from functools import partial
from itertools import chain
from typing import Any, Final, TypeVar, cast

from abuse_gate.model.extract import Flag


@dataclass(frozen=True, slots=True)
class Bounds:
    """How far a value is read: things in it, characters, and levels."""

    nodes: int = 200_000
    chars: int = 4 * 1024 * 1024
    depth: int = 100


Result = TypeVar("Result")

WHOLE: Final = Bounds()

_SILENT: Final = (bool, int, float, complex, type(None), range)
_BYTES: Final = (bytes, bytearray, memoryview)
_RUNNING: Final = (Iterator, AsyncIterator, Awaitable)
_UNTOLD: Final = frozenset({"__dict__", "__weakref__"})
_END: Final = object()

Inside = Iterator[object] | None


@dataclass(slots=True, repr=False)
class Spoken:
    """Every text of a value in order, and a flag for everything that was not read.

    `truncated`: beyond a bound, or it raised, or it can be read only once; `too_deep`; and
    `opaque_media_noninterpretable` for what has no text that we know of.
    """

    texts: list[str] = field(default_factory=list[str])
    flags: set[Flag] = field(default_factory=set[Flag])
    cut: bool = False


def spoken(value: object, bounds: Bounds = WHOLE) -> Spoken:
    """Every text of a value, keys included."""
    return _Walk(bounds).read(value)


def is_small(value: object, bounds: Bounds) -> bool:
    """Whether a value is read within these bounds."""
    return not spoken(value, bounds).cut


class _Walk:
    """One reading; holds what it has met, so that no two things share an identity."""

    __slots__ = ("_bounds", "_chars", "_met", "_nodes", "_said")

    def __init__(self, bounds: Bounds) -> None:
        self._bounds = bounds
        self._nodes = bounds.nodes
        self._chars = bounds.chars
        self._met: dict[int, object] = {}
        self._said = Spoken()

    def read(self, value: object) -> Spoken:
        """The walk itself: a stack of what is open, as deep as the bound."""
        stack: list[Iterator[object]] = [iter((value,))]
        while stack and not self._said.cut:
            item = self._tried(partial(next, stack[-1], _END), _END)
            inside = None if item is _END else self._tried(partial(self._take, item), None)
            if item is _END:
                stack.pop()
            elif inside is not None and len(stack) > self._bounds.depth:
                self._said.flags.add("too_deep")
            elif inside is not None:
                stack.append(inside)
        return self._said

    def _tried(self, step: Callable[[], Result], otherwise: Result) -> Result:
        """A step that may run code of the app's; where that raises, something stays unread."""
        try:
            return step()
        except Exception:  # noqa: BLE001 - any object of the app's may stand there
            self._said.flags.add("truncated")
            return otherwise

    def _take(self, item: object) -> Inside:
        """Take down one thing; what it holds, if it holds something."""
        self._nodes -= 1
        if self._nodes < 0:
            self._cut()
            return None
        if isinstance(item, _SILENT) or id(item) in self._met:
            return None
        if isinstance(item, str):
            self._say(str.__str__(item))
            return None
        if isinstance(item, _BYTES):
            self._decode(bytes(cast("bytes", item)[: self._chars + 1]))
            return None
        self._met[id(item)] = item
        return self._inside(item)

    def _inside(self, item: object) -> Inside:
        if isinstance(item, Mapping):
            return chain.from_iterable(cast("Mapping[object, object]", item).items())
        if isinstance(item, Collection):
            return iter(cast("Collection[object]", item))
        if isinstance(item, BaseException):
            return iter((str(item), item.args, _noted(item), item.__cause__, item.__context__))
        if isinstance(item, Enum):
            return iter((item.name, item.value))
        if isinstance(item, _RUNNING):
            # Reading it would leave nothing for whoever it is meant for.
            self._said.flags.add("truncated")
            return None
        return self._object(item)

    def _object(self, item: object) -> Inside:
        """Of any other object: what it says of itself, and what it holds."""
        held = list(_held(item))
        own = not hasattr(item, "__dataclass_fields__") and _speaks(type(item))
        if callable(item) or not (own or held):
            self._said.flags.add("opaque_media_noninterpretable")
        return iter((*((str(item),) if own else ()), *held))

    def _say(self, text: str) -> None:
        if len(text) > self._chars:
            self._cut()
            text = text[: self._chars]
        self._chars -= len(text)
        if text:
            self._said.texts.append(text)

    def _decode(self, data: bytes) -> None:
        """Bytes as the text that they are, or as every text that they may be."""
        try:
            self._say(data.decode().replace("\0", ""))
        except UnicodeDecodeError:
            self._said.flags.add("opaque_media_noninterpretable")
            self._say(data.decode("latin-1").replace("\0", ""))
            self._say(data.decode("utf-16", "ignore"))

    def _cut(self) -> None:
        self._said.cut = True
        self._said.flags.add("truncated")


def _held(item: object) -> Iterator[object]:
    """The attributes of an object, with their names: a name may be the sender's, too."""
    attributes = getattr(item, "__dict__", None)
    if isinstance(attributes, dict) and attributes:
        yield cast("dict[str, object]", attributes)
    for kind in type(item).__mro__:
        slots: Any = kind.__dict__.get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else cast("Iterable[str]", slots):
            if name not in _UNTOLD and hasattr(item, name):
                yield getattr(item, name)


def _noted(error: BaseException) -> object:
    return getattr(error, "__notes__", None)


def _speaks(kind: type) -> bool:
    """Whether a type says something of its own; the words of `object` are an address."""
    words: list[object] = [kind.__str__, kind.__repr__]
    return words != [object.__str__, object.__repr__]
