"""Who is calling: the tenant and the user that the app names, and keyed digests of the rest.

Never a tenant or a user out of a client's header: only the app can say which claim was verified.
"""

import asyncio
import base64
import hmac
import inspect
import logging
from collections.abc import Awaitable, Callable, Iterator
from itertools import chain, dropwhile
from typing import Final, cast

from starlette.types import Scope

from abuse_gate.asgi.proxies import Proxies, peer_of
from abuse_gate.model.caller import Caller
from abuse_gate.verify.tenants import tenant_key

Resolver = Callable[[Scope], str | Awaitable[str | None] | None]
TenantResolver = Resolver
SubjectResolver = Resolver

_log = logging.getLogger("abuse_gate")
_CREDENTIALS: Final = frozenset({b"authorization", b"x-api-key", b"api-key", b"x-goog-api-key"})
# Lines that are the same for everybody, or never twice the same; any other may name a sender.
_NAMELESS: Final = frozenset(
    b"""
    accept accept-charset accept-encoding accept-language connection content-length content-type
    date host traceparent tracestate x-amzn-trace-id x-b3-sampled x-b3-spanid x-b3-traceid
    x-cloud-trace-context x-correlation-id x-request-id x-request-start x-stainless-retry-count
    """.split()
)
# The app may look at the first of several under any of these names, or at the last: one each, or as
# many as those two can be read in (three each). More than these nobody looks at.
MOST_CREDENTIALS: Final = 2 * len(_CREDENTIALS)
_SCHEMES: Final = frozenset({"bearer", "basic", "token", "apikey", "api-key", "key", "jwt"})
SHORTEST_SECRET: Final = 12
_JWT_PARTS: Final = 3


class Callers:
    """Compiled once; asked for a caller only when its standing or its share matters."""

    def __init__(
        self,
        key: bytes,
        tenant: TenantResolver | None,
        seconds: float = 1.5,
        *,
        subject: SubjectResolver | None = None,
        proxies: Proxies | None = None,
    ) -> None:
        self._key = key
        self._tenant = tenant
        self._subject = subject
        self._seconds = seconds
        self._proxies = proxies or Proxies()

    async def of(self, scope: Scope) -> Caller:
        """The caller of a request; a tenant that could not be told is nobody's to serve."""
        known, tenant = await self._resolved("tenant", self._tenant, scope)
        _, user = await self._resolved("subject", self._subject, scope)
        try:
            return self._caller(scope, known, tenant, user)
        except Exception as error:  # noqa: BLE001 - whatever a server or a client has sent
            _log.warning("a caller could not be told: %s", type(error).__name__)
            return Caller(tenant=tenant, known=known)

    def lazily(self, scope: Scope) -> "CallerOnce":
        """The caller of a request, to be found out when somebody asks."""
        return CallerOnce(self, scope)

    def _caller(self, scope: Scope, known: bool, tenant: str | None, user: str | None) -> Caller:
        place = self._proxies.place_of(scope)
        address = self._digest("addr", tenant, place.address.encode("utf-8", "replace"))
        if user:
            names = [self._digest("user", tenant, user.encode("utf-8", "replace"))]
        else:
            names = [self._digest("key", tenant, found) for found in _credentials(scope)]
        subject = names[0] if names else address
        return Caller(subject, address, tenant, known, tuple(names[1:]), place.shared)

    def _digest(self, kind: str, tenant: str | None, value: bytes) -> str:
        """A keyed digest with its kind in front; nothing has no digest, so nothing collides."""
        if not value:
            return ""
        # Whatever finds the same guard and ladder is the same tenant here.
        # The length keeps a tenant's end and a value's beginning apart.
        name = tenant_key(tenant or "").encode("utf-8", "replace")
        whose = b"-" if tenant is None else b"%d:%s" % (len(name), name)
        text = b"%s\0%s\0%s" % (kind.encode(), whose, value)
        return f"{kind}-{hmac.digest(self._key, text, 'sha256').hex()[:32]}"

    async def _resolved(
        self, what: str, resolver: Resolver | None, scope: Scope
    ) -> tuple[bool, str | None]:
        """Whether the app's resolver could tell, and what."""
        if resolver is None:
            return True, None
        try:
            found = cast("object", resolver(scope))
            if inspect.isawaitable(found):
                async with asyncio.timeout(self._seconds):
                    found = await found
        except Exception as error:  # noqa: BLE001 - the app's resolver must not break its request
            _log.warning("the %s resolver raised %s", what, type(error).__name__)
            return False, None
        if found is not None and not isinstance(found, str):
            # An id of another type would be spelled by guesswork, and name somebody else.
            _log.warning("the %s resolver returned no text", what)
            return False, None
        return True, found


