"""Encoded text in, readable text out, one layer at a time and within a budget.

Which layer is scanned, and with what, is not decided here.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from abuse_gate.rules.escapes import ESCAPES
from abuse_gate.rules.readable import as_text, base64_bytes, is_dense, is_media

# A run of letters and digits may be base64 or hex; the others are escapes among plain text.
Kind = Literal["run", "percent", "escape", "entity", "control"]

# Matched in the same engine pass as the rules, on the folded view: whether a decoder has any work.
CANDIDATES: Final[Mapping[Kind, str]] = {
    "run": r"[a-z0-9+/_-]{20}",
    "percent": r"%[0-9a-f]{2}",
    "escape": r"\\[ux]\{?[0-9a-f]",
    "entity": r"&#|&[a-z]{2,8};",
    "control": r"[\x00-\x08\x0e-\x1f\x7f]",
}

# An ordinary file full of checksums must fit; what is beyond is flagged, never silently skipped.
MAX_CANDIDATES: Final = 4096
MAX_CHARS: Final = 4 * 1024 * 1024
MAX_LAYERS: Final = 3
# A prefix glued to a run shifts its frame; trying every frame is for short runs only.
MAX_SHIFTED: Final = 1024

_RUN: Final = r"[A-Za-z0-9+/_-]"
_BASE64: Final = re.compile(rf"{_RUN}{{20,}}+(?:={{0,2}}\r?\n{_RUN}{{4,}}+)*+")
_HEX: Final = re.compile(r"(?:[0-9A-Fa-f]{2}){12,}+")
_URLSAFE: Final = str.maketrans("-_", "+/", "\r\n=")
_JWT: Final = re.compile(r"(?<![\w-])eyJ[\w-]{8,}+\.[\w-]{2,}+\.[\w-]*+", re.ASCII)


@dataclass(slots=True)
class Budget:
    """What one request may spend on decoding; `spent` says that something was left undecoded."""

    candidates: int = MAX_CANDIDATES
    chars: int = MAX_CHARS
    spent: bool = False
    seen: set[str] = field(default_factory=set[str])

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


@dataclass(slots=True)
class Layer:
    """What one pass of decoding brought to light, and whether it looked like a disguise."""

    texts: list[str] = field(default_factory=list[str])
    encoded: bool = False

    def add(self, text: str | None, *, disguise: bool) -> bool:
        """Keep a decoded text for the next scan; whether there was one."""
        if text is None:
            return False
        self.texts.append(text)
        self.encoded = self.encoded or disguise
        return True


def decode(text: str, kinds: frozenset[Kind], budget: Budget) -> Layer:
    """Everything that this text holds in the given encodings, one layer deep."""
    layer = Layer()
    _rewrite(text, kinds, layer, budget)
    if "run" in kinds:
        _runs(text, layer, budget)
    return layer


def _rewrite(text: str, kinds: frozenset[Kind], layer: Layer, budget: Budget) -> None:
    """One text with every kind of escape undone: a text per kind would double with each layer."""
    rewritten, disguise = text, False
    for kind, undo in ESCAPES.items():
        if kind in kinds and budget.take(len(text)):
            rewritten, spelled = undo(rewritten)
            disguise = disguise or spelled
    if rewritten != text:
        layer.add(rewritten, disguise=disguise)


def _runs(text: str, layer: Layer, budget: Budget) -> None:
    """Try each long run of letters and digits as hex and as base64."""
    signed = _JWT.finditer(text) if "eyJ" in text else ()
    tokens = {start for found in signed for start in _part_starts(found)}
    for found in _BASE64.finditer(text):
        run = found.group()
        _hex(run, layer, budget)
        _base64(run, layer, budget, disguise=found.start() not in tokens)


def _hex(run: str, layer: Layer, budget: Budget) -> None:
    for found in _HEX.finditer(run):
        digits = found.group()
        if not budget.take_new(digits):
            continue
        if not layer.add(as_text(bytes.fromhex(digits)), disguise=True):
            shifted = digits[1:-1] if len(digits) <= MAX_SHIFTED else ""
            layer.add(as_text(bytes.fromhex(shifted)), disguise=True)


def _base64(run: str, layer: Layer, budget: Budget, *, disguise: bool) -> None:
    if _one_base64(run, layer, budget, disguise=disguise) or "\n" not in run:
        return
    # A word on the next line is no part of the encoded text, so each line is tried alone.
    for line in run.split("\n"):
        _one_base64(line, layer, budget, disguise=disguise)


def _part_starts(token: re.Match[str]) -> Iterator[int]:
    """Where the parts of a signed token begin: they are scanned, but they are no disguise."""
    position = token.start()
    for part in token.group().split("."):
        yield position
        position += len(part) + 1


def _one_base64(run: str, layer: Layer, budget: Budget, *, disguise: bool) -> bool:
    if _is_plain(run) or not budget.take_new(run):
        return False
    letters = run.translate(_URLSAFE)
    for shift in range(4 if len(letters) <= MAX_SHIFTED else 1):
        if layer.add(as_text(base64_bytes(letters[shift:])), disguise=disguise):
            return True
    if disguise and is_dense(letters) and not is_media(base64_bytes(letters)):
        layer.encoded = True
    return False


def _is_plain(run: str) -> bool:
    # A word, an identifier, a digest, a UUID: base64 of a sentence has letters of both cases,
    # because the top bits of its letters and spaces select them.
    return run.islower() or run.isupper() or not run.upper().isupper()
