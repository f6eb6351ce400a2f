"""The one place where the parts are put together: settings in, a gate or a guarded adapter out."""

import os
from collections.abc import Awaitable, Callable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from difflib import get_close_matches
from importlib import import_module
from typing import Any

from abuse_gate.contract import ConfigError, Observer, SecretProvider, Store, VerifierAdapter
from abuse_gate.gate import Gate
from abuse_gate.rules.custom import CustomPatternError, compile_custom
from abuse_gate.rules.placeholders import Redaction
from abuse_gate.rules.rulesets import RULESETS
from abuse_gate.rules.structure import SEVERITIES
from abuse_gate.settings import PiiRuleset, Settings, settings_from_env
from abuse_gate.stores.memory import MemoryStore
from abuse_gate.stores.operators import Subjects
from abuse_gate.stores.strikes import Strikes, ladder_of, ladders_of
from abuse_gate.stores.verdicts import MemoryVerdicts, RedisVerdicts
from abuse_gate.telemetry.logs import LogObserver
from abuse_gate.telemetry.observers import Observers
from abuse_gate.verify.cached import VerdictCache
from abuse_gate.verify.guard import Guard
from abuse_gate.verify.resolve import BUILT_IN, adapter_name, guarded, resolve
from abuse_gate.verify.tenants import Guards, tenant_key
from abuse_gate.work.documents import DocumentPool, PoolLimits
from abuse_gate.work.once import once
from abuse_gate.work.scanner import Scanner, build_scanner


def build_gate(
    settings: Settings,
    adapter: VerifierAdapter | Guard | None = None,
    observer: Observer | None = None,
    secrets: SecretProvider | None = None,
    *,
    store: Store | None = None,
    names_users: bool = False,
) -> Gate:
    """A gate out of settings; an adapter given by hand wins over the one that they name.

    `names_users` says that the app resolves its callers to users, so that an address is one's own.
    """
    observers = Observers([LogObserver(), *([observer] if observer else [])])
    scanner = build_scanner(settings.additional_patterns, settings.rule_packs)
    check_rule_ids(settings, {*SEVERITIES, *(rule.id for rule in scanner.book.rules)})
    verifier = _verifier(settings, adapter, scanner, observers, secrets)
    documents = DocumentPool(PoolLimits(seconds=settings.document_timeout_ms / 1000))
    key, redactions = digest_key(settings), redactions_of(settings)
    return Gate(
        settings,
        scanner,
        verifier,
        observers,
        key,
        documents=documents,
        redactions=redactions,
        strikes=_strikes(settings, store, observers, names_users),
        cache=_verdict_cache(settings, key, observers),
    )


def _strikes(
    settings: Settings, store: Store | None, observer: Observer, names_users: bool
) -> Strikes | None:
    if settings.strikes == "off":
        return None
    tenants = {tenant_key(tenant.name): tenant for tenant in settings.tenants}
    return Strikes(
        build_store(settings, observer) if store is None else store,
        observer,
        ladders_of(settings, tenants, tenant_key),
        cap_addresses=not (settings.trusted_proxies or names_users),
    )


def _verdict_cache(settings: Settings, key: bytes, observer: Observer) -> VerdictCache | None:
    if settings.verdict_cache == "off":
        return None
    near = MemoryVerdicts(settings.verdict_cache_sec)
    if settings.verdict_cache == "memory":
        return VerdictCache(near, key, observer)
    if settings.redis_url is None:
        raise ConfigError(
            "ABUSE_GATE_VERDICT_CACHE = redis: needs ABUSE_GATE_REDIS_URL; set it, or say memory"
        )
    client = redis_room("abuse_gate.stores.redis").client_maker(settings)
    seconds = settings.store_timeout_ms / 1000
    store = RedisVerdicts(client, near, observer, settings.verdict_cache_sec, seconds)
    return VerdictCache(store, key, observer)


