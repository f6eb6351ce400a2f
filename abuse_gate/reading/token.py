"""The signed context token: what an earlier hop knew of the texts, without any of the texts.

`v1.<expiry>.<blocks>.<signature>`, each block a letter for its trust, one for its origin, and a
keyed digest. A token can make a system text trusted and keep a text untrusted; it can lift nothing
else. Pure: the time and the key are arguments.
"""

import hmac
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from abuse_gate.model.extract import Extract, Origin, Segment, Trust

VERSION: Final = "v1"
# A block is 27 characters; servers take headers of 8 KiB at least.
MOST_BLOCKS: Final = 200
MOST_CHARS: Final = 8_000
# Segments of a request that are compared with a token; the taint of a token holds for all.
MOST_SEGMENTS: Final = 5_000
TRUSTS: Final[Mapping[Trust, str]] = {"trusted": "t", "vetted": "v", "untrusted": "u"}
ORIGINS: Final[Mapping[Origin, str]] = {
    "system": "s",
    "developer": "d",
    "user": "u",
    "assistant": "a",
    "tool": "t",
    "document": "o",
}
OTHER_ORIGIN: Final = "x"
INSTRUCTIONS: Final[frozenset[Origin]] = frozenset({"system", "developer"})
# Stands in an extract for untrusted content that an earlier hop has read.
EARLIER: Final = Segment("[untrusted content of an earlier request]", "document", "untrusted")

_TOKEN: Final = re.compile(
    r"v1\.([0-9]{1,12})\.((?:[tvu][sduatox][0-9a-f]{24},?)*)\.([0-9a-f]{64})"
)
_PURPOSE: Final = b"abuse-gate context token v1"


@dataclass(frozen=True, slots=True)
class Token:
    """What a valid token vouches for: the digests that are trusted, and those that are not."""

    trusted: frozenset[str]
    untrusted: frozenset[str]


def token_key(secret: bytes) -> bytes:
    """The key of tokens, so that a digest made for another purpose can never pass for one."""
    return hmac.digest(secret, _PURPOSE, "sha256")


def block_digest(key: bytes, text: str) -> str:
    """What stands for a text in a token."""
    return hmac.digest(key, b"block\0" + text.encode("utf-8", "replace"), "sha256").hex()[:24]


def write_token(key: bytes, segments: Iterable[Segment], expires: int) -> str:
    """A token for these texts; of too many the latest, and one untrusted of the others for all."""
    known = list(segments)
    older, latest = known[:-MOST_BLOCKS], known[-MOST_BLOCKS:]
    kept = [*[one for one in older if one.trust == "untrusted"][:1], *latest]
    blocks = ",".join(
        TRUSTS[one.trust] + ORIGINS.get(one.origin, OTHER_ORIGIN) + block_digest(key, one.text)
        for one in kept
    )
    signed = f"{VERSION}.{expires}.{blocks}"
    return f"{signed}.{_signature(key, signed)}"


def read_token(key: bytes, value: bytes, now: float) -> Token | None:
    """What a token says; None when it is forged, expired, or no token at all."""
    if len(value) > MOST_CHARS:
        return None
    text = value.decode("latin-1").strip(" \t")
    found = _TOKEN.fullmatch(text)
    if found is None:
        return None
    expires, blocks, signature = found.groups()
    if not hmac.compare_digest(_signature(key, text.rpartition(".")[0]), signature):
        return None
    if int(expires) <= now:
        return None
    listed = [block for block in blocks.split(",") if block]
    return Token(
        frozenset(block[2:] for block in listed if block[0] == "t" and block[1] in "sd"),
        frozenset(block[2:] for block in listed if block[0] == "u"),
    )


def united(tokens: Iterable[Token]) -> Token:
    """Several valid tokens as one: what any of them vouches for, and every taint."""
    known = list(tokens)
    return Token(
        frozenset(digest for token in known for digest in token.trusted),
        frozenset(digest for token in known for digest in token.untrusted),
    )


def unattested(extract: Extract) -> Extract:
    """The extract of a request whose token nobody can use: what it told of may be untrusted."""
    segments = (*extract.segments, EARLIER)
    return extract._replace(segments=segments, flags=extract.flags | {"context_token"})


def attested(extract: Extract, token: Token, key: bytes) -> Extract:
    """The extract with the trust that a token vouches for, and with the taint that it carries."""
    segments = tuple(
        _vouched(segment, token, key) if number < MOST_SEGMENTS else segment
        for number, segment in enumerate(extract.segments)
    )
    if token.untrusted and not any(one.trust == "untrusted" for one in segments):
        segments = (*segments, EARLIER)
    return extract._replace(segments=segments)


def _vouched(segment: Segment, token: Token, key: bytes) -> Segment:
    digest = block_digest(key, segment.text)
    if digest in token.untrusted:
        return segment._replace(trust="untrusted")
    if segment.origin in INSTRUCTIONS and digest in token.trusted:
        return segment._replace(trust="trusted")
    return segment


def _signature(key: bytes, signed: str) -> str:
    return hmac.digest(key, signed.encode(), "sha256").hex()
