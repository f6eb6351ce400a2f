"""What tier 1 made of one request, and what a request costs its readers. Values, no decisions."""

import re
from typing import Final, NamedTuple

from abuse_gate.deciding.planner import Static
from abuse_gate.deciding.score import Thresholds, tuned
from abuse_gate.deciding.static import judge_prompt
from abuse_gate.model.extract import Extract, Flag, Origin
from abuse_gate.model.hit import Hit
from abuse_gate.reading.dialect import dialect_before_body
from abuse_gate.reading.request import RawRequest
from abuse_gate.rules.findings import Findings
from abuse_gate.settings import RoutePolicy
from abuse_gate.work.scanner import BEYOND_ASCII, INLINE_SIZE

# Where nobody puts a prompt that a verifier should be paid for; the rules look there all the same.
_WORDLESS: Final[frozenset[Origin]] = frozenset({"cookie", "header"})
_PLAIN_PATH: Final = re.compile(r"[A-Za-z0-9/._~-]{0,200}")


class Inspection(NamedTuple):
    """What tier 1 made of one request: each matter judged, and whether to ask a verifier."""

    extract: Extract
    findings: Findings
    hits: tuple[Hit, ...]
    statics: tuple[Static, ...]
    ask: bool
    started: float
    # When the rules began; the blocks that a flagged call came from.
    scanned: float = 0.0
    blocks: tuple[int, ...] = ()

    def __repr__(self) -> str:
        return f"Inspection({self.extract!r}, {len(self.hits)} hits, ask={self.ask})"

    @property
    def flags(self) -> frozenset[Flag]:
        """Everything that was not read, by the readers and by the rules."""
        if not self.findings.flags:
            return self.extract.flags
        return self.extract.flags | self.findings.flags


# A shorter body is soon read, whatever it is.
MIN_PARTED: Final = 4096
# What an item costs in reading, in bytes of text.
PART: Final = 8


def effort_of(request: RawRequest) -> int:
    """How large a request is to its readers; a compressed one is as large as it likes."""
    head = request.head
    if head.codings:
        return INLINE_SIZE + 1
    body = request.body
    # Many small things take longer to read than one large one.
    parts = body.count(b",") + body.count(b"&") + body.count(b"\n") if len(body) > MIN_PARTED else 0
    size = len(body) + parts * PART + len(request.query)
    size += len(request.path) * BEYOND_ASCII + head.size
    return size if request.body.isascii() else size * BEYOND_ASCII


def unread(request: RawRequest, started: float) -> Inspection:
    """What is left of a request that we failed to read: a flag, and so never safe."""
    extract = Extract(
        flags=frozenset({"malformed"}),
        dialect=dialect_before_body(request.path, request.headers),
        body_bytes=len(request.body),
    )
    static = judge_prompt((), Thresholds(), beside_a_call=False)
    nothing = Findings(hits=(), flags=frozenset({"scan_budget"}), encoded=False)
    return Inspection(extract, nothing, (), (static,), False, started, started)


def says_something(extract: Extract) -> bool:
    """Whether there is anything to ask about: a bare GET of a plain path says nothing."""
    if extract.calls:
        return True
    return any(
        segment.origin not in _WORDLESS
        and not (segment.origin == "path" and _PLAIN_PATH.fullmatch(segment.text))
        for segment in extract.segments
    )


def weighed_hits(extract: Extract, findings: Findings, policy: RoutePolicy) -> tuple[Hit, ...]:
    """What the rules and the build of the uploads say, as the operator weighs it."""
    if not (findings.hits or extract.sources):
        return ()
    built = (hit for source in extract.sources for hit in source.hits)
    hits = (*findings.hits, *built)
    # What weighs nothing is no evidence: an honest document has metadata, too.
    weighed = tuned(hits, policy.disabled_rules, policy.severity_overrides)
    return tuple(hit for hit in weighed if hit.severity or hit.source is None)
