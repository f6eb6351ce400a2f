"""Questions about a scope: which path, whether to look at it at all, how much of its body."""

from typing import Final

from starlette.types import Scope

_PREFLIGHT: Final = b"access-control-request-method"
_BODY_HEADERS: Final = frozenset({b"content-length", b"transfer-encoding"})


def full_path(scope: Scope) -> str:
    """The path as the client asked for it, the server's or a mount's root path included."""
    path: str = scope["path"]
    root: str = scope.get("root_path", "")
    return path if path.startswith(root) else root + path


def is_preflight(scope: Scope) -> bool:
    """A browser's CORS question: OPTIONS, and no body in which anything could hide."""
    if scope["method"] != "OPTIONS":
        return False
    names = {name.lower() for name, _ in scope["headers"]}
    return _PREFLIGHT in names and not names & _BODY_HEADERS


def is_multipart(scope: Scope) -> bool:
    """Whether the body is an upload, for which a larger bound holds."""
    return any(
        name.lower() == b"content-type" and value.lower().lstrip().startswith(b"multipart/")
        for name, value in scope["headers"]
    )
