"""Questions about a scope: which path, whether to look at it at all, how much of its body."""

from collections.abc import Iterable
from typing import Any, Final, cast

from starlette.types import Scope

from abuse_gate.model.decision import Decision
from abuse_gate.settings import Settings

_PREFLIGHT: Final = b"access-control-request-method"
_BODY_HEADERS: Final = frozenset({b"content-length", b"transfer-encoding"})


def full_path(scope: Scope) -> str:
    """The path as the client asked for it, the server's or a mount's root path included."""
    path: str = scope["path"]
    root: str = scope.get("root_path", "")
    if not root:
        return path
    below = path == root or path.startswith(root.rstrip("/") + "/")
    return path if below else root + path


def decision_in(scope: Scope) -> Decision | None:
    """The latest gate's decision, if the app has left it where it was put."""
    state: Any = scope.get("state")
    found = cast("dict[str, object]", state).get("guardrail") if isinstance(state, dict) else None
    return found if isinstance(found, Decision) else None


def keep_decision(scope: Scope, decision: Decision) -> None:
    """Put the decision where the app finds it; a state that is no mapping is left alone."""
    state: Any = scope.setdefault("state", {})
    if isinstance(state, dict):
        state["guardrail"] = decision


def body_limit(types: Iterable[bytes], settings: Settings) -> int:
    """How much of a body of these content types is inspected: most of an upload."""
    limit = settings.max_body_bytes
    return max(settings.max_upload_bytes, limit) if is_multipart(types) else limit


def is_preflight(scope: Scope) -> bool:
    """A browser's CORS question: OPTIONS, and no body in which anything could hide.

    From HTTP/2 on a body needs no header that announces it, so there every request is read.
    """
    if scope["method"] != "OPTIONS" or not scope.get("http_version", "1.1").startswith("1"):
        return False
    names = {name.lower() for name, _ in scope["headers"]}
    return _PREFLIGHT in names and not names & _BODY_HEADERS


def is_multipart(types: Iterable[bytes]) -> bool:
    """Whether the body is an upload, for which a larger bound holds."""
    return any(value.lower().lstrip().startswith(b"multipart/") for value in types)
