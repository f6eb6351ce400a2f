"""In which dialect a refusal is worded before the body was read: by header, else by path."""

from collections.abc import Iterable
from typing import Final

from abuse_gate.model.extract import Dialect

HEADER_DIALECT: Final[dict[bytes, Dialect]] = {
    b"anthropic-version": "anthropic",
    b"mcp-protocol-version": "jsonrpc",
    b"mcp-session-id": "jsonrpc",
}
PATH_DIALECT: Final[tuple[tuple[str, Dialect], ...]] = (
    ("/chat/completions", "openai"),
    ("/responses", "openai"),
    ("/messages", "anthropic"),
    ("/v1/completions", "openai"),
    ("/v1/embeddings", "openai"),
    ("/v1/moderations", "openai"),
    ("/v1/files", "openai"),
    ("/images/generations", "openai"),
    ("/images/edits", "openai"),
    ("/images/variations", "openai"),
    ("/audio/speech", "openai"),
    ("/audio/transcriptions", "openai"),
    ("/audio/translations", "openai"),
)


_ENDINGS: Final = tuple(ending.lstrip("/") for ending, _ in PATH_DIALECT)


def dialect_of_path(path: str) -> Dialect:
    """The dialect that a path is known for."""
    trimmed = path.strip("/")
    if not trimmed.endswith(_ENDINGS):
        return "problem"
    ending = "/" + trimmed
    for suffix, dialect in PATH_DIALECT:
        if ending.endswith(suffix):
            return dialect
    return "problem"


def dialect_before_body(path: str, headers: Iterable[tuple[bytes, bytes]]) -> Dialect:
    """The dialect of a request whose body is not known yet."""
    for name, _ in headers:
        dialect = HEADER_DIALECT.get(name) or HEADER_DIALECT.get(name.lower())
        if dialect is not None:
            return dialect
    return dialect_of_path(path)
