"""An optional ASGI app for operators: the subjects over HTTP. Off unless somebody mounts it, and it
refuses to exist without a hook that says who may use it.
"""

import asyncio
import inspect
import json
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from abuse_gate.contract import ConfigError, Observer
from abuse_gate.remembering import open_subjects
from abuse_gate.settings import Settings, settings_from_env
from abuse_gate.store_contract import Store
from abuse_gate.stores.operators import (
    DEFAULT_LIMIT,
    Subjects,
    UnknownSubjectError,
    WrongChangeError,
    standing_shape,
    subject_shape,
)

if TYPE_CHECKING:
    from abuse_gate.model.decision import Mode

# Returns who it is, for the audit trail; anything empty is refused.
Authorize = Callable[[Request], str | Awaitable[str | None] | None]
Answer = TypeVar("Answer")
Handler = Callable[[Request, str], Awaitable[Response]]

MOST_LISTED: Final = 10_000
MOST_BODY: Final = 16_384
MOST_INCIDENT: Final = 128
# Beyond any span there is; a longer number is none that can be reckoned with.
MOST_NUMBER: Final = 2**53
# For the hook, for the body, and for the store; nobody is kept waiting for ever. A search through
# all subjects has so many times as long.
PATIENCE: Final = 10.0
SEARCH: Final = 6

NO_STORE: Final = (
    "ABUSE_GATE_REDIS_URL: not set, so that there is no store to share; set it, or pass the same "
    "store= to the middleware and to admin_app"
)

_log = logging.getLogger("abuse_gate")


def admin_app(
    store: Store | None = None,
    *,
    authorize: Authorize,
    observer: Observer | None = None,
    settings: Settings | None = None,
    patience: float = PATIENCE,
) -> ASGIApp:
    """GET /subjects, /subjects/{id}, /incidents/{id}; POST /subjects/{id} with mode and reason.

    Without a store it is the one of ABUSE_GATE_REDIS_URL. Every change is in the log and, where the
    settings name one, in the audit trail; an observer is told besides.
    """
    given: object = authorize
    if not callable(given):
        raise ConfigError(
            "authorize: the admin app needs a function (request) that returns the operator's name; "
            "without one anybody could lift a quarantine"
        )
    chosen = settings or settings_from_env()
    if store is None and chosen.redis_url is None:
        raise ConfigError(NO_STORE)
    opened = open_subjects(chosen, store, observer)

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncGenerator[None]:
        """Where it is served by itself; mounted in another app, it lives as long as the process."""
        yield
        await opened.aclose()

    desk = _Desk(opened.subjects, authorize, patience)
    return Starlette(
        routes=[
            Route("/subjects", desk.listed, methods=["GET"]),
            Route("/subjects/{subject}", desk.shown, methods=["GET"]),
            Route("/subjects/{subject}", desk.changed, methods=["POST"]),
            Route("/incidents/{incident}", desk.found, methods=["GET"]),
        ],
        exception_handlers={HTTPException: _unserved},
        lifespan=lifespan,
    )


class _Desk:
    """The handlers, each behind the hook."""

    def __init__(self, subjects: Subjects, authorize: Authorize, patience: float) -> None:
        self._subjects = subjects
        self._authorize = authorize
        self._patience = patience

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
            return _said("not found", 404)
        except _WrongBodyError as error:
            return _said(*error.args)
        except WrongChangeError as error:
            return _said(str(error), 422)
        except ValueError:
            return _said("subject, mode, seconds, limit or reason is missing or wrong", 422)
        except Exception as error:  # noqa: BLE001 - a store that is away is the operator's to know
            _log.warning("abuse-gate: admin request failed: %s", type(error).__name__)
            return _said("the store does not answer", 503)

    async def _actor(self, request: Request) -> str:
        try:
            found = cast("object", self._authorize(request))
            if inspect.isawaitable(found):
                found = await self._soon(found)
        except Exception as error:  # noqa: BLE001 - a hook that fails lets nobody in
            _log.warning("abuse-gate: the admin hook raised %s", type(error).__name__)
            return ""
        return found.strip() if isinstance(found, str) else ""

    async def _list(self, request: Request, _actor: str) -> Response:
        limit = int(request.query_params.get("limit", DEFAULT_LIMIT))
        listing = self._subjects.list(max(1, min(limit, MOST_LISTED)))
        found = await self._soon(listing, SEARCH)
        return _answer({"subjects": [subject_shape(subject) for subject in found]})

    async def _show(self, request: Request, _actor: str) -> Response:
        found = await self._soon(self._subjects.show(request.path_params["subject"]))
        return _said("not found", 404) if found is None else _answer(subject_shape(found))

    async def _find(self, request: Request, _actor: str) -> Response:
        incident: str = request.path_params["incident"]
        if len(incident) > MOST_INCIDENT:
            return _said("not found", 404)
        found = await self._soon(self._subjects.find(incident), SEARCH)
        return _answer({"subjects": list(found)}) if found else _said("not found", 404)

    async def _change(self, request: Request, actor: str) -> Response:
        try:
            body = await self._soon(_body(request))
        except TimeoutError:
            return _said("the body did not arrive in time", 408)
        mode, seconds, reason = _wish(body)
        subject = await self._soon(self._subjects.named(request.path_params["subject"]), SEARCH)
        told: dict[str, Any] = {"reason": reason, "actor": actor}
        if mode == "normal":
            change = self._subjects.lift(subject, **told)
        else:
            change = self._subjects.set(subject, cast("Mode", mode), seconds=seconds, **told)
        return _answer({"id": subject, **standing_shape(await self._soon(change))})

    async def _soon(self, work: Awaitable[Answer], times: int = 1) -> Answer:
        async with asyncio.timeout(times * self._patience):
            return await work


class _WrongBodyError(Exception):
    """What is wrong with a body, and the status that says so."""


async def _body(request: Request) -> bytes:
    # A form of another site can send JSON under any name but this one.
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise _WrongBodyError("send application/json", 415)
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > MOST_BODY:
            raise _WrongBodyError("too long", 413)
    return body


def _wish(body: bytes) -> tuple[str, float | None, str]:
    try:
        wish: object = json.loads(body)
    except RecursionError:
        raise ValueError from None
    told = cast("dict[str, object]", wish) if isinstance(wish, dict) else {}
    mode, reason, seconds = told.get("mode"), told.get("reason"), told.get("seconds")
    if not isinstance(mode, str) or not isinstance(reason, str):
        raise ValueError  # noqa: TRY004 - a wrong value of the caller's, like all the others
    if seconds is None:
        return mode, None, reason
    if (
        isinstance(seconds, bool)
        or not isinstance(seconds, int | float)
        or abs(seconds) > MOST_NUMBER
    ):
        raise ValueError
    return mode, float(seconds), reason


async def _unserved(_request: Request, error: Exception) -> Response:
    """What no handler serves: another path, another method."""
    found = cast("HTTPException", error)
    answer = _said(found.detail.lower(), found.status_code)
    answer.headers.update(found.headers or {})
    return answer


def _said(what: str, status: int) -> Response:
    return _answer({"error": what}, status)


def _answer(content: dict[str, Any], status: int = 200) -> Response:
    return JSONResponse(content, status_code=status, headers={"cache-control": "no-store"})
