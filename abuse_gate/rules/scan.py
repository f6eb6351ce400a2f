"""Extract in, findings out: one engine pass per place, decoded layers only where there are any.

Groups, scans and names hits; what a hit is worth and what follows from it is decided elsewhere.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from abuse_gate.model.extract import PLACE_OF, Extract, Flag
from abuse_gate.model.hit import Hit, Place
from abuse_gate.rules import engine
from abuse_gate.rules.book import RuleBook
from abuse_gate.rules.decode import MAX_LAYERS, Budget, Kind, decode
from abuse_gate.rules.engine import Scratch
from abuse_gate.rules.views import encode, fold, hidden, spread, tidy

# Characters over all places and views; the rest is unread and said to be.
MAX_SCANNED: Final = 4 * 1024 * 1024
# A flag emoji spells its region in a handful of tag characters; a message needs more.
MIN_HIDDEN: Final = 12

_OVER: Final[frozenset[Flag]] = frozenset({"scan_budget"})
_NO_FLAGS: Final[frozenset[Flag]] = frozenset()


@dataclass(frozen=True, slots=True)
class Findings:
    """What the rules found: hits, what was left unread, and whether anything was disguised."""

    hits: tuple[Hit, ...] = ()
    flags: frozenset[Flag] = frozenset()
    encoded: bool = False


class _Reading:
    """The state of one scan: its book, its budgets and what it has found so far."""

    __slots__ = ("_book", "_budget", "_left", "_over", "_scratch", "encoded", "hits")

    def __init__(self, book: RuleBook, scratch: Scratch) -> None:
        self._book = book
        self._scratch = scratch
        self._left = MAX_SCANNED
        self._over = False
        self._budget: Budget | None = None
        self.hits: list[Hit] = []
        self.encoded = False

    def findings(self) -> Findings:
        """Everything found, as a value."""
        over = self._over or (self._budget is not None and self._budget.spent)
        return Findings(tuple(self.hits), _OVER if over else _NO_FLAGS, self.encoded)

    def read(self, place: Place, texts: Sequence[str]) -> None:
        """Scan one place's texts as one, then whatever they hide."""
        joined = self._within(texts[0] if len(texts) == 1 else "\n".join(texts))
        if joined.isascii():
            matched = self._match(joined.lower().encode())
            if matched:
                self._note(place, joined, matched, [])
            return
        tidied, extra = tidy(joined), self._disguised(joined)
        matched = self._match(encode(self._within(fold(tidied))))
        if matched or extra:
            self._note(place, tidied, matched, extra)

    def _match(self, data: bytes) -> list[int]:
        return engine.scan(self._book.database, self._scratch, data)

    def _within(self, text: str) -> str:
        """The text as far as the budget goes."""
        if len(text) > self._left:
            self._over = True
            text = text[: self._left]
        self._left -= len(text)
        return text

    def _disguised(self, text: str) -> list[str]:
        """The other readings of invisible characters: as spaces, and as a hidden channel."""
        secret = hidden(text)
        if len(secret) >= MIN_HIDDEN:
            self.encoded = True
        return [reading for reading in (spread(text), secret) if reading]

    def _note(self, place: Place, text: str, matched: list[int], extra: list[str]) -> None:
        """Name the plain hits, then go down through the layers."""
        known: set[int] = set()
        self._name(place, matched, known, decoded=False)
        for _ in range(MAX_LAYERS):
            texts = [*extra, *self._uncover(text, matched)]
            extra = []
            if not texts:
                return
            text = self._within("\n".join(map(tidy, texts)))
            matched = self._match(encode(fold(text)))
            self._name(place, matched, known, decoded=True)
        # Wrapped deeper than we unwrap: there is a text below that nobody has read.
        self._over = self._over or bool(self._uncover(text, matched))

    def _uncover(self, text: str, matched: list[int]) -> list[str]:
        kinds = self._kinds(matched)
        if not kinds:
            return []
        self._budget = self._budget or Budget()
        layer = decode(text, kinds, self._budget)
        self.encoded = self.encoded or layer.encoded
        return layer.texts

    def _kinds(self, matched: list[int]) -> frozenset[Kind]:
        """The decoders that have work: engine indexes behind the last rule's."""
        rules = len(self._book.rules)
        return frozenset(self._book.kinds[index - rules] for index in matched if index >= rules)

    def _name(self, place: Place, matched: list[int], known: set[int], *, decoded: bool) -> None:
        """Add the hits of one pass; a rule that already spoke for this place is not heard twice."""
        rules = self._book.rules
        for index in matched:
            if index >= len(rules) or index in known or place not in rules[index].places:
                continue
            known.add(index)
            rule = rules[index]
            self.hits.append(Hit(rule.id, rule.family, rule.severity, place, decoded=decoded))


def scan(extract: Extract, book: RuleBook, scratch: Scratch) -> Findings:
    """What the rules find in a request, place by place, plain and decoded."""
    groups: dict[Place, list[str]] = {}
    for segment in extract.segments:
        groups.setdefault(PLACE_OF[segment.origin], []).append(segment.text)
    if extract.calls:
        called = [part for call in extract.pending_calls for part in (call.name, *call.texts)]
        if called:
            groups["call"] = called
    return _scan_groups(groups.items(), book, scratch)


def scan_text(text: str, book: RuleBook, scratch: Scratch) -> Findings:
    """What the rules find in a plain text, as the caller's own."""
    return _scan_groups((("caller", (text,)),), book, scratch)


def _scan_groups(
    groups: Iterable[tuple[Place, Sequence[str]]], book: RuleBook, scratch: Scratch
) -> Findings:
    reading = _Reading(book, scratch)
    for place, texts in groups:
        reading.read(place, texts)
    return reading.findings()
