"""What one request may spend on decoding, and what a pass of decoding brought to light."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from abuse_gate.rules.readable import as_text, is_dear

# An ordinary file full of checksums must fit; what is beyond is flagged, never silently skipped.
MAX_CANDIDATES: Final = 4096
MAX_CHARS: Final = 8 * 1024 * 1024
# What is packed so well that a few bytes of it take milliseconds to unpack.
MAX_DEAR: Final = 16


@dataclass(slots=True)
class Budget:
    """What one request may spend on decoding; `spent` says that something was left undecoded."""

    candidates: int = MAX_CANDIDATES
    chars: int = MAX_CHARS
    dear: int = MAX_DEAR
    spent: bool = False
    seen: set[str] = field(default_factory=set[str])
    # Lines of the readings that were made so far, by their hashes.
    lines: set[int] = field(default_factory=set[int])
    # Lines of texts that were arranged anew, and whatever was read out of those.
    made: set[int] = field(default_factory=set[int])
    # Lines of guesses.
    guessed: set[int] = field(default_factory=set[int])

    def forget(self) -> None:
        """Begin with another place: what was seen is to be seen there again, and paid for."""
        self.seen.clear()
        self.lines.clear()
        self.made.clear()
        self.guessed.clear()

    def take(self, chars: int) -> bool:
        """Pay for one candidate of this length, or remember that it could not be paid."""
        if self.candidates <= 0 or chars > self.chars:
            self.spent = True
            return False
        self.candidates -= 1
        self.chars -= chars
        return True

    def take_new(self, candidate: str) -> bool:
        """Pay for a candidate once, however many layers it shows through."""
        if candidate in self.seen or not self.take(len(candidate)):
            return False
        self.seen.add(candidate)
        return True

    def text(self, data: bytes) -> str | None:
        """The text that bytes are, unpacked if need be and if that can be paid."""
        if is_dear(data):
            if self.dear <= 0:
                self.spent = True
                return None
            self.dear -= 1
        return as_text(data)

    def fresh(self, reading: str) -> str:
        """A reading in which there is a line that none had before, else nothing.

        Otherwise readings would never come to an end. It stays whole: a sentence may run over
        lines of which one is known.
        """
        marks = {hash(line) for line in reading.split("\n") if line}
        if marks <= self.lines:
            return ""
        self.lines |= marks
        return reading

    @staticmethod
    def unmade(text: str, made: set[int]) -> str:
        """The lines of a text that were not made so: to make them again would go on without end."""
        if not made:
            return text
        return "\n".join(line for line in text.split("\n") if hash(line) not in made)

    @staticmethod
    def make(readings: Iterable[str], made: set[int]) -> None:
        """Remember the lines of texts that were made so."""
        made.update(hash(line) for text in readings for line in text.split("\n") if line)


class TooLong(Exception):
    """There is more to read than there is patience for."""


class Patience:
    """How many characters somebody is ready to have looked at closely, if there is an end to it."""

    __slots__ = ("_left",)

    def __init__(self, chars: int | None = None) -> None:
        self._left = chars

    @property
    def ends(self) -> bool:
        """Whether there is an end to it."""
        return self._left is not None

    def take(self, chars: int) -> None:
        """Look at so many; raises TooLong when that is more than was bargained for."""
        if self._left is not None:
            self._left -= chars
            if self._left < 0:
                raise TooLong


ENDLESS: Final = Patience()


@dataclass(slots=True)
class Layer:
    """What one pass of decoding brought to light, and whether it looked like a disguise."""

    texts: list[str] = field(default_factory=list[str])
    # Of each text, what it was written in.
    ways: list[str] = field(default_factory=list[str])
    encoded: bool = False

    def add(self, text: str | None, way: str, *, disguise: bool) -> bool:
        """Keep a decoded text for the next scan, and its way; whether there was one."""
        if text is None:
            return False
        self.texts.append(text)
        self.ways.append(way)
        self.encoded = self.encoded or disguise
        return True
