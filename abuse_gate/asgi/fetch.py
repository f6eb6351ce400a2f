"""The contract's `fetch_verdict`, for apps that ask by hand, with or without the middleware."""

import asyncio
import logging

from starlette.requests import Request

from abuse_gate.asgi.scopes import body_limit, decision_in, document_limit, full_path
from abuse_gate.contract import ConfigError
from abuse_gate.gate import Gate
from abuse_gate.model.decision import Decision
from abuse_gate.model.verdict import Verdict
from abuse_gate.reading.head import sort_headers
from abuse_gate.reading.request import RawRequest
from abuse_gate.wiring import process_gate

_log = logging.getLogger("abuse_gate")


async def fetch_verdict(request: Request, *, gate: Gate | None = None) -> Verdict:
    """The verdict on a request; never raises, and leaves the body readable.

    A request that the middleware has judged is not judged again.
    """
    known = decision_in(request.scope)
    if known is not None:
        return known.verdict
    try:
        return (await _review(request, gate or await _process_gate())).verdict
    except Exception as error:  # noqa: BLE001 - the contract: no exception, unclear instead
        # A ConfigError is made to be read; anything else may quote the request.
        why = str(error) if isinstance(error, ConfigError) else type(error).__name__
        _log.warning("fetch_verdict could not ask: %s", why)
        return "unclear"


async def _process_gate() -> Gate:
    # Made once, off the loop: it reads files and compiles rules.
    if process_gate.ready:
        return process_gate()
    return await asyncio.to_thread(process_gate)


async def _review(request: Request, gate: Gate) -> Decision:
    body = await request.body()
    head = sort_headers(request.scope["headers"])
    limit = body_limit(head.types, gate.settings)
    if len(body) > limit:
        limit = max(limit, document_limit(body, gate.settings))
    path = full_path(request.scope)
    raw = RawRequest(
        path=path,
        query=request.scope.get("query_string", b""),
        headers=request.scope["headers"],
        body=body[:limit],
        complete=len(body) <= limit,
        sorted_head=head,
    )
    return await gate.review(raw, gate.routing.policy(path))
