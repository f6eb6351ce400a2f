"""Encoded text in, readable text out, one layer at a time and within a budget.

Which layer is scanned, and with what, is not decided here.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from typing import Final

from abuse_gate.rules.apart import apart, leet, stretched, together
from abuse_gate.rules.bases import named_bases
from abuse_gate.rules.budget import Budget, Layer
from abuse_gate.rules.candidates import Kind
from abuse_gate.rules.ciphers import announced
from abuse_gate.rules.codes import CODES, layout, morse, numbers
from abuse_gate.rules.confusables import latin
from abuse_gate.rules.dumps import UU_LINES, dumps, uu_lines, uuencoded
from abuse_gate.rules.edits import edits
from abuse_gate.rules.escapes import COMMENT, ESCAPES, MAX_COMMENTS
from abuse_gate.rules.frames import marked, positioned, records, strings, untagged
from abuse_gate.rules.guesses import guesses, joined
from abuse_gate.rules.pace import matches, replaced, texts
from abuse_gate.rules.readable import base64_bytes
from abuse_gate.rules.rotations import named_turns
from abuse_gate.rules.runs import (
    base32,
    base58,
    base64,
    base85,
    decimal,
    hexadecimal,
)
from abuse_gate.rules.scripts import borrowed
from abuse_gate.rules.signals import pictured, places, said, two_signs
from abuse_gate.rules.spelling import misspelled
from abuse_gate.rules.splices import RUN, spliced
from abuse_gate.rules.tables import tables
from abuse_gate.rules.turns import games, numbered, turned_round
from abuse_gate.rules.views import tidy

MAX_LAYERS: Final = 3
READERS: Final[Mapping[Kind, Callable[[str], Iterator[str]]]] = {
    **CODES,
    "numbers": lambda text: chain(numbers(text), places(text)),
    "bytes": numbers,
    "morse": lambda text: chain(morse(text), places(text)),
    "apart": apart,
    "stretched": stretched,
    "two signs": lambda text: chain(two_signs(text), said(text), pictured(text)),
    "layout": layout,
    "markup": lambda text: chain(positioned(text), untagged(text)),
    "tags": untagged,
    "misspelled": misspelled,
    "drawn": misspelled,
    "borrowed": borrowed,
    "shapes": leet,
}
# What puts a text together in another way, by what it says of itself or by a key that it gives.
ARRANGED: Final[Mapping[Kind, Callable[[str], Iterator[str]]]] = {
    "dense": spliced,
    "unparted": together,
    "strings": strings,
    "records": records,
    "marked": marked,
    "announced": announced,
    "named": lambda text: chain(named_bases(text), named_turns(text)),
    "table": tables,
    "edit": edits,
    "turned round": turned_round,
    "games": games,
    "numbered": numbered,
}
# What nobody writes but to encode a text; the others are found in ordinary code and tables.
CODED: Final[frozenset[Kind]] = frozenset(
    {"numbers", "bytes", "morse", "spelling", "rot47", "two signs", "layout"}
)
GUESS: Final = "other words"
# What may be words once more is known of them.
GUESSED: Final[frozenset[Kind]] = frozenset({"turned", "broken", "misspelled", "drawn"})

_SIGNS: Final = re.compile(r"[!-~]{20,}+")
_LAYOUT: Final = re.compile(r"[\s>]+")
_PIECES: Final = re.compile(r"[A-Za-z0-9+/_-]{4,24}+(?:={0,2}[\r\n]{1,2}[A-Za-z0-9+/_-]{2,24}+)++")
# A word of base64 by itself, padded or not.
_ONE_WORD: Final = re.compile(r"(?<![^\s,;])[A-Za-z0-9+/]{2,40}={0,2}(?![^\s,;])")
_JWT: Final = re.compile(r"(?<![\w-])eyJ[\w-]{8,}+\.[\w-]{2,}+\.[\w-]*+", re.ASCII)


def decode(text: str, kinds: frozenset[Kind], budget: Budget) -> Layer:
    """Everything that this text holds in the given encodings, one layer deep."""
    layer = Layer()
    budget.fresh(text)
    _rewrite(text, kinds, layer, budget)
    if "dense" in kinds:
        _runs(text if text.isascii() else latin(text), layer, budget)
    if "signs" in kinds:
        for found in _SIGNS.finditer(text):
            base85(found.group(), layer, budget)
        for lines in texts(UU_LINES, text):
            uu_lines(lines, layer, budget)
    if "pieces" in kinds:
        _pieces(text, layer, budget)
    if "padded" in kinds and "=" in text and budget.take(len(text)):
        in_words = budget.fresh(replaced(_ONE_WORD, text, _one_word))
        layer.add(in_words or None, "base64 in words", disguise=True)
    if "dump" in kinds and budget.take(len(text)):
        dumps(text, layer, budget)
    if "uu" in kinds:
        uuencoded(text, layer, budget)
    if not kinds.isdisjoint(READERS):
        _read(text, kinds, layer, budget)
    _guess(text, kinds, layer, budget)
    _arrange(text, kinds, layer, budget)
    return layer


def _arrange(text: str, kinds: frozenset[Kind], layer: Layer, budget: Budget) -> None:
    """The text arranged anew in each way, once: what came of it is not arranged again."""
    fresh = budget.unmade(text, budget.made)
    before = 0 if len(fresh) < len(text) else len(layer.texts)
    for kind, read in ARRANGED.items():
        if kind in kinds and fresh and budget.take(len(fresh)):
            for spelled in filter(None, map(budget.fresh, read(fresh))):
                layer.add(spelled, "in its place" if kind == "dense" else kind, disguise=False)
    budget.make(map(tidy, layer.texts[before:]), budget.made)


def _guess(text: str, kinds: frozenset[Kind], layer: Layer, budget: Budget) -> None:
    """What the text may mean; what was guessed once is not made a guess of again."""
    wanted = text if kinds & GUESSED else joined(text) if "dense" in kinds else ""
    fresh = budget.unmade(wanted, budget.guessed)
    if not fresh or not budget.take(len(fresh)):
        return
    found = [*filter(None, map(budget.fresh, guesses(fresh)))]
    for reading in found:
        layer.add(reading, GUESS, disguise=False)
    budget.make(found, budget.guessed)


def _read(text: str, kinds: frozenset[Kind], layer: Layer, budget: Budget) -> None:
    for kind, read in READERS.items():
        if kind in kinds and budget.take(len(text)):
            for spelled in filter(None, map(budget.fresh, read(text))):
                layer.add(spelled, kind, disguise=kind in CODED)


def _rewrite(text: str, kinds: frozenset[Kind], layer: Layer, budget: Budget) -> None:
    """One text with every kind of escape undone: a text per kind would double with each layer."""
    rewritten, disguise, ways = text, False, list[str]()
    for kind, undo in ESCAPES.items():
        if kind in kinds and budget.take(len(text)):
            before = rewritten
            if kind == "markup" and before.count(COMMENT) > MAX_COMMENTS:
                budget.spent = True
            rewritten, spelled = undo(before)
            disguise = disguise or spelled
            if rewritten != before:
                ways.append(kind)
    if rewritten != text:
        layer.add(rewritten, "+".join(ways), disguise=disguise)


def _runs(text: str, layer: Layer, budget: Budget) -> None:
    """Try each long run of letters and digits as whatever they allow."""
    signed = _JWT.finditer(text) if "eyJ" in text else ()
    tokens = {start for found in signed for start in _part_starts(found)}
    for found in RUN.finditer(text):
        letters = found.group()
        whole = _LAYOUT.sub("", letters)
        hexadecimal(whole, layer, budget)
        if whole != letters:
            hexadecimal(letters, layer, budget)
        decimal(letters, layer, budget)
        base32(letters, layer, budget)
        base58(letters, layer, budget)
        base64(letters, layer, budget, disguise=found.start() not in tokens)


def _part_starts(token: re.Match[str]) -> Iterator[int]:
    """Where the parts of a signed token begin: they are scanned, but they are no disguise."""
    position = token.start()
    for part in token.group().split("."):
        yield position
        position += len(part) + 1


def _pieces(text: str, layer: Layer, budget: Budget) -> None:
    for found in matches(_PIECES, text, whole=True):
        base64(found.group().replace("\r", ""), layer, budget, disguise=True)


def _one_word(found: re.Match[str]) -> str:
    spelled = base64_bytes(found.group().rstrip("=")).decode("utf-8", "replace")
    return spelled if "\ufffd" not in spelled and spelled.isprintable() else found.group()
