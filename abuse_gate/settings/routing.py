"""Which policy holds on a path: compiled once from the settings, looked up for every request.

Knows paths as text only. Nothing is remembered between calls, because callers choose the paths.
"""

import fnmatch
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Final

from abuse_gate.model.decision import Action
from abuse_gate.settings.model import Enforcement, PiiRuleset, Plan, Route, Settings, WireRoles

# A path that another layer may rewrite (dot segments, doubled or backward slashes, a second
# percent-encoding) can end somewhere else than it seems to, so no glob takes it out of the gate.
_REWRITABLE: Final = re.compile(r"//|\\|/\.{1,2}(?:[/;]|\Z)|%(?:2e|2f|5c)", re.IGNORECASE)

_INHERITED: Final = (
    "mode",
    "on_unclear",
    "on_unread",
    "plan",
    "wire_roles",
    "pii_ruleset",
    "disabled_rules",
    "severity_overrides",
)


def _no_overrides() -> Mapping[str, int]:
    return MappingProxyType({})


@dataclass(frozen=True, slots=True)
class RoutePolicy:
    """Everything that may differ from path to path."""

    gated: bool = True
    mode: Enforcement = "enforce"
    on_unclear: Action = "allow"
    on_unread: Action = "clarify"
    plan: Plan = "standard"
    wire_roles: WireRoles = "claimed"
    pii_ruleset: PiiRuleset = "default"
    disabled_rules: frozenset[str] = frozenset()
    severity_overrides: Mapping[str, int] = field(default_factory=_no_overrides, hash=False)
    # A digest of the rules and settings behind all this, once they are known.
    version: str = ""
    # Not of the path but of the caller: set while its mode is stricter than normal.
    locked: bool = False


class Routing:
    """The first route that matches applies, and what it leaves unset stays global.

    A set field replaces the global one whole. With no include every path is gated; exclude wins
    over include. Globs are case-sensitive and match the whole path; `*` crosses slashes.
    """

    def __init__(self, settings: Settings) -> None:
        self._global = _policy(settings)
        self._ungated = replace(self._global, gated=False)
        self._include = _any_of(settings.include)
        self._exclude = _any_of(settings.exclude)
        self._routes = tuple(
            (re.compile(fnmatch.translate(route.path)), _policy(settings, route))
            for route in settings.routes
        )
        self._uniform = not (settings.include or settings.exclude or settings.routes)

    @property
    def default(self) -> RoutePolicy:
        """The policy of what has no path: checks inside the process."""
        return self._global

    def stamp(self, version: Callable[[RoutePolicy], str]) -> None:
        """Give every policy the version that a function draws from it."""

        def stamped(policy: RoutePolicy) -> RoutePolicy:
            return replace(policy, version=version(policy))

        self._global, self._ungated = stamped(self._global), stamped(self._ungated)
        self._routes = tuple((pattern, stamped(policy)) for pattern, policy in self._routes)

    def policy(self, path: str) -> RoutePolicy:
        """The policy of one full path."""
        if self._uniform:
            return self._global
        if not self._is_gated(path):
            return self._ungated
        for pattern, policy in self._routes:
            if pattern.match(path):
                return policy
        return self._global

    def _is_gated(self, path: str) -> bool:
        excluded = self._exclude is not None and self._exclude.match(path)
        included = self._include is None or self._include.match(path)
        return bool(included and not excluded) or bool(_REWRITABLE.search(path))


def _any_of(globs: Iterable[str]) -> re.Pattern[str] | None:
    patterns = [fnmatch.translate(glob) for glob in globs]
    return re.compile("|".join(patterns)) if patterns else None


def _policy(settings: Settings, route: Route | None = None) -> RoutePolicy:
    chosen: dict[str, Any] = {name: getattr(settings, name) for name in _INHERITED}
    if route is not None:
        own = {name: getattr(route, name) for name in _INHERITED}
        chosen |= {name: value for name, value in own.items() if value is not None}
    chosen["disabled_rules"] = frozenset(chosen["disabled_rules"])
    chosen["severity_overrides"] = MappingProxyType(dict(chosen["severity_overrides"]))
    return RoutePolicy(**chosen)
