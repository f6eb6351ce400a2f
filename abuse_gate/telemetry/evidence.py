"""Keyed digests of a request's words and proposed calls: enough to recognise, not to read.

A bare hash of a short prompt could be guessed back, so the deployment's key goes in.
"""

import hashlib
import hmac
from collections.abc import Iterable
from typing import Final

from abuse_gate.model.extract import Extract, Origin
from abuse_gate.model.visit import Evidence

DIGITS: Final = 32
# A length before each part, so that no two lists of texts read the same.
_LENGTH_BYTES: Final = 8
# What a client adds to every request is no part of what it says in this one.
_SURROUNDINGS: Final[frozenset[Origin]] = frozenset({"cookie", "header", "path"})


def evidence_of(extract: Extract, key: bytes) -> Evidence:
    """The digest of all that was said, and of each call its name's and its arguments'."""
    said = [each.text for each in extract.segments if each.origin not in _SURROUNDINGS]
    calls = tuple(
        (_digest(key, b"tool", (call.name,)), _digest(key, b"arguments", call.texts), call.pending)
        for call in extract.calls
    )
    return Evidence(_digest(key, b"prompt", said) if said else "", calls)


def _digest(key: bytes, kind: bytes, texts: Iterable[str]) -> str:
    made = hmac.new(key, kind, hashlib.sha256)
    for text in texts:
        data = text.encode("utf-8", "surrogatepass")
        made.update(len(data).to_bytes(_LENGTH_BYTES))
        made.update(data)
    return made.hexdigest()[:DIGITS]
