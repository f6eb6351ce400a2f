"""Which template a path belongs to, in apps of every build; never a path itself."""

from typing import Any

import pytest
from fastapi import APIRouter, FastAPI
from starlette.applications import Starlette
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import PlainTextResponse
from starlette.routing import Host, Mount, Route, Router, WebSocketRoute
from starlette.types import ASGIApp

from abuse_gate.asgi.routes import RouteFinder
from abuse_gate.asgi.visits import HttpVisit
from abuse_gate.testing.asgi import http_scope


def answer(request: Any) -> PlainTextResponse:
    return PlainTextResponse("x")


def starlette() -> ASGIApp:
    inner = Router([Route("/x/{k}", answer), Mount("/deep", routes=[Route("/{d}", answer)])])
    routes = [
        Route("/users/{uid:int}", answer, methods=["POST"]),
        Route("/users/{name}", answer, methods=["GET"]),
        Mount("/sub/{tenant}", inner),
        Mount("/static", PlainTextResponse("a file")),
        Host("api.test", Router([Route("/hosted", answer)])),
        WebSocketRoute("/ws", answer),
    ]
    return GZipMiddleware(Starlette(routes=routes))


def nothing() -> None:
    return None


def fastapi() -> ASGIApp:
    app, outer, inner, mounted = FastAPI(), APIRouter(prefix="/v1"), APIRouter(), FastAPI()
    inner.post("/users/{uid}")(nothing)
    outer.include_router(inner, prefix="/inner")
    app.include_router(outer)
    app.post("/direct/{x}")(nothing)
    mounted.post("/m/{k}")(nothing)
    app.mount("/sub", mounted)
    return app


CASES: list[tuple[Any, str, str, str | None]] = [
    (starlette, "POST", "/users/7", "/users/{uid}"),
    (starlette, "GET", "/users/7", "/users/{name}"),
    (starlette, "DELETE", "/users/7", "/users/{uid}"),
    (starlette, "POST", "/sub/acme/x/9", "/sub/{tenant}/x/{k}"),
    (starlette, "POST", "/sub/acme/deep/9", "/sub/{tenant}/deep/{d}"),
    (starlette, "POST", "/sub/acme/none", "/sub/{tenant}/*"),
    (starlette, "GET", "/static/a/b", "/static/*"),
    (starlette, "GET", "/hosted", None),
    (starlette, "POST", "/nowhere", None),
    (fastapi, "POST", "/v1/inner/users/7", "/v1/inner/users/{uid}"),
    (fastapi, "POST", "/direct/7", "/direct/{x}"),
    (fastapi, "POST", "/sub/m/7", "/sub/m/{k}"),
    (fastapi, "GET", "/docs", "/docs"),
    (fastapi, "POST", "/nowhere", None),
]


@pytest.mark.parametrize(("build", "method", "path", "template"), CASES)
def test_a_path_has_the_template_of_its_route(
    build: Any, method: str, path: str, template: str | None
) -> None:
    assert RouteFinder(build()).template(http_scope(path, method=method)) == template


def test_an_app_without_routes_has_no_templates() -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None: ...

    assert RouteFinder(app).template(http_scope("/x")) is None


def test_a_root_path_is_not_part_of_the_template() -> None:
    finder = RouteFinder(starlette())
    rooted = http_scope("/proxy/users/7")
    rooted["root_path"] = "/proxy"
    assert finder.template(rooted) == "/users/{uid}"
    elsewhere = http_scope("/users/7")
    elsewhere["root_path"] = "/proxy"
    assert finder.template(elsewhere) == "/users/{uid}"


def test_routes_that_are_added_later_are_found() -> None:
    app = Starlette(routes=[Route("/a", answer)])
    finder = RouteFinder(app)
    assert finder.template(http_scope("/b", method="GET")) is None
    app.router.routes.append(Route("/b", answer))
    assert finder.template(http_scope("/b", method="GET")) == "/b"


def test_routes_that_contain_themselves_end() -> None:
    looped = Mount("/x", routes=[])
    looped.app.routes.append(looped)  # type: ignore[attr-defined]
    app = Starlette(routes=[looped])
    assert RouteFinder(app).template(http_scope("/x/x/x"))


def test_middleware_that_wraps_itself_ends() -> None:
    class Looped:
        app: Any = None

    looped = Looped()
    looped.app = looped
    app: Any = looped
    assert RouteFinder(app).template(http_scope("/x")) is None


def test_a_visit_tells_its_route_method_and_trace_and_no_other_header() -> None:
    headers = [(b"TraceParent", b"00-1"), (b"authorization", b"canary"), (b"tracestate", b"a=b")]
    scope = http_scope("/users/7", headers=headers)
    visit = HttpVisit("id", 0.0, scope, RouteFinder(starlette()))
    assert visit.route == visit.route == "/users/{uid}"
    assert visit.method == "POST"
    assert visit.trace_headers() == {"traceparent": "00-1", "tracestate": "a=b"}
    assert "canary" not in repr(visit)
    visit.close()
    assert visit.route == "/users/{uid}"
    assert visit.trace_headers() == {}
    odd = HttpVisit("id", 0.0, http_scope("/", method="CANARY"), RouteFinder(starlette()))
    odd.close()
    assert (odd.method, odd.route) == ("other", None)
