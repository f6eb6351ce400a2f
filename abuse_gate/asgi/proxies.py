"""Where a request comes from: the peer's address, or what a trusted proxy says of its client.

`X-Forwarded-For` and `Forwarded` are read from right to left and only as far as trusted proxies
wrote them. Neither uvicorn's nor any other middleware does that with IPv6 by /64, zones and ports.
"""

import logging
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from itertools import islice
from typing import Any, Final

from starlette.types import Scope

from abuse_gate.settings.model import ProxyHeader
from abuse_gate.settings.places import Network

Address = IPv4Address | IPv6Address

_log = logging.getLogger("abuse_gate")

# Hops that are read of one chain; nobody stands behind more proxies than that.
MOST_HOPS: Final = 32
# What only a proxy writes, or somebody who would like to be taken for one.
SIGNS: Final = frozenset(
    {
        b"x-forwarded-for",
        b"forwarded",
        b"x-real-ip",
        b"x-client-ip",
        b"cf-connecting-ip",
        b"true-client-ip",
        b"fly-client-ip",
        b"via",
    }
)
HEADERS: Final[tuple[ProxyHeader, ...]] = ("x-forwarded-for", "forwarded")
_V4_PORT: Final = re.compile(r"(?P<host>[0-9.]+):[0-9]{1,5}\Z")
_V6_PORT: Final = re.compile(r"\[(?P<host>[^\[\]]+)\](?::[0-9]{1,5})?\Z")
# How much of `Forwarded` is read, from its end; what stands further left cannot be told.
MOST_FORWARDED: Final = 4096
# One parameter of an element, up to the next; possessive, so that no text is read twice.
_PAIR: Final = re.compile(
    r"\s*+(?P<name>[!#$%&'*+.^_`|~0-9A-Za-z-]++)\s*+=\s*+"
    r'(?:"(?P<quoted>(?:[^"\\]|\\.)*+)"|(?P<plain>[^\s;,"]*+))\s*+(?:;|\Z)'
)
_PREFIX: Final = 64


@dataclass(frozen=True, slots=True)
class Place:
    """An address as text, empty when there is none; `shared` when it may be a proxy's."""

    address: str
    shared: bool = False


class Proxies:
    """Compiled once: which peers may speak for others, and by which header."""

    def __init__(
        self, trusted: Sequence[Network] = (), header: ProxyHeader = "x-forwarded-for"
    ) -> None:
        self._trusted = tuple(trusted)
        self._headers = HEADERS if header == HEADERS[0] else HEADERS[::-1]
        self._warned = False

    def place_of(self, scope: Scope) -> Place:
        """Where a request comes from, as far as somebody we trust says so."""
        peer, place = _peer_place(peer_of(scope))
        if peer is None:
            return place
        if self._trusted and self._is_trusted(peer):
            return self._behind(scope)
        # Servers hand header names over in lower case.
        signs = [name for name, _ in scope["headers"] if name in SIGNS or name.lower() in SIGNS]
        if not signs or self._resolved_by_server(scope, peer):
            return place
        self._warn()
        return Place(place.address, shared=True)

    def _behind(self, scope: Scope) -> Place:
        """The first address from the right that is no trusted proxy's own."""
        for hop in self._hops(scope):
            address = parsed(hop)
            if address is None:
                break
            if not self._is_trusted(address):
                return Place(_spelled(address))
        # Nobody but proxies, or a hop that cannot be read: whose address it is cannot be told.
        return Place("", shared=True)

    def _resolved_by_server(self, scope: Scope, peer: Address) -> bool:
        """Whether the server has already put the last hop in the peer's place, as uvicorn does."""
        return any(parsed(hop) == peer for hop in self._hops(scope)[:1])

    def _hops(self, scope: Scope) -> list[str]:
        """The chain from right to left, out of the one header that the proxies write."""
        for name in self._headers:
            values = [
                value.decode("latin-1")
                for key, value in scope["headers"]
                if key.lower() == name.encode()
            ]
            if values:
                split = _split_plain if name == HEADERS[0] else _split_forwarded
                return list(islice(split(values), MOST_HOPS))
        return []

    def _is_trusted(self, address: Address) -> bool:
        return any(address in network for network in self._trusted)

    def _warn(self) -> None:
        if not self._warned:
            self._warned = True
            _log.warning(
                "abuse-gate: a peer that is no trusted proxy sends X-Forwarded-For or the like: "
                "strikes of such peers' addresses are not counted; if it is your proxy, name its "
                "network in ABUSE_GATE_TRUSTED_PROXIES"
            )


def parsed(text: str) -> Address | None:
    """An address with or without port, brackets or zone; a mapped IPv4 address is IPv4."""
    text = text.strip()
    match = _V4_PORT.match(text) or _V6_PORT.match(text)
    text = match["host"] if match else text
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return mapped or address


@lru_cache(maxsize=4096)
def _peer_place(host: str) -> tuple[Address | None, Place]:
    """A peer's own address; asked for the same few peers all the time."""
    peer = parsed(host)
    return peer, Place(host if peer is None else _spelled(peer))


def _spelled(address: Address) -> str:
    """One spelling for one subject: an IPv6 host has all of its /64."""
    if isinstance(address, IPv4Address):
        return str(address)
    return str(IPv6Network((int(address), _PREFIX), strict=False))


def peer_of(scope: Scope) -> str:
    """The host that the server names as its peer; empty where there is none."""
    client: Any = scope.get("client")
    try:
        return str(client[0] or "") if client else ""
    except (TypeError, IndexError, KeyError):
        return ""


def _split_plain(values: Sequence[str]) -> Iterator[str]:
    """The hops of `X-Forwarded-For` from right to left."""
    return (hop for value in reversed(values) for hop in reversed(value.split(",")))


def _split_forwarded(values: Sequence[str]) -> Iterator[str]:
    """The hops of `Forwarded` from right to left; one that cannot be read is empty."""
    left = MOST_FORWARDED
    for value in reversed(values):
        text = value[-left:]
        yield from (_for_of(element) for element in _elements(text, whole=len(value) <= left))
        left -= len(text)
        if left <= 0:
            break


def _elements(text: str, *, whole: bool) -> Iterator[str]:
    """Cut at the commas outside quotes, beginning at the end.

    There the proxy wrote: a quote that a client has left open further left cannot swallow it.
    """
    end, quoted = len(text), False
    for at in range(end - 1, -1, -1):
        if text[at] == '"' and not (quoted and _escaped(text, at)):
            quoted = not quoted
        elif text[at] == "," and not quoted:
            yield text[at + 1 : end]
            end = at
    yield text[:end] if whole and not quoted else ""


def _escaped(text: str, at: int) -> bool:
    start = at
    while start and text[start - 1] == "\\":
        start -= 1
    return (at - start) % 2 == 1


def _for_of(element: str) -> str:
    """Whom an element is for; nobody if any of its text is no parameter, or two say so."""
    found: list[str] = []
    at = 0
    while at < len(element):
        pair = _PAIR.match(element, at)
        if pair is None:
            return ""
        if pair["name"].lower() == "for":
            found.append(pair["quoted"] or pair["plain"] or "")
        at = pair.end()
    return found[0] if len(found) == 1 else ""
