"""One HTTP request's way through the door: read the body, ask the gate, let it in or answer it.

Keeps nothing of a request on itself: one object serves every request and every event loop.
"""

import inspect
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial

from starlette.types import ASGIApp, Receive, Scope, Send

from abuse_gate.asgi.body import Body, Outcome
from abuse_gate.asgi.callers import (
    CallerOnce,
    Callers,
    SubjectResolver,
    TenantResolver,
    sender_of,
)
from abuse_gate.asgi.guests import HttpGuest
from abuse_gate.asgi.proxies import Proxies
from abuse_gate.asgi.refusals import Refusal, refusal_of
from abuse_gate.asgi.respond import HeaderSend, HeaderStyle, send_refusal, without_client_headers
from abuse_gate.asgi.routes import RouteFinder
from abuse_gate.asgi.scopes import (
    body_limit,
    document_limit,
    full_path,
    is_preflight,
    keep_decision,
)
from abuse_gate.asgi.visits import HttpVisit
from abuse_gate.gate import Gate
from abuse_gate.inspection import Inspection
from abuse_gate.model.decision import Decision
from abuse_gate.model.extract import Extract
from abuse_gate.model.standing import FREE, Standing
from abuse_gate.model.verdict import Assessment
from abuse_gate.model.visit import Visit
from abuse_gate.reading.dialect import dialect_before_body
from abuse_gate.reading.head import JSON_ALONE, Head, sort_headers
from abuse_gate.reading.request import RawRequest
from abuse_gate.settings import RoutePolicy
from abuse_gate.work.incidents import INCIDENT_IDS
from abuse_gate.work.uploads import ClientGone

OnRefuse = Callable[[Scope, Refusal], ASGIApp | Awaitable[ASGIApp | None] | None]

_log = logging.getLogger("abuse_gate")


@dataclass(frozen=True, slots=True)
class Admitted:
    """A request whose sender may come in: who it is, how it stands, the policy for it."""

    scope: Scope
    head: Head
    who: CallerOnce
    visit: Visit
    standing: Standing
    policy: RoutePolicy


