"""Keys out of an Azure Key Vault, for `AbuseGateMiddleware(app, secrets=...)`.

Only fetches. Caching and refreshing are the house's, so that no request waits for the vault.
"""

import asyncio
from typing import Any

from azure.core.exceptions import ResourceNotFoundError
from azure.identity.aio import DefaultAzureCredential
from azure.keyvault.secrets.aio import SecretClient


class KeyVaultSecrets:
    """`OPENAI_API_KEY__ACME` is the secret `OPENAI-API-KEY--ACME`: a vault knows no underscores.

    One client for each event loop; whatever the vault raises is the caller's to handle.
    """

    def __init__(self, vault_url: str, credential: Any = None, **options: Any) -> None:
        self._url = vault_url
        self._credential = credential
        self._options = options
        self._clients: dict[asyncio.AbstractEventLoop, SecretClient] = {}

    async def secret(self, name: str, /) -> str | None:
        """The newest version of a secret; None when the vault has none of that name."""
        try:
            found = await self._client().get_secret(name.replace("_", "-"))
        except ResourceNotFoundError:
            return None
        return found.value

    async def aclose(self) -> None:
        """Close the client of the running loop."""
        client = self._clients.pop(asyncio.get_running_loop(), None)
        if client is not None:
            await client.close()

    def _client(self) -> SecretClient:
        loop = asyncio.get_running_loop()
        if loop not in self._clients:
            credential = self._credential or DefaultAzureCredential()
            self._clients[loop] = SecretClient(self._url, credential, **self._options)
        return self._clients[loop]
