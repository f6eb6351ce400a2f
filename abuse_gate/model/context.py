"""What an agent has read: blocks of text, each with where it came from and how far it is trusted.

A combination is only as trusted as its least trusted part; untrusted is data, never instruction.
"""

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from abuse_gate.model.extract import PLACE_OF, Origin, Segment, Trust

TRUST_ORDER: Final[tuple[Trust, ...]] = ("untrusted", "vetted", "trusted")
# How much text a context holds, and in how many blocks; what is older is forgotten, and its trust
# is not. Of a longer block head and tail are held.
MOST_CHARS: Final = 256 * 1024
MOST_BLOCKS: Final = 2_000
LEFT_OUT: Final = "\n[… {} characters not held]\n"


def lowest(trusts: Iterable[Trust]) -> Trust:
    """The trust of a combination: that of its least trusted part."""
    known = set(trusts)
    ordered: list[Trust] = [trust for trust in TRUST_ORDER if trust in known]
    return ordered[0] if ordered else "trusted"


@dataclass(frozen=True, slots=True, repr=False)
class Block:
    """One text that an agent has read; untrusted unless the app says otherwise."""

    text: str
    trust: Trust = "untrusted"
    origin: Origin = "tool"

    def __post_init__(self) -> None:
        if self.trust not in TRUST_ORDER:
            raise ValueError(f"a block's trust is one of {', '.join(TRUST_ORDER)}")
        if self.origin not in PLACE_OF:
            raise ValueError(f"a block's origin is one of {', '.join(PLACE_OF)}")

    def __repr__(self) -> str:
        return f"Block({self.origin}, {self.trust}, {len(self.text)} chars)"

    @property
    def segment(self) -> Segment:
        """The block as the rules read it: what is untrusted is somebody else's text."""
        foreign = PLACE_OF[self.origin] in {"third_party", "document"}
        origin = self.origin if foreign or self.trust != "untrusted" else "document"
        return Segment(self.text, origin, self.trust)


class Context:
    """What one agent has read so far, oldest first; bounded.

    One object for one conversation: agents that share a context share its taint.
    """

    __slots__ = ("_blocks", "_chars", "_forgotten")

    def __init__(self, blocks: "Iterable[Block | str]" = ()) -> None:
        self._blocks = deque[Block]()
        self._chars = 0
        self._forgotten: Trust | None = None
        for block in blocks:
            self._append(as_block(block))

    def add(self, text: str, *, trust: Trust = "untrusted", origin: Origin = "tool") -> Block:
        """Take down a text that the agent has read."""
        return self._append(Block(text, trust, origin))

    def combine(self, text: str, *parts: Block, origin: Origin = "assistant") -> Block:
        """Take down a text that was made out of others; made out of nothing known, untrusted."""
        trust = lowest(part.trust for part in parts) if parts else "untrusted"
        return self._append(Block(text, trust, origin))

    @property
    def trust(self) -> Trust:
        """The trust of everything read so far, taken together."""
        return lowest(block.trust for block in self)

    def __iter__(self) -> Iterator[Block]:
        blocks = list(self._blocks)
        if self._forgotten is not None:
            yield Block("[earlier content, no longer held]", self._forgotten, "document")
        yield from blocks

    def __len__(self) -> int:
        return len(self._blocks) + (self._forgotten is not None)

    def __repr__(self) -> str:
        return f"Context({len(self)} blocks, {self._chars} chars, {self.trust})"

    def _append(self, given: Block) -> Block:
        block = _held(given)
        self._blocks.append(block)
        self._chars += len(block.text)
        while self._full and len(self._blocks) > 1:
            oldest = self._blocks.popleft()
            self._chars -= len(oldest.text)
            self._forgotten = lowest((oldest.trust, self._forgotten or oldest.trust))
        return block

    @property
    def _full(self) -> bool:
        return self._chars > MOST_CHARS or len(self._blocks) > MOST_BLOCKS


def _held(block: Block) -> Block:
    """A block as far as a context holds it."""
    left_out = len(block.text) - MOST_CHARS
    if left_out <= 0:
        return block
    half = MOST_CHARS // 2
    text = block.text[:half] + LEFT_OUT.format(left_out) + block.text[-half:]
    return replace(block, text=text)


def as_block(given: Block | str) -> Block:
    """A block, or a bare text as an untrusted one."""
    return given if isinstance(given, Block) else Block(given)
