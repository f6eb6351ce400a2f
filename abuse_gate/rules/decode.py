"""Encoded text in, readable text out, one layer at a time and within a budget.

Which layer is scanned, and with what, is not decided here.
"""

import binascii
import re
from collections.abc import Iterator
from typing import Final

from abuse_gate.rules.budget import Budget, Layer
from abuse_gate.rules.candidates import Kind
from abuse_gate.rules.codes import CODES
from abuse_gate.rules.confusables import latin
from abuse_gate.rules.escapes import COMMENT, ESCAPES, MAX_COMMENTS
from abuse_gate.rules.pace import matches
from abuse_gate.rules.readable import as_text
from abuse_gate.rules.runs import base32, base58, base64, base85, hexadecimal

MAX_LAYERS: Final = 3

_SIGNS: Final = re.compile(r"[!-~]{20,}+")
_BASE64: Final = re.compile(r"[A-Za-z0-9+/_-]{20,}+(?:={0,2}\r?\n[A-Za-z0-9+/_-]{4,}+)*+")
_PIECES: Final = re.compile(r"[A-Za-z0-9+/_-]{4,16}+(?:={0,2}[\r\n]{1,2}[A-Za-z0-9+/_-]{2,16}+)++")
_JWT: Final = re.compile(r"(?<![\w-])eyJ[\w-]{8,}+\.[\w-]{2,}+\.[\w-]*+", re.ASCII)
_UU: Final = re.compile(r"begin [0-7]{3} [^\n]{1,80}\n((?:[ -`]{1,61}\n){1,400}+)")


def decode(text: str, kinds: frozenset[Kind], budget: Budget) -> Layer:
    """Everything that this text holds in the given encodings, one layer deep."""
    layer = Layer()
    _rewrite(text, kinds, layer, budget)
    if "dense" in kinds:
        _runs(text if text.isascii() else latin(text), layer, budget)
    if "signs" in kinds:
        for found in _SIGNS.finditer(text):
            base85(found.group(), layer, budget)
    if "pieces" in kinds:
        _pieces(text, layer, budget)
    if "uu" in kinds:
        _uu(text, layer, budget)
    for kind, read in CODES.items():
        if kind in kinds and budget.take(len(text)):
            for spelled in read(text):
                layer.add(spelled, kind, disguise=kind != "initials")
    return layer


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
    for found in _BASE64.finditer(text):
        letters = found.group()
        hexadecimal(letters, layer, budget)
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


def _uu(text: str, layer: Layer, budget: Budget) -> None:
    for found in _UU.finditer(text):
        if budget.take_new(found[1]):
            data = b"".join(map(_uu_line, found[1].splitlines()))
            layer.add(as_text(data), "uuencode", disguise=True)


def _uu_line(line: str) -> bytes:
    try:
        return binascii.a2b_uu(line)
    except binascii.Error:
        return b""
