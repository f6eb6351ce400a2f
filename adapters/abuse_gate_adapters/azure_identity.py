"""The identity of the machine as a source of tokens, for a resource that is asked without a key."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

from azure.core.credentials_async import AsyncTokenCredential
from azure.identity.aio import DefaultAzureCredential, get_bearer_token_provider

SCOPE: Final = "https://cognitiveservices.azure.com/.default"

CredentialMaker = Callable[[], AsyncTokenCredential]


def machine_identity() -> AsyncTokenCredential:
    """The identity of the machine: environment, workload or managed; never a person's login.

    The secret of a machine's identity must not go to a proxy that the environment names.
    """
    return DefaultAzureCredential(
        use_env_settings=False,
        exclude_broker_credential=True,
        exclude_cli_credential=True,
        exclude_developer_cli_credential=True,
        exclude_interactive_browser_credential=True,
        exclude_powershell_credential=True,
        exclude_shared_token_cache_credential=True,
        exclude_visual_studio_code_credential=True,
    )


class Tokens:
    """Tokens of one event loop; the identity is looked for when the first one is needed."""

    def __init__(self, make: CredentialMaker) -> None:
        self._make = make
        self._held: tuple[AsyncTokenCredential, Callable[[], Awaitable[str]]] | None = None
        self._fetch: asyncio.Task[str] | None = None

    async def token(self) -> str:
        """A token that is valid now; it is kept, and renewed in time.

        A fetch is nobody's own: it goes on for those who come after when one stops waiting.
        """
        if self._fetch is None or self._fetch.done():
            self._fetch = asyncio.create_task(self._fetched())
            self._fetch.add_done_callback(_swallow)
        return await asyncio.shield(self._fetch)

    async def _fetched(self) -> str:
        if self._held is None:
            identity = self._make()
            self._held = identity, get_bearer_token_provider(identity, SCOPE)
        return await self._held[1]()

    async def aclose(self) -> None:
        """Ends a fetch that is under way, and closes the connections of the identity."""
        if self._fetch is not None:
            self._fetch.cancel()
        if self._held is not None:
            await self._held[0].close()


def _swallow(task: "asyncio.Task[str]") -> None:
    """Retrieves what a fetch raised that nobody waits for, so that asyncio does not log it."""
    if not task.cancelled():
        task.exception()
