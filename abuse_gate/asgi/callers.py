"""Who is calling: the tenant that the app names, and a keyed digest of the credential or address.

Never a tenant out of a client's header: only the app can say which claim was verified.
"""

import hashlib
import hmac
import inspect
import logging
from collections.abc import Awaitable, Callable
from typing import Final

from starlette.types import Scope

from abuse_gate.model.caller import Caller

TenantResolver = Callable[[Scope], str | Awaitable[str | None] | None]

_log = logging.getLogger("abuse_gate")
_CREDENTIALS: Final = (b"authorization", b"x-api-key", b"api-key")


class Callers:
    """Compiled once; asked only for requests that a verifier will see."""

    def __init__(self, key: bytes, tenant: TenantResolver | None) -> None:
        self._key = key
        self._tenant = tenant

    async def of(self, scope: Scope) -> Caller:
        """The caller of a request; a tenant that could not be told is nobody's to serve."""
        subject = self._subject(scope)
        try:
            return Caller(subject, await self._resolved(scope))
        except Exception as error:  # noqa: BLE001 - the app's resolver must not break its request
            _log.warning("the tenant resolver raised %s", type(error).__name__)
            return Caller(subject, known=False)

    def _subject(self, scope: Scope) -> str:
        headers: dict[bytes, bytes] = {name.lower(): value for name, value in scope["headers"]}
        kind, value = b"address", (scope.get("client") or ("", 0))[0].encode()
        for name in _CREDENTIALS:
            if headers.get(name):
                kind, value = b"credential", headers[name]
                break
        if not value:
            return ""
        return hmac.new(self._key, kind + b"\0" + value, hashlib.sha256).hexdigest()[:32]

    async def _resolved(self, scope: Scope) -> str | None:
        if self._tenant is None:
            return None
        found = self._tenant(scope)
        return await found if inspect.isawaitable(found) else found
