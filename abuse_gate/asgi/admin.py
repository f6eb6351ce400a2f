"""An optional ASGI app for operators: the subjects over HTTP. Off unless somebody mounts it, and it
refuses to exist without a hook that says who may use it.
"""

import inspect
import json
import logging
from collections.abc import Awaitable, Callable
from typing import Any, Final, cast

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from abuse_gate.contract import ConfigError, Observer
from abuse_gate.model.standing import Standing, Subject
from abuse_gate.store_contract import Store
from abuse_gate.stores.operators import (
    DEFAULT_LIMIT,
    DEFAULT_SECONDS,
    Subjects,
    UnknownSubjectError,
)

# Returns who it is, for the audit trail; anything empty is refused.
Authorize = Callable[[Request], str | Awaitable[str | None] | None]
Handler = Callable[[Request, str], Awaitable[Response]]

MOST_LISTED: Final = 10_000
MOST_BODY: Final = 16_384

_log = logging.getLogger("abuse_gate")


def admin_app(store: Store, *, authorize: Authorize, observer: Observer | None = None) -> ASGIApp:
    """GET /subjects, /subjects/{id}, /incidents/{id}; POST /subjects/{id} with mode and reason."""
    given: object = authorize
    if not callable(given):
        raise ConfigError(
            "authorize: the admin app needs a function (request) that returns the operator's name; "
            "without one anybody could lift a quarantine"
        )
    desk = _Desk(Subjects(store, observer), authorize)
    return Starlette(
        routes=[
            Route("/subjects", desk.listed, methods=["GET"]),
            Route("/subjects/{subject}", desk.shown, methods=["GET"]),
            Route("/subjects/{subject}", desk.changed, methods=["POST"]),
            Route("/incidents/{incident}", desk.found, methods=["GET"]),
        ]
    )


class _Desk:
    """The handlers, each behind the hook."""

    def __init__(self, subjects: Subjects, authorize: Authorize) -> None:
        self._subjects = subjects
        self._authorize = authorize

    async def listed(self, request: Request) -> Response:
        return await self._served(request, self._list)

    async def shown(self, request: Request) -> Response:
        return await self._served(request, self._show)

    async def changed(self, request: Request) -> Response:
        return await self._served(request, self._change)

    async def found(self, request: Request) -> Response:
        return await self._served(request, self._find)

    async def _served(self, request: Request, handler: Handler) -> Response:
        actor = await self._actor(request)
        if not actor:
            return _said("not allowed", 403)
        try:
            return await handler(request, actor)
        except UnknownSubjectError:
            return _said("unknown", 404)
        except (ValueError, TypeError, KeyError):
            return _said("subject, mode, seconds or reason is missing or wrong", 422)
        except Exception as error:  # noqa: BLE001 - a store that is away is the operator's to know
            _log.warning("abuse-gate: admin request failed: %s", type(error).__name__)
            return _said("the store does not answer", 503)

    async def _actor(self, request: Request) -> str:
        try:
            found = cast("object", self._authorize(request))
            found = await found if inspect.isawaitable(found) else found
        except Exception as error:  # noqa: BLE001 - a hook that fails lets nobody in
            _log.warning("abuse-gate: the admin hook raised %s", type(error).__name__)
            return ""
        return found if isinstance(found, str) else ""

    async def _list(self, request: Request, _actor: str) -> Response:
        limit = int(request.query_params.get("limit", DEFAULT_LIMIT))
        found = await self._subjects.list(max(1, min(limit, MOST_LISTED)))
        return JSONResponse({"subjects": [_subject(subject) for subject in found]})

    async def _show(self, request: Request, _actor: str) -> Response:
        found = await self._subjects.show(request.path_params["subject"])
        return _said("unknown", 404) if found is None else JSONResponse(_subject(found))

    async def _find(self, request: Request, _actor: str) -> Response:
        found = await self._subjects.find(request.path_params["incident"])
        return JSONResponse({"subjects": list(found)})

    async def _change(self, request: Request, actor: str) -> Response:
        wish = await _wish(request)
        subject: str = request.path_params["subject"]
        reason = str(wish["reason"])
        if wish["mode"] == "normal":
            standing = await self._subjects.lift(subject, reason=reason, actor=actor)
        else:
            seconds = float(wish.get("seconds", DEFAULT_SECONDS))
            standing = await self._subjects.set(
                subject, wish["mode"], reason=reason, seconds=seconds, actor=actor
            )
        return JSONResponse({"id": subject, **_standing(standing)})


async def _wish(request: Request) -> dict[str, Any]:
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > MOST_BODY:
            raise ValueError
    wish: object = json.loads(body)
    if not isinstance(wish, dict):
        raise TypeError
    return cast("dict[str, Any]", wish)


def _standing(standing: Standing) -> dict[str, Any]:
    return {
        "mode": standing.mode,
        "seconds": round(standing.seconds),
        "strikes": standing.strikes,
    }


def _subject(subject: Subject) -> dict[str, Any]:
    return {
        "id": subject.id,
        **_standing(subject.standing),
        "incidents": list(subject.incidents),
        "note": subject.note,
    }


def _said(what: str, status: int) -> Response:
    return JSONResponse({"error": what}, status_code=status)