class CallerOnce:
    """One request's caller, found out at most once."""

    __slots__ = ("_callers", "_found", "_scope")

    def __init__(self, callers: Callers, scope: Scope) -> None:
        self._callers = callers
        self._scope = scope
        self._found: Caller | None = None

    async def __call__(self) -> Caller:
        """The caller."""
        if self._found is None:
            self._found = await self._callers.of(self._scope)
        return self._found


def _credentials(scope: Scope) -> list[bytes]:
    """Every secret that the request shows, each once; of too many, what an app may look at.

    That is every reading of the first and of the last value under each name: else one header full
    of inventions could hide what another one says.
    """
    shown: dict[bytes, list[list[bytes]]] = {}
    for name, value in scope["headers"]:
        if name.lower() in _CREDENTIALS:
            # Apps see the header as text, whose white space is more than that of bytes.
            tokens = [found.encode("latin-1") for found in _tokens(value.decode("latin-1"))]
            shown.setdefault(name.lower(), []).extend([tokens] if tokens else [])
    every = [value for values in shown.values() for value in values]
    found = dict.fromkeys(chain.from_iterable(every))
    if len(found) <= MOST_CREDENTIALS:
        return list(found)
    ends = [value for values in shown.values() for value in (*values[:1], *values[-1:])]
    seen = dict.fromkeys(chain.from_iterable(ends))
    return list(seen | found)[: max(MOST_CREDENTIALS, len(seen))]


def _tokens(value: str) -> Iterator[str]:
    """A token is the same under any header, any scheme, in any spelling that apps let pass."""
    scheme, words = _without_scheme(value.split())
    spelled = _basic if scheme == "basic" else _token
    if scheme and words:
        # Some apps take the word after the scheme, some the last one, some all there is. What is
        # too short for a secret may be the same word for everybody.
        pieces = [word for word in (words[0], words[-1]) if len(word) >= SHORTEST_SECRET]
        yield from map(spelled, (*pieces, "".join(words)))
    elif words:
        yield spelled(" ".join(words))


def _without_scheme(words: list[str]) -> tuple[str, list[str]]:
    """The scheme in lower case and what follows; of one nobody knows only if it is one word."""
    match words:
        case [first, second] if first.lower() not in _SCHEMES and len(second) >= SHORTEST_SECRET:
            return first.lower(), [second]
        case _:
            rest = list(dropwhile(lambda word: word.lower() in _SCHEMES, words))
            schemes = words[: len(words) - len(rest)]
            return (schemes[-1].lower() if schemes else ""), rest


def _basic(token: str) -> str:
    """One spelling for all that decode to the same name and password."""
    found = _decoded(token, base64.b64decode)
    return base64.b64encode(found).decode() if found else token


def _token(token: str) -> str:
    """One spelling of a JWT, whose signature lenient decoders read in many; others as they are."""
    parts = token.split(".")
    if len(parts) < _JWT_PARTS:
        return token
    found = [_decoded(part, base64.urlsafe_b64decode) for part in parts]
    if not found[0].lstrip().startswith(b"{"):
        return token
    plain = (base64.urlsafe_b64encode(part).rstrip(b"=").decode() for part in found)
    return ".".join(one or part for one, part in zip(plain, parts, strict=True))


def _decoded(text: str, decode: Callable[[bytes], bytes]) -> bytes:
    """As lenient decoders do it: foreign letters, spare bits, what follows a pad do not count."""
    try:
        return decode(text.encode("latin-1") + b"==")
    except ValueError:
        return b""


def owner_of(scope: Scope) -> str:
    """Whose turn it is in a line inside this process: the credential, else the address."""
    owner = next(iter(_credentials(scope)), b"") or peer_of(scope).encode("utf-8", "replace")
    return owner.decode("latin-1")


def sender_of(scope: Scope) -> bytes:
    """All that may tell a sender from others, just as it was sent; for nobody to see."""
    lines = [b"%b:%b" % line for line in scope["headers"] if line[0] not in _NAMELESS]
    return b"\n".join((peer_of(scope).encode("utf-8", "replace"), *lines))
