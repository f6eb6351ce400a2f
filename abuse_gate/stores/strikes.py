"""Who is met with what: standings looked up before a request is read, offences counted after it.

Credential and address are counted apart and the stricter mode holds. What is counted in monitor
mode is kept under other names and punishes nobody. Knows no ASGI and no text.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from functools import reduce
from typing import Final

from abuse_gate.contract import Observer
from abuse_gate.deciding.ladder import Ladder
from abuse_gate.model.caller import Caller
from abuse_gate.model.events import ModeChanged, Struck
from abuse_gate.model.standing import FREE, Offence, Standing, stricter
from abuse_gate.settings import Settings, Tenant
from abuse_gate.store_contract import Store
from abuse_gate.stores.operators import Subjects

MONITORED: Final = "monitor-"
# Further credentials of one request that an incident is noted for, besides the first and the
# address: what is noted lives long, and whoever invents credentials shall not fill a store.
MOST_NOTED: Final = 1
# What a store that hangs may take when nobody waits for it.
PATIENCE: Final = 10.0


class Strikes:
    """One for a gate."""

    def __init__(
        self,
        store: Store,
        observer: Observer,
        ladders: Callable[[str | None], Ladder],
        *,
        cap_addresses: bool = True,
    ) -> None:
        self.store = store
        self._observer = observer
        self._ladders = ladders
        self._cap_addresses = cap_addresses
        self._counting: set[asyncio.Task[list[Standing]]] = set()

    @property
    def subjects(self) -> Subjects:
        """What operators can do about those who are counted here."""
        return Subjects(self.store, self._observer, self._ladders(None))

    async def standing(self, caller: Caller, *, monitor: bool = False) -> Standing:
        """The strictest of what holds for a caller now."""
        names = _named(caller.ids, monitor=monitor)
        return reduce(stricter, await self.store.look(names), FREE) if names else FREE

    async def record_unsafe(
        self,
        caller: Caller,
        offence: Offence,
        incident: str,
        before: Standing,
        *,
        monitor: bool = False,
    ) -> Standing:
        """Counts an offence and says how the caller stands after it."""
        struck = self._struck(caller, monitor=monitor)
        if not struck:
            return before
        loud = {*_named(_noted(caller), monitor=monitor)}
        # Whoever waits for it may leave at any moment; the offence is a fact.
        counting = asyncio.ensure_future(self._counted(struck, loud, offence, incident))
        self._counting.add(counting)
        counting.add_done_callback(self._is_counted)
        return reduce(stricter, await asyncio.shield(counting), before)

    async def _counted(
        self,
        struck: Sequence[tuple[str, Ladder]],
        loud: AbstractSet[str],
        offence: Offence,
        incident: str,
    ) -> list[Standing]:
        """Counts in the store and tells of it; the incident is noted for those in `loud`."""
        named = [each for each in struck if each[0] in loud]
        silent = [each for each in struck if each[0] not in loud]
        strike = self.store.record_unsafe
        striking = [strike(named, offence, incident)]
        striking += [strike(silent, offence, "")] if silent else []
        async with asyncio.timeout(PATIENCE):
            found = [each for answer in await asyncio.gather(*striking) for each in answer]
        for (subject, _), standing in zip((*named, *silent), found, strict=True):
            self._tell(subject, standing, incident)
        return found

    def _tell(self, subject: str, standing: Standing, incident: str) -> None:
        monitor = subject.startswith(MONITORED)
        told = Struck(subject, incident, standing.mode, standing.strikes, monitor)
        self._observer.record(told)
        if standing.previous in (None, standing.mode) or monitor:
            return
        left = round(standing.seconds, 3)
        self._observer.record(ModeChanged(subject, standing.previous, standing.mode, seconds=left))

    def _is_counted(self, counting: asyncio.Task[list[Standing]]) -> None:
        self._counting.discard(counting)
        if not counting.cancelled():
            counting.exception()

    async def note(self, caller: Caller, incident: str, *, monitor: bool = False) -> None:
        """Lets an operator find a caller by an incident's id."""
        names = _named(_noted(caller), monitor=monitor)
        if names:
            await self.store.note(names, incident)

    def _struck(self, caller: Caller, *, monitor: bool) -> list[tuple[str, Ladder]]:
        ladder = self._ladders(caller.tenant)
        # Behind one address may stand many, of whom one misbehaves.
        mild = replace(ladder, quarantine_at=None) if self._cap_addresses else ladder
        counted = _counted(caller)
        return [
            (name, mild if subject == caller.address else ladder)
            for subject, name in zip(counted, _named(counted, monitor=monitor), strict=True)
        ]


def _counted(caller: Caller) -> tuple[str, ...]:
    """The names that stand for this caller alone, as far as anybody can tell."""
    own = caller.ids
    return tuple(name for name in own if name != caller.address) if caller.shared else own


def _noted(caller: Caller) -> tuple[str, ...]:
    silent = caller.others[MOST_NOTED:]
    return tuple(name for name in _counted(caller) if name not in silent)


def _named(ids: tuple[str, ...], *, monitor: bool) -> tuple[str, ...]:
    return tuple(MONITORED + name for name in ids) if monitor else ids


def ladder_of(settings: Settings, tenant: Tenant | None = None) -> Ladder:
    """The operator's ladder, with what is different for one tenant."""

    def chosen(field: str) -> float:
        own = getattr(tenant, field, None)
        return float(getattr(settings, field) if own is None else own)

    return Ladder(
        window=chosen("strike_window_sec"),
        lock_at=int(chosen("lock_after")),
        lock_for=chosen("lock_sec"),
        quarantine_at=int(chosen("quarantine_after")),
        quarantine_for=chosen("quarantine_sec"),
        decay=settings.strike_decay_sec,
    )


def ladders_of(
    settings: Settings, tenants: Mapping[str, Tenant], key: Callable[[str], str]
) -> Callable[[str | None], Ladder]:
    """The ladder of each tenant, compiled; `key` is how a tenant's name is spelled."""
    common = ladder_of(settings)
    own = {name: ladder_of(settings, tenant) for name, tenant in tenants.items()}
    return lambda tenant: own.get(key(tenant), common) if tenant else common
