"""What lies below the texts of one place: decoded, put together anew, mended; each reading once.

Makes texts and scans none of them. One for a place: what somebody else's words held is no reason
to pass over it in these.
"""

from typing import Final

from abuse_gate.rules.bends import MENDING, named
from abuse_gate.rules.budget import MAX_DEAR, Budget, Patience, TooLong
from abuse_gate.rules.candidates import Kind
from abuse_gate.rules.decode import GUESSED, decode
from abuse_gate.rules.lures import TRIGGERS, squeeze
from abuse_gate.rules.pace import END
from abuse_gate.rules.sift import Matched
from abuse_gate.rules.views import encode, fold, tidy

# To put the words of a longer text right takes longer than a brief scan has.
MAX_BRIEFLY: Final = 512
# The triggers that call for a text to be turned round.
_TURNING: Final = frozenset(
    at for at, (_, bend, _) in enumerate(TRIGGERS) if bend in {"reversed", "backwards"}
)


# What takes long to read, however short the text is.
_DEAR: Final[frozenset[Kind]] = GUESSED.union(frozenset[Kind]({"announced"}))


class Depths:
    """The readings of one place, as far as patience and budget go."""

    __slots__ = ("_above", "_brief", "_budget", "_mended", "_squeezed", "encoded")

    def __init__(self, budget: Budget, patience: Patience) -> None:
        self._brief = patience.ends
        self._budget = budget
        self._squeezed: set[bytes] = set()
        self._mended: set[str] = set()
        self._above: list[str] = []
        self.encoded = False
        budget.forget()

    def below(self, parts: list[str], matched: Matched) -> list[str]:
        """What texts hold in other encodings, and what they say once their words are mended."""
        # A mended text has the letters of the one that it was made from: once is enough.
        text = "\n".join(part for part in parts if part not in self._mended)
        texts = self._uncover(text, matched.kinds) if matched.kinds and text else []
        if matched.bent and text:
            texts += self._mend(text, matched)
        self._above.append(text)
        # Two ways to the same text are one.
        return [*dict.fromkeys(texts)]

    def _mend(self, text: str, matched: Matched) -> list[str]:
        if self._brief and len(text) > MAX_BRIEFLY:
            raise TooLong
        squeezed = squeeze(encode(fold(text)))
        if squeezed in self._squeezed:
            return []
        self._squeezed.add(squeezed)
        texts: list[str] = []
        unturned = text if _TURNING.isdisjoint(matched.bent) else self._unturned(text)
        for way, reading in named(text, squeezed, matched.bent, unturned):
            texts.append(reading)
            if way in MENDING:
                self._mended.add(tidy(reading))
        return texts

    def _unturned(self, text: str) -> str:
        """The lines that are not those of a text above with their letters in another order.

        What is turned round is not turned back: the two would call for each other without end.
        """
        if not self._above:
            return text
        known = {_letters(line) for above in self._above for line in above.split("\n")}
        return "\n".join(line for line in text.split("\n") if _letters(line) not in known)

    def _uncover(self, text: str, kinds: frozenset[Kind]) -> list[str]:
        dear = self._brief and not kinds.isdisjoint(_DEAR)
        layer = None if dear else decode(text, kinds, self._budget)
        if layer is None or (self._brief and self._budget.spent):
            raise TooLong
        self.encoded = self.encoded or layer.encoded
        return layer.texts


def _letters(line: str) -> bytes:
    """The letters of a line, sorted; nobody turns a longer one, and sorting it would hold us up."""
    return bytes(sorted(squeeze(encode(fold(line[:END])))))


def new_budget(patience: Patience) -> Budget:
    """What a whole scan may spend below its texts; a brief one spends nothing that is dear."""
    return Budget(dear=0 if patience.ends else MAX_DEAR)
