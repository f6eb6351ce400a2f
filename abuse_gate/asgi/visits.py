"""A visit that knows its scope: where it would go, and by which headers its trace is handed on."""

from collections.abc import Mapping
from typing import Final

from starlette.types import Scope

from abuse_gate.asgi.routes import RouteFinder
from abuse_gate.model.visit import TRACE_HEADERS, Visit

METHODS: Final = frozenset(
    {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "QUERY"}
)


class HttpVisit(Visit):
    """One HTTP request's; what costs time is looked up when somebody asks for it."""

    __slots__ = ("_finder", "_route", "_scope")

    def __init__(self, incident_id: str, now: float, scope: Scope, finder: RouteFinder) -> None:
        super().__init__(incident_id, now)
        method: str = scope["method"]
        self.method = method if method in METHODS else "other"
        self._scope: Scope | None = scope
        self._finder = finder
        self._route: str | None = None

    def close(self) -> None:
        """Lets go of the scope."""
        super().close()
        self._scope = None

    @property
    def route(self) -> str | None:
        """The template of the route that would answer, if somebody asked in time."""
        if self._route is None and self._scope is not None:
            self._route = self._finder.template(self._scope) or ""
        return self._route or None

    def trace_headers(self) -> Mapping[str, str]:
        """The headers of a trace, lower case; of two with one name the last."""
        return {
            name.decode("latin-1").lower(): value.decode("latin-1")
            for name, value in (self._scope["headers"] if self._scope else ())
            if name.decode("latin-1").lower() in TRACE_HEADERS
        }
