"""Who is calling: the tenant that the app names, and a keyed digest of the credential or address.

Never a tenant out of a client's header: only the app can say which claim was verified.
"""

import asyncio
import hashlib
import hmac
import inspect
import logging
from collections.abc import Awaitable, Callable
from typing import Any, Final, cast

from starlette.types import Scope

from abuse_gate.model.caller import Caller

TenantResolver = Callable[[Scope], str | Awaitable[str | None] | None]

_log = logging.getLogger("abuse_gate")
_CREDENTIALS: Final = (b"authorization", b"x-api-key", b"api-key")


class Callers:
    """Compiled once; asked only for requests that a verifier will see."""

    def __init__(self, key: bytes, tenant: TenantResolver | None, seconds: float = 1.5) -> None:
        self._key = key
        self._tenant = tenant
        self._seconds = seconds

    async def of(self, scope: Scope) -> Caller:
        """The caller of a request; a tenant that could not be told is nobody's to serve."""
        try:
            address = self._digest(b"address", _address(scope))
            subject = self._digest(b"credential", _credential(scope)) or address
            return Caller(subject, address, await self._resolved(scope))
        except Exception as error:  # noqa: BLE001 - the app's resolver must not break its request
            _log.warning("the tenant resolver raised %s", type(error).__name__)
            return Caller(known=False)

    def _digest(self, kind: bytes, value: bytes) -> str:
        if not value:
            return ""
        return hmac.new(self._key, kind + b"\0" + value, hashlib.sha256).hexdigest()[:32]

    async def _resolved(self, scope: Scope) -> str | None:
        if self._tenant is None:
            return None
        found = cast("object", self._tenant(scope))
        if inspect.isawaitable(found):
            async with asyncio.timeout(self._seconds):
                found = await found
        if found is not None and not isinstance(found, str):
            # An id of another type would be spelled by guesswork, and name somebody else's key.
            raise TypeError
        return found


def _address(scope: Scope) -> bytes:
    client: Any = scope.get("client") or ("",)
    return str(client[0] or "").encode()


def _credential(scope: Scope) -> bytes:
    headers: dict[bytes, bytes] = {name.lower(): value for name, value in scope["headers"]}
    return next((headers[name] for name in _CREDENTIALS if headers.get(name)), b"")


def owner_of(scope: Scope) -> str:
    """Whose turn it is in a line inside this process: the credential, else the address."""
    return (_credential(scope) or _address(scope)).decode("latin-1")