def build_store(settings: Settings, observer: Observer) -> Store:
    """This process's memory, behind the shared store where the settings name one."""
    local = MemoryStore(ladder_of(settings))
    if settings.redis_url is None:
        return local
    client = redis_room("abuse_gate.stores.redis").client_maker(settings)
    shared = redis_room("abuse_gate.stores.shared")
    seconds = settings.store_timeout_ms / 1000
    found: Store = shared.open_store(client, ladder_of(settings), local, observer, seconds)
    return found


@dataclass(frozen=True, slots=True)
class OpenSubjects:
    """The subjects of a shared store, and how to let go of it."""

    subjects: Subjects
    aclose: Callable[[], Awaitable[None]]


def subjects_from_env() -> OpenSubjects:
    """What an operator can do from outside the app, by the same settings as the app's."""
    settings = settings_from_env()
    if settings.redis_url is None:
        raise ConfigError(
            "ABUSE_GATE_REDIS_URL: not set, so that strikes live in the app's own process and "
            "cannot be reached from here; set it, or ask the app (gate.subjects, admin_app)"
        )
    observer = Observers([LogObserver()])
    store = build_store(settings, observer)
    return OpenSubjects(Subjects(store, observer), store.aclose)


def redis_room(name: str) -> Any:
    """A module that needs redis-py: an extra, and slow to import, so only for those who use it."""
    try:
        return import_module(name)
    except ImportError:
        raise ConfigError(
            "ABUSE_GATE_REDIS_URL: the Redis client is not installed; "
            "pip install 'abuse-gate[redis]'"
        ) from None


def redactions_of(settings: Settings) -> dict[PiiRuleset, Redaction]:
    """Every ruleset ready for use; the operator's own patterns count under each of them."""
    try:
        custom = compile_custom(settings.pii)
    except CustomPatternError as error:
        raise ConfigError(f"pii in [abuse_gate]: {error}") from None
    return {name: Redaction(detectors, custom) for name, detectors in RULESETS.items()}


def gate_from_env(overrides: Mapping[str, Any] | None = None) -> Gate:
    """A gate whose every setting comes from the environment and the file that it names."""
    return build_gate(settings_from_env(**(overrides or {})))


@once
def resolve_adapter_from_env() -> Guard:
    """The adapter that `VERIFIER_ADAPTER` names, guarded; one for the whole process.

    `resolve_adapter_from_env.cache_clear()` forgets it.
    """
    settings = settings_from_env()
    scanner = build_scanner(settings.additional_patterns, settings.rule_packs)
    return resolve(settings, scanner, Observers([LogObserver()])).common


@once
def process_gate() -> Gate:
    """The gate of callers that ask by hand, without the middleware; one for the whole process."""
    return gate_from_env()


def check_rule_ids(settings: Settings, known: AbstractSet[str]) -> None:
    """A rule that is to be switched off or weighed must exist: a typing error would hide it."""
    named = [*settings.disabled_rules, *settings.severity_overrides]
    for route in settings.routes:
        named += [*(route.disabled_rules or ()), *(route.severity_overrides or {})]
    for rule in named:
        if rule not in known:
            near = get_close_matches(rule, sorted(known), n=1)
            hint = (
                f"did you mean {near[0]}?"
                if near
                else "the log record of an incident names its rules"
            )
            raise ConfigError(
                f"disabled_rules / severity_overrides: no rule is called {rule[:40]!r}; {hint}"
            )


def _verifier(
    settings: Settings,
    adapter: VerifierAdapter | Guard | None,
    scanner: Scanner,
    observer: Observer,
    secrets: SecretProvider | None,
) -> Guards | None:
    if isinstance(adapter, Guard):
        return Guards(adapter)
    if adapter is not None:
        return Guards(guarded(adapter, adapter_name(adapter), settings, observer))
    # With `none` tier 1 answers alone: asking the rules a second time would tell nothing new.
    if settings.verifier_adapter == BUILT_IN:
        return None
    return resolve(settings, scanner, observer, secrets)


def digest_key(settings: Settings) -> bytes:
    """The key of all digests; random for this process when none is configured."""
    if settings.secret is None:
        return os.urandom(32)
    return settings.secret.get_secret_value().encode()
