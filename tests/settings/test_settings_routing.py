"""Which policy holds on a path."""

import dataclasses

import pytest

from abuse_gate.settings import Route, RoutePolicy, Routing, Settings


def _gated(settings: Settings, path: str) -> bool:
    return Routing(settings).policy(path).gated


def test_the_policy_of_untouched_settings_is_the_default_policy() -> None:
    assert Routing(Settings()).policy("/any") == RoutePolicy()


def test_without_globs_one_policy_object_serves_every_path() -> None:
    routing = Routing(Settings(mode="monitor"))
    assert routing.policy("/a") is routing.policy("/b/../c")
    assert routing.policy("/a").mode == "monitor"


@pytest.mark.parametrize(
    ("include", "exclude", "path", "gated"),
    [
        ((), (), "/x", True),
        (("/v1/*",), (), "/v1/chat", True),
        (("/v1/*",), (), "/v1/chat/completions", True),
        (("/v1/*",), (), "/v1", False),
        (("/v1/*",), (), "/V1/chat", False),
        (("/v1/*",), (), "/api/v1/chat", False),
        (("*/chat",), (), "/mounted/app/chat", True),
        (("/v1/*", "/v2/?"), (), "/v2/a", True),
        (("/v1/*", "/v2/?"), (), "/v2/ab", False),
        (("/v[12]/*",), (), "/v2/x", True),
        (("/v1/*",), (), "/v1/a\nb", True),
        (("/a.c",), (), "/abc", False),
        ((), ("/health",), "/health", False),
        ((), ("/health",), "/health/live", True),
        ((), ("/health",), "/", True),
        ((), ("/health",), "/health\n", True),
        (("/v1/*",), ("/v1/health",), "/v1/health", False),
        (("/v1/*",), ("/v1/health",), "/v1/chat", True),
        (("/health",), ("/health",), "/health", False),
        (("/v1/*",), (), "", False),
    ],
)
def test_include_says_what_is_gated_and_exclude_wins(
    include: tuple[str, ...], exclude: tuple[str, ...], path: str, gated: bool
) -> None:
    assert _gated(Settings(include=include, exclude=exclude), path) is gated


@pytest.mark.parametrize(
    ("path", "gated"),
    [
        ("/static/../v1/chat", True),
        ("/static/./v1", True),
        ("/static/..", True),
        ("/static/..;/v1", True),
        ("/static//v1", True),
        ("/static/..\\v1", True),
        ("/static/%2e%2e/v1", True),
        ("/static/a%2Fb", True),
        ("/static/app.js", False),
        ("/static/.well-known/x", False),
        ("/static/...", False),
        ("/static/100%", False),
    ],
)
def test_no_glob_takes_a_path_that_may_be_rewritten_out_of_the_gate(path: str, gated: bool) -> None:
    assert _gated(Settings(exclude=("/static/*",)), path) is gated
    assert _gated(Settings(include=("/v1/*",)), path) is gated


ROUTED = Settings(
    on_unclear="clarify",
    disabled_rules=("a",),
    severity_overrides={"a": 1},
    exclude=("/v1/health",),
    routes=(
        Route(path="/v1/strict/*", on_unclear="block", plan="paranoid", disabled_rules=()),
        Route(path="/v1/*", mode="monitor", on_unread="allow", severity_overrides={"b": 2}),
        Route(path="/v1/strict/*", mode="monitor", wire_roles="trusted"),
    ),
)


def test_the_first_matching_route_applies_alone() -> None:
    policy = Routing(ROUTED).policy("/v1/strict/chat")
    assert (policy.on_unclear, policy.plan) == ("block", "paranoid")
    assert (policy.mode, policy.wire_roles, policy.on_unread) == ("enforce", "claimed", "clarify")


def test_what_a_route_leaves_unset_stays_global_and_what_it_sets_replaces() -> None:
    routing = Routing(ROUTED)
    strict, loose = routing.policy("/v1/strict/chat"), routing.policy("/v1/chat")
    assert strict.disabled_rules == frozenset()
    assert strict.severity_overrides == {"a": 1}
    assert loose.disabled_rules == {"a"}
    assert loose.severity_overrides == {"b": 2}
    assert (loose.mode, loose.on_unclear, loose.on_unread) == ("monitor", "clarify", "allow")


def test_a_path_that_no_route_matches_has_the_global_policy() -> None:
    policy = Routing(ROUTED).policy("/v2/chat")
    assert policy == Routing(ROUTED.model_copy(update={"routes": ()})).policy("/v2/chat")
    assert policy.gated


def test_an_excluded_path_is_ungated_even_if_a_route_matches() -> None:
    assert not Routing(ROUTED).policy("/v1/health").gated


def test_a_route_can_say_everything_that_a_policy_holds() -> None:
    policy = {field.name for field in dataclasses.fields(RoutePolicy)}
    # `locked` is of the caller, not of the path.
    assert policy - {"gated", "locked", "version"} == set(Route.model_fields) - {"path"}


def test_a_policy_is_a_value_that_cannot_be_changed() -> None:
    policy = Routing(ROUTED).policy("/v1/chat")
    assert {policy: 1}[Routing(ROUTED).policy("/v1/other")] == 1
    with pytest.raises(dataclasses.FrozenInstanceError):
        policy.mode = "enforce"  # type: ignore[misc] # pyright: ignore[reportAttributeAccessIssue] # the law under test
    with pytest.raises(TypeError):
        policy.severity_overrides["b"] = 3  # type: ignore[index] # pyright: ignore[reportIndexIssue] # the law under test
