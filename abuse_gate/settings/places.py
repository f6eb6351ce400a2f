"""Kinds of values that say where: globs on paths, networks, addresses of services, lists, tables.

Like every kind, they read what a person wrote and never put a value into a message.
"""

import re
from collections.abc import Mapping
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from typing import Final, cast
from urllib.parse import SplitResult, urlsplit

from pydantic import BaseModel, SecretStr

from abuse_gate.settings.kinds import Kind, Wrong, clean, reveal

Network = IPv4Network | IPv6Network

_PATTERN_NAME: Final = re.compile(r"[a-z][a-z_]{0,19}\Z")
_REDIS_SCHEMES: Final = frozenset({"redis", "rediss", "redis+cluster", "rediss+cluster", "unix"})


class Glob(Kind):
    """One shell glob on the full path."""

    words = "a glob that starts with / or *, such as /v1/*"

    def read(self, value: object) -> str:
        """The glob; one that could match no path is refused."""
        glob = clean(value, self.words)
        if not glob.startswith(("/", "*")):
            raise Wrong(f"a path starts with /, so this would match nothing; give {self.words}")
        return glob


class Globs(Kind):
    """Shell globs on the full path, comma separated or as a list."""

    words = "globs that start with / or *, comma separated"

    def read(self, value: object) -> tuple[str, ...]:
        """The globs in the order written."""
        return tuple(Glob().read(part) for part in _parts(value, self.words))


class Networks(Kind):
    """Networks in CIDR notation, comma separated or as a list."""

    words = "networks such as 10.0.0.0/8 or 2001:db8::/32, comma separated"

    def read(self, value: object) -> tuple[Network, ...]:
        """The networks in the order written; a single address is a network of one."""
        return tuple(self._network(part) for part in _parts(value, self.words))

    def _network(self, part: object) -> Network:
        if isinstance(part, IPv4Network | IPv6Network):
            return part
        try:
            return ip_network(clean(part, self.words))
        except ValueError:
            raise Wrong(f"not a network, or bits set behind its mask; give {self.words}") from None


class Strings(Kind):
    """A list of texts; never split at commas, because a pattern may hold one."""

    words = "a list of texts"

    def read(self, value: object) -> tuple[str, ...]:
        """The texts, each exactly as written."""
        items = _items(value)
        if items is None:
            raise Wrong(f'not a list; give {self.words}, such as ["one", "two"]')
        if not all(isinstance(item, str) and item.strip() for item in items):
            raise Wrong("holds something that is empty or not text; put every item in quotes")
        return cast("tuple[str, ...]", items)


class Weights(Kind):
    """A table of dotted names and numbers, such as rule ids and their severities."""

    def __init__(
        self, words: str = "a table of rule ids with a severity from 0 to 1000 each"
    ) -> None:
        self.words = words

    def read(self, value: object) -> Mapping[str, object]:
        """The table with one level opened: TOML reads an unquoted family.name as a table."""
        if not isinstance(value, Mapping):
            raise Wrong(f"not a table; give {self.words}")
        table = cast("Mapping[object, object]", value)
        return dict(pair for key in table for pair in self._pairs(key, table[key]))

    def _pairs(self, key: object, value: object) -> list[tuple[str, object]]:
        family = clean(key, "a name for every key")
        if not isinstance(value, Mapping):
            return [(family, value)]
        names = cast("Mapping[object, object]", value)
        return [(f"{family}.{name}", names[name]) for name in names]


class Patterns(Kind):
    """A table of names and the patterns that are redacted under them."""

    words = 'a table of names and patterns, such as badge = "B-[0-9]{6}"'

    def read(self, value: object) -> Mapping[str, str]:
        """The table; a name stands in placeholders, so it is a short word."""
        if not isinstance(value, Mapping):
            raise Wrong(f"not a table; give {self.words}")
        table = cast("Mapping[object, object]", value)
        return {self._name(key): clean(table[key], self.words) for key in table}

    def _name(self, key: object) -> str:
        name = clean(key, self.words)
        if not _PATTERN_NAME.match(name):
            raise Wrong(f"a name is a lower-case word of at most 20 letters; give {self.words}")
        return name


class Tables(Kind):
    """A list of tables, in the order written."""

    def __init__(self, what: str) -> None:
        self.words = f"one [[abuse_gate.{what}]] table for each {what}, with double brackets"

    def read(self, value: object) -> tuple[object, ...]:
        """The tables, each still to be read."""
        items = _items(value)
        if items is None:
            raise Wrong(f"not a list of tables; write {self.words}")
        for item in items:
            if not isinstance(item, Mapping | BaseModel):
                raise Wrong(f"holds something that is not a table; write {self.words}")
        return items


class Url(Kind):
    """Where a provider is: https, or plain http on this machine only."""

    words = "an https:// address, or an http:// address on localhost"

    def read(self, value: object) -> str:
        """The address; a key must not travel in clear text to another machine."""
        text = clean(value, self.words)
        parts = _split(text)
        if parts is None or parts.scheme not in {"https", "http"} or not parts.hostname:
            raise Wrong(f"not a web address; give {self.words}")
        if parts.scheme == "http" and not _is_loopback(parts.hostname):
            raise Wrong(f"plain http to another machine would show the key; give {self.words}")
        return text

    def show(self, value: object) -> str:
        """The address, unless it may carry a password or a token."""
        hides = not isinstance(value, str) or "@" in value or "?" in value
        return "" if hides else super().show(value)


class RedisUrl(Kind):
    """Where the store is; never shown, because it may hold a password."""

    hidden = True
    words = "a redis://, rediss://, redis+cluster://, rediss+cluster:// or unix:// address"

    def read(self, value: object) -> SecretStr:
        """The address, wrapped so that its repr is masked."""
        text = clean(reveal(value), self.words)
        parts = _split(text)
        if parts is None or parts.scheme not in _REDIS_SCHEMES:
            raise Wrong(f"not the address of a store; give {self.words}")
        if not (parts.path if parts.scheme == "unix" else parts.hostname):
            raise Wrong(f"names no host or socket; give {self.words}")
        return SecretStr(text)


def _items(value: object) -> tuple[object, ...] | None:
    if not isinstance(value, list | tuple | set | frozenset):
        return None
    return tuple(cast("list[object]", value))


def _parts(value: object, words: str) -> tuple[object, ...]:
    if isinstance(value, str):
        return tuple(part for part in value.split(",") if part.strip())
    items = _items(value)
    if items is None:
        raise Wrong(f"neither text nor a list; give {words}")
    return items


def _split(text: str) -> SplitResult | None:
    # Browsers and libraries disagree about blanks and backslashes: none of them is an address.
    if "\\" in text or any(char.isspace() for char in text):
        return None
    try:
        parts = urlsplit(text)
        _ = parts.port
    except ValueError:
        return None
    return parts


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"
