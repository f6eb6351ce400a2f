"""What is remembered between requests, put together out of the settings: strikes and verdicts."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final

from abuse_gate.contract import ConfigError, Observer
from abuse_gate.settings import Settings, settings_from_env
from abuse_gate.store_contract import Store
from abuse_gate.stores.memory import MemoryStore
from abuse_gate.stores.operators import Subjects
from abuse_gate.stores.strikes import Strikes, ladder_of, ladders_of
from abuse_gate.stores.verdicts import MemoryVerdicts, RedisVerdicts
from abuse_gate.telemetry.audit.build import audit_trail
from abuse_gate.telemetry.logs import LogObserver
from abuse_gate.telemetry.observers import Observers
from abuse_gate.verify.cached import VerdictCache
from abuse_gate.verify.tenants import tenant_key


@dataclass(frozen=True, slots=True)
class Kept:
    """What the app brings itself: a store, and whether it tells which user a request is from."""

    store: Store | None = None
    names_users: bool = False


NOTHING_KEPT: Final = Kept()


def strikes_of(settings: Settings, observer: Observer, kept: Kept) -> Strikes | None:
    """Who is counted where and by which ladder; None while strikes are off."""
    if settings.strikes == "off":
        return None
    tenants = {tenant_key(tenant.name): tenant for tenant in settings.tenants}
    return Strikes(
        build_store(settings, observer) if kept.store is None else kept.store,
        observer,
        ladders_of(settings, tenants, tenant_key),
        cap_addresses=not (settings.trusted_proxies or kept.names_users),
    )


def verdict_cache(settings: Settings, key: bytes, observer: Observer) -> VerdictCache | None:
    """What verifiers have said already; None where nobody wants it remembered."""
    if settings.verdict_cache == "off":
        return None
    near = MemoryVerdicts(settings.verdict_cache_sec)
    if settings.verdict_cache == "memory":
        return VerdictCache(near, key, observer)
    if settings.redis_url is None:
        raise ConfigError(
            "ABUSE_GATE_VERDICT_CACHE = redis: needs ABUSE_GATE_REDIS_URL; set it, or say memory"
        )
    link = redis_room("abuse_gate.stores.link").link_maker(settings)
    seconds = settings.store_timeout_ms / 1000
    store = RedisVerdicts(link, near, observer, settings.verdict_cache_sec, seconds)
    return VerdictCache(store, key, observer)


def build_store(settings: Settings, observer: Observer) -> Store:
    """This process's memory, behind the shared store where the settings name one."""
    local = MemoryStore(ladder_of(settings))
    if settings.redis_url is None:
        return local
    link = redis_room("abuse_gate.stores.link").link_maker(settings)
    shared = redis_room("abuse_gate.stores.shared")
    seconds = settings.store_timeout_ms / 1000
    found: Store = shared.open_store(link, ladder_of(settings), local, observer, seconds)
    return found


def redis_store(
    url: str | None = None, *, observer: Observer | None = None, **overrides: Any
) -> Store:
    """A store that all workers share, for `store=`; while it is away, this process's own memory.

    The address is `url` or ABUSE_GATE_REDIS_URL; other settings are the environment's, or given.
    """
    given = {**overrides, **({} if url is None else {"redis_url": url})}
    settings = settings_from_env(**given)
    if settings.redis_url is None:
        raise ConfigError("ABUSE_GATE_REDIS_URL: not set; set it, or give redis_store an address")
    return build_store(settings, Observers([observer] if observer else []))


@dataclass(frozen=True, slots=True)
class OpenSubjects:
    """The subjects of a store, and how to let go of what was opened for them."""

    subjects: Subjects
    aclose: Callable[[], Awaitable[None]]


def open_subjects(
    settings: Settings, store: Store | None = None, observer: Observer | None = None
) -> OpenSubjects:
    """What an operator can do, by the same settings as the app's; in the log and on record.

    Without a store it is the shared one.
    """
    if store is None and settings.redis_url is None:
        raise ConfigError(
            "ABUSE_GATE_REDIS_URL: not set, so that strikes live in the app's own process and "
            "cannot be reached from here; set it, or ask the app (gate.subjects, admin_app)"
        )
    trail = audit_trail(settings)
    own = [each for each in (trail, observer) if each is not None]
    observers = Observers([LogObserver(), *own])
    opened = build_store(settings, observers) if store is None else store

    async def aclose() -> None:
        await opened.aclose()
        if trail is not None:
            # What was changed stands in the trail before the command ends.
            await asyncio.to_thread(trail.close)

    return OpenSubjects(Subjects(opened, observers, ladder_of(settings)), aclose)


def redis_room(name: str) -> Any:
    """A module that needs redis-py: an extra, and slow to import, so only for those who use it."""
    try:
        return import_module(name)
    except ImportError:
        raise ConfigError(
            "ABUSE_GATE_REDIS_URL: the Redis client is not installed; "
            "pip install 'abuse-gate[redis]'"
        ) from None
