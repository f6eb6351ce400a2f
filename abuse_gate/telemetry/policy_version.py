"""What was in force when a request was decided, as one short digest of rules and settings.

No secret goes in, not even its digest, and of an address only the part that names a place.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import asdict
from functools import lru_cache
from typing import Any, Final, cast
from urllib.parse import urlsplit

from pydantic import BaseModel, SecretStr

from abuse_gate.rules.book import RuleBook
from abuse_gate.settings import RoutePolicy, Settings
from abuse_gate.telemetry.version import PACKAGE_VERSION

DIGITS: Final = 16

# Where an operator sends telemetry or keeps things has no part in a decision.
ELSEWHERE: Final = frozenset(
    {"audit_path", "audit_max_bytes", "audit_keep_days", "redis_url", "tenant_variables", "routes"}
)

# Addresses, in which a password or a token may stand. Any other text counts as it is.
ADDRESSES: Final = frozenset(
    {"openai_base_url", "anthropic_base_url", "azure_openai_endpoint", "endpoint"}
)


def policy_version(book: RuleBook, settings: Settings, policy: RoutePolicy) -> str:
    """The same for every process with the same rules, settings and code; another for any other."""
    parts = [PACKAGE_VERSION, _rules(book), _plain(_fields(settings)), _plain(asdict_of(policy))]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:DIGITS]


def asdict_of(policy: RoutePolicy) -> dict[str, Any]:
    """A route's policy as a mapping, without the version that is made of it."""
    overrides = dict(policy.severity_overrides)
    fields = {name: getattr(policy, name) for name in policy.__dataclass_fields__}
    return {**fields, "severity_overrides": overrides, "version": ""}


@lru_cache(maxsize=8)
def _rules(book: RuleBook) -> str:
    told = _plain([asdict(rule) for rule in book.rules])
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()


def _fields(settings: BaseModel) -> dict[str, Any]:
    told = {
        name: getattr(settings, name)
        for name in type(settings).model_fields
        if name not in ELSEWHERE
    }
    places = {name: _place(told[name]) for name in ADDRESSES if told.get(name)}
    return {**told, **places}


def _plain(value: object) -> Any:
    """A value as JSON has it: sets sorted, secrets as the mere fact that there is one."""
    if isinstance(value, SecretStr):
        return "set"
    if isinstance(value, BaseModel):
        return _plain(_fields(value))
    if isinstance(value, Mapping):
        pairs = cast("Mapping[object, object]", value).items()
        return {str(key): _plain(each) for key, each in pairs}
    if isinstance(value, AbstractSet):
        return sorted(str(each) for each in cast("AbstractSet[object]", value))
    if isinstance(value, list | tuple):
        return [_plain(each) for each in cast("Sequence[object]", value)]
    return value if isinstance(value, str | int | float | bool | None) else str(value)


def _place(address: str) -> str:
    try:
        parts = urlsplit(address)
        host, port = parts.hostname, parts.port
    except ValueError:
        return "an address"
    return f"{parts.scheme}://{host}:{port}{parts.path}"
