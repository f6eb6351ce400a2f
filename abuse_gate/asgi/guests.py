"""A request's sender while its files are opened: whose turn it is, and whether it is there yet."""

from collections.abc import Awaitable

from starlette.types import Scope

from abuse_gate.asgi.body import Body
from abuse_gate.asgi.callers import owner_of
from abuse_gate.model.extract import Extract
from abuse_gate.work.uploads import ClientGone, Guest


class HttpGuest(Guest):
    """A client that may leave; those behind one address or one key share a place in the line."""

    __slots__ = ("_body", "_scope")

    def __init__(self, scope: Scope, body: Body) -> None:
        self._scope = scope
        self._body = body

    def owner(self) -> str:
        """The address and the key, digested by nobody: they go nowhere but into the line."""
        return owner_of(self._scope)

    async def attended(self, work: Awaitable[Extract]) -> Extract:
        """The extract, unless the client leaves first."""
        found = await self._body.watched(work)
        if found is None:
            raise ClientGone
        return found