class Doorman:
    """An ASGI app for HTTP scopes alone."""

    def __init__(
        self,
        app: ASGIApp,
        gate: Gate,
        on_refuse: OnRefuse | None,
        tenant: TenantResolver | None = None,
        subject: SubjectResolver | None = None,
    ) -> None:
        self.gate = gate
        settings = gate.settings
        self._callers = Callers(
            gate.digest_key,
            tenant,
            settings.verifier_timeout_ms / 1000,
            subject=subject,
            proxies=Proxies(settings.trusted_proxies, settings.proxy_header),
        )
        self._app = app
        self._routes = RouteFinder(app)
        self._glance = gate.glance
        self._limit = settings.max_body_bytes
        self._clock = gate.recorder.clock
        self._on_refuse = on_refuse
        self._headers: HeaderStyle = gate.settings.headers
        self._body_seconds = gate.settings.body_timeout_ms / 1000

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Gate one request, unless its route is not gated or it is a browser's preflight."""
        head = sort_headers(scope["headers"])
        if head.ours:
            scope = without_client_headers(scope)
        path, gate = full_path(scope) if scope.get("root_path") else scope["path"], self.gate
        policy = gate.routing.policy(path)
        if not policy.gated or (scope["method"] == "OPTIONS" and is_preflight(scope)):
            await self._app(scope, receive, send)
            return
        now, who, standing = self._clock(), None, FREE
        if not gate.is_quiet():
            who = self._callers.lazily(scope)
            standing, policy = await gate.admit(policy, who)
        body = Body(receive)
        plain = (head is JSON_ALONE or head.is_plain) and not scope.get("query_string")
        if plain and self._glance.applies(policy):
            outcome = body.read_at_once(self._limit)
            cleared = (
                self._glance.cleared(path, head, body.data, partial(sender_of, scope))
                if outcome == "complete"
                else None
            )
            if cleared is not None:
                keep_decision(scope, cleared)
                send = HeaderSend(send, scope, cleared, self._headers)
                await self._app(scope, body.receive, send)
                return
        who = who or self._callers.lazily(scope)
        visit = HttpVisit(INCIDENT_IDS.draw(), now, scope, self._routes)
        if standing.mode == "full_quarantine" and policy.mode != "monitor":
            decision = await gate.quarantined(policy, standing, who, visit)
            dialect = dialect_before_body(path, scope["headers"])
            refusal = refusal_of(decision, Extract(dialect=dialect), standing.seconds)
            await self._answer(scope, body, send, decision, refusal)
            return
        try:
            admitted = Admitted(scope, head, who, visit, standing, policy)
            await self._gated(scope, path, body, send, admitted)
        finally:
            body.close()

    async def _gated(
        self, scope: Scope, path: str, body: Body, send: Send, admitted: "Admitted"
    ) -> None:
        policy, visit, head = admitted.policy, admitted.visit, admitted.head
        limit, outcome = await self._read(head, body, monitor=policy.mode == "monitor")
        if outcome == "gone":
            return
        visit.lap("read", self._clock())
        request = RawRequest(
            path,
            scope.get("query_string", b""),
            scope["headers"],
            body.data[:limit],
            outcome == "complete",
            head,
        )
        if outcome == "late":
            extract = Extract(dialect=dialect_before_body(path, request.headers))
            visit.caller = await admitted.who()
            decision = self.gate.too_late(policy, len(body.data), visit)
        else:
            decided = await self._decide(request, body, admitted)
            if decided is None:
                return
            decision, extract = decided
        refusal = None if decision.status is None else refusal_of(decision, extract)
        await self._answer(scope, body, send, decision, refusal)

    async def _answer(
        self, scope: Scope, body: Body, send: Send, decision: Decision, refusal: Refusal | None
    ) -> None:
        """The app's answer under our headers, or the refusal."""
        keep_decision(scope, decision)
        send = HeaderSend(send, scope, decision, self._headers)
        if refusal is None:
            await self._app(scope, body.receive, send)
        else:
            await self._refuse(scope, body, send, refusal)

    async def _read(self, head: Head, body: Body, *, monitor: bool) -> tuple[int, Outcome]:
        """How much of the body may be looked at, and how reading so much of it ended."""
        limit = body_limit(head.types, self.gate.settings)
        # In monitor mode nothing may be lost, so there even the first message has its own task.
        outcome = None if monitor else body.read_at_once(limit)
        if outcome is None:
            outcome = await body.read(limit, self._body_seconds, lossless=monitor)
        if outcome != "over":
            return limit, outcome
        more = document_limit(body.data, self.gate.settings)
        if more <= limit:
            return limit, outcome
        return more, await body.read(more, self._body_seconds, lossless=monitor)

    async def _decide(
        self, request: RawRequest, body: Body, admitted: "Admitted"
    ) -> tuple[Decision, Extract] | None:
        """The gate's decision; None when the client left before there was one."""
        policy, visit = admitted.policy, admitted.visit
        try:
            guest = HttpGuest(admitted.scope, body)
            inspection = await self.gate.inspect(request, policy, guest, visit)
        except ClientGone:
            return None
        if inspection.ask:
            with self.gate.recorder.story(visit):
                # Only a verifier takes long enough for a client to leave meanwhile.
                assessment = await body.watched(self._verify(inspection, admitted))
                if assessment is None:
                    return None
                return await self._settle(inspection, assessment, admitted)
        assessment = await self.gate.verify(inspection, policy)
        return await self._settle(inspection, assessment, admitted)

    async def _settle(
        self, inspection: Inspection, assessment: Assessment, admitted: "Admitted"
    ) -> tuple[Decision, Extract]:
        await self.gate.recorder.gather(admitted.visit, inspection, assessment, admitted.who)
        decision = await self.gate.settle(
            inspection,
            admitted.policy,
            assessment,
            admitted.who,
            admitted.standing,
            admitted.visit,
        )
        return decision, inspection.extract

    async def _verify(self, inspection: Inspection, admitted: "Admitted") -> Assessment:
        caller = admitted.visit.caller = await admitted.who()
        return await self.gate.verify(inspection, admitted.policy, caller)

    async def _refuse(self, scope: Scope, body: Body, send: Send, refusal: Refusal) -> None:
        own = await self._own_refusal(scope, refusal)
        if own is None:
            await send_refusal(refusal, send)
        else:
            await own(scope, body.receive, send)

    async def _own_refusal(self, scope: Scope, refusal: Refusal) -> ASGIApp | None:
        if self._on_refuse is None:
            return None
        try:
            answer = self._on_refuse(scope, refusal)
            answer = await answer if inspect.isawaitable(answer) else answer
        except Exception as error:  # noqa: BLE001 - the app's wording failed; ours is always there
            _log.warning("on_refuse raised %s; sent the default refusal", type(error).__name__)
            return None
        given: object = answer
        if given is not None and not callable(given):
            _log.warning("on_refuse returned no response; sent the default refusal")
            return None
        return answer
