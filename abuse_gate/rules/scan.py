"""Extract in, findings out: one pass per place over its text and one over its bare letters;
decoded and mended layers only where there are any.

Scans and names hits; what a hit is worth and what follows from it is decided elsewhere.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from abuse_gate.model.extract import Extract, Flag
from abuse_gate.model.hit import Hit, Place
from abuse_gate.rules.bends import seen
from abuse_gate.rules.book import RuleBook, Scratches
from abuse_gate.rules.budget import ENDLESS, Budget, Patience, TooLong
from abuse_gate.rules.decode import MAX_LAYERS
from abuse_gate.rules.depths import Depths, new_budget
from abuse_gate.rules.findings import CLEAN, Enough, Findings, never
from abuse_gate.rules.harmless import EXPLAINED_PLACE, Excuses, as_mended, explained
from abuse_gate.rules.hidden import hidden
from abuse_gate.rules.mending import mend
from abuse_gate.rules.places import Where, grouped
from abuse_gate.rules.quoting import rules_as_quoted
from abuse_gate.rules.sift import NOTHING, Matched, is_plainly_clear, sift
from abuse_gate.rules.views import encode, fold, spread, tidy

# Characters over all places and views; the rest is unread and said to be.
MAX_SCANNED: Final = 4 * 1024 * 1024
# What may come to light below a text, as a multiple of its length and for the shortest: packed text
# is a few times as long as it looks, a bomb a thousand times.
MAX_GROWTH: Final = 8
LEAST_BELOW: Final = 98_304
# What a brief scan reads of a text in which there is something, and below it.
BRIEF: Final = 2048
# A flag emoji spells its region in a handful of tag characters; a message needs more.
MIN_HIDDEN: Final = 12

# Families that repeat each other where a text is read a second time.
_VOICES: Final = {"coaxing": "extraction"}
_OVER: Final[frozenset[Flag]] = frozenset({"scan_budget"})


class _Reading:
    """The state of one scan: its book, its budgets and what it has found so far."""

    __slots__ = (
        *("_below", "_book", "_budget", "_enough", "_left", "_mark", "_patience", "_over"),
        *("_scratches", "encoded", "hits"),
    )

    def __init__(
        self, book: RuleBook, scratch: Scratches, left: int, patience: Patience, enough: Enough
    ) -> None:
        self._patience = patience
        self._enough = enough
        self._mark = 0
        self._book = book
        self._scratches = scratch
        self._left = left
        self._below = LEAST_BELOW
        self._over = False
        self._budget: Budget | None = None
        self.hits: list[Hit] = []
        self.encoded = False

    def findings(self) -> Findings:
        """Everything found, as a value."""
        over = self._over or (self._budget is not None and self._budget.spent)
        return Findings(tuple(self.hits), _OVER if over else frozenset(), self.encoded)

    def read(self, where: Where, texts: Sequence[str]) -> None:
        """Scan one place's texts as one, then whatever they hide."""
        text = self._within(texts[0] if len(texts) == 1 else "\n".join(texts))
        if text.isascii():
            # The engine knows no case, so ASCII needs no view: this is the way of most requests.
            data, other = text.encode(), []
        else:
            other = self._disguised(text)
            text = tidy(text)
            data = encode(self._within(fold(text)))
        matched = sift(self._book, self._scratches, data)
        if matched is NOTHING and not other:
            return
        self.go_on(where, text, matched, other)

    def go_on(self, where: Where, text: str, matched: Matched, other: list[str]) -> None:
        """Name what was found in a text, and scan whatever it hides."""
        self._patience.take(len(text))
        self._below += MAX_GROWTH * len(text)
        mine = text if where[0] == EXPLAINED_PLACE else ""
        excuses = explained(self._book, self._scratches, mine, matched.rules)
        rules, apart = rules_as_quoted(self._book, self._scratches, text, matched.rules, where[0])
        self._mark = len(self.hits)
        plain = self._name(where, rules, {}, excuses)
        if self._suffices():
            return
        self._budget = self._budget or new_budget(self._patience)
        depths = Depths(self._budget, self._patience)
        for part in apart:
            # What is quoted drowns out nothing that is said in disguise beside it.
            found = sift(self._book, self._scratches, encode(fold(part)))
            self._go_down(where, {}, depths.below([part], found), "", depths)
        texts = other + depths.below([text], matched)
        mended = mend(matched.squeezed.decode()) if excuses else ""
        if excuses and mended in texts:
            # Where the same letters are merely read once more, the same phrases explain it.
            texts.remove(mended)
            self._go_down(where, plain, [mended], mine, depths)
        self._go_down(where, plain, texts, "", depths)
        self.encoded = self.encoded or depths.encoded

    def _go_down(
        self,
        where: Where,
        plain: Mapping[str, int],
        texts: list[str],
        mended: str,
        depths: Depths,
    ) -> None:
        """Scan what a text hid, and what that hid, as many layers as there are readings for."""
        for _ in range(MAX_LAYERS + 1):
            if not texts or self._suffices():
                return
            self._patience.take(sum(map(len, texts)))
            texts = [tidy(text) for text in self._few(texts)]
            text = self._within("\n".join(texts))
            matched = sift(self._book, self._scratches, encode(fold(text)))
            excuses = explained(self._book, self._scratches, mended, matched.rules, as_mended)
            plain = self._name(where, matched.rules, plain, excuses, decoded=True)
            mended = ""
            texts = depths.below(texts, matched)
        # Wrapped deeper than we unwrap: there is a text below that nobody has read.
        self._over = self._over or bool(texts)

    def _suffices(self) -> bool:
        return len(self.hits) > self._mark and self._enough(self.hits[self._mark :])

    def _within(self, text: str) -> str:
        """The text as far as the budget goes."""
        if len(text) > self._left:
            self._over = True
            text = text[: self._left]
        self._left -= len(text)
        return text

    def _few(self, texts: list[str]) -> Iterator[str]:
        """The texts as far as what lies above them allows."""
        for text in texts:
            self._over = self._over or len(text) > self._below
            yield text[: self._below]
            self._below -= min(len(text), self._below)

    def _disguised(self, text: str) -> list[str]:
        """The other readings of odd characters: as a hidden channel, and as they are drawn."""
        secret = hidden(text)
        self.encoded = self.encoded or len(secret) >= MIN_HIDDEN
        return [reading for reading in (spread(text), secret, *seen(text)) if reading]

    def _name(
        self,
        where: Where,
        matched: tuple[int, ...],
        said: Mapping[str, int],
        excuses: Excuses,
        *,
        decoded: bool = False,
    ) -> dict[str, int]:
        """Add the hits of one pass, and say how much each family has spoken for this place.

        A deeper reading of a text repeats what the text said plainly, a little askew: it counts
        only where it says something worse.
        """
        louder = dict(said)
        place, source = where
        for index in matched:
            rule = self._book.rules[index]
            if index in self._book.beside.values():
                # What another rule needs beside it says nothing by itself.
                continue
            voice = _VOICES.get(rule.family, rule.family)
            if place not in rule.places or rule.severity <= said.get(voice, -1):
                continue
            if index not in excuses:
                # What a phrase explains must not drown out what is said in disguise beside it.
                louder[voice] = max(louder.get(voice, 0), rule.severity)
            hit = Hit(rule.id, rule.family, rule.severity, place, 1, decoded, source)
            self.hits.append(replace(hit, excuses=excuses[index]) if index in excuses else hit)
        return louder


