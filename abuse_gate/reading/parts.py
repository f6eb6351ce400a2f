"""The content of one message: a string, or parts by type (text, media, document, call, result).

Reads the parts of the OpenAI and Anthropic shapes alike; knows no envelope around them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from abuse_gate.model.extract import Modality, Origin
from abuse_gate.reading.arguments import call_parts
from abuse_gate.reading.charcodes import spelled
from abuse_gate.reading.jsontext import Json, word
from abuse_gate.reading.ledger import Ledger
from abuse_gate.reading.media import read_base64, read_data_url
from abuse_gate.reading.notes import Notes
from abuse_gate.reading.walk import rest, say

# Part types that carry media, and what they claim to be.
MEDIA_PARTS: Final[dict[str, Modality | None]] = {
    "image": "image",
    "image_url": "image",
    "input_image": "image",
    "computer_screenshot": "image",
    "audio": "audio",
    "input_audio": "audio",
    "video": "video",
    "video_url": "video",
    "input_video": "video",
    "file": None,
    "input_file": None,
    "container_upload": None,
}
DOCUMENT_PARTS: Final = frozenset({"document", "search_result"})
# Keys whose strings are the part's own words; every other key is a field.
TEXT_KEYS: Final = ("text", "content", "refusal", "thinking", "reasoning", "summary", "output")
DOCUMENT_KEYS: Final = ("title", "context", "content", "text")
BLOB_KEYS: Final = ("data", "file_data", "blob", "b64_json", "bytes")
LINK_KEYS: Final = ("url", "image_url", "file_url", "video_url", "audio_url", "uri")
NAME_KEYS: Final = ("filename", "file_name")
TYPE_KEYS: Final = ("media_type", "mime_type", "mimeType", "format")
# What an assistant thought is the assistant's, whoever sends it back.
ASSISTANT_PARTS: Final = frozenset({"thinking", "redacted_thinking", "reasoning", "refusal"})


@dataclass(frozen=True, slots=True, repr=False)
class _Media:
    """What a part says of its media: the declared type, what its own type hints at, a name."""

    media_type: str
    hint: Modality | None
    file_name: str


def read_content(notes: Notes, content: Json, origin: Origin, ledger: Ledger | None) -> None:
    """Take down a message's content; without a ledger, calls and results inside are mere text."""
    if isinstance(content, str):
        say(notes, content, origin)
        return
    if content is None:
        return
    if isinstance(content, list):
        notes.add(spelled(content), origin)
    for part in content if isinstance(content, list) else (content,):
        if isinstance(part, dict):
            read_part(notes, part, origin, ledger)
        else:
            say(notes, part, origin)


def read_part(notes: Notes, part: dict[str, Json], origin: Origin, ledger: Ledger | None) -> None:
    """Take down one part by its type; an unknown type is read as text with fields beside it."""
    kind = word(part.get("type"))
    if kind in MEDIA_PARTS:
        read_media(notes, part, MEDIA_PARTS[kind])
    elif kind in DOCUMENT_PARTS:
        _document(notes, part)
    elif ledger is not None and kind.endswith("tool_use") and origin == "assistant":
        _tool_use(notes, part, ledger)
    elif ledger is not None and kind.endswith("tool_result"):
        _tool_result(notes, part, ledger)
    else:
        _words(notes, part, "assistant" if kind in ASSISTANT_PARTS else origin)


def _words(notes: Notes, part: dict[str, Json], origin: Origin) -> None:
    for key in TEXT_KEYS:
        if key in part:
            say(notes, part[key], origin)
    rest(notes, part, TEXT_KEYS)


def _tool_use(notes: Notes, part: dict[str, Json], ledger: Ledger) -> None:
    name, texts, taken = call_parts(notes, part)
    ledger.call(part.get("id"), name, texts)
    rest(notes, part, taken)


def _tool_result(notes: Notes, part: dict[str, Json], ledger: Ledger) -> None:
    ledger.result(part.get("tool_use_id"))
    read_content(notes, part.get("content"), "tool", None)
    rest(notes, part, ("content",))


def _document(notes: Notes, part: dict[str, Json]) -> None:
    for key in DOCUMENT_KEYS:
        say(notes, part.get(key), "document")
    source = part.get("source")
    if not isinstance(source, dict):
        say(notes, source, "document")
        rest(notes, part, {"source", *DOCUMENT_KEYS})
    elif word(source.get("type")) in {"text", "content"}:
        _document_text(notes, source)
        rest(notes, part, {"source", *DOCUMENT_KEYS})
    else:
        read_media(notes, part, None, DOCUMENT_KEYS)


def _document_text(notes: Notes, source: dict[str, Json]) -> None:
    say(notes, source.get("data"), "document")
    content = source.get("content")
    for block in content if isinstance(content, list) else (content,):
        if isinstance(block, dict) and word(block.get("type")) in MEDIA_PARTS:
            read_media(notes, block, None)
        else:
            say(notes, block, "document")
    rest(notes, source, ("data", "content"))


def read_media(
    notes: Notes, part: dict[str, Json], hint: Modality | None, done: tuple[str, ...] = ()
) -> None:
    """Take down a media part: links and names as text, blobs by what they turn out to be."""
    inner = {key: value for key, value in part.items() if isinstance(value, dict)}
    holders = (part, *inner.values())
    media = _Media(_first(holders, TYPE_KEYS).lower(), hint, _first(holders, NAME_KEYS))
    found = _leaves(notes, part, {*done, *inner}, media)
    for key, value in inner.items():
        rest(notes, {key: None}, ())
        found += _leaves(notes, value, set(), media)
    if not found or not all(found):
        notes.opaque(hint)


def _first(holders: tuple[dict[str, Json], ...], keys: tuple[str, ...]) -> str:
    for holder in holders:
        for value in map(holder.get, keys):
            if isinstance(value, str):
                return value
    return ""


def _leaves(notes: Notes, holder: dict[str, Json], taken: set[str], media: _Media) -> list[bool]:
    """Read the blobs and links that one object holds, then the rest; for each, was it read?"""
    found: list[bool] = []
    for key, value in holder.items():
        if not isinstance(value, str) or key in taken:
            continue
        if key in NAME_KEYS:
            notes.add(value, "filename")
            taken.add(key)
        elif key in _LEAVES:
            found.append(_LEAVES[key](notes, value, media))
            taken.add(key)
    rest(notes, holder, taken)
    return found


def _blob(notes: Notes, text: str, media: _Media) -> bool:
    opened = read_data_url(notes, text, media.hint, media.file_name)
    if opened is not None:
        return opened
    return read_base64(notes, text, media.media_type, media.hint, media.file_name)


def _link(notes: Notes, text: str, media: _Media) -> bool:
    opened = read_data_url(notes, text, media.hint, media.file_name)
    if opened is None:
        notes.field(text)
    return bool(opened)


_LEAVES: Final[dict[str, Callable[[Notes, str, _Media], bool]]] = {
    **dict.fromkeys(BLOB_KEYS, _blob),
    **dict.fromkeys(LINK_KEYS, _link),
}
