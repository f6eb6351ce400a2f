"""The notebook of one reading: segments, calls, flags and modalities as they are found.

Alone decides the trust of an origin and the bound on strings; knows no format.
"""

from typing import Final

from abuse_gate.model.extract import (
    MODALITY_OF,
    Dialect,
    Extract,
    Flag,
    Modality,
    Origin,
    RpcId,
    Segment,
    ToolCall,
    Trust,
    Upload,
    UploadKind,
)
from abuse_gate.reading.request import ReadingOptions

# A role on the wire is the caller's claim, so nothing is trusted unless the route says so.
CLAIMED: Final[dict[Origin, Trust]] = {
    "system": "vetted",
    "developer": "vetted",
    "user": "vetted",
    "assistant": "untrusted",
    "tool": "untrusted",
    "document": "untrusted",
    "unknown_role": "untrusted",
    "field": "vetted",
    "key": "vetted",
    "form": "vetted",
    "text": "vetted",
    "query": "vetted",
    "path": "vetted",
    "filename": "vetted",
    "header": "vetted",
    "cookie": "vetted",
}
TRUSTED: Final[dict[Origin, Trust]] = {**CLAIMED, "system": "trusted", "developer": "trusted"}
TRUST_OF: Final = {"claimed": CLAIMED, "trusted": TRUSTED}
# Pixels, sound and unknown bytes say nothing to us, whatever text stands beside them.
OPAQUE_KINDS: Final[frozenset[UploadKind]] = frozenset({"image", "audio", "video", "svg", "file"})

# Readings of one body as a whole: its bytes under two content types, as sent and inflated.
MOST_WHOLES: Final = 8
# Files that one request may have opened: each is a question to a worker, however small it is.
MOST_UPLOADS: Final = 1_000


class Notes:
    """Takes down what is read; bounded, and every bound that is hit leaves a flag."""

    __slots__ = (
        "_files",
        "_room",
        "_seen",
        "_wholes",
        "calls",
        "dialect",
        "dialect_hint",
        "flags",
        "max_depth",
        "max_documents",
        "max_json",
        "modalities",
        "rpc_batch",
        "rpc_ids",
        "segments",
        "trust",
        "turn",
        "uploads",
    )

    def __init__(self, options: ReadingOptions, dialect_hint: Dialect) -> None:
        self.max_depth = options.max_depth
        self.max_documents = options.max_strings
        self.max_json = options.max_inflated_bytes
        self._room = options.max_strings
        self.trust = TRUST_OF[options.wire_roles]
        self._seen: set[str] = set()
        self._wholes: list[str] = []
        self._files: set[tuple[UploadKind, bytes]] = set()
        self.segments: list[Segment] = []
        # The message that is being read, if it is one of a list of them.
        self.turn: int | None = None
        self.calls: list[ToolCall] = []
        self.flags: set[Flag] = set()
        self.modalities: dict[Modality, None] = {}
        self.dialect: Dialect | None = None
        self.dialect_hint: Dialect = dialect_hint
        self.rpc_ids: list[RpcId] = []
        self.rpc_batch = False
        self.uploads: list[Upload] = []

    @property
    def full(self) -> bool:
        """Whether no further string will be taken down."""
        return self._room <= 0

    def add(self, text: str, origin: Origin) -> None:
        """Take down one piece of text; beyond the bound only a flag is left."""
        if not text:
            return
        if self._room <= 0:
            self.flags.add("truncated")
            return
        self._room -= 1
        self.segments.append(Segment(text, origin, self.trust[origin], None, self.turn))

    def take(self, segments: list[Segment], keys: list[str], dialect: Dialect | None) -> bool:
        """Take down what somebody has already sorted; false, and nothing, if it does not fit."""
        if len(segments) >= self._room or not self._seen.isdisjoint(keys):
            return False
        self._room -= len(segments)
        self.segments += segments
        self._seen.update(keys)
        if dialect is not None:
            self.speak(dialect)
        return True

    def withhold(self, start: int) -> None:
        """Mark the segments from a number on as raw markup, which its own reader takes down too."""
        marked = [segment._replace(markup=True) for segment in self.segments[start:]]
        self.segments[start:] = marked

    def field(self, text: str) -> None:
        """Take down a value of no particular place; each time it occurs, for texts can be split."""
        self.add(text, "field")

    def key(self, text: str) -> None:
        """Take down a key, each distinct one once: a list of records repeats them."""
        if text in self._seen:
            return
        self._seen.add(text)
        self.add(text, "key")

    def whole(self, text: str) -> None:
        """Take down a whole body as one segment, whatever the bound on strings says."""
        if not text or text in self._wholes:
            return
        if len(self._wholes) >= MOST_WHOLES:
            self.flags.add("truncated")
            return
        self._wholes.append(text)
        self.segments.append(Segment(text, "text", self.trust["text"]))

    def call(self, name: str, texts: list[str], *, pending: bool, context_known: bool) -> None:
        """Take down a tool call; its strings count against the same bound."""
        if len(texts) > self._room:
            self.flags.add("truncated")
        kept = tuple(texts[: max(self._room, 0)])
        self._room -= len(kept) + 1
        self.calls.append(ToolCall(name, kept, pending, context_known))

    def bounded(self, *, deep: bool, cut: bool) -> None:
        """Record that a parser met a bound."""
        if deep:
            self.flags.add("too_deep")
        if cut:
            self.flags.add("truncated")

    def speak(self, dialect: Dialect) -> None:
        """Settle the dialect by the first recognised shape."""
        if self.dialect is None:
            self.dialect = dialect

    def opaque(self, modality: Modality | None) -> None:
        """Record media that cannot be interpreted as text."""
        self.flags.add("opaque_media_noninterpretable")
        if modality is not None:
            self.modalities[modality] = None

    def upload(self, kind: UploadKind, data: bytes) -> None:
        """Keep a file for whoever opens it; what has no words to open is opaque from the start."""
        modality = MODALITY_OF.get(kind)
        if kind in OPAQUE_KINDS:
            self.opaque(modality)
        elif modality is not None and modality != "text":
            self.modalities[modality] = None
        # One file may be come upon by several ways; opening it once tells all.
        if (kind, data) in self._files:
            return
        self._files.add((kind, data))
        if len(self.uploads) < MOST_UPLOADS:
            self.uploads.append(Upload(kind, data))
        else:
            self.flags.add("truncated")

    def extract(self, body_bytes: int) -> Extract:
        """The frozen result; text comes first among the modalities when there is any."""
        text: tuple[Modality, ...] = ("text",) if self.segments or self.calls else ()
        return Extract(
            tuple(self.segments),
            tuple(self.calls),
            frozenset(self.flags),
            (*text, *self.modalities),
            tuple(self.uploads),
            (),
            self.dialect or self.dialect_hint,
            tuple(self.rpc_ids),
            self.rpc_batch,
            body_bytes,
        )
