"""Keys at the moment of use: from the environment, a vault or the app's own provider, cached for
a while so that no request waits for a vault, and refreshed so that a key can be rotated.
"""

import asyncio
import logging
import time
from collections.abc import Callable
from typing import Final

from pydantic import SecretStr

from abuse_gate.contract import ProviderMisconfigured, SecretProvider
from abuse_gate.settings import Settings, environment_secret
from abuse_gate.work.loops import PerLoop

REFRESH_SECONDS: Final = 300.0
# How soon a vault that failed is asked again, while the last good answer is used.
RETRY_SECONDS: Final = 10.0
# Names whose answers are remembered; tenants come and go, and each has names of its own.
MOST_KNOWN: Final = 10_000

_log = logging.getLogger("abuse_gate")


class SettingsSecrets:
    """What the operator wrote: the settings first, then the environment as it is now."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    async def secret(self, name: str, /) -> str | None:
        """The key under its variable's name."""
        value = getattr(self._settings, name.lower(), None)
        if isinstance(value, SecretStr):
            return value.get_secret_value()
        return environment_secret(name)


class FirstOf:
    """Several providers as one: the first that knows a secret answers."""

    def __init__(self, *providers: SecretProvider) -> None:
        self._providers = providers

    async def secret(self, name: str, /) -> str | None:
        """The first answer that is one."""
        for provider in self._providers:
            found = await provider.secret(name)
            if found is not None:
                return found
        return None


class CachedSecrets:
    """Remembers answers; refreshes them behind the callers' backs once they are old.

    A provider that fails leaves the last good answer standing: a vault's outage is not ours.
    """

    def __init__(
        self,
        provider: SecretProvider,
        refresh_seconds: float = REFRESH_SECONDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._provider = provider
        self._refresh_seconds = refresh_seconds
        self._clock = clock
        self._known: dict[str, str | None] = {}
        self._due: dict[str, float] = {}
        self._fetches: PerLoop[dict[str, asyncio.Task[bool]]] = PerLoop(dict)

    async def secret(self, name: str, /) -> str | None:
        """The secret; only the very first question for a name waits for the provider.

        The fetch is nobody's own: one whose patience ends leaves it to those who come after.
        """
        if name not in self._known:
            if not await asyncio.shield(self._fetch(name)):
                raise ProviderMisconfigured
        elif self._clock() >= self._due[name]:
            self._due[name] = self._clock() + RETRY_SECONDS
            self._fetch(name)
        return self._known.get(name)

    def _fetch(self, name: str) -> "asyncio.Task[bool]":
        """The one fetch of a name that is under way on this loop."""
        fetches = self._fetches.get()
        if name not in fetches:
            task = fetches[name] = asyncio.create_task(self._refresh(name))
            task.add_done_callback(lambda _task: fetches.pop(name, None))
        return fetches[name]

    async def _refresh(self, name: str) -> bool:
        try:
            found = await self._provider.secret(name)
        except Exception as error:  # noqa: BLE001 - whatever a vault raises, there is no key
            # The type alone: a vault's message may name more than it should.
            _log.warning("secret provider raised %s", type(error).__name__)
            return False
        self._due[name] = self._clock() + self._refresh_seconds
        self._known[name] = found
        if len(self._known) > MOST_KNOWN:
            self._known.pop(next(iter(self._known)))
        return True
