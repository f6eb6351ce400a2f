"""What was read out of one request, raw. Stays inside the process; every repr shows sizes only."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple

from abuse_gate.model.hit import Hit, Place

Trust = Literal["trusted", "vetted", "untrusted"]

Origin = Literal[
    "system",
    "developer",
    "user",
    "assistant",
    "tool",
    "document",
    "unknown_role",
    "field",
    "key",
    "form",
    "text",
    "query",
    "path",
    "filename",
    "header",
    "cookie",
]

# Roles on the wire are the caller's claim, so only what a caller passes on from elsewhere
# (a tool's result, a document) is somebody else's text.
PLACE_OF: Final[dict[Origin, Place]] = {
    "system": "caller",
    "developer": "caller",
    "user": "caller",
    "assistant": "caller",
    "tool": "third_party",
    "document": "document",
    "unknown_role": "caller",
    "field": "caller",
    "key": "caller",
    "form": "caller",
    "text": "caller",
    "query": "caller",
    "path": "caller",
    "filename": "caller",
    "header": "ambient",
    "cookie": "ambient",
}

Flag = Literal[
    "malformed",
    "opaque_media_noninterpretable",
    "truncated",
    "unsupported_encoding",
    "encrypted",
    "too_deep",
    "scan_budget",
    "type_mismatch",
    "document_unread",
    "context_token",
]

# Nothing is safe by silence. Not text: the verdict is at least unclear.
# Unread: something the app may read and we did not; the route's on_unread decides.
# A file that is not what it says may be read by the app as either; a token that nobody can check
# may have told of untrusted content.
NOT_TEXT: Final[frozenset[Flag]] = frozenset(
    {"malformed", "opaque_media_noninterpretable", "type_mismatch", "context_token"}
)
UNREAD: Final[frozenset[Flag]] = frozenset(
    {
        "truncated",
        "unsupported_encoding",
        "encrypted",
        "too_deep",
        "scan_budget",
        "document_unread",
    }
)

Modality = Literal["text", "pdf", "docx", "image", "audio", "video"]

# What an upload's bytes turned out to be; `file` is anything that no reader knows.
UploadKind = Literal[
    "pdf",
    "docx",
    "xlsx",
    "pptx",
    "odt",
    "zip",
    "html",
    "rtf",
    "svg",
    "xml",
    "mail",
    "image",
    "audio",
    "video",
    "file",
]

# The contract has six modalities: office documents are its docx, marked-up text its text.
MODALITY_OF: Final[dict[UploadKind, Modality]] = {
    "pdf": "pdf",
    "docx": "docx",
    "xlsx": "docx",
    "pptx": "docx",
    "odt": "docx",
    "html": "text",
    "rtf": "text",
    "xml": "text",
    "mail": "text",
    "svg": "image",
    "image": "image",
    "audio": "audio",
    "video": "video",
}

# Who is asking decides how a refusal is worded on the wire.
Dialect = Literal["openai", "anthropic", "jsonrpc", "problem"]

RpcId = str | int | None

# Between the names of a call that has more than one: parsers differ in which of them they take.
EITHER: Final = " [or] "


class Segment(NamedTuple):
    """One piece of text with its origin and its trust; `source` numbers the upload it is from.

    `turn` is the place of its message in the conversation, where there is one.
    Raw markup is scanned and sent to nobody: what it says goes as its reader took it down, and
    tags in the middle of a secret would carry it past every pattern.
    """

    text: str
    origin: Origin
    trust: Trust
    source: int | None = None
    turn: int | None = None
    markup: bool = False

    def __repr__(self) -> str:
        return f"Segment({self.origin}, {self.trust}, {len(self.text)} chars)"


@dataclass(frozen=True, slots=True, repr=False)
class ToolCall:
    """A proposed action: tool name and arguments, every string of them walked into `texts`.

    `pending` is true while the call has no result yet. `context_known` is false for a call that
    arrives without its conversation (MCP): untrusted influence cannot be ruled out there.
    """

    name: str
    texts: tuple[str, ...]
    pending: bool = True
    context_known: bool = True

    def __repr__(self) -> str:
        state = "pending" if self.pending else "answered"
        return f"ToolCall({state}, {len(self.name)} + {sum(map(len, self.texts))} chars)"


@dataclass(frozen=True, slots=True, repr=False)
class Upload:
    """A file inside a request that is still to be opened; its bytes never leave the machine."""

    kind: UploadKind
    data: bytes

    def __repr__(self) -> str:
        return f"Upload({self.kind}, {len(self.data)} bytes)"


@dataclass(frozen=True, slots=True)
class Source:
    """What became of one upload: its type, the structural rules that fired, sizes and codes."""

    type: str
    hits: tuple[Hit, ...] = ()
    meta: Mapping[str, int | str] = field(default_factory=dict[str, int | str])


class Extract(NamedTuple):
    """Everything read out of one request, and a flag for everything that could not be."""

    segments: tuple[Segment, ...] = ()
    calls: tuple[ToolCall, ...] = ()
    flags: frozenset[Flag] = frozenset()
    modalities: tuple[Modality, ...] = ()
    uploads: tuple[Upload, ...] = ()
    sources: tuple[Source, ...] = ()
    dialect: Dialect = "problem"
    rpc_ids: tuple[RpcId, ...] = ()
    rpc_batch: bool = False
    body_bytes: int = 0

    @property
    def pending_calls(self) -> tuple[ToolCall, ...]:
        """The calls that have no result yet; the others are context."""
        if not self.calls:
            return ()
        return tuple(call for call in self.calls if call.pending)

    @property
    def chars(self) -> int:
        """How much text was read, calls included."""
        said = sum(len(segment.text) for segment in self.segments)
        return said + sum(len(text) for call in self.calls for text in (call.name, *call.texts))

    def __repr__(self) -> str:
        return (
            f"Extract({len(self.segments)} segments, {self.chars} chars, {len(self.calls)} calls, "
            f"{len(self.uploads) + len(self.sources)} uploads, "
            f"{self.body_bytes} bytes, flags={sorted(self.flags)})"
        )
