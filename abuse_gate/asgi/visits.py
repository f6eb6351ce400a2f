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
        self._scope = scope
        self._finder = finder
        self._route: str | None = None

    @property
    def route(self) -> str | None:
        """The template of the route that would answer."""
        if self._route is None:
            self._route = self._finder.template(self._scope) or ""
        return self._route or None

    @property
    def method(self) -> str:
        """The method of the request, when it is one that people use."""
        method: str = self._scope["method"]
        return method if method in METHODS else "other"

    def trace_headers(self) -> Mapping[str, str]:
        """The headers of a trace, lower case; of two with one name the last."""
        return {
            name.decode("latin-1").lower(): value.decode("latin-1")
            for name, value in self._scope["headers"]
            if name.decode("latin-1").lower() in TRACE_HEADERS
        }
