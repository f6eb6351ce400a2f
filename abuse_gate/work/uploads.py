"""Uploads opened: what the workers say of each file becomes segments, flags and a source.

Trusts no answer: a worker that a file has taken over can lie only about that file, in text.
"""

import asyncio
import re
import time
from collections.abc import Awaitable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, cast, get_args

from abuse_gate.model.extract import Extract, Flag, Segment, Source, Upload
from abuse_gate.rules.structure import SEVERITIES, structural_hits
from abuse_gate.work.documents import DocumentPool
from abuse_gate.work.jobs import Answer

# Kinds with nothing to open: their flag is there already, their size is all there is to say.
UNOPENED: Final = frozenset({"audio", "video", "file"})
# One request's share of the pool, and how much of its time a request of many files may take.
_AT_ONCE: Final = 4
_PATIENCE: Final = 2
_FLAGS: Final[frozenset[str]] = frozenset(get_args(Flag))
_MOST_META: Final = 32
_METER: Final = re.compile(r"[a-z_]{1,24}")


@dataclass(slots=True, repr=False)
class _Opened:
    """What is added to an extract, upload after upload."""

    segments: list[Segment] = field(default_factory=list[Segment])
    sources: list[Source] = field(default_factory=list[Source])
    flags: set[Flag] = field(default_factory=set[Flag])

    def take(self, upload: Upload, answer: Answer) -> None:
        """Add one upload's answer under its own number."""
        number = len(self.sources)
        if isinstance(answer, str):
            self.flags.add("document_unread")
            meta: dict[str, int | str] = {"bytes": len(upload.data), "reason": answer}
            self.sources.append(Source(upload.kind, (), meta))
            return
        for key in ("shown", "hidden", "mixed", "raw"):
            text = answer.get(key)
            if isinstance(text, str) and text.strip():
                segment = Segment(text, "document", "untrusted", number, markup=key == "raw")
                self.segments.append(segment)
        self.flags |= _flags(answer.get("flags"))
        hits = structural_hits(_counts(answer.get("hits"), SEVERITIES), number)
        meta = {"bytes": len(upload.data), **_counts(answer.get("meta"), None)}
        self.sources.append(Source(upload.kind, hits, meta))


class ClientGone(Exception):
    """The client left while its files were being opened."""


class Guest:
    """Whose files they are, and whether anybody still waits: here, nobody in particular does."""

    def owner(self) -> str:
        """Whoever shares a place in the line of the workers."""
        return ""

    async def attended(self, work: Awaitable[Extract]) -> Extract:
        """The work's result; raises ClientGone when its client leaves first."""
        return await work


UNATTENDED: Final = Guest()


async def open_uploads(extract: Extract, pool: DocumentPool, owner: str = "") -> Extract:
    """An extract with its uploads opened, their bytes let go."""
    deadline = time.monotonic() + _PATIENCE * pool.limits.seconds
    turn = asyncio.Semaphore(_AT_ONCE)

    async def answer_to(upload: Upload) -> Answer:
        if upload.kind in UNOPENED:
            return {"flags": []}
        async with turn:
            return "timeout" if time.monotonic() > deadline else await pool.open(upload, owner)

    answers = await asyncio.gather(*map(answer_to, extract.uploads))
    opened = _Opened()
    for upload, answer in zip(extract.uploads, answers, strict=True):
        opened.take(upload, answer)
    return extract._replace(
        segments=(*extract.segments, *opened.segments),
        flags=extract.flags | opened.flags,
        sources=tuple(opened.sources),
        uploads=(),
    )


def failure_of(extract: Extract) -> str | None:
    """The reason code of the first upload that could not be opened, or None."""
    reasons = (source.meta.get("reason") for source in extract.sources)
    found = next((reason for reason in reasons if reason is not None), None)
    return None if found is None else f"document_{found}"


def _flags(value: Any) -> set[Flag]:
    if not isinstance(value, list):
        return {"document_unread"}
    named = {flag for flag in cast("list[object]", value) if isinstance(flag, str)}
    return {cast("Flag", flag) for flag in named & _FLAGS}


def _counts(value: Any, known: Mapping[str, int] | None) -> dict[str, int]:
    """The whole numbers of a mapping; with a table, only under its names."""
    if not isinstance(value, dict):
        return {}
    pairs = cast("dict[object, object]", value).items()
    found = {
        key: number
        for key, number in pairs
        if isinstance(key, str) and type(number) is int and _is_known(key, known)
    }
    return dict(list(found.items())[: len(known) if known is not None else _MOST_META])


def _is_known(key: str, known: Mapping[str, int] | None) -> bool:
    """Whether a name is one of the table, or one that a reader of ours could have given."""
    return bool(_METER.fullmatch(key)) if known is None else key in known
