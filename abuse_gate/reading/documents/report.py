"""What one document turned out to hold: its text, its hidden text, rule ids, sizes and flags.

Alone keeps the bounds that all readers share; knows no format.
"""

from dataclasses import dataclass, field
from typing import Any, Final

from abuse_gate.model.extract import Flag, UploadKind


@dataclass(frozen=True, slots=True)
class Limits:
    """How far a document is opened; every limit that is met leaves a flag."""

    max_chars: int = 2_000_000
    max_entries: int = 2_000
    max_inflated: int = 64 * 1024 * 1024
    max_ratio: int = 200
    max_nesting: int = 3
    max_pages: int = 2_000
    max_objects: int = 60_000
    max_depth: int = 200


# Small members compress well without being bombs: below this the ratio says nothing.
RATIO_FLOOR: Final = 1024 * 1024


@dataclass(slots=True, repr=False)
class Room:
    """What is left of the limits; shared by a document and everything nested in it."""

    limits: Limits
    chars: int = 0
    inflated: int = 0
    entries: int = 0

    def __post_init__(self) -> None:
        self.chars = self.limits.max_chars
        self.inflated = self.limits.max_inflated
        self.entries = self.limits.max_entries


@dataclass(slots=True, repr=False)
class Report:
    """Takes down what a reader finds in one upload."""

    kind: UploadKind
    room: Room
    depth: int = 0
    shown: list[str] = field(default_factory=list[str])
    hidden: list[str] = field(default_factory=list[str])
    mixed: list[str] = field(default_factory=list[str])
    raw: list[str] = field(default_factory=list[str])
    hits: dict[str, int] = field(default_factory=dict[str, int])
    meta: dict[str, int] = field(default_factory=dict[str, int])
    flags: set[Flag] = field(default_factory=set[Flag])

    @property
    def limits(self) -> Limits:
        """The limits that hold for this upload."""
        return self.room.limits

    def show(self, text: str) -> None:
        """Take down text that a reader of the document would see."""
        self._take(self.shown, text)

    def hide(self, rule: str, text: str) -> None:
        """Take down text that stands apart from what is seen, and the rule that says why."""
        if text.strip():
            self.fire(rule)
            self._take(self.hidden, text)

    def mix(self, text: str) -> None:
        """Take down words in the order in which a parser that ignores looks would read them."""
        if text.strip():
            self._take(self.mixed, text)

    def keep(self, text: str) -> None:
        """Take down markup as it stands, for rules only: its reader says what is in it."""
        self._take(self.raw, text)

    def fire(self, rule: str) -> None:
        """Count one finding of a rule."""
        self.hits[rule] = self.hits.get(rule, 0) + 1

    def count(self, name: str, number: int = 1) -> None:
        """Add to a size."""
        self.meta[name] = self.meta.get(name, 0) + number

    def _take(self, into: list[str], text: str) -> None:
        if not text:
            return
        if len(text) > self.room.chars:
            self.flags.add("truncated")
            text = text[: self.room.chars]
        self.room.chars -= len(text)
        into.append(text)

    def as_json(self) -> dict[str, Any]:
        """The result as it travels from the worker to the gate."""
        return {
            "kind": self.kind,
            "shown": "\n".join(self.shown),
            "hidden": "\n".join(self.hidden),
            "mixed": "\n".join(self.mixed),
            "raw": "\n".join(self.raw),
            "hits": self.hits,
            "meta": self.meta,
            "flags": sorted(self.flags),
        }


def nested(report: Report, kind: UploadKind) -> Report:
    """A report that writes into the same lists and the same room, one level further in."""
    return Report(
        kind,
        report.room,
        report.depth + 1,
        report.shown,
        report.hidden,
        report.mixed,
        report.raw,
        report.hits,
        report.meta,
        report.flags,
    )
