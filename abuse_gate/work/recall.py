"""What was clear a moment ago: a conversation says all that it has said before with every turn.

Keeps digests under a key of this process, never a text. There is one for the end of every block, so
that a text which goes on where a known one ended is known that far. Who sent it is part of every
digest: how soon an answer comes must not tell one sender what another has said.
"""

import os
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from typing import Final

# A digest costs a fiftieth of the scan of a block.
BLOCK: Final = 1024
# In each of two generations; a digest takes about a hundred bytes.
MOST_KEPT: Final = 8192
_KEY_BYTES: Final = 32
_DIGEST_BYTES: Final = 16


class Recall:
    """One for a scanner: what is clear to one set of rules may not be so to another."""

    def __init__(self) -> None:
        self._start = blake2b(key=os.urandom(_KEY_BYTES), digest_size=_DIGEST_BYTES)
        # What is not met again is forgotten with its generation; no clock, no order to keep.
        self._young: dict[bytes, None] = {}
        self._old: dict[bytes, None] = {}

    def request(self, who: bytes, path: str, body: bytes) -> bytes:
        """The digest of a whole request."""
        running = self._begun(b"request", who, path)
        running.update(body)
        return running.digest()

    def trail(self, who: bytes, data: bytes) -> list[bytes]:
        """The digests of a text up to the end of each block; the last may be a short one."""
        running = self._begun(b"text", who)
        found: list[bytes] = []
        for at in range(0, len(data), BLOCK):
            running.update(data[at : at + BLOCK])
            found.append(running.digest())
        return found

    def _begun(self, kind: bytes, who: bytes, path: str = "") -> "blake2b":
        running = self._start.copy()
        name = path.encode("utf-8", "surrogatepass")
        # The lengths keep the end of the one and the beginning of the other apart.
        running.update(b"%b %d %d %b%b" % (kind, len(who), len(name), who, name))
        return running

    def knows(self, digest: bytes) -> bool:
        """Whether this was kept, and not yet forgotten; what is met again is kept anew."""
        if digest in self._young:
            return True
        if digest not in self._old:
            return False
        self.keep((digest,))
        return True

    def known(self, trail: Sequence[bytes]) -> int:
        """How many blocks of a text, from its beginning, were kept."""
        return next((at for at in range(len(trail), 0, -1) if self.knows(trail[at - 1])), 0)

    def keep(self, digests: Iterable[bytes]) -> None:
        """Take down what is clear: a request, or a text up to the end of some blocks."""
        if len(self._young) >= MOST_KEPT:
            self._old, self._young = self._young, {}
        self._young.update(dict.fromkeys(digests))
