"""Questions about a scope: which path, whether to look at it at all, how much of its body."""

from collections.abc import Iterable
from typing import Any, Final, cast

from starlette.types import Scope

from abuse_gate.model.decision import Decision
from abuse_gate.reading.documents.kinds import declared_kind, kinds_of
from abuse_gate.settings import Settings

_JSON: Final = b"application/json"
_PREFLIGHT: Final = b"access-control-request-method"
_FILES: Final = (b"multipart/", b"application/octet-stream")
# As far as the opening of a file goes.
_LOOK: Final = 4096
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
    return max(settings.max_upload_bytes, limit) if is_upload(types) else limit


def document_limit(data: bytes, settings: Settings) -> int:
    """The bound for a body that turned out to be a file, whatever its type says."""
    known = bool(kinds_of(data[:_LOOK]))
    return max(settings.max_upload_bytes, settings.max_body_bytes) if known else 0


def is_preflight(scope: Scope) -> bool:
    """A browser's CORS question: OPTIONS, and no body in which anything could hide.

    From HTTP/2 on a body needs no header that announces it, so there every request is read.
    """
    if scope["method"] != "OPTIONS" or not scope.get("http_version", "1.1").startswith("1"):
        return False
    names = {name.lower() for name, _ in scope["headers"]}
    return _PREFLIGHT in names and not names & _BODY_HEADERS


def is_upload(types: Iterable[bytes]) -> bool:
    """Whether a body of these types is said to hold files, for which a larger bound holds."""
    return any(value != _JSON and _is_file(value.lower().strip()) for value in types)


def _is_file(content_type: bytes) -> bool:
    if content_type.startswith(_FILES):
        return True
    return declared_kind(content_type.partition(b";")[0].decode("latin-1").strip(), "") is not None
