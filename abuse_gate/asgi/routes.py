"""Which route of the app a path belongs to, by its template: `/users/{id}`, never `/users/42`.

A blocked request never reaches the router, so the gate looks for itself. It asks the app's own
routes for their patterns and calls none of them.
"""

import re
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any, Final, cast

from starlette.types import ASGIApp, Scope

# Deeper than any stack of middleware or mounts that a person writes.
_DEEPEST: Final = 100


@dataclass(frozen=True, slots=True)
class Leaf:
    """One route: what it matches, for which methods, and what may stand in a record for it."""

    pattern: re.Pattern[str]
    methods: AbstractSet[str] | None
    template: str
    below: "tuple[Leaf, ...] | None" = None


class RouteFinder:
    """Built of an app when it is first asked; built anew when the app's routes have changed."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._known: tuple[int, tuple[Leaf, ...]] | None = None

    def template(self, scope: Scope) -> str | None:
        """The template of the route that would answer; None where none would, or none is seen."""
        routes = routes_of(self._app)
        if not routes:
            return None
        if self._known is None or self._known[0] != len(routes):
            self._known = (len(routes), tuple(_leaves(routes, 0)))
        return _find(self._known[1], _below_root(scope), scope["method"])


def routes_of(app: ASGIApp) -> Sequence[object]:
    """The routes of the innermost app that shows any."""
    inner: Any = app
    for _ in range(_DEEPEST):
        if inner is None:
            break
        routes: Any = getattr(inner, "routes", None)
        if isinstance(routes, list):
            return cast("list[object]", routes)
        inner = getattr(inner, "app", None)
    return ()


def _leaves(routes: Sequence[object], depth: int) -> Iterator[Leaf]:
    if depth > _DEEPEST:
        return
    for route in routes:
        candidates = getattr(route, "effective_candidates", None)
        if callable(candidates):
            # FastAPI keeps an included router whole and makes its routes when they are asked for.
            yield from _leaves(cast("Sequence[object]", candidates()), depth + 1)
            continue
        leaf = _leaf(getattr(route, "starlette_route", None) or route, depth)
        if leaf is not None:
            yield leaf


def _leaf(route: object, depth: int) -> Leaf | None:
    found, template = getattr(route, "path_regex", None), getattr(route, "path_format", None)
    if not isinstance(found, re.Pattern) or not isinstance(template, str):
        return None
    pattern = cast("re.Pattern[str]", found)
    below: object = getattr(route, "routes", None)
    if isinstance(below, list):
        inner = tuple(_leaves(cast("list[object]", below), depth + 1))
        # A mount's own format ends with the rest of the path, which is the next app's.
        return Leaf(pattern, None, template.removesuffix("/{path}"), inner)
    methods: object = getattr(route, "methods", None)
    known = cast("set[str]", methods) if isinstance(methods, set) and methods else None
    return Leaf(pattern, known, template)


def _find(leaves: Sequence[Leaf], path: str, method: str) -> str | None:
    """The first route that takes path and method, else the first that takes the path."""
    nearly: str | None = None
    for leaf in leaves:
        match = leaf.pattern.match(path)
        if match is None:
            continue
        if leaf.below is not None:
            rest = "/" + match.groupdict().get("path", "").lstrip("/")
            inner = _find(leaf.below, rest, method)
            return leaf.template + (inner or "/*")
        if leaf.methods is None or method in leaf.methods:
            return leaf.template
        nearly = nearly or leaf.template
    return nearly


def _below_root(scope: Scope) -> str:
    path: str = scope["path"]
    root: str = scope.get("root_path", "").rstrip("/")
    return path.removeprefix(root) if root and path.startswith(root + "/") else path
