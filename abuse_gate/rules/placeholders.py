"""Values become numbered placeholders: the same value has the same one all through a request.

Finds and replaces; how much of a text is sent at all is decided elsewhere.
"""

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Final

from abuse_gate.rules.custom import NO_CUSTOM, CustomDetectors
from abuse_gate.rules.detectors import Detector
from abuse_gate.rules.letters import LINE_HYPHEN
from abuse_gate.rules.lines import across_lines, detected
from abuse_gate.rules.rulesets import RULESETS, Ruleset


@dataclass(frozen=True, slots=True)
class Found:
    """Where a value stands, and what kind it is."""

    start: int
    end: int
    kind: str


@dataclass(frozen=True, slots=True, repr=False)
class Redaction:
    """What is taken out: the detectors of a ruleset and the deployment's own patterns."""

    detectors: tuple[Detector, ...] = RULESETS["default"]
    custom: CustomDetectors = NO_CUSTOM


REDACTIONS: Final[Mapping[Ruleset, Redaction]] = {
    name: Redaction(detectors) for name, detectors in RULESETS.items()
}


class Placeholders:
    """The placeholders of one request."""

    __slots__ = ("_counts", "_names", "_redaction")

    def __init__(self, redaction: Redaction) -> None:
        self._redaction = redaction
        self._names: dict[tuple[str, str], str] = {}
        self._counts: dict[str, int] = {}

    def replaced(self, text: str, start: int, end: int) -> str:
        """The text from start to end; a value that crosses an edge is replaced as a whole."""
        parts: list[str] = []
        position = start
        for found in find(text, self._redaction):
            if found.end <= start or found.start >= end:
                continue
            parts.append(text[position : max(found.start, position)])
            parts.append(self._name(found.kind, text[found.start : found.end]))
            position = found.end
        parts.append(text[position:end])
        return "".join(parts)

    def _name(self, kind: str, value: str) -> str:
        # A number is the same one however it is grouped, an address however it is capitalized.
        value, _ = plain_view(value)
        if kind in _NUMBERS:
            value = "".join(filter(str.isalnum, value))
        value = "".join(value.split()) if kind == "SECRET" else value.casefold()
        name = self._names.get((kind, value))
        if name is None:
            self._counts[kind] = self._counts.get(kind, 0) + 1
            name = f"[{kind}_{self._counts[kind]}]"
            self._names[kind, value] = name
        return name


def find(text: str, redaction: Redaction) -> list[Found]:
    """Every value in a text, in order; where two detectors claim one, the earlier has it."""
    taken = bytearray(len(text))
    found = [Found(*span) for span in redaction.custom.find(text) if _take(taken, *span[:2])]
    plain, places = plain_view(text)
    # What stands before the end of a line may pass for a whole key: the longer ones come first.
    for start, end, kind in chain(
        across_lines(plain, redaction.detectors), detected(plain, redaction.detectors)
    ):
        span = (start, end) if places is None else (places[start], places[end - 1] + 1)
        if _take(taken, *span):
            found.append(Found(*span, kind))
    return sorted(found, key=lambda each: each.start)


class _Plain(dict[int, str | None]):
    """Digits, blanks, dashes and wide letters of any script as ASCII; what has no width as nothing.

    Only what changes is kept: the rest of Unicode would be a heavy table.
    """

    def __missing__(self, code: int) -> str | None:
        letter = chr(code)
        plain = _ascii(letter)
        if plain == letter:
            raise LookupError
        self[code] = plain or None
        return self[code]


def _ascii(letter: str) -> str:
    kind = unicodedata.category(letter)
    if kind in _MARKS:
        return _MARKS[kind]
    if kind == "Nd":
        return str(unicodedata.digit(letter))
    wide = "\uff01" <= letter <= "\uff5e"
    return chr(ord(letter) - 0xFEE0) if wide else letter


_MARKS: Final[Mapping[str, str]] = {"Cf": "", "Zs": " ", "Pd": "-"}
_NUMBERS: Final = frozenset({"CARD", "IBAN", "PHONE", "NATIONAL_ID"})
_PLAIN: Final = _Plain({ord(LINE_HYPHEN): "-"})


def plain_view(text: str) -> tuple[str, list[int] | None]:
    """A text with its digits and marks as ASCII, and where each letter stood if some are gone."""
    if text.isascii():
        return text, None
    plain = text.translate(_PLAIN)
    if len(plain) == len(text):
        return plain, None
    return plain, [place for place, letter in enumerate(text) if letter.translate(_PLAIN)]


def _take(taken: bytearray, start: int, end: int) -> bool:
    """Claim a stretch of text; false when a part of it is somebody's already."""
    if any(taken[start:end]):
        return False
    taken[start:end] = b"\1" * (end - start)
    return True