def scan(extract: Extract, book: RuleBook, scratch: Scratches, enough: Enough = never) -> Findings:
    """What the rules find in a request, place by place, plain and decoded, until it is enough."""
    return _scan_groups(grouped(extract), book, scratch, ENDLESS, enough)


def scan_briefly(
    extract: Extract, book: RuleBook, scratch: Scratches, enough: Enough = never
) -> Findings | None:
    """The same, or None as soon as there is more to it than a look at a short text.

    How long a scan takes cannot be told by the size: a kilobyte may hide more than a megabyte says.
    """
    try:
        return _scan_groups(grouped(extract), book, scratch, Patience(BRIEF), enough)
    except TooLong:
        return None


def scan_text(
    text: str,
    book: RuleBook,
    scratch: Scratches,
    place: Place = "caller",
    enough: Enough = never,
) -> Findings:
    """What the rules find in a plain text: as the caller's own, unless it stands elsewhere."""
    return _scan_groups((((place, None), (text,)),), book, scratch, ENDLESS, enough)


def _scan_groups(
    groups: Iterable[tuple[Where, Sequence[str]]],
    book: RuleBook,
    scratch: Scratches,
    patience: Patience,
    enough: Enough,
) -> Findings:
    """Most texts are plain and hold nothing: those leave no trace but their length."""
    reading: _Reading | None = None
    left = MAX_SCANNED
    for where, texts in groups:
        if reading is None:
            text = texts[0] if len(texts) == 1 else "\n".join(texts)
            left -= len(text)
            if left >= 0 and text.isascii():
                # The engine knows no case, so ASCII needs no view.
                matched = sift(book, scratch, text.encode())
                if matched is not NOTHING:
                    reading = _Reading(book, scratch, left, patience, enough)
                    reading.go_on(where, text, matched, [])
                continue
            if left >= 0 and is_plainly_clear(book, scratch, text):
                continue
            reading = _Reading(book, scratch, left + len(text), patience, enough)
        reading.read(where, texts)
    return CLEAN if reading is None else reading.findings()
